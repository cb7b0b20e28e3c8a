/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_plan.h: how the products of a sum over signs are kept in a tree; it depends on
 * the pattern only.
 *
 *   2^(n-1) per(A) = sum over signs d, one of them fixed, of (prod_j d_j) prod_i x_i,
 *   x_i = sum_j d_j a_ij                                                   (Glynn 2010)
 *
 * The signs run through a Gray code: the first column of the order flips at every second term, the
 * next one at every fourth.  The product over the rows is a product of factors.  A factor is in
 * bucket b if b is the first column that changes it.  The suffix products G_b = G_{b+1} * (product
 * of bucket b) are stored.  A flip of column j updates the rows of j and computes G anew, from the
 * last bucket that it changes down to bucket 0.  So columns that flip often should change few
 * factors.  Long products are chains of the same kind: factors that change rarely are multiplied
 * first and stored.
 *
 * Elimination: when no two of some columns e have entries in the same row, the sums over their
 * signs separate,
 *
 *   sum over d_e = -1, 1 of d_e prod_i (y_i + d_e a_ie) = prod_i (y_i + a_ie) - prod_i (y_i - a_ie)
 *
 * over the rows i of column e.  This difference is an atom: one factor instead of those rows,
 * computed anew only when one of its rows changes.  With m eliminated columns 2^(n-1-m) terms are
 * left.
 *
 * A plan contains neither entries nor arithmetic: see product_tree/tree_program.h. */
#ifndef PM_TREE_PLAN_H
#define PM_TREE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "order/column_order.h"
#include "pm/run.h"

enum {
    PM_TREE_ANY = -1,
    PM_TREE_SLOW = 5, /* log2 of the lanes of the CPU: the last columns that are not fixed */
    /* A term then contains 2^28 products of 64 factors: see sweep/sweep.h for underflow. */
    PM_TREE_ELIMINATED_MAX = 28
};

/* A row sum over the columns that are not eliminated.  In a row of an eliminated column the entry
 * of that column is added (sign 1) or subtracted (sign -1). */
typedef struct {
    int32_t row, column, sign; /* column -1, sign 0: the row sum alone */
} pm_tree_input;

/* The product of the cells operand[first .. end - 1], or the difference of the first two of
 * them. */
typedef struct {
    int32_t first, end;
    bool is_difference;
} pm_tree_node;

/* Cells hold values: first the inputs, then the results of the nodes.  Every cell but the last is
 * an operand of exactly one later node; the last cell is the term.  Nodes have two or more operands
 * (except with n = 1), so there are fewer nodes than inputs.  Inputs are in the order in which the
 * flips first change them. */
enum {
    PM_TREE_INPUTS = 128,
    PM_TREE_NODES = PM_TREE_INPUTS,
    PM_TREE_CELLS = PM_TREE_INPUTS + PM_TREE_NODES
};

typedef struct {
    uint64_t changed[PM_TREE_CELLS / 64]; /* bit c: cell c changes; the last cell always does */
} pm_tree_flip;

typedef struct {
    int32_t n;
    int32_t flips; /* columns that flip in Gray-code order; column k flips once in 2^(k+1) terms */
    int32_t slow;  /* columns whose signs distinguish the lanes or segments */
    int32_t eliminated; /* flips + slow + 1 + eliminated = n */
    int32_t tried;      /* candidates of the search for this plan, beside the first choices */
    int32_t cols[64];   /* in this sequence; the one between the last two is fixed */
    int32_t ninputs, nnodes;
    pm_tree_input input[PM_TREE_INPUTS];
    pm_tree_node node[PM_TREE_NODES];
    int16_t operand[PM_TREE_CELLS];
    pm_tree_flip flip[64];
    double additions, products, kept; /* mean numbers for a term; kept: results that are stored */
} pm_tree_plan;

static inline bool pm_tree_changes(const pm_tree_flip *f, int32_t cell)
{
    return f->changed[cell / 64] >> cell % 64 & 1;
}

typedef struct {
    int32_t slow;       /* log2 of the lanes or segments; less when there are fewer terms */
    int32_t eliminated; /* the number of columns to eliminate, or PM_TREE_ANY */
    double effort;     /* candidates that are tried for each operation of the predicted run; 0: only
                         * the first choices */
    int32_t least;     /* candidates beside those, if effort is above 0 */
    int32_t most;      /* candidates, at most; one takes PM_TREE_CANDIDATE_SECONDS */
    double rival;      /* cost of the best other plan, in operations; INFINITY: none */
    uint64_t seed;     /* of the search */
    bool keep_order;   /* no search: the columns in the given order; the first ones are eliminated
                         * while that reduces the cost */
    const pm_run *run; /* whether to stop; NULL: the search is not stopped */
} pm_tree_options;

/* The defaults; with this effort the search takes some hundredths of the predicted run. */
pm_tree_options pm_tree_defaults(void);

/* Searches a plan with few predicted operations.  The same pattern and options give the same plan.
 * a: n >= 1.
 * Fails: PM_UNABLE options->eliminated columns without a common row were not found; PM_ESTOPPED;
 * PM_ENOMEM. */
pm_status pm_tree_plan_make(const pm_pattern *a, const pm_tree_options *options, pm_tree_plan *out,
                            pm_error *err);

/* Writes what the terms of a plan and their indices follow from, beside the pattern, as n + 1 numbers; returns how
 * many. */
int pm_tree_plan_describe(const pm_tree_plan *p, int64_t *number);
/* The plan with these terms, for `slow` lanes or segments as in pm_tree_options.
 * Fails: PM_UNABLE the numbers describe no plan of this pattern. */
pm_status pm_tree_plan_again(const pm_pattern *a, const int64_t *number, int count, int32_t slow,
                             pm_tree_plan *out, pm_error *err);

/* log2 of the number of all terms. */
static inline int32_t pm_tree_outer(const pm_tree_plan *p)
{
    return p->flips + p->slow;
}

/* Predicted additions and multiplications of the whole sum. */
double pm_tree_operations(const pm_tree_plan *p);

#endif
