/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "cli/graph_limit.h"
#include "planner/order_figures.h"
#include "pm-order/order_tasks.h"

/* ---- figures ---- */

static pm_status measure(const pm_order_task *t, const pm_order_method *m, const pm_node *e,
                         pm_order_figures *x, pm_error *err)
{
    pm_ordering o = {0};
    pm_matrix b = {0};
    pm_status status = pm_order_find(m, &e->matrix, &t->search, &o, err);
    if (!status && o.rows)
        status = pm_ordering_apply(&e->matrix, &o, &b, err);
    if (!status && o.rows)
        status = pm_order_measure(&b, NULL, t->search.seed, x, err);
    else if (!status)
        status = pm_order_measure(&e->matrix, o.vertices ? o.vertices : e->order, t->search.seed, x,
                                  err);
    pm_matrix_free(&b);
    pm_ordering_free(&o);
    return status;
}

/* For --all: of a method that refuses the matrix, only the sizes are known. */
static pm_status measure_if_able(const pm_order_task *t, const pm_order_method *m, const pm_node *e,
                                 pm_order_figures *x, pm_error *err)
{
    pm_status status = measure(t, m, e, x, err);
    if (status != PM_UNABLE)
        return status;
    pm_console_notef(t->console, 0, "%s", err->msg);
    *x = pm_order_sizes(&e->matrix);
    return PM_OK;
}

/* ---- answers ---- */

#define ONE(name) +1
enum { CELLS = 2 PM_ORDER_FIGURES(ONE) };

static void list_cells(const pm_order_task *t, const char *method, const pm_order_figures *x,
                       pm_cell out[CELLS])
{
    const pm_cell cells[CELLS] = {
        pm_cell_text("method", method),
#define CELL(name) pm_cell_number(#name, x->name),
        PM_ORDER_FIGURES(CELL) pm_cell_uint("seed", t->search.seed),
    };
    memcpy(out, cells, sizeof cells);
}

pm_status pm_order_put_one(const pm_order_task *t, const pm_node *e, pm_emitter *emitter,
                           pm_error *err)
{
    pm_order_figures x;
    pm_cell cells[CELLS];
    pm_status status = measure(t, t->method, e, &x, err);
    if (status)
        return status;
    list_cells(t, t->method->name, &x, cells);
    pm_emit_titled_record(emitter, cells, CELLS);
    return PM_OK;
}

pm_status pm_order_put_all(const pm_order_task *t, const pm_node *e, pm_emitter *emitter,
                           pm_error *err)
{
    pm_order_figures x = {0};
    pm_cell cells[CELLS];
    list_cells(t, NULL, &x, cells);
    pm_emit_table(emitter, "orders", cells, CELLS);
    const pm_order_method *m;
    for (int i = 0; (m = pm_order_method_at(i)); ++i) {
        pm_status status = measure_if_able(t, m, e, &x, err);
        if (status)
            return status;
        list_cells(t, m->name, &x, cells);
        pm_emit_row(emitter, cells, CELLS);
    }
    pm_emit_table_end(emitter);
    return PM_OK;
}

/* When a matrix is refused, the other matrices of the input are still answered. */
static pm_status answer(const void *task, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    pm_order_task limited = *(const pm_order_task *)task;
    const pm_order_task *t = &limited;
    const pm_graph_limit limit = pm_graph_limit_begin(t->search.run, t->seconds_each);
    pm_error why;
    limited.search.run = &limit.run;
    pm_emitter *emitter = pm_answers_begin(out, err);
    if (!emitter)
        return PM_ENOMEM;
    const pm_cell field = pm_cell_text("field", pm_field_name(e->matrix.field));
    pm_emit_members(emitter, &field, 1);
    pm_status status = t->put(t, e, emitter, &why);
    if (!status)
        return pm_answers_end(out, e->name, false, err);
    if (pm_graph_limit_skip(&limit, status, e, input, t->console, out, &why) == PM_OK)
        return PM_OK;
    char place[PM_PLACE];
    pm_fail_after(&why, err, status, "%s: %s", pm_node_place(input, e->line, place), why.msg);
    if (status != PM_UNABLE)
        return status;
    pm_console_error(t->console, err->msg);
    return pm_answers_skip(out, e->name, status, err);
}

pm_status pm_order_answer(const void *task, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_query_matrices(answer, task, r, out, err);
}
