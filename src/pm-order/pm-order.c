/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-order: orders of rows and columns for the counting methods. */
#include "config.h"

#include "cli/command.h"
#include "pm-order/order_options.h"
#include "pm-order/order_tasks.h"

typedef struct {
    pm_common_settings common;
    pm_order_settings order;
} settings;

static bool is_query(const settings *set)
{
    return set->order.stats || set->order.all;
}

static pm_status check(void *context, int operands, pm_error *err)
{
    const settings *set = context;
    pm_status status = pm_order_settings_check(&set->order, err);
    (void)operands;
    if (status)
        return status;
    if (set->common.answer.json && !is_query(set))
        return pm_fail(err, PM_EUSAGE, "--json needs --stats or --all");
    if (set->common.no_version && is_query(set))
        return pm_fail(err, PM_EUSAGE, "--no-version has a meaning only for the stream");
    return PM_OK;
}

static int run(const void *context, pm_invocation *program)
{
    const settings *set = context;
    pm_order_task task = {
        .method = set->order.all ? NULL : pm_order_settings_method(&set->order),
        .search = {set->order.effort, set->order.seed.value, &program->run},
        .console = &program->console,
    };
    const pm_query query = {pm_order_answer, &task,
                            task.method ? PM_LAYOUT_LINES : PM_LAYOUT_BLOCKS};
    const pm_mapper mapper = {pm_order_map, &task};
    return is_query(set) ? pm_query_run(program, &query) : pm_map(program, &mapper);
}

static const int statuses[] = {0, 64, 65, 66, 69, 70, 71, 74, -1};

static const pm_command command = {
    .name = "pm-order",
    .operands = "[FILE]...",
    .summary = "Order the rows and columns of bipartite graphs for the counting methods.",
    .more = "Writes a pm stream of the same values; pm-count --order=given uses the order.\n"
            "A FILE holds an edge list, a Matrix Market matrix, a NumPy array, a pm stream,\n"
            "graph6, ..., plain or gzip; none or - is standard input.\n",
    .example = "pm-order --method=skip g | pm-count --order=given --algorithm=skipper",
    .statuses = statuses,
    .uses_threads = true,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    /* the limit of pm-count: an order for what pm-count refuses is not searched for long */
    settings set = {.common.run.max_cost = PM_MAX_COST};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.common.input},
        {"Order", pm_options_order, &set.order},
        {NULL, pm_options_seed, &set.order.seed},
        {"Question", pm_options_order_question, &set.order},
        {"Output", pm_options_answer, &set.common.answer},
        {NULL, pm_options_output, &set.common.output},
        {NULL, pm_options_stream, &set.common.no_version},
        {NULL, pm_options_verbosity, &set.common.verbosity},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
