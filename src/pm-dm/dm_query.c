/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/graph_limit.h"
#include "pm-dm/dm_tasks.h"

static pm_status answer(const void *query, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    const pm_dm_query *q = query;
    pm_dm d = {0};
    const pm_graph_limit limit =
        pm_graph_limit_begin(&q->program->run, q->program->common->run.time_limit_each);
    pm_status status = pm_dm_decompose(&e->matrix, &limit.run, &d, err);
    if (status)
        return pm_graph_limit_skip(&limit, status, e, input, &q->program->console, out, err);
    const pm_dm_view view = {&e->matrix, &d, q->width};
    pm_emitter *emitter = pm_answers_begin(out, err);
    status = emitter ? q->question->put(&view, emitter, err) : PM_ENOMEM;
    if (!status)
        status = pm_answers_end(out, e->name, !pm_dm_has_perfect_matching(&d), err);
    pm_dm_free(&d);
    return status;
}

pm_status pm_dm_answer(const void *query, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_query_matrices(answer, query, r, out, err);
}
