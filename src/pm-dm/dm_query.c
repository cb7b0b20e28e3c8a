/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/graph_limit.h"
#include "pm-dm/dm_tasks.h"

/* d or g: the decomposition.  is_none: there is no perfect matching. */
static pm_status put(const pm_dm_query *q, const pm_node *e, const pm_dm *d,
                     const pm_gallai_edmonds *g, bool is_none, pm_answers *out, pm_error *err)
{
    const pm_dm_view view = {&e->matrix, d, q->width};
    pm_emitter *emitter = pm_answers_begin(out, err);
    pm_status status = !emitter     ? PM_ENOMEM
                       : e->general ? q->question->put_general(&e->matrix, g, emitter, err)
                                    : q->question->put(&view, emitter, err);
    return status ? status : pm_answers_end(out, e->name, is_none, err);
}

static pm_status answer(const void *query, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    const pm_dm_query *q = query;
    pm_dm d = {0};
    pm_gallai_edmonds g = {0};
    const pm_graph_limit limit =
        pm_graph_limit_begin(&q->program->run, q->program->common->run.time_limit_each);
    pm_status status = pm_node_check_loops(e, input, err);
    if (status)
        return status;
    status = e->general ? pm_gallai_edmonds_find(&e->matrix, &limit.run, &g, err)
                        : pm_dm_decompose(&e->matrix, &limit.run, &d, err);
    if (status)
        return pm_graph_limit_skip(&limit, status, e, input, &q->program->console, out, err);
    const bool is_none =
        e->general ? pm_gallai_edmonds_left_out(&g) > 0 : !pm_dm_has_perfect_matching(&d);
    status = put(q, e, &d, &g, is_none, out, err);
    pm_dm_free(&d);
    pm_gallai_edmonds_free(&g);
    return status;
}

pm_status pm_dm_answer(const void *query, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_query_matrices(answer, query, r, out, err);
}
