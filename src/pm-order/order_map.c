/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "order/column_order.h"
#include "pm-order/order_tasks.h"

static pm_status note_columns(const pm_order_task *t, const pm_matrix *a, const pm_ordering *o,
                              const char *where, pm_error *err)
{
    pm_pattern_copy pattern = {0};
    if (t->console->verbosity < 1)
        return PM_OK;
    pm_status status = pm_pattern_make(a, &pattern, err);
    if (!status)
        pm_console_notef(t->console, 1,
                         "%s: n = %" PRId64 ": %s: on average %.4g row sums change in a term; "
                         "before, %.4g",
                         where, a->nrows, t->method->name,
                         pm_column_order_updates(&pattern.of, o->cols),
                         pm_column_order_updates(&pattern.of, NULL));
    pm_pattern_free(&pattern);
    return status;
}

/* Applies o to the matrix of e.  The order of the vertices is moved from o to e. */
static pm_status apply(const pm_order_task *t, pm_node *e, pm_ordering *o, const char *where,
                       pm_error *err)
{
    pm_matrix *a = &e->matrix, b = {0};
    pm_status status = PM_OK;
    if (!o->rows && !o->vertices) {
        if (e->one_set && !e->general)
            pm_console_notef(t->console, 1,
                             "%s: the two classes of vertices have %" PRId64 " and %" PRId64
                             " of them: left as it is",
                             where, a->nrows, a->ncols);
        else
            pm_console_notef(t->console, 1, "%s: %" PRId64 " x %" PRId64 ": left as it is", where,
                             a->nrows, a->ncols);
        return PM_OK;
    }
    if (o->rows) {
        status = note_columns(t, a, o, where, err);
        if (!status)
            status = pm_ordering_apply(a, o, &b, err);
        if (status)
            return status;
        pm_matrix_free(a);
        *a = b;
    } else {
        pm_console_notef(t->console, 1, "%s: n = %" PRId64 ": %s: an order of the vertices", where,
                         a->nrows, t->method->name);
    }
    free(e->order);
    e->order = o->vertices;
    e->order_len = !o->vertices ? 0 : e->general ? a->nrows : a->nrows + a->ncols;
    o->vertices = NULL;
    return PM_OK;
}

pm_status pm_order_map(void *task, pm_node *e, const pm_map_target *at, pm_error *err)
{
    const pm_order_task *t = task;
    pm_ordering o = {0};
    pm_error why;
    pm_order_search search = t->search;
    if (at->exact)
        e->numbers = pm_node_numbers(e);
    search.run = at->run;
    search.general = e->general;
    pm_status status = pm_order_find(t->method, &e->matrix, &search, &o, &why);
    if (!status)
        status = apply(t, e, &o, at->where, &why);
    pm_ordering_free(&o);
    if (status)
        return pm_fail(err, status, "%s: %s", at->where, why.msg);
    return pm_writer_put(at->to, e, err);
}
