/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-approx/approx_item.h"

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
    const pm_node_source source = pm_reader_source(r);
    pm_status s;
    bool got;
    do {
        pm_approx_item it = {.input = source.name};
        s = pm_expression_read(&it.x, &source, &c->run, &got, err);
        if (s == PM_OK && got)
            s = answer_item(c, &it, answer, out, err);
        pm_expression_free(&it.x);
    } while (s == PM_OK && got && !out->is_last_word);
    return s;
}
