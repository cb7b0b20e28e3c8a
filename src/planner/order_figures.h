/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planner/order_figures.h: figures of an order: how much work the algorithms have with the rows and
 * columns in the sequence in which they stand. */
#ifndef PM_ORDER_FIGURES_H
#define PM_ORDER_FIGURES_H

#include <stdint.h>

#include "pm/matrix.h"

/* Names of the figures: columns of the table and keys of the JSON object.  NAN: not known. */
#define PM_ORDER_FIGURES(X)                                                                        \
    X(rows)                                                                                        \
    X(cols)                                                                                        \
    X(nnz)                                                                                         \
    X(updates) /* row sums that change from term to term in Gray code, mean; last column fixed */  \
    X(dense)   /* operations of a term: all row sums updated, all multiplied */                    \
    X(sparse)  /* the same where only row sums that change are updated */                          \
    X(tree)    /* the same with a product tree (product_tree/tree_plan.h) */                       \
    X(eliminated)  /* number of first columns that the product tree should eliminate */            \
    X(eliminating) /* operations of the tree then, a term */                                       \
    X(zeros)       /* share of the terms with a row sum of 0 */                                    \
    X(samples)     /* number of terms that zeros was counted in */                                 \
    X(visits)      /* indices that skipper visits, as a share of the terms; an estimate */         \
    X(k)           /* row sums in registers (order/register_partition.h) */                        \
    X(c)           /* columns that change only those row sums */                                   \
    X(registers)   /* 2 k */                                                                       \
    X(frontier)    /* most vertices in the frontier */                                             \
    X(states)      /* most states of a step */                                                     \
    X(cost)        /* transitions and states of the whole frontier program */

#define PM_ORDER_MEMBER(name) double name;
typedef struct {
    PM_ORDER_FIGURES(PM_ORDER_MEMBER)
} pm_order_figures;

/* vertices: an order of the vertices for the frontier, or NULL: rows in their sequence, each column
 *     after its last row.
 * seed: of the sample of terms, where not all are examined.
 * Not square, or no rows: only the sizes are known.  Above n = 64: tree to visits are not known.
 * Fails: PM_UNABLE 2^31 entries or more; PM_ENOMEM. */
pm_status pm_order_measure(const pm_matrix *a, const int32_t *vertices, uint64_t seed,
                           pm_order_figures *out, pm_error *err);

/* Rows, columns and entries; all other figures are NAN. */
pm_order_figures pm_order_sizes(const pm_matrix *a);

#endif
