/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-decompose: graphs, bipartite or not, as sums and products of smaller ones. */
#include "config.h"

#include "cli/command.h"
#include "pm-decompose/decompose_options.h"
#include "pm-decompose/decompose_tasks.h"
#include "pm/settings.h"

typedef struct {
    pm_common_settings common;
    pm_decompose_settings decompose;
} settings;

static pm_status check(void *context, int operands, pm_error *err)
{
    settings *set = context;
    bool is_question = set->decompose.stats;
    (void)operands;
    set->common.input.read.general = true;
    if (is_question && set->common.input.read.exact)
        return pm_fail(err, PM_EUSAGE, "--precision=exact has no meaning for --stats");
    return pm_stream_check(&set->common, is_question, is_question, "--stats", err);
}

static int run(const void *context, pm_invocation *program)
{
    const settings *set = context;
    pm_hint_replace(PM_HINT_QUOTIENT, "; --precision=exact reads quotients");
    pm_decompose_task task = {.options = pm_decompose_settings_expansion(&set->decompose),
                              .run = &program->run,
                              .seconds_each = set->common.run.time_limit_each,
                              .console = &program->console};
    const pm_query query = {
        .read = pm_decompose_stats, .context = &task, .layout = PM_LAYOUT_LINES};
    const pm_mapper mapper = {pm_decompose_map, &task, set->common.input.read.exact};
    return set->decompose.stats ? pm_query_run(program, &query) : pm_map(program, &mapper);
}

static const pm_command command = {
    .name = "pm-decompose",
    .operands = "[FILE]...",
    .summary = "Write numbers of perfect matchings as sums and products of smaller ones.",
    .more = "Writes a pm stream: removes rows and columns of one or two entries, then\n"
            "expands along those of few entries, until all have more, or a limit is reached.\n"
            "In graphs that are not bipartite, vertices and their edges are the rows.\n",
    .files = PM_HELP_FILES "\n",
    .example = "pm-decompose graph.mtx | pm-count    # as pm-count graph.mtx",
    .statuses = pm_stream_statuses,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    settings set = {0};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.common.input},
        {NULL, pm_options_loops, &set.common.input},
        {NULL, pm_options_exact, &set.common.input},
        {"Expansion", pm_options_expansion, &set.decompose},
        {"Question", pm_options_decompose, &set.decompose},
        {"Output", pm_options_stream, &set.common},
        {NULL, pm_options_time_limit, &set.common.run},
        {NULL, pm_options_memory, &set.common.run},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
