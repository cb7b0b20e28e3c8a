/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchings/hub_matching.h: uniform random perfect matchings of 0/1 matrices by rejection.  Used
 * when the states of matchings/uniform.h do not fit the memory.
 *
 * U(G) = prod gamma(c_j) is an upper bound of the number of perfect matchings of G.  For a row i,
 * the sum of U(G - i - j) over its columns j is at most U(G) (hub_bound.h).  A try takes the rows
 * one by one, the row with the fewest remaining columns first, and chooses column j with
 * probability U(G - i - j) / U(G); with the remaining probability the try fails.  The product of
 * these telescopes, so a try gives every perfect matching with the same probability 1 / U.
 * Source: Huber 2006; Huber and Law 2008.
 *
 * With doubles the sum of the probabilities exceeds 1 by at most 2^-36, so the probability of each
 * matching has a relative error of at most n 2^-34.  The mean number of tries is U / permanent:
 * small for dense graphs, exponential for sparse ones. */
#ifndef PM_HUB_MATCHING_H
#define PM_HUB_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler/neighbours.h"
#include "sampler/sampler.h"

typedef struct {
    uint64_t seed;
    uint32_t block;
    pm_neighbours lists;
    bool is_transposed; /* the lists are those of the transposed matrix, whose bound is smaller */
    double *gamma;      /* gamma(c), c = 0 .. the most entries of a line */
    pm_weight bound;    /* U */
    size_t scratch;     /* bytes, aligned to 64 */
} pm_hub_matching;

/* a: a square pattern with a perfect matching; may be freed afterwards.
 * *out: freed by the caller.
 * Fails: PM_UNABLE entries other than 1; what pm_neighbours_make fails with; PM_ENOMEM. */
pm_status pm_hub_matching_make(const pm_matrix *a, uint64_t seed, uint32_t block,
                               pm_hub_matching *out, pm_error *err);
void pm_hub_matching_free(pm_hub_matching *h);

/* col_of[i] = column that is matched to row i in matching number `sample`, a function of seed,
 * block and sample only.  Different matchings are independent.
 * scratch: h->scratch bytes, aligned to 64, for one thread.
 * most:    the most tries, at most 2^31 / n.
 * Returns the number of tries; 0: all tries failed, or run->stop was set. */
int64_t pm_hub_matching_draw(const pm_hub_matching *h, void *scratch, uint64_t sample, int64_t most,
                             const pm_run *run, int32_t *col_of);

#endif
