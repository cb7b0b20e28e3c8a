/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "cli/existence_text.h"
#include "cli/tutte_text.h"
#include "pm-count/tasks.h"

/* A matching, or why there is none. */
typedef struct {
    bool exists;
    pm_existence bipartite;
    pm_gallai_edmonds general; /* of a graph that is not bipartite */
    int32_t *pairs;            /* of such a graph: its matching, each edge once */
} finding;

static void finding_free(finding *x)
{
    pm_existence_free(&x->bipartite);
    pm_gallai_edmonds_free(&x->general);
    free(x->pairs);
}

static pm_status find_general(const pm_node *node, pm_matching_kind kind, const pm_run *run,
                              finding *x, pm_error *err)
{
    const bool is_maximum = kind == PM_MATCHING_MAXIMUM;
    pm_status status =
        is_maximum ? pm_gallai_edmonds_find(&node->matrix, run, &x->general, err)
                   : pm_gallai_edmonds_find_with_loops(&node->matrix, run, &x->general, err);
    if (status)
        return status;
    x->exists = is_maximum || pm_gallai_edmonds_left_out(&x->general) == 0;
    x->pairs = pm_gallai_edmonds_pairs(&x->general);
    if (!x->pairs)
        return pm_fail_memory(err, "a matching");
    for (int32_t v = 0; v < x->general.n && !is_maximum; ++v)
        if (x->general.partner[v] < 0)
            x->pairs[v] = v; /* it stays alone: its loop */
    return PM_OK;
}

static pm_status find(const pm_node *node, pm_matching_kind kind, const pm_run *run, finding *x,
                      pm_error *err)
{
    if (node->general)
        return find_general(node, kind, run, x, err);
    pm_status status = pm_existence_find(&node->matrix, kind, &x->bipartite, err);
    x->exists = !status && x->bipartite.exists;
    return status;
}

static pm_status put(const finding *x, const pm_node *node, pm_matching_kind kind, pm_emitter *e,
                     pm_error *err)
{
    if (x->exists)
        return pm_emit_matching(e, node->general ? x->pairs : x->bipartite.col_of, &node->matrix,
                                err);
    return pm_emit_no_matching(e, "matching", &node->matrix, kind, &x->bipartite,
                               node->general ? &x->general : NULL, err);
}

static pm_status answer(const pm_node *e, pm_matching_kind kind, const char *input,
                        const pm_run *run, pm_answers *out, pm_error *err)
{
    finding x = {0};
    pm_error why;
    char place[PM_PLACE];
    pm_emitter *emitter = NULL;
    pm_status status = find(e, kind, run, &x, err);
    if (status)
        goto done;
    emitter = pm_answers_begin(out, err);
    status = emitter ? put(&x, e, kind, emitter, &why) : PM_ENOMEM;
    if (status && emitter)
        pm_fail_after(&why, err, status, "%s: %s", pm_node_place(input, e->line, place), why.msg);
    if (!status)
        status = pm_answers_end(out, e->name, !x.exists, err);
done:
    finding_free(&x);
    return status;
}

typedef struct {
    const pm_task_context *c;
    const char *input;
    pm_answers *out;
} matching_query;

/* Fails: PM_UNABLE the question is not one for this graph. */
static pm_status check_question(const pm_node *node, pm_matching_kind kind, const char *input,
                                pm_error *err)
{
    pm_status status = pm_node_check_sides(node, kind, input, err);
    return !status && kind == PM_MATCHING_MAXIMUM ? pm_node_check_loops(node, input, err) : status;
}

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
    pm_status status = check_question(node, kind, q->input, err);
    return status ? status : answer(node, kind, q->input, q->c->run, q->out, err);
}

pm_status pm_task_matching(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err)
{
    static const pm_visitor visitor = {.enter = refuse, .leaf = leaf};
    pm_given_times given = {c->given, true, pm_reader_source(r)};
    const pm_node_source source = pm_given_times_source(&given);
    matching_query q = {c, source.name, out};
    return pm_walk_all(&source, &visitor, &q, c->run, err);
}

/* ---- a picture ---- */

static pm_status draw(const pm_node *node, const finding *x, pm_picture *p, pm_error *err)
{
    const int32_t *partner = node->general ? x->pairs : x->bipartite.col_of;
    int64_t edges = 0;
    if (!x->exists)
        return pm_fail(err, PM_EDATA,
                       "no such matching to draw; the answer without --draw says why");
    for (int64_t i = 0; i < node->matrix.nrows; ++i)
        edges += partner[i] >= 0 && !(node->general && partner[i] == i);
    pm_status status = pm_picture_begin(p, &node->matrix, node->general, 1, edges, NULL, err);
    return status ? status : pm_picture_frame(p, partner, err);
}

pm_status pm_task_draw(const void *context, const pm_node *node, const char *where,
                       const pm_run *run, pm_picture *p, pm_error *err)
{
    const pm_task_context *c = context;
    const pm_matching_kind kind = pm_node_matchings(node, true, c->count.kind);
    finding x = {0};
    pm_error why;
    pm_status status = check_question(node, kind, where, err);
    if (status)
        return status;
    status = find(node, kind, run, &x, &why);
    if (!status)
        status = draw(node, &x, p, &why);
    finding_free(&x);
    return status ? pm_fail_after(&why, err, status, "%s: %s", where, why.msg) : PM_OK;
}
