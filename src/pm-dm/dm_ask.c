/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/ask.h"
#include "pm-dm/dm_tasks.h"

static pm_status answer(const void *asked, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    (void)input;
    const pm_dm_asked *x = asked;
    pm_dm d = {0};
    pm_status s = pm_dm_decompose(&e->matrix, &d, err);
    if (s != PM_OK)
        return s;
    const pm_dm_view view = {&e->matrix, &d, x->width};
    FILE *f = pm_answers_begin(out);
    if (!f) {
        s = pm_fail_memory(err, "an answer");
    } else if (x->json) {
        pm_json j = {.f = f};
        s = x->question->json(&view, &j, err);
    } else {
        s = x->question->text(&view, f, err);
    }
    if (s == PM_OK)
        s = pm_answers_end(out, e->name, !pm_dm_has_perfect_matching(&d), err);
    pm_dm_free(&d);
    return s;
}

pm_status pm_dm_ask(const void *asked, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_ask_matrices(answer, asked, r, out, err);
}
