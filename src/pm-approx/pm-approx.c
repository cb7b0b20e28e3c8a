/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx: perfect matchings of bipartite graphs, estimated with intervals. */
#include "config.h"

#include <stdio.h>

#include "cli/ask.h"
#include "cli/environment.h"
#include "cli/shared.h"
#include "cli/signals.h"
#include "cli/stack.h"
#include "cli/threads.h"
#include "pm-approx/approx_options.h"
#include "pm-approx/approx_tasks.h"

enum { UNRELIABLE = 76 };

typedef struct {
    pm_input_settings input;
    pm_approx_settings approx;
    pm_answer_settings answer;
    pm_run_settings run;
    const char *output;
    int verbosity;
} settings;

static const int statuses[] = {0, 1, 64, 65, 66, 69, 70, 71, 74, 75, UNRELIABLE, -1};

static const pm_command program = {
    .name = "pm-approx",
    .operands = "[FILE]...",
    .summary = "Estimate the number of perfect matchings of bipartite graphs, with an interval.",
    .more = "What can be counted exactly at once is, and is called exact.  A weighted graph\n"
            "gives the permanent of its matrix, whose entries must not be negative.\n"
            "A FILE holds an edge list, a Matrix Market matrix, a pm stream, graph6, ...,\n"
            "plain or gzip; none or - is standard input.\n",
    .example = "pm-gen cube 6 6 6 | pm-approx --rel-err=0.02",
    .statuses = statuses,
};

static pm_status write_trace(const pm_approx_settings *set, const pm_trace *trace, pm_error *err)
{
    pm_status s = PM_OK;
    if (set->trace)
        s = pm_trace_write(trace, set->trace, pm_trace_put_table, err);
    if (s == PM_OK && set->plot)
        s = pm_trace_write(trace, set->plot, pm_trace_put_svg, err);
    return s;
}

static int ask(const settings *set, const pm_batch *batch, const pm_approx_context *c)
{
    pm_question q = {
        .ask = pm_approx_estimate,
        .context = c,
        .layout = PM_LAYOUT_LINES,
        .header = pm_approx_header,
        .how = set->answer,
    };
    if (set->approx.bounds) {
        q.ask = pm_approx_bounds;
        q.header = pm_approx_bounds_header;
    } else if (set->approx.sample) {
        q.ask = pm_approx_sample;
        q.layout = PM_LAYOUT_BLOCKS;
        q.header = NULL;
    }
    return pm_ask(batch, &q);
}

static int run(const settings *set, pm_console *console, char **operand, int count)
{
    bool any_unreliable = false;
    pm_trace trace = {0};
    pm_error err;
    pm_approx_context c = {
        .estimate = pm_approx_settings_estimate(&set->approx),
        .epsilon = set->approx.epsilon,
        .delta = set->approx.delta,
        .matchings = set->approx.sample,
        .json = set->answer.json,
        .console = console,
        .trace = set->approx.trace || set->approx.plot ? &trace : NULL,
        .any_unreliable = &any_unreliable,
        .run = {.threads = set->run.threads,
                .max_memory = set->run.max_memory,
                .max_cost = set->run.max_cost,
                .stop = pm_signals_install(),
                .progress = pm_console_progress,
                .note = pm_console_note,
                .context = console},
    };
    const pm_batch batch = {
        &program, &set->input, set->output, operand, count, &c.run, console,
    };
    int status = ask(set, &batch, &c);
    if (write_trace(&set->approx, &trace, &err) != PM_OK) {
        pm_console_error(console, err.msg);
        status = status > 1 ? status : pm_exit_status(PM_EIO);
    }
    pm_trace_free(&trace);
    return status == 0 && any_unreliable ? UNRELIABLE : status;
}

int main(int argc, char **argv)
{
    pm_environment_start(program.name);
    pm_status stack;
    pm_error no_stack, err;
    stack = pm_stack_ensure(&no_stack);
    pm_threads_sleep(argv);
    settings set = {.approx = pm_approx_settings_defaults(), .run.max_cost = PM_MAX_COST};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.input},
        {"Question", pm_options_approx_question, &set.approx},
        {"When to stop", pm_options_approx_stop, &set.approx},
        {"Method", pm_options_approx_method, &set.approx},
        {NULL, pm_options_seed, &set.approx.seed},
        {NULL, pm_options_run, &set.run},
        {"Output", pm_options_answer, &set.answer},
        {NULL, pm_options_exit_status, &set.answer},
        {NULL, pm_options_output, &set.output},
        {NULL, pm_options_approx_output, &set.approx},
        {NULL, pm_options_verbosity, &set.verbosity},
        {0},
    };
    int first;
    int status = pm_options_parse(&program, groups, argc, argv, &first);
    if (status >= 0)
        return status;
    set.approx.has_max_cost = set.run.max_cost != PM_MAX_COST;
    if (pm_approx_settings_check(&set.approx, set.output, set.answer.json, &err) != PM_OK)
        return pm_misuse(&program, "%s", err.msg);
    if (set.approx.list && first < argc)
        return pm_misuse(&program, "--list takes no operand");
    pm_console console;
    pm_console_open(&console, program.name, set.verbosity, set.run.progress);
    if (stack != PM_OK) {
        pm_console_error(&console, no_stack.msg);
        return pm_exit(&program, pm_exit_status(stack));
    }
    if (set.approx.list) {
        pm_approx_list(stdout);
        return pm_exit(&program, 0);
    }
    return pm_exit(&program, run(&set, &console, argv + first, argc - first));
}
