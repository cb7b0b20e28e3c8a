/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-approx/approx_item.h"

#include "cli/existence_text.h"
#include "cli/signals.h"

static pm_status answer_item(const pm_approx_context *c, pm_approx_item *it,
                             pm_approx_answer *answer, pm_answers *out, pm_error *err)
{
    pm_error why;
    pm_status status = answer(c, it, out, &why);
    if (!status)
        return status;
    pm_fail_after(&why, err, status, "%s: %s", it->input, why.msg);
    if (!pm_is_refusal(status) && status != PM_ESTOPPED)
        return status;
    pm_console_error(c->console, err->msg);
    if (pm_run_stopped(c->run))
        return PM_ESTOPPED;
    return pm_answers_skip(out, it->x.name, status, err);
}

/* After the last answer because of the time limit: has the input no further graphs?  If it is not
 * known within a second, it may have some. */
static bool is_at_end(pm_reader *r)
{
    if (pm_reader_is_one_graph(r))
        return true;
    pm_node node;
    pm_error unknown;
    pm_node_init(&node);
    pm_signals_set_limit(1);
    bool is_end = pm_reader_next(r, &node, &unknown) == PM_OK && node.kind == PM_NODE_END;
    pm_node_clear(&node);
    return is_end;
}

pm_status pm_approx_items(const pm_approx_context *context, pm_reader *r, pm_approx_answer *answer,
                          pm_answers *out, pm_error *err)
{
    const pm_node_source source = pm_reader_source(r);
    pm_console_named named;
    const pm_run run = pm_console_name_notes(context->run, context->console, source.name, &named);
    pm_approx_context with_names = *context;
    const pm_approx_context *c = &with_names;
    with_names.run = &run;
    pm_status status;
    bool got;
    do {
        pm_approx_item item = {.input = source.name};
        status = pm_expression_read(&item.x, &source, c->asked, c->run, &got, err);
        if (!status && got && item.x.rows != item.x.cols)
            pm_warn_of_sides(c->console, item.input, item.x.kind, item.x.rows, item.x.cols,
                             item.x.one_set, !item.x.is_part);
        if (!status && got)
            status = answer_item(c, &item, answer, out, err);
        pm_expression_free(&item.x);
    } while (!status && got && !out->is_final);
    out->is_whole = out->is_final
                    && (pm_reader_is_one_graph(r) || (pm_signals_limit_reached() && is_at_end(r)));
    return status;
}
