/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-order/order_tasks.h: what pm-order does with a matrix: order it, or say what orders predict. */
#ifndef PM_ORDER_TASKS_H
#define PM_ORDER_TASKS_H

#include "cli/answers.h"
#include "cli/console.h"
#include "cli/mapper.h"
#include "count/order_methods.h"

typedef struct {
    const pm_order_method *method; /* NULL: all of them, for pm_order_ask */
    pm_order_search search;
    pm_console *console;
    bool json;
} pm_order_task;

/* For pm_mapper.map, with a pm_order_task: rows and columns change places, with their labels, or
 * the matrix gets an order of its vertices.  An order that came with it goes, but for none. */
pm_status pm_order_map(void *task, pm_node *e, const pm_map_site *at, pm_error *err);

/* For pm_question.ask, with a pm_order_task: the figures of every matrix of the input. */
pm_status pm_order_ask(const void *task, pm_reader *r, pm_answers *out, pm_error *err);

/* Names of the columns of its answers in lines. */
extern const char pm_order_header[];

#endif
