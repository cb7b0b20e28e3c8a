/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-dm/dm_tasks.h"

static pm_status answer(const void *query, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    (void)input;
    const pm_dm_query *q = query;
    pm_dm d = {0};
    pm_status status = pm_dm_decompose(&e->matrix, &d, err);
    if (status)
        return status;
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
