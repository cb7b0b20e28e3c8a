/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_plan.h: how a sum over signs is kept as a tree of products, from the pattern alone.
 *
 *   2^(n-1) per(A) = sum over signs d, one of them fixed, of (prod_j d_j) prod_i x_i,
 *   x_i = sum_j d_j a_ij                                                   (Glynn 2010)
 *
 * The signs run through a Gray code, the first column of the order flipping every second term, the
 * next one every fourth.  The product over the rows is that of factors, which lie in buckets by the
 * first column that touches them, and suffix products G_b = G_{b+1} * product of bucket b are kept:
 * a flip of column j updates its rows and computes G anew from the deepest bucket that it touches
 * to bucket 0.  Columns that flip often should touch few factors.  Long products are chains of the
 * same kind: what is touched rarely is multiplied first and kept.
 *
 * Elimination: when no two of the columns e meet in a row, the sums over their signs separate,
 *
 *   sum over d_e = -1, 1 of d_e prod_i (y_i + d_e a_ie) = prod_i (y_i + a_ie) - prod_i (y_i - a_ie)
 *
 * over the rows i of column e: an atom, one factor in place of those rows, computed anew only when
 * one of its rows changes.  m eliminated columns leave 2^(n-1-m) terms.
 *
 * The plan knows neither entries nor arithmetic: interpreters and code generators read it. */
#ifndef PM_TREE_PLAN_H
#define PM_TREE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "order/column_order.h"

enum {
    PM_TREE_ANY = -1,
    PM_TREE_ELIMINATED_MAX = 28 /* 2^28 products of 64 factors hide in a term: see sweep.h on
                                 * what underflow may lose */
};

/* A row sum over the columns that are not eliminated; in a row of an eliminated column with its
 * entry added (sign 1) or subtracted (sign -1). */
typedef struct {
    int32_t row, column, sign; /* column -1, sign 0: the row sum alone */
} pm_tree_input;

/* Product of the operands operand[first .. end - 1], or the first one less the second. */
typedef struct {
    int32_t first, end;
    bool is_difference;
} pm_tree_node;

/* Cells hold values: first the inputs, then the results of the nodes.  Every cell but the last is
 * the operand of one node, a later one; the last is the term.  Nodes have two operands or more, but
 * for the only one of n = 1: so there are fewer than inputs.  Inputs stand in the order in which
 * the flips first touch them. */
enum {
    PM_TREE_INPUTS = 128,
    PM_TREE_NODES = PM_TREE_INPUTS,
    PM_TREE_CELLS = PM_TREE_INPUTS + PM_TREE_NODES
};

typedef struct {
    uint64_t changed[PM_TREE_CELLS / 64]; /* bit c: cell c; the last one always */
} pm_tree_flip;

typedef struct {
    int32_t n;
    int32_t flips; /* columns that flip in Gray-code order; column k at every 2^(k+1)-th term */
    int32_t slow;  /* columns whose signs tell the parallel streams apart */
    int32_t eliminated; /* flips + slow + 1 + eliminated = n */
    int32_t cols[64];   /* in this sequence; the one between the last two is fixed */
    int32_t ninputs, nnodes;
    pm_tree_input input[PM_TREE_INPUTS];
    pm_tree_node node[PM_TREE_NODES];
    int16_t operand[PM_TREE_CELLS];
    pm_tree_flip flip[64];
    double additions, products, kept; /* mean of a term; kept: results of nodes */
} pm_tree_plan;

static inline bool pm_tree_changes(const pm_tree_flip *f, int32_t cell)
{
    return f->changed[cell / 64] >> cell % 64 & 1;
}

typedef struct {
    int32_t slow;       /* log2 of the parallel streams; fewer when there are fewer terms */
    int32_t eliminated; /* as many, or PM_TREE_ANY */
    double effort;      /* candidates looked at for an operation of the predicted run; 0: first
                         * choices only */
    int32_t most;       /* candidates, at most; one takes PM_TREE_CANDIDATE_SECONDS */
    uint64_t seed;      /* of the search */
    bool keep_order;    /* no search: the columns as they stand, the first ones eliminated as long
                         * as that pays */
} pm_tree_options;

/* effort: the search takes some hundredths of the run.  The same pattern and options give the same
 * plan. */
pm_tree_options pm_tree_defaults(void);

/* The plan of least predicted operations that is found; ties by sequence.
 * a: n >= 1.
 * Fails: PM_UNABLE so many columns that do not meet are not found; PM_ENOMEM. */
pm_status pm_tree_plan_make(const pm_pattern *a, const pm_tree_options *options, pm_tree_plan *out,
                            pm_error *err);

/* log2 of the number of terms, all streams. */
static inline int32_t pm_tree_outer(const pm_tree_plan *p)
{
    return p->flips + p->slow;
}

/* Predicted additions and multiplications of the whole sum. */
double pm_tree_operations(const pm_tree_plan *p);

#endif
