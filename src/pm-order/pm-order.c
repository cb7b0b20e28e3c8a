/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-order: the sequence in which rows and columns are taken. */
#include "config.h"

#include <stdio.h>

#include "cli/ask.h"
#include "cli/environment.h"
#include "cli/shared.h"
#include "cli/signals.h"
#include "cli/threads.h"
#include "pm-order/order_options.h"
#include "pm-order/order_tasks.h"

typedef struct {
    pm_input_settings input;
    pm_order_settings order;
    pm_answer_settings answer;
    const char *output;
    bool no_version;
    int verbosity;
} settings;

static const int statuses[] = {0, 64, 65, 66, 69, 70, 71, 74, -1};

static const pm_command program = {
    .name = "pm-order",
    .operands = "[FILE]...",
    .summary = "Order the rows and columns of bipartite graphs for the methods that count.",
    .more = "Writes a pm stream of the same values; pm-count --order=given takes the order.\n"
            "A FILE holds an edge list, a Matrix Market matrix, a pm stream, graph6, ...,\n"
            "plain or gzip; none or - is standard input.\n",
    .example = "pm-order --method=skip g | pm-count --order=given --algorithm=skipper",
    .statuses = statuses,
};

static pm_status check(const settings *set, pm_error *err)
{
    bool asks = set->order.stats || set->order.all;
    pm_status s = pm_order_settings_check(&set->order, err);
    if (s != PM_OK)
        return s;
    if (set->answer.json && !asks)
        return pm_fail(err, PM_EUSAGE, "--json needs --stats or --all");
    if (set->no_version && asks)
        return pm_fail(err, PM_EUSAGE, "--no-version has a meaning for the stream alone");
    return PM_OK;
}

static int write_stream(const settings *set, const pm_batch *batch, pm_order_task *task,
                        char **argv)
{
    const pm_mapper mapper = {
        .map = pm_order_map,
        .context = task,
        .argv = set->no_version ? NULL : argv,
        .names = set->answer.names,
    };
    return pm_map(batch, &mapper);
}

static int answer(const settings *set, const pm_batch *batch, const pm_order_task *task)
{
    const pm_question question = {
        .ask = pm_order_ask,
        .context = task,
        .layout = task->method ? PM_LAYOUT_LINES : PM_LAYOUT_BLOCKS,
        .header = task->method ? pm_order_header : NULL,
        .how = set->answer,
    };
    return pm_ask(batch, &question);
}

int main(int argc, char **argv)
{
    pm_environment_start(program.name);
    pm_threads_sleep(argv);
    settings set = {0};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.input},
        {"Order", pm_options_order, &set.order},
        {NULL, pm_options_seed, &set.order.seed},
        {"Question", pm_options_order_question, &set.order},
        {"Output", pm_options_answer, &set.answer},
        {NULL, pm_options_output, &set.output},
        {NULL, pm_options_stream, &set.no_version},
        {NULL, pm_options_verbosity, &set.verbosity},
        {0},
    };
    int first;
    int status = pm_options_parse(&program, groups, argc, argv, &first);
    if (status >= 0)
        return status;
    pm_error err;
    if (check(&set, &err) != PM_OK)
        return pm_misuse(&program, "%s", err.msg);
    pm_console console;
    pm_console_open(&console, program.name, set.verbosity, false);
    const pm_run run = {
        .max_cost = PM_MAX_COST, /* no long search for what pm-count refuses */
        /* only a file that is not complete has to be cleared away */
        .stop = set.output ? pm_signals_install() : NULL,
        .progress = pm_console_progress,
        .note = pm_console_note,
        .context = &console,
    };
    const pm_batch batch = {
        &program, &set.input, set.output, argv + first, argc - first, &run, &console,
    };
    pm_order_task task = {
        .method = set.order.all ? NULL : pm_order_settings_method(&set.order),
        .search = {set.order.effort, set.order.seed.value, &run},
        .console = &console,
        .json = set.answer.json,
    };
    status = set.order.stats || set.order.all ? answer(&set, &batch, &task)
                                              : write_stream(&set, &batch, &task, argv);
    return pm_exit(&program, status);
}
