/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx: perfect matchings of bipartite graphs, estimated with intervals. */
#include "config.h"

#include <stdio.h>

#include "bounds/bounds.h"
#include "cli/command.h"
#include "core/clock.h"
#include "pm-approx/approx_options.h"
#include "pm-approx/approx_tasks.h"

enum { UNRELIABLE = 76 };

typedef struct {
    pm_common_settings common;
    pm_approx_settings approx;
} settings;

static pm_status check(void *context, int operands, pm_error *err)
{
    settings *set = context;
    set->approx.time_limit_each = set->common.run.time_limit_each;
    set->approx.has_max_cost = set->common.run.max_cost != PM_MAX_COST;
    pm_status status =
        pm_approx_settings_check(&set->approx, set->common.output, set->common.answer.json, err);
    if (!status)
        status = pm_columns_check(&set->common.answer, pm_approx_columns,
                                  !set->approx.bounds && !set->approx.sample && !set->approx.compare
                                      && !set->approx.method.is_bethe,
                                  err);
    if (!status && set->approx.list && operands > 0)
        return pm_fail(err, PM_EUSAGE, "--list takes no operand");
    if (!status && (set->approx.sample || set->approx.compare) && set->common.matchings)
        return pm_fail(err, PM_EUSAGE,
                       "--%s is about perfect matchings: no --saturate, no --count=maximum",
                       set->approx.sample ? "sample" : "compare");
    return status;
}

static pm_status write_trace(const pm_approx_settings *set, const pm_trace *trace, pm_error *err)
{
    pm_status status = PM_OK;
    if (set->trace)
        status = pm_trace_write(trace, set->trace, pm_trace_put_table, err);
    if (!status && set->plot)
        status = pm_trace_write(trace, set->plot, pm_trace_put_svg, err);
    return status;
}

/* A question about items. */
typedef struct {
    pm_approx_task *task;
    const pm_approx_context *context;
} question;

static pm_status answer_next(const void *context, pm_attempt *attempt, const pm_node_source *source,
                             pm_answers *out, bool *got, pm_error *err)
{
    const question *q = context;
    pm_approx_context c = *q->context;
    if (attempt) {
        c.is_attempt = true;
        c.run = &attempt->run;
        c.console = &attempt->console;
        c.estimate.most_seconds = attempt->most_seconds;
        c.estimate.backend.backend = PM_BACKEND_CPU;
    }
    return q->task(&c, source, out, got, err);
}

static int run_query(const pm_approx_settings *set, pm_invocation *program,
                     const pm_approx_context *c)
{
    if (set->sample) {
        const pm_query samples = {
            .read = pm_approx_sample, .context = c, .layout = PM_LAYOUT_BLOCKS};
        return pm_query_run(program, &samples);
    }
    if (set->compare) {
        const pm_query comparisons = {
            .read = pm_approx_compare, .context = c, .layout = PM_LAYOUT_LINES};
        return pm_query_run(program, &comparisons);
    }
    const question q = {set->bounds            ? pm_approx_bounds
                        : set->method.is_bethe ? pm_approx_bethe
                                               : pm_approx_estimate,
                        c};
    const pm_query query = {
        .next = answer_next,
        .is_parallel = !c->trace && set->backend.backend != PM_BACKEND_CUDA,
        .context = &q,
        .layout = PM_LAYOUT_LINES,
    };
    if (set->bounds || set->method.is_bethe)
        pm_bounds_prepare(set->backend.backend);
    const int status = pm_query_run(program, &query);
    pm_bounds_prepared();
    return status;
}

static int run(const void *context, pm_invocation *program)
{
    const pm_approx_settings *set = &((const settings *)context)->approx;
    const pm_common_settings *common = &((const settings *)context)->common;
    atomic_bool any_unreliable = false;
    pm_trace trace = {0};
    pm_error err;
    double limit = program->common->run.time_limit;
    const pm_approx_context c = {
        .ends = limit > 0 ? pm_clock() + limit : 0,
        .estimate = pm_approx_settings_estimate(set),
        .epsilon = set->epsilon,
        .delta = set->delta,
        .asked = common->matchings,
        .matchings = set->sample,
        .compare = set->compare,
        .run = &program->run,
        .console = &program->console,
        .trace = set->trace || set->plot ? &trace : NULL,
        .any_unreliable = &any_unreliable,
    };
    if (set->list) {
        pm_approx_list(stdout);
        return 0;
    }
    const char *const written[] = {set->trace ? set->trace : set->plot,
                                   set->trace ? set->plot : NULL, NULL};
    program->later = written;
    int status = run_query(set, program, &c);
    program->later = NULL;
    if (write_trace(set, &trace, &err) != PM_OK) {
        pm_console_error(&program->console, err.msg);
        status = status > 1 ? status : pm_exit_status(PM_EIO);
    }
    pm_trace_free(&trace);
    return status == 0 && atomic_load(&any_unreliable) ? UNRELIABLE : status;
}

static pm_backend backend(const void *context)
{
    return ((const settings *)context)->approx.backend.backend;
}

static const int statuses[] = {0, 1, 64, 65, 66, 69, 70, 71, 74, 75, UNRELIABLE, -1};

static const pm_command command = {
    .name = "pm-approx",
    .operands = "[FILE]...",
    .summary = "Estimate the number of perfect matchings of bipartite graphs, with an interval.",
    .more = "A graph that can be counted exactly in short time is counted.  A weighted graph\n"
            "gives the permanent of its matrix, whose entries must not be negative.\n",
    .files = PM_HELP_FILES "\n",
    .example = "pm-gen cube 6 6 6 | pm-approx --rel-err=0.02",
    .statuses = statuses,
    .uses = PM_USES_ALL,
    .backend = backend,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    settings set = {.approx = pm_approx_settings_defaults(), .common.run.max_cost = PM_MAX_COST};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.common.input},
        {"Question", pm_options_approx_question, &set.approx},
        {NULL, pm_options_matchings, &set.common.matchings},
        {"When to stop", pm_options_approx_stop, &set.approx},
        {NULL, pm_options_time_limit, &set.common.run},
        {"Method", pm_options_approx_method, &set.approx},
        {NULL, pm_options_seed, &set.approx.seed},
        {NULL, pm_options_run, &set.common.run},
        {"Output", pm_options_answer, &set.common},
        {NULL, pm_options_approx_output, &set.approx},
        {NULL, pm_options_verbosity, &set.common},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
