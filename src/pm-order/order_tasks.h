/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-order/order_tasks.h: what pm-order does with a matrix.  It writes the matrix with an order, or
 * scaled, or with switched edges, to the stream, or prints figures of orders, or the factors of Sinkhorn's scaling. */
#ifndef PM_ORDER_TASKS_H
#define PM_ORDER_TASKS_H

#include "batch/query.h"
#include "cli/mapper.h"
#include "planner/order_methods.h"

typedef struct pm_order_task pm_order_task;

/* Adds what is asked about a matrix.  Fails: PM_UNABLE, and others. */
typedef pm_status pm_order_put(const pm_order_task *t, const pm_node *e, pm_emitter *emitter,
                               pm_error *err);
pm_order_put pm_order_put_one;     /* the figures of t->method */
pm_order_put pm_order_put_all;     /* those of all methods */
pm_order_put pm_order_put_factors; /* the factors of rows and columns */

struct pm_order_task {
    const pm_order_method *method; /* for pm_order_map and pm_order_put_one */
    pm_order_put *put;             /* for pm_order_answer */
    pm_order_search search;        /* its run is that of the program */
    int switches;                  /* of each edge, for pm_switch_map */
    uint64_t switched;             /* matrices so far: each has random numbers of its own */
    double seconds_each;           /* of --time-limit-each; 0: none */
    pm_console *console;
};

/* For pm_mapper.map, with a pm_order_task.  Either rows and columns are permuted, together with
 * their labels, or the matrix gets an order of its vertices.  An order that the input gives is
 * dropped, unless the method is none. */
pm_status pm_order_map(void *task, pm_node *e, const pm_map_target *at, pm_error *err);

/* For pm_mapper.map, with a pm_order_task: rows and columns are multiplied by powers of two, and the factor
 * of the node is divided by these.  A matrix that is not square stays as it is. */
pm_status pm_scale_map(void *task, pm_node *e, const pm_map_target *at, pm_error *err);

/* For pm_mapper.map, with a pm_order_task: another graph with the same degrees.  A value stays with its
 * row.  An order that the input gives is dropped. */
pm_status pm_switch_map(void *task, pm_node *e, const pm_map_target *at, pm_error *err);

/* For pm_query.read, with a pm_order_task: t->put for every matrix of the input. */
pm_status pm_order_answer(const void *task, pm_reader *r, pm_answers *out, pm_error *err);

#endif
