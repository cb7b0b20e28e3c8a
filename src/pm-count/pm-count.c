/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-count: perfect matchings of bipartite graphs, counted exactly. */
#include "config.h"

#include <stdio.h>

#include "algorithm/gpu_plan.h"
#include "cli/ask.h"
#include "cli/environment.h"
#include "cli/shared.h"
#include "cli/signals.h"
#include "cli/stack.h"
#include "cli/threads.h"
#include "core/clock.h"
#include "core/isa.h"
#include "pm-count/count_options.h"
#include "pm-count/tasks.h"

typedef struct {
    pm_input_settings input;
    pm_count_settings count;
    pm_answer_settings answer;
    pm_run_settings run;
    const char *output;
    int verbosity;
} settings;

static const int statuses[] = {0, 1, 64, 65, 66, 69, 70, 71, 74, 75, -1};

static const pm_command program = {
    .name = "pm-count",
    .operands = "[FILE]...",
    .summary = "Count the perfect matchings of bipartite graphs, exactly.",
    .more = "A FILE holds an edge list, a Matrix Market matrix, a pm stream, graph6, ...,\n"
            "plain or gzip; none or - is standard input.  A weighted graph gives the\n"
            "permanent of its matrix.\n",
    .example = "pm-gen grid 8 8 | pm-count    # prints 12988816",
    .statuses = statuses,
};

/* What is asked, and by which settings. */
typedef struct {
    const pm_task_context *context;
    pm_task task;
} question;

static pm_status ask(const void *context, pm_reader *r, pm_answers *out, pm_error *err)
{
    const question *q = context;
    return q->task(q->context, r, out, err);
}

static int count_inputs(const settings *set, const pm_task_context *c, char **operand, int count)
{
    const question what = {c, pm_count_task(&set->count)};
    const pm_batch batch = {
        &program, &set->input, set->output, operand, count, &c->run, c->console,
    };
    const pm_question q = {
        .ask = ask,
        .context = &what,
        .layout = pm_count_layout(&set->count),
        .how = set->answer,
    };
    return pm_ask(&batch, &q);
}

static int run(const settings *set, pm_console *console, char **operand, int count)
{
    pm_error err;
    pm_rates rates;
    pm_task_context c = {
        .count = pm_count_settings_options(&set->count),
        .order_is_given = set->count.order_is_given,
        .json = set->answer.json,
        .verify = set->count.verify,
        .console = console,
        .run = {.threads = set->run.threads,
                .max_memory = set->run.max_memory,
                .max_cost = set->run.max_cost,
                .stop = pm_signals_install(),
                .progress = pm_console_progress,
                .note = pm_console_note,
                .context = console},
    };
    if (set->run.time_limit > 0) {
        pm_signals_set_limit(set->run.time_limit);
        c.ends = pm_clock() + set->run.time_limit;
    }
    if (set->count.calibrate != PM_CALIBRATE_NO) {
        pm_status s = pm_calibration_get(set->count.calibrate, set->count.backend != PM_BACKEND_CPU,
                                         &c.run, console, &rates, &err);
        if (s == PM_ESTOPPED && pm_signals_limit_reached())
            pm_fail(&err, s, "stopped at the time limit");
        if (s != PM_OK && (s != PM_ESTOPPED || pm_signals_limit_reached()))
            pm_console_error(console, err.msg);
        if (s != PM_OK)
            return pm_exit_status(s);
        c.count.rates = &rates;
    }
    if (set->count.list) {
        pm_count_list(stdout, c.count.rates);
        return 0;
    }
    return count_inputs(set, &c, operand, count);
}

int main(int argc, char **argv)
{
    pm_environment_start(program.name);
    pm_error no_stack, err;
    pm_status stack = pm_stack_ensure(&no_stack);
    pm_threads_sleep(argv);
    settings set = {.count = pm_count_settings_defaults(), .run.max_cost = PM_MAX_COST};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.input},
        {"Question", pm_options_question, &set.count},
        {"Output", pm_options_answer, &set.answer},
        {NULL, pm_options_exit_status, &set.answer},
        {NULL, pm_options_output, &set.output},
        {NULL, pm_options_verbosity, &set.verbosity},
        {"Method", pm_options_method, &set.count},
        {NULL, pm_options_seed, &set.count.seed},
        {NULL, pm_options_run, &set.run},
        {NULL, pm_options_time_limit, &set.run},
        {0},
    };
    int first;
    int status = pm_options_parse(&program, groups, argc, argv, &first);
    if (status >= 0)
        return status;
    if (pm_count_settings_check(&set.count, &err) != PM_OK)
        return pm_misuse(&program, "%s", err.msg);
    if (pm_isa_is_misnamed())
        return pm_misuse(&program, "PM_ISA: expected portable, avx2, avx512 or avx512ifma");
    if (pm_gpu_integers_are_misnamed())
        return pm_misuse(&program, "PM_GPU_INTEGERS: expected words or doubles");
    if (set.count.list && first < argc)
        return pm_misuse(&program, "--list takes no operand");
    pm_console console;
    pm_console_open(&console, program.name, set.verbosity, set.run.progress);
    if (stack != PM_OK) {
        pm_console_error(&console, no_stack.msg);
        return pm_exit(&program, pm_exit_status(stack));
    }
    return pm_exit(&program, run(&set, &console, argv + first, argc - first));
}
