/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/reduce.h: rewriting per(A) as a factor times permanents of smaller blocks, exactly. */
#ifndef PM_REDUCE_H
#define PM_REDUCE_H

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"
#include "pm/value.h"

/* A fully indecomposable block whose rows and columns may stand for several equal ones.
 * Class u with capacity c > 1 stands for c twin rows (columns): a matching uses it c times, and
 * the c! ways to tell the twins apart are in the factor already.  No entry joins two classes of
 * capacity above 1, so every entry is used at most once.
 *
 * Weighted count of a block = sum over all subsets M of entries in which every row and column u
 * has exactly capacity(u) entries, of the product of their values. */
typedef struct {
    pm_matrix a;       /* a pattern when every value is 1 */
    int32_t *row_cap;  /* a.nrows entries, >= 1 */
    int32_t *col_cap;  /* a.ncols entries, >= 1; both sum to the same n */
    int64_t n;         /* sum of capacities */
    double log2_bound; /* upper bound of log2 of sum over M of |product|, the smaller of
                        * bounds of the block as it is and as it was before merging */
} pm_block;

typedef struct {
    bool zero; /* the permanent is 0 (structurally, or after exact cancellation) */
    pm_dyadic factor_re, factor_im; /* exact */
    int64_t nblocks;
    pm_block *blocks;
} pm_reduced;

typedef struct {
    bool blocks;  /* Dulmage-Mendelsohn */
    bool degree1; /* needs nothing */
    bool degree2; /* merging of the two neighbours of a vertex of degree 2 */
    bool twins;
} pm_reduce_options;

pm_reduce_options pm_reduce_all(void);

/* per(A) = factor * product of the blocks.  a square (else PM_EUSAGE).
 * Steps repeat until nothing changes; a merge that cancels to 0 starts the decomposition again.
 * Source: Forbert and Marx 2003 for degrees 1 and 2; twins and exactness are ours. */
pm_status pm_reduce(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                    pm_reduced *out, pm_error *err);
/* The same for the weighted count of a block, its capacities given; log2_bound is not read. */
pm_status pm_reduce_block(const pm_block *b, const pm_reduce_options *opt, const pm_run *run,
                          pm_reduced *out, pm_error *err);
void pm_block_free(pm_block *b);
/* Product of the factorials of all capacities: the permanent with all twins written out is the
 * weighted count of b times this.  out: initialised by the caller. */
void pm_block_twin_factor(const pm_block *b, mpz_t out);
void pm_reduced_free(pm_reduced *r);

/* Upper bounds of log2 per(|A|), square a: Bregman-Minc on the rows and on the columns when every
 * |value| <= 1 (pattern), product of row or column sums of absolute values otherwise; the
 * smallest.  -INFINITY when a row or column is empty. */
double pm_permanent_log2_bound(const pm_matrix *a);

#endif
