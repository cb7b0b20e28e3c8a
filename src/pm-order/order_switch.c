/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A random graph with the same degrees, by edge switching. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "network/switching.h"
#include "pm-order/order_tasks.h"

/* An order of the vertices is for the graph that was read. */
static void drop_order(pm_node *e)
{
    free(e->order);
    e->order = NULL;
    e->order_len = 0;
}

pm_status pm_switch_map(void *context, pm_node *e, const pm_map_target *at, pm_error *err)
{
    pm_order_task *task = context;
    pm_random random = {.seed = task->search.seed, .sequence = task->switched++};
    pm_error why;
    int64_t done;
    const double attempts = pm_switching_attempts(&e->matrix, task->switches);
    pm_status status = pm_switching_run(&e->matrix, attempts, &random, at->run, &done, &why);
    if (status)
        return pm_fail(err, status, "%s: %s", at->where, why.msg);
    drop_order(e);
    pm_console_notef(task->console, 1, "%s: %" PRId64 " switches of %" PRId64 " edges, %.0f tried",
                     at->where, done, pm_matrix_nnz(&e->matrix), attempts);
    return pm_writer_put(at->to, e, err);
}
