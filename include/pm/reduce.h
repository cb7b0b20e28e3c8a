/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/reduce.h: writes a permanent as a factor times counts of smaller blocks, exactly. */
#ifndef PM_REDUCE_H
#define PM_REDUCE_H

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"
#include "pm/value.h"

/* A fully indecomposable block whose rows and columns are classes of twins.  A class of capacity c
 * represents c equal rows (or columns).
 *
 * The weighted count of a block is the sum, over all subsets M of its entries in which every class
 * u has exactly capacity(u) entries, of the product of the values in M.  It differs from the
 * permanent of the matrix with all twins written out by the product of all c!; pm_reduce has
 * included that product in the factor.  No entry joins two classes of capacity above 1, so no entry
 * is used twice. */
typedef struct {
    pm_matrix a;      /* a pattern when every value is 1 */
    int32_t *row_cap; /* a.nrows entries, >= 1 */
    int32_t *col_cap; /* a.ncols entries, >= 1; both sum to the same n */
    int64_t n;        /* the sum of the row capacities */
    /* Upper bound of log2 of the weighted count with |values|: the smaller one of the bounds of
     * this block and of the block before merging. */
    double log2_bound;
    /* Not made by reductions: the answer is the permanent with all twins written out instead of the
     * weighted count, log2_bound is a bound of it for integers, and an entry may join two classes of capacity
     * above 1.  Only for algorithms that use classes. */
    bool written_out;
    /* Not made by reductions of bipartite graphs: a graph on one set of vertices.  a is its symmetric adjacency
     * matrix, whose diagonal has the weights of leaving a vertex alone; every capacity is 1, n is the number
     * of vertices.  The weighted count is the hafnian of a; with a diagonal the loop hafnian.  Only for algorithms that are `general`. */
    bool general;
    /* Only of a general block that is `written_out`: vertex i stands for row_cap[i] copies, the diagonal has the weights of the edges
     * between two copies of a vertex, and this, n x 1, has the weights of leaving a copy alone.  Zeroed: there are none. */
    pm_matrix loops;
} pm_block;

typedef struct {
    bool zero; /* the permanent is 0: no perfect matching, or entries cancelled; no blocks then */
    pm_dyadic factor_re, factor_im;
    int64_t nblocks;
    pm_block *blocks;
} pm_reduced;

typedef struct {
    bool blocks;  /* the Dulmage-Mendelsohn decomposition */
    bool degree1; /* removal of vertices of degree 1; of general graphs also of degree 0 */
    bool degree2; /* merging of the two neighbours of a vertex of degree 2 */
    bool twins;   /* merging of proportional rows, and of proportional columns */
    int small;    /* blocks of at most so many rows are split off and left as they are; 0: none */
    /* Two neighbours are merged only if the longest number of the one and that of the other have at most this many bits
     * together, before or behind the binary point; 0: always.  Along a chain of n vertices of degree 2 entries may become n times
     * as long. */
    int merge_bits;
    bool
        labels; /* general blocks have the labels of their vertices, for messages; other blocks have none */
} pm_reduce_options;

/* All reductions on. */
pm_reduce_options pm_reduce_all(void);

/* per(A) = factor * product of the weighted counts of the blocks.  The steps repeat until nothing
 * changes; after an entry has cancelled to 0, the matrix is decomposed again.
 * run: stops early when run->stop is set; may be NULL.
 * out: freed by the caller; not changed on failure.
 * Fails: PM_EUSAGE a is not square; PM_UNABLE 2^31 or more vertices or entries, or a product of
 * entries whose binary exponent is beyond 2^31; PM_ESTOPPED; PM_ENOMEM.
 * Source: Forbert and Marx 2003 for degrees 1 and 2; twins and exactness are our own. */
pm_status pm_reduce(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                    pm_reduced *out, pm_error *err);
/* The same for the weighted count of a block.  Its log2_bound is not read. */
pm_status pm_reduce_block(const pm_block *b, const pm_reduce_options *opt, const pm_run *run,
                          pm_reduced *out, pm_error *err);
void pm_block_free(pm_block *b);
/* out = the product of the factorials of all capacities.  The permanent of the matrix with all
 * twins written out is the weighted count of b times this.  out: initialised by the caller. */
void pm_block_twin_factor(const pm_block *b, mpz_t out);
/* out = the product of the factorials of the row capacities, or that of the column capacities: the larger
 * one.  The permanent of integers with all twins written out is a multiple of each of them, since copies
 * of a line can be exchanged in every term. */
void pm_block_common_factor(const pm_block *b, mpz_t out);
void pm_reduced_free(pm_reduced *r);

/* An upper bound of log2 per(|A|) of a square matrix: the smallest one of the products of the row
 * sums and of the column sums of |A|, and the Bregman-Minc bound of its pattern times the product
 * of the largest |entries| of the rows, or of the columns.  -INFINITY when a row or column is
 * empty. */
double pm_permanent_log2_bound(const pm_matrix *a);

#endif
