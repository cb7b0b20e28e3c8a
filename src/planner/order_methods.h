/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planner/order_methods.h: the orders that pm-order knows. */
#ifndef PM_ORDER_METHODS_H
#define PM_ORDER_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "order/pattern.h"
#include "pm/matrix.h"
#include "pm/reduce.h"
#include "pm/run.h"

/* An order of an n x n matrix A.  Either rows and cols, n entries each: the matrix A(rows, cols),
 * row k of which is row rows[k] of A.  Or vertices, 2n entries: a sequence of its vertices
 * (pm/matrix.h), or n of a general graph; rows and columns keep their positions.  All NULL: A as it is. */
typedef struct {
    int32_t *rows, *cols;
    int32_t *vertices;
} pm_ordering;

void pm_ordering_free(pm_ordering *o);

/* *out: A(rows, cols), for an order with rows and cols; the caller frees it.  Where A has no
 * labels, the rows and columns of *out are labelled with their numbers in A.
 * Fails: PM_ENOMEM. */
pm_status pm_ordering_apply(const pm_matrix *a, const pm_ordering *o, pm_matrix *out,
                            pm_error *err);

/* Settings of a search. */
typedef struct {
    double seconds; /* nominal seconds to search for; 0: a share of the predicted run */
    bool general;   /* the matrix is that of a graph on one set of vertices (pm_node.general) */
    uint64_t seed;
    const pm_run *run;
} pm_order_search;

/* A method that finds an order: by columns(), by search(), or neither (the order as it is). */
typedef struct {
    const char *name;
    pm_status (*columns)(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);
    pm_status (*search)(const pm_matrix *a, const pm_order_search *how, pm_ordering *out,
                        pm_error *err);
} pm_order_method;

/* In the order in which they are listed; the first one is the default.  A new method is its
 * function, a constant in planner/order_methods.c, one line here and one in the man page. */
#define PM_ORDER_METHODS(X)                                                                        \
    X(frontier)                                                                                    \
    X(sort)                                                                                        \
    X(skip)                                                                                        \
    X(permanent)                                                                                   \
    X(elimination)                                                                                 \
    X(rcm)                                                                                         \
    X(none)

#define PM_DECLARE(id) extern const pm_order_method pm_order_method_##id;
PM_ORDER_METHODS(PM_DECLARE)
#undef PM_DECLARE

/* i = 0, 1, ...; NULL after the last one. */
const pm_order_method *pm_order_method_at(int i);
/* NULL when there is none of this name. */
const pm_order_method *pm_order_method_find(const char *name);

/* *out: the order that m finds for a; the caller frees it.  A matrix that is not square, or has no
 * rows, is left as it is.
 * Fails: PM_UNABLE beyond the limits of the method; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_order_find(const pm_order_method *m, const pm_matrix *a, const pm_order_search *how,
                        pm_ordering *out, pm_error *err);

/* *out: a square matrix as a block without twins.  It borrows a; free it with pm_order_block_free.
 * */
pm_status pm_order_block_make(const pm_matrix *a, pm_block *out, pm_error *err);
void pm_order_block_free(pm_block *b);

#endif
