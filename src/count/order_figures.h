/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/order_figures.h: what the sequence in which rows and columns stand makes of the methods. */
#ifndef PM_ORDER_FIGURES_H
#define PM_ORDER_FIGURES_H

#include <stdint.h>

#include "pm/matrix.h"

/* Names of the figures, which are columns of a table and keys of an object.  NAN: not known. */
#define PM_ORDER_FIGURES(X)                                                                        \
    X(rows)                                                                                        \
    X(cols)                                                                                        \
    X(nnz)                                                                                         \
    X(updates)     /* mean row sums that change in a Gray-code term, the last column fixed */      \
    X(dense)       /* operations of a term: all row sums updated, all multiplied */                \
    X(sparse)      /* those that change updated, all multiplied */                                 \
    X(tree)        /* products kept as a tree (product_tree/tree_plan.h) */                        \
    X(eliminated)  /* columns, the first ones, that the tree does better to eliminate */           \
    X(eliminating) /* its operations then, a share of a term */                                    \
    X(zeros)       /* share of the terms with a row sum of 0 */                                    \
    X(samples)     /* terms looked at for that */                                                  \
    X(visits)      /* indices that skipper visits, a share of the terms, about */                  \
    X(k)           /* row sums in registers (order/register_partition.h) */                        \
    X(c)           /* columns that change no others */                                             \
    X(registers)   /* 2 k */                                                                       \
    X(frontier)    /* most vertices in the frontier */                                             \
    X(states)      /* most states of a step */                                                     \
    X(cost)        /* transitions and states of the whole programme */

#define PM_ORDER_MEMBER(name) double name;
typedef struct {
    PM_ORDER_FIGURES(PM_ORDER_MEMBER)
} pm_order_figures;

/* vertices: order for the frontier, or NULL: rows as they stand, columns after the last of theirs.
 * seed: of the terms that are looked at, where they are not all.
 * Unknown for matrices that are not square or have no rows: all but sizes; beyond n = 64: tree to
 * visits.  Fails: PM_UNABLE 2^31 entries or more, PM_ENOMEM. */
pm_status pm_order_measure(const pm_matrix *a, const int32_t *vertices, uint64_t seed,
                           pm_order_figures *out, pm_error *err);

/* The sizes alone. */
pm_order_figures pm_order_sizes(const pm_matrix *a);

#endif
