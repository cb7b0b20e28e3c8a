/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-overlap: the common neighbours of pairs of vertices of bipartite graphs. */
#include "config.h"

#include <math.h>

#include "cli/command.h"
#include "pm-overlap/overlap_tasks.h"

typedef struct {
    pm_common_settings common;
    pm_overlap_settings overlap;
} settings;

static pm_status check(void *context, int operands, pm_error *err)
{
    settings *set = context;
    (void)operands;
    if (set->common.answer.column_list && !set->overlap.stats)
        return pm_fail(err, PM_EUSAGE, "--table goes with --stats only");
    return pm_columns_check(&set->common.answer, pm_overlap_columns, set->overlap.stats, err);
}

static int run(const void *context, pm_invocation *program)
{
    const settings *set = context;
    const pm_overlap_task task = {&set->overlap, program};
    const pm_query query = {
        .read = pm_overlap_answer,
        .context = &task,
        .layout = set->overlap.stats ? PM_LAYOUT_LINES : PM_LAYOUT_BLOCKS,
    };
    return pm_query_run(program, &query);
}

static pm_backend backend(const void *context)
{
    return ((const settings *)context)->overlap.backend;
}

static const int statuses[] = {0, 1, 64, 65, 66, 69, 70, 71, 74, 75, -1};

static const pm_command command = {
    .name = "pm-overlap",
    .operands = "[FILE]...",
    .summary = "Print the pairs of rows, or columns, that have common neighbours.",
    .more = "For each graph a list of pairs with their weights: the edges of a one-mode\n"
            "projection, or of the column intersection graph of a matrix.\n",
    .files = PM_HELP_FILES "\n",
    .example = "pm-overlap --weight=jaccard --at-least=0.5 graph.txt",
    .is_none = "an answer has no pair",
    .statuses = statuses,
    .uses = PM_USES_THREADS,
    .backend = backend,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    settings set = {.overlap = {.at_least = -INFINITY, .backend = PM_BACKEND_AUTO}};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.common.input},
        {"Pairs", pm_options_overlap, &set.overlap},
        {"Question", pm_options_overlap_question, &set.overlap},
        {"Output", pm_options_answer, &set.common},
        {NULL, pm_options_verbosity, &set.common},
        {NULL, pm_options_overlap_backend, &set.overlap},
        {NULL, pm_options_threads, &set.common.run},
        {NULL, pm_options_time_limit, &set.common.run},
        {NULL, pm_options_memory, &set.common.run},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
