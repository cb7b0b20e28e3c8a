/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/existence_text.h"
#include "pm-count/given_times.h"
#include "pm-count/tasks.h"

static pm_status put(const pm_existence *x, const pm_matrix *a, pm_matching_kind kind,
                     pm_emitter *e, pm_error *err)
{
    if (x->exists)
        return pm_emit_matching(e, x->col_of, a, err);
    if (e->is_json)
        pm_json_string(&e->json, "matching", NULL);
    else
        fputs("# ", e->f);
    pm_emit_violator(e, x, a, kind);
    if (!e->is_json)
        putc('\n', e->f);
    return PM_OK;
}

static pm_status answer(const pm_node *e, pm_matching_kind kind, const char *input, pm_answers *out,
                        pm_error *err)
{
    pm_existence x = {0};
    pm_error why;
    char place[PM_PLACE];
    pm_status status = pm_existence_find(&e->matrix, kind, &x, err);
    if (status)
        return status;
    pm_emitter *emitter = pm_answers_begin(out, err);
    status = emitter ? put(&x, &e->matrix, kind, emitter, &why) : PM_ENOMEM;
    if (status && emitter)
        pm_fail_after(&why, err, status, "%s: %s", pm_node_place(input, e->line, place), why.msg);
    if (!status)
        status = pm_answers_end(out, e->name, !x.exists, err);
    pm_existence_free(&x);
    return status;
}

typedef struct {
    const pm_task_context *c;
    const char *input;
    pm_answers *out;
} matching_query;

static pm_status refuse(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const matching_query *q = context;
    (void)at;
    (void)node;
    return pm_fail(err, PM_UNABLE,
                   "%s: --matching needs whole graphs, not the parts of decomposed ones", q->input);
}

static pm_status leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const matching_query *q = context;
    if (node->kind != PM_NODE_MATRIX)
        return refuse(context, at, node, err);
    pm_matching_kind kind = pm_node_matchings(node, true, q->c->count.kind);
    pm_status status = pm_node_check_sides(node, kind, q->input, err);
    return status ? status : answer(node, kind, q->input, q->out, err);
}

pm_status pm_task_matching(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err)
{
    static const pm_visitor visitor = {.enter = refuse, .leaf = leaf};
    pm_given_times given = {c->row_times, c->col_times, true, pm_reader_source(r)};
    const pm_node_source source = pm_given_times_source(&given);
    matching_query q = {c, source.name, out};
    return pm_walk_all(&source, &visitor, &q, c->run, err);
}
