/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/hub_root.h: Huber's bound (hub_bound.h) where a few rows are summed exactly.
 *
 * Columns are chosen first for d rows, called the root.  The remaining rows are bounded by the
 * product of gamma(c_j) over the unmatched columns, where c_j is the number of entries of column j
 * outside the root.  c_j does not depend on the choices in the root.  So the sum of these bounds
 * over all choices,
 *
 *     U_d = sum over injective maps of the root to columns of
 *           the product of gamma(c_j) over the columns j that are not in the image,
 *
 * is the permanent of a d x n matrix with factors for unused columns.  It is computed column by
 * column with a state for every subset of the root: the rows that have been matched.  Because the
 * bound nests, perm <= U_d <= U.  Choices of the root with probability proportional to their term
 * of U_d are drawn backwards through the same sums.  They have the distribution that rejection from
 * U would give to the first d steps, but nothing is rejected.
 * Source: Harviainen, Royskoe and Koivisto 2021 (deep adaptive partitioning), for Huber's and other
 * bounds.  Rows with few entries gain the most. */
#ifndef PM_HUB_ROOT_H
#define PM_HUB_ROOT_H

#include "cuda/sample_sequence.h"
#include "sampler/neighbours.h"
#include "sampler/sampler.h"

enum { PM_HUB_ROOT_MOST = 16 /* largest d */ };

typedef struct {
    int32_t d, n;                  /* rows of the root; rows of the matrix */
    int32_t row[PM_HUB_ROOT_MOST]; /* the rows of the root */
    int32_t ncolumns;              /* columns with an entry in the root */
    int32_t *column;               /* [ncolumns]: these columns, ascending */
    uint32_t *rows;                /* [ncolumns]: bit k: row[k] has an entry there */
    double *unused; /* [ncolumns]: factor gamma(c_j) when no row of the root takes it */
    /* [ncolumns + 1][2^d]: sum over the first columns with a subset of the root matched; the sums
     * of each number of columns share a power of two */
    double *sum;
    pm_weight bound; /* U_d */
} pm_hub_root;

/* The root is the d rows with the fewest entries; 0 <= d <= PM_HUB_ROOT_MOST, d <= n.
 * gamma: gamma(c) for c = 0 .. the number of entries of the longest column.
 * The caller frees *out.
 * Memory: 8 (n + 1) 2^d bytes.  Cost: n d 2^(d-1) additions.
 * Fails: PM_ENOMEM. */
pm_status pm_hub_root_make(const pm_neighbours *l, const double *gamma, int32_t d, pm_hub_root *out,
                           pm_error *err);
void pm_hub_root_free(pm_hub_root *r);

/* Draws a choice of the root: row[k] gets column[k], k = 0 .. d-1.  Returns 1 / probability. */
pm_wide_product pm_hub_root_draw(const pm_hub_root *r, pm_sample_sequence *s, int32_t *column);

#endif
