/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-count: perfect matchings of bipartite graphs, counted exactly. */
#include "config.h"

#include <stdio.h>

#include "cli/count_options.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/shared.h"
#include "cli/signals.h"
#include "cli/tasks.h"
#include "cli/threads.h"
#include "pm/alloc.h"

typedef struct {
    pm_input_settings input;
    pm_count_settings count;
    pm_answer_settings answer;
    pm_run_settings run;
    const char *output;
    int verbosity;
} settings;

static const int statuses[] = {0, 1, 64, 65, 66, 69, 70, 71, 74, 75, -1};

static const pm_program program = {
    .name = "pm-count",
    .operands = "[FILE]...",
    .summary = "Count the perfect matchings of bipartite graphs, exactly.",
    .more = "A FILE holds an edge list, a Matrix Market matrix, a pm stream, graph6, ...,\n"
            "plain or gzip; none or - is standard input.  A weighted graph gives the\n"
            "permanent of its matrix.\n",
    .example = "pm-gen grid 8 8 | pm-count    # prints 12988816",
    .statuses = statuses,
};

/* Everything about one input; failures are reported.  *any_none: set when an answer is zero or none. */
static pm_status process(const settings *set, const pm_task_context *c, const char *path,
                         bool names, FILE *f, bool *any_none)
{
    pm_error err;
    pm_reader *reader = NULL;
    pm_answers answers = {0};
    pm_console_begin(c->console, path);
    pm_status s = pm_reader_open(path, &set->input.read, &reader, &err);
    if (s == PM_OK)
        s = pm_count_task(&set->count)(c, reader, &answers, &err);
    if (reader && pm_reader_note(reader)[0])
        pm_console_notef(c->console, 1, "%s: %s", pm_reader_name(reader), pm_reader_note(reader));
    if (pm_run_stopped(&c->run)) /* whatever it led to, a read that failed or an answer */
        s = PM_ESTOPPED;
    pm_console_clear(c->console);
    if (s == PM_OK)
        s = pm_answers_print(&answers, f, pm_count_layout(&set->count, set->answer.json), names,
                             path, any_none, &err);
    if (s != PM_OK && s != PM_ESTOPPED)
        pm_console_error(c->console, err.msg);
    if (s == PM_OK)
        s = answers.failed;
    pm_answers_free(&answers);
    pm_reader_close(&reader);
    return s;
}

/* All inputs.  Returns the exit status: that of the first failure, else 1 or 0. */
static int process_all(const settings *set, const pm_task_context *c, pm_inputs *in, pm_output *out)
{
    bool names = set->answer.names || pm_inputs_are_several(in), any_none = false;
    pm_status first_failure = PM_OK, s = PM_OK;
    while (s != PM_ESTOPPED && !pm_run_stopped(&c->run)) {
        const char *path;
        pm_error err;
        s = pm_inputs_next(in, &path, &err);
        if (s == PM_OK && !path)
            break;
        if (s == PM_OK)
            s = process(set, c, path, names, out->stream, &any_none);
        else
            pm_console_error(c->console, err.msg);
        if (first_failure == PM_OK)
            first_failure = s;
        if (!path && s != PM_EDATA) /* the list itself cannot be read on */
            break;
        if (!pm_output_flush(out)) /* reported when it is closed */
            break;
    }
    if (pm_signals_limit_reached()) {
        pm_console_error(c->console, "stopped at the time limit");
        return pm_exit_status(first_failure != PM_OK ? first_failure : PM_ESTOPPED);
    }
    if (first_failure != PM_OK)
        return pm_exit_status(first_failure);
    return set->answer.exit_status && any_none ? 1 : 0;
}

static int count_inputs(const settings *set, const pm_task_context *c, char **operand, int count)
{
    pm_inputs in;
    pm_output out = {0};
    pm_error err;
    pm_status s = pm_inputs_open(&in, &set->input, operand, count, &err);
    if (s == PM_OK)
        s = pm_output_open(&out, set->output, &err);
    int status = s == PM_OK ? process_all(set, c, &in, &out) : pm_exit_status(s);
    if (s == PM_OK && (!pm_run_stopped(&c->run) || pm_signals_limit_reached())) {
        s = pm_output_commit(&out, &err);
        if (s != PM_OK) /* the answers are lost, whatever else happened */
            status = pm_exit_status(s);
    }
    if (s == PM_EUSAGE)
        pm_misuse(&program, "%s", err.msg);
    else if (s != PM_OK)
        pm_console_error(c->console, err.msg);
    pm_output_discard(&out);
    pm_inputs_close(&in);
    return status;
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
    if (set->run.time_limit > 0)
        pm_signals_set_limit(set->run.time_limit);
    if (set->count.calibrate != PM_CALIBRATE_NO) {
        pm_status s = pm_calibration_get(set->count.calibrate, &c.run, console, &rates, &err);
        if (s != PM_OK) {
            pm_console_error(console, err.msg);
            return pm_exit_status(s);
        }
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
    pm_threads_sleep(argv);
    settings set = {.count = pm_count_settings_defaults(), .run.max_cost = 86400};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.input},
        {"Question", pm_options_question, &set.count},
        {"Output", pm_options_answer, &set.answer},
        {NULL, pm_options_output, &set.output},
        {NULL, pm_options_verbosity, &set.verbosity},
        {"Method", pm_options_method, &set.count},
        {NULL, pm_options_seed, &set.count.seed},
        {NULL, pm_options_run, &set.run},
        {0},
    };
    int first;
    int status = pm_options_parse(&program, groups, argc, argv, &first);
    if (status >= 0)
        return status;
    pm_error err;
    if (pm_count_settings_check(&set.count, &err) != PM_OK)
        return pm_misuse(&program, "%s", err.msg);
    if (set.count.list && first < argc)
        return pm_misuse(&program, "--list takes no operand");
    pm_gmp_install(program.name);
    pm_console console;
    pm_console_open(&console, program.name, set.verbosity, set.run.progress);
    return pm_exit(&program, run(&set, &console, argv + first, argc - first));
}
