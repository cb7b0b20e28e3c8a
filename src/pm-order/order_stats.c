/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "cli/ask.h"
#include "cli/json.h"
#include "count/order_figures.h"
#include "pm-order/order_tasks.h"

#define COLUMN(name) "\t" #name
const char pm_order_header[] = "# method" PM_ORDER_FIGURES(COLUMN) "\tseed";

/* ---- one order ---- */

static pm_status measure(const pm_order_task *t, const pm_order_method *m, const pm_node *e,
                         pm_order_figures *x, pm_error *err)
{
    pm_ordering o = {0};
    pm_matrix b = {0};
    pm_status s = pm_order_find(m, &e->matrix, &t->search, &o, err);
    if (s == PM_OK && o.rows)
        s = pm_ordering_apply(&e->matrix, &o, &b, err);
    if (s == PM_OK && o.rows)
        s = pm_order_measure(&b, NULL, t->search.seed, x, err);
    else if (s == PM_OK)
        s = pm_order_measure(&e->matrix, o.vertices ? o.vertices : e->order, t->search.seed, x,
                             err);
    pm_matrix_free(&b);
    pm_ordering_free(&o);
    return s;
}

/* Of all methods: one that refuses the matrix has no figures. */
static pm_status measure_if_able(const pm_order_task *t, const pm_order_method *m, const pm_node *e,
                                 pm_order_figures *x, pm_error *err)
{
    pm_status s = measure(t, m, e, x, err);
    if (s != PM_UNABLE)
        return s;
    pm_console_notef(t->console, 0, "%s", err->msg);
    *x = pm_order_sizes(&e->matrix);
    return PM_OK;
}

/* ---- as text ---- */

static void put_number(FILE *f, double x)
{
    if (!isfinite(x))
        fputs("\t-", f);
    else
        fprintf(f, x == rint(x) && fabs(x) < 1e15 ? "\t%.0f" : "\t%.6g", x);
}

static void put_line(FILE *f, const pm_order_task *t, const char *method, const pm_order_figures *x)
{
    fputs(method, f);
#define PUT(name) put_number(f, x->name);
    PM_ORDER_FIGURES(PUT)
    fprintf(f, "\t%" PRIu64, t->search.seed);
}

static void put_members(pm_json *j, const pm_order_task *t, const char *method,
                        const pm_order_figures *x)
{
    char seed[24];
    pm_json_string(j, "method", method);
#define PUT_JSON(name) pm_json_double(j, #name, x->name);
    PM_ORDER_FIGURES(PUT_JSON)
    snprintf(seed, sizeof seed, "%" PRIu64, t->search.seed);
    pm_json_string(j, "seed", seed);
}

/* ---- answers ---- */

static pm_status put_one(const pm_order_task *t, const pm_node *e, FILE *f, pm_error *err)
{
    pm_order_figures x;
    pm_json j = {.f = f};
    pm_status s = measure(t, t->method, e, &x, err);
    if (s == PM_OK && t->json) {
        pm_json_string(&j, "field", pm_field_name(e->matrix.field));
        put_members(&j, t, t->method->name, &x);
    } else if (s == PM_OK) {
        put_line(f, t, t->method->name, &x);
    }
    return s;
}

static pm_status put_all(const pm_order_task *t, const pm_node *e, FILE *f, pm_error *err)
{
    pm_order_figures x;
    pm_json j = {.f = f};
    pm_status s = PM_OK;
    if (t->json) {
        pm_json_string(&j, "field", pm_field_name(e->matrix.field));
        pm_json_begin(&j, "orders", '[');
    } else {
        fprintf(f, "%s\n", pm_order_header);
    }
    for (int i = 0; pm_order_method_at(i); ++i) {
        const pm_order_method *m = pm_order_method_at(i);
        s = measure_if_able(t, m, e, &x, err);
        if (s != PM_OK)
            return s;
        if (t->json) {
            pm_json_begin(&j, NULL, '{');
            put_members(&j, t, m->name, &x);
            pm_json_end(&j, '}');
        } else {
            put_line(f, t, m->name, &x);
            putc('\n', f);
        }
    }
    if (t->json)
        pm_json_end(&j, ']');
    return PM_OK;
}

/* A matrix that is refused fails alone. */
static pm_status answer(const void *task, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    const pm_order_task *t = task;
    pm_error why;
    FILE *f = pm_answers_begin(out);
    if (!f)
        return pm_fail_memory(err, "an answer");
    pm_status s = t->method ? put_one(t, e, f, &why) : put_all(t, e, f, &why);
    if (s == PM_OK)
        return pm_answers_end(out, e->name, false, err);
    pm_fail(err, s, "%s:%" PRId64 ": %s", input, e->line, why.msg);
    if (s != PM_UNABLE)
        return s;
    pm_console_error(t->console, err->msg);
    return pm_answers_skip(out, s, err);
}

pm_status pm_order_ask(const void *task, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_ask_matrices(answer, task, r, out, err);
}
