/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-order: orders of rows and columns for the counting methods, scalings, and random graphs with the same
 * degrees. */
#include "config.h"

#include "cli/command.h"
#include "pm-order/order_options.h"
#include "pm-order/order_tasks.h"
#include "pm/settings.h"

typedef struct {
    pm_common_settings common;
    pm_order_settings order;
} settings;

static bool is_query(const settings *set)
{
    return set->order.stats || set->order.all || set->order.factors;
}

static pm_status check(void *context, int operands, pm_error *err)
{
    settings *set = context;
    pm_status status = pm_order_settings_check(&set->order, err);
    (void)operands;
    set->common.input.read.general = !is_query(set) && !set->order.switches && !set->order.scale;
    if (status)
        return status;
    if (set->common.input.read.loops && !set->common.input.read.general)
        return pm_fail(err, PM_EUSAGE, "--loops goes with the stream of orders only");
    if (set->common.input.read.exact && !set->common.input.read.general)
        return pm_fail(err, PM_EUSAGE, "--precision=exact goes with the stream of orders only");
    return pm_stream_check(&set->common, is_query(set), is_query(set),
                           "--stats, --all or --factors", err);
}

static int run(const void *context, pm_invocation *program)
{
    const settings *set = context;
    if (set->common.input.read.general)
        pm_hint_replace(PM_HINT_QUOTIENT, "; --precision=exact reads quotients");
    pm_hint_replace(PM_HINT_GENERAL, "; graphs with odd cycles are taken without --stats, --all, "
                                     "--factors, --scale and --switch: orders of their vertices");
    pm_order_task task = {
        .method = pm_order_settings_method(&set->order),
        .put = set->order.all       ? pm_order_put_all
               : set->order.factors ? pm_order_put_factors
                                    : pm_order_put_one,
        .search = {.seconds = set->order.effort,
                   .seed = set->order.seed.value,
                   .run = &program->run},
        .switches = set->order.switches,
        .seconds_each = set->common.run.time_limit_each,
        .console = &program->console,
    };
    const pm_query query = {.read = pm_order_answer,
                            .context = &task,
                            .layout = set->order.stats ? PM_LAYOUT_LINES : PM_LAYOUT_BLOCKS};
    const pm_mapper mapper = {set->order.switches ? pm_switch_map
                              : set->order.scale  ? pm_scale_map
                                                  : pm_order_map,
                              &task, set->common.input.read.exact};
    return is_query(set) ? pm_query_run(program, &query) : pm_map(program, &mapper);
}

static const pm_command command = {
    .name = "pm-order",
    .operands = "[FILE]...",
    .summary = "Order or scale the rows and columns of bipartite graphs, or switch edges.",
    .more = "Writes a pm stream of the same values; pm-count --order=given uses the order.\n",
    .files = PM_HELP_FILES "\n",
    .example = "pm-order --method=skip g | pm-count --order=given --algorithm=skipper",
    .statuses = pm_stream_statuses,
    .uses = PM_USES_THREADS,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    /* the limit of pm-count: an order for what pm-count refuses is not searched for long */
    settings set = {.common.run.max_cost = PM_MAX_COST};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.common.input},
        {NULL, pm_options_loops, &set.common.input},
        {NULL, pm_options_exact, &set.common.input},
        {"Order", pm_options_order, &set.order},
        {NULL, pm_options_seed, &set.order.seed},
        {"Question", pm_options_order_question, &set.order},
        {"Output", pm_options_stream, &set.common},
        {NULL, pm_options_threads, &set.common.run},
        {NULL, pm_options_time_limit, &set.common.run},
        {NULL, pm_options_memory, &set.common.run},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
