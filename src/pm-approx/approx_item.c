/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-approx/approx_item.h"

#include "cli/existence_text.h"
#include "pm-approx/approx_exact.h"
#include "pm/settings.h"

static pm_status answer_item(const pm_approx_context *c, pm_approx_item *it,
                             pm_approx_answer *answer, pm_answers *out, pm_error *err)
{
    pm_error why;
    pm_status status = it->has_sizes && !c->takes_sizes
                           ? pm_fail(&why, PM_UNABLE,
                                     "expected a real value for an estimate, found roots of "
                                     "unity%s",
                                     pm_hint_text(PM_HINT_EXACT))
                           : answer(c, it, out, &why);
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

pm_status pm_approx_next(const pm_approx_context *context, const pm_node_source *source,
                         pm_approx_answer *answer, pm_answers *out, bool *got, pm_error *err)
{
    pm_approx_item item = {.input = source->name};
    const pm_expression *x = &item.x;
    pm_console_named named;
    const pm_run run = pm_console_name_notes(context->run, context->console, source->name, &named);
    pm_approx_context c = *context;
    pm_node_source nodes = c.recorded ? pm_recorded_source_from(c.recorded, source) : *source;
    pm_approx_exact exact = {.from = nodes, .asked = c.asked, .run = &run};
    if (c.exact)
        nodes = pm_approx_exact_source(&exact);
    c.run = &run;
    const pm_expression_how how = {c.asked, c.merges, c.keeps_general};
    pm_status status = pm_expression_read(&item.x, &nodes, &how, c.run, got, err);
    item.has_sizes = exact.has_sizes;
    if (!status && *got && x->rows != x->cols
        && !pm_warn_of_sides(c.console, item.input, x->kind, x->rows, x->cols, x->one_set,
                             !x->is_part))
        status = pm_fail(err, PM_UNABLE, "the sides differ: to be answered by the main thread");
    if (!status && *got)
        status = answer_item(&c, &item, answer, out, err);
    pm_expression_free(&item.x);
    return status;
}

pm_status pm_approx_matrices(const pm_approx_context *context, pm_matrix_answer *answer,
                             pm_reader *r, pm_answers *out, pm_error *err)
{
    pm_approx_context c = *context;
    pm_console_named named;
    const pm_run run = pm_console_name_notes(c.run, c.console, pm_reader_name(r), &named);
    c.run = &run;
    return pm_query_matrices(answer, &c, r, out, err);
}

pm_status pm_approx_matrix_fails(const pm_approx_context *c, const pm_node *event,
                                 const char *input, pm_status status, const pm_error *why,
                                 pm_answers *out, pm_error *err)
{
    char place[PM_PLACE];
    pm_fail_after(why, err, status, "%s: %s", pm_node_place(input, event->line, place), why->msg);
    if (status == PM_ESTOPPED || status == PM_UNABLE)
        pm_console_error(c->console, err->msg);
    return status == PM_UNABLE ? pm_answers_skip(out, event->name, status, err) : status;
}
