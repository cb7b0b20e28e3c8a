/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-decompose: bipartite graphs as sums and products of smaller ones. */
#include "config.h"

#include <stdio.h>

#include "cli/ask.h"
#include "cli/environment.h"
#include "cli/mapper.h"
#include "cli/shared.h"
#include "cli/signals.h"
#include "pm-decompose/decompose_options.h"
#include "pm-decompose/decompose_tasks.h"

typedef struct {
    pm_input_settings input;
    pm_decompose_settings decompose;
    pm_answer_settings answer;
    const char *output;
    bool no_version;
    int verbosity;
} settings;

static const int statuses[] = {0, 64, 65, 66, 69, 70, 71, 74, -1};

static const pm_command program = {
    .name = "pm-decompose",
    .operands = "[FILE]...",
    .summary = "Write numbers of perfect matchings as sums and products of smaller ones.",
    .more = "Writes a pm stream: compresses rows and columns of one or two entries, then\n"
            "expands along those of few entries, until all have more, or a limit is met.\n"
            "A FILE holds an edge list, a Matrix Market matrix, a pm stream, graph6, ...,\n"
            "plain or gzip; none or - is standard input.\n",
    .example = "pm-decompose graph.mtx | pm-count    # as pm-count graph.mtx",
    .statuses = statuses,
};

static pm_status check(const settings *set, pm_error *err)
{
    if (set->answer.json && !set->decompose.stats)
        return pm_fail(err, PM_EUSAGE, "--json goes with --stats");
    if (set->no_version && set->decompose.stats)
        return pm_fail(err, PM_EUSAGE, "--no-version has a meaning for the stream alone");
    return PM_OK;
}

static int write_stream(const settings *set, const pm_batch *batch, pm_decompose_task *task,
                        char **argv)
{
    const pm_mapper mapper = {
        .map = pm_decompose_map,
        .context = task,
        .argv = set->no_version ? NULL : argv,
        .names = set->answer.names,
    };
    return pm_map(batch, &mapper);
}

int main(int argc, char **argv)
{
    pm_environment_start(program.name);
    settings set = {0};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.input},
        {"Expansion", pm_options_expansion, &set.decompose},
        {"Question", pm_options_decompose, &set.decompose},
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
    /* only a file that is not complete has to be cleared away */
    const pm_run run = {.stop = set.output ? pm_signals_install() : NULL};
    const pm_batch batch = {
        &program, &set.input, set.output, argv + first, argc - first, &run, &console,
    };
    pm_decompose_task task = {pm_decompose_settings_how(&set.decompose), &run, &console,
                              set.answer.json};
    const pm_question question = {pm_decompose_stats, &task, PM_LAYOUT_LINES,
                                  pm_decompose_stats_header, set.answer};
    status =
        set.decompose.stats ? pm_ask(&batch, &question) : write_stream(&set, &batch, &task, argv);
    return pm_exit(&program, status);
}
