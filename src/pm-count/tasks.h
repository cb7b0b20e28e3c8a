/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-count/tasks.h: what pm-count can be asked about an input, one file a question.  A task reads the
 * input to its end and collects its answers. */
#ifndef PM_TASKS_H
#define PM_TASKS_H

#include "cli/answers.h"
#include "cli/console.h"
#include "pm/count.h"
#include "pm/io.h"
#include "pm/run.h"

typedef struct {
    pm_count_options count;
    bool order_is_given; /* use the orders that come with the graphs, and no other */
    bool json;
    bool verify; /* count everything twice */
    pm_run run;
    double ends; /* the time limit, of core/clock.h, for what no signal stops; 0: none */
    pm_console *console;
} pm_task_context;

/* Fails: what the reader and pm_count fail with. */
typedef pm_status (*pm_task)(const pm_task_context *c, pm_reader *r, pm_answers *out,
                             pm_error *err);

/* The count or permanent; with count.plan_only what would be done for it, block by block. */
pm_status pm_task_count(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err);
/* Whether there is a perfect matching: of a product one in every part, of a sum in some part. */
pm_status pm_task_exists(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err);
/* One perfect matching, or a Hall violator.  PM_UNABLE for sums and products: their parts are no
 * longer the graph. */
pm_status pm_task_matching(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err);

#endif
