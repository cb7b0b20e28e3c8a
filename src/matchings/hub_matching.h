/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchings/hub_matching.h: uniform random perfect matchings of 0/1 matrices by rejection, where no
 * frontier fits (matchings/uniform.h).
 *
 * U(G) = prod gamma(c_j) bounds the number of perfect matchings of G, and the bounds of what is left
 * after each choice of a column for a row add up to no more (hub_bound.h).  So row after row, that
 * with the fewest columns left first, column j is chosen with probability U(G - i - j) / U(G), and
 * with what is left to 1 the try fails.  The product of these telescopes: every perfect matching
 * comes out of a try with the same probability 1 / U.  Source: Huber 2006; Huber and Law 2008.
 *
 * The telescoping is that of doubles, the sum of probabilities exceeds 1 by 2^-36 at most: a
 * matching has its probability within n 2^-34 relative.  Tries: U / permanent on average; dense
 * graphs take few, sparse ones exponentially many. */
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
    bool is_transposed; /* the side with the smaller bound are the columns of the lists */
    double *gamma;      /* gamma(c), c = 0 .. the most in a line */
    pm_weight bound;    /* U */
    size_t scratch;     /* bytes, aligned to 64 */
} pm_hub_matching;

/* a: a square pattern with a perfect matching; may be freed afterwards.
 * Fails: PM_UNABLE entries other than 1, what pm_neighbours_make says; PM_ENOMEM. */
pm_status pm_hub_matching_make(const pm_matrix *a, uint64_t seed, uint32_t block,
                               pm_hub_matching *out, pm_error *err);
void pm_hub_matching_free(pm_hub_matching *h);

/* col_of[i] = column matched to row i in matching number `sample`, a function of seed, block and
 * sample alone.  Returns the number of tries; 0: all of `most` tries failed, at most 2^31 / n of
 * them, or a stop came. */
int64_t pm_hub_matching_draw(const pm_hub_matching *h, void *scratch, uint64_t sample, int64_t most,
                             const pm_run *run, int32_t *col_of);

#endif
