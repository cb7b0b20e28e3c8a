/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/order_methods.h: the orders that pm-order knows. */
#ifndef PM_ORDER_METHODS_H
#define PM_ORDER_METHODS_H

#include <stdbool.h>
#include <stdint.h>

#include "order/pattern.h"
#include "pm/matrix.h"
#include "pm/reduce.h"
#include "pm/run.h"

/* An order of a square matrix A: as A(rows, cols), n entries each; or one of its vertices
 * (pm/matrix.h), 2n entries, that leaves rows and columns where they stand.  All NULL: as it is. */
typedef struct {
    int32_t *rows, *cols;
    int32_t *vertices;
} pm_ordering;

void pm_ordering_free(pm_ordering *o);

/* With rows and cols: A(rows, cols), and where A has no labels its rows and columns are called by
 * the numbers that they had. */
pm_status pm_ordering_apply(const pm_matrix *a, const pm_ordering *o, pm_matrix *out,
                            pm_error *err);

/* How to search, for the methods that do. */
typedef struct {
    double seconds; /* nominal; 0: as long as the predicted run makes worth while */
    uint64_t seed;
    const pm_run *run;
} pm_order_search;

typedef struct {
    const char *name;
    /* one of these, or neither: */
    pm_status (*columns)(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);
    pm_status (*search)(const pm_matrix *a, const pm_order_search *how, pm_ordering *out,
                        pm_error *err);
} pm_order_method;

/* In the order in which they are listed; the first one is the default.  A new method is its function, a
 * constant in count/order_methods.c, one line here and one in the man page. */
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

/* A matrix that is not square, or has no rows, has the same value in every order: it stays as it
 * is.  Fails: PM_UNABLE beyond the method, PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_order_find(const pm_order_method *m, const pm_matrix *a, const pm_order_search *how,
                        pm_ordering *out, pm_error *err);

/* Square a as a block without twins; a is lent. */
pm_status pm_order_block_make(const pm_matrix *a, pm_block *out, pm_error *err);
void pm_order_block_free(pm_block *b);

#endif
