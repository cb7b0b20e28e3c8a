/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-approx/approx_item.h"

#include <stdlib.h>

/* All events of one item; *got is false at the end of the input. */
static pm_status read_item(const pm_approx_context *c, pm_approx_item *it, pm_reader *r, bool *got,
                           pm_error *err)
{
    int64_t depth = 0;
    pm_event e;
    pm_event_init(&e);
    pm_status s = pm_reader_next(r, &e, err);
    *got = s == PM_OK && e.kind != PM_EV_EOF;
    if (*got) {
        it->name = e.name;
        e.name = NULL;
        s = pm_expression_open(&it->x, err);
    }
    while (*got && s == PM_OK) {
        depth += (e.kind == PM_EV_PRODUCT || e.kind == PM_EV_SUM) - (e.kind == PM_EV_CLOSE);
        it->matrices += e.kind == PM_EV_MATRIX;
        s = pm_expression_put(&it->x, &e, &c->run, err);
        if (s != PM_OK || depth == 0)
            break;
        s = pm_reader_next(r, &e, err);
    }
    pm_event_clear(&e);
    if (*got && s == PM_OK)
        pm_expression_close(&it->x);
    return s;
}

static pm_status answer_item(const pm_approx_context *c, pm_approx_item *it,
                             pm_approx_answer *answer, pm_answers *out, pm_error *err)
{
    pm_error why;
    pm_status s = answer(c, it, out, &why);
    if (s == PM_OK)
        return s;
    pm_fail(err, s, "%s: %s", it->input, why.msg);
    if (!pm_is_refusal(s) && s != PM_ESTOPPED)
        return s;
    pm_console_error(c->console, err->msg);
    if (pm_run_stopped(&c->run))
        return PM_ESTOPPED;
    return pm_answers_skip(out, s, err);
}

pm_status pm_approx_items(const pm_approx_context *c, pm_reader *r, pm_approx_answer *answer,
                          pm_answers *out, pm_error *err)
{
    pm_status s;
    bool got;
    do {
        pm_approx_item it = {.input = pm_reader_name(r)};
        s = read_item(c, &it, r, &got, err);
        if (s == PM_OK && got)
            s = answer_item(c, &it, answer, out, err);
        pm_expression_free(&it.x);
        free(it.name);
    } while (s == PM_OK && got && !out->is_last_word);
    return s;
}
