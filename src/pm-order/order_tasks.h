/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-order/order_tasks.h: what pm-order does with a matrix.  It writes the matrix with an order to
 * the stream, or prints figures of orders. */
#ifndef PM_ORDER_TASKS_H
#define PM_ORDER_TASKS_H

#include "batch/query.h"
#include "cli/mapper.h"
#include "count/order_methods.h"

typedef struct {
    const pm_order_method *method; /* NULL: all methods, for pm_order_answer only */
    pm_order_search search;        /* its run is that of the program */
    double seconds_each;           /* of --time-limit-each; 0: none */
    pm_console *console;
} pm_order_task;

/* For pm_mapper.map, with a pm_order_task.  Either rows and columns are permuted, together with
 * their labels, or the matrix gets an order of its vertices.  An order that the input gives is
 * dropped, unless the method is none. */
pm_status pm_order_map(void *task, pm_node *e, const pm_map_target *at, pm_error *err);

/* For pm_query.read, with a pm_order_task: the figures of every matrix of the input. */
pm_status pm_order_answer(const void *task, pm_reader *r, pm_answers *out, pm_error *err);

#endif
