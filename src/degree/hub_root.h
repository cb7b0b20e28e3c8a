/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/hub_root.h: Huber's bound where a few rows are summed exactly.
 *
 * d rows, the root, are given columns first; what is left is bounded by the product of gamma(c_j)
 * over the columns left, c_j entries in rows that are no root (hub_bound.h).  c_j does not depend on
 * which columns the root took, so the sum of these bounds over all choices of the root,
 *
 *     U_d = sum over injective maps of the root to columns of  prod over the others of gamma(c_j),
 *
 * is the permanent of a d x n matrix, by a programme over the columns with a state for every subset
 * of the root that has been matched.  The bound nests, so perm <= U_d <= U, and a choice of the root
 * with probability in proportion to its term, backwards through the same sums, is what rejection
 * from U would do in d steps without any of its losses.
 * Source: Harviainen, Royskoe and Koivisto 2021 (deep adaptive partitioning), which does so for
 * Huber's and other bounds.  Rows with few entries gain the most. */
#ifndef PM_HUB_ROOT_H
#define PM_HUB_ROOT_H

#include "cuda/sample_sequence.h"
#include "sampler/neighbours.h"
#include "sampler/sampler.h"

enum { PM_HUB_ROOT_MOST = 16 };

typedef struct {
    int32_t d, n;
    int32_t row[PM_HUB_ROOT_MOST];
    int32_t nmet;    /* columns with an entry in the root */
    int32_t *met;    /* which */
    uint32_t *may;   /* of them: bit k when row[k] has an entry there */
    double *skip;    /* of them: gamma(c_j) */
    double *sum;     /* nmet + 1 times 2^d: over the columns before, of every subset; each 2^d
                         * in an exponent of its own */
    pm_weight bound; /* U_d */
} pm_hub_root;

/* The d rows with the fewest entries, d <= PM_HUB_ROOT_MOST, d <= n; gamma(c) for every degree.
 * Memory: 8 (n + 1) 2^d bytes.  Cost: n d 2^(d-1) additions.
 * Fails: PM_ENOMEM. */
pm_status pm_hub_root_make(const pm_neighbours *l, const double *gamma, int32_t d, pm_hub_root *out,
                           pm_error *err);
void pm_hub_root_free(pm_hub_root *r);

/* column[k]: of row[k].  Returns 1 / probability of that choice. */
pm_wide_product pm_hub_root_draw(const pm_hub_root *r, pm_sample_sequence *s, int32_t *column);

#endif
