/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "cli/graph_limit.h"
#include "pm-dm/dm_tasks.h"
#include "pm/alloc.h"

/* What is known of a graph. */
typedef struct {
    pm_dm d;             /* of a bipartite graph */
    pm_gallai_edmonds g; /* of another one */
    pm_elementary c;     /* its part C */
} structure;

static void structure_free(structure *x)
{
    pm_dm_free(&x->d);
    pm_gallai_edmonds_free(&x->g);
    pm_elementary_free(&x->c);
}

static pm_status find_parts(const pm_matrix *a, const pm_gallai_edmonds *g, const pm_run *run,
                            pm_elementary *out, pm_error *err)
{
    pm_matrix c = {0};
    int64_t nc = 0;
    int32_t *list = pm_alloc_array(g->nc, sizeof *list);
    if (!list)
        return pm_fail_memory(err, "the parts of a graph");
    for (int32_t v = 0; v < g->n; ++v)
        if (g->part[v] == 'C')
            list[nc++] = v;
    pm_status status = pm_matrix_select(a, list, nc, list, nc, &c, err);
    if (!status)
        status = pm_elementary_find(&c, run, out, err);
    pm_matrix_free(&c);
    free(list);
    return status;
}

static pm_status find(const pm_node *e, const pm_dm_question *q, const pm_run *run, structure *x,
                      pm_error *err)
{
    if (!e->general)
        return pm_dm_decompose(&e->matrix, run, &x->d, err);
    pm_status status = pm_gallai_edmonds_find(&e->matrix, run, &x->g, err);
    return !status && q->needs_parts ? find_parts(&e->matrix, &x->g, run, &x->c, err) : status;
}

static pm_status put(const pm_dm_query *q, const pm_node *e, const structure *x, const char *input,
                     pm_answers *out, pm_error *err)
{
    char place[PM_PLACE];
    pm_error why = {.msg = ""};
    const pm_dm_view view = {&e->matrix, &x->d, q->width};
    const pm_dm_general_view general = {&e->matrix, &x->g, &x->c};
    const bool is_none =
        e->general ? pm_gallai_edmonds_left_out(&x->g) > 0 : !pm_dm_has_perfect_matching(&x->d);
    pm_emitter *emitter = pm_answers_begin(out, err);
    pm_status status = !emitter     ? PM_ENOMEM
                       : e->general ? q->question->put_general(&general, emitter, &why)
                                    : q->question->put(&view, emitter, &why);
    if (status && emitter)
        return pm_fail(err, status, "%s: %s", pm_node_place(input, e->line, place), why.msg);
    return status ? status : pm_answers_end(out, e->name, is_none, err);
}

static pm_status answer(const void *query, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    const pm_dm_query *q = query;
    structure x = {0};
    const pm_graph_limit limit =
        pm_graph_limit_begin(&q->program->run, q->program->common->run.time_limit_each);
    pm_status status = pm_node_check_loops(e, input, err);
    if (status)
        return status;
    status = find(e, q->question, &limit.run, &x, err);
    status = status ? pm_graph_limit_skip(&limit, status, e, input, &q->program->console, out, err)
                    : put(q, e, &x, input, out, err);
    structure_free(&x);
    return status;
}

pm_status pm_dm_answer(const void *query, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_query_matrices(answer, query, r, out, err);
}
