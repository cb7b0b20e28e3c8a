/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/graph_limit.h"

pm_graph_limit pm_graph_limit_begin(const pm_run *run, double seconds)
{
    return (pm_graph_limit){pm_run_within(run, seconds), seconds};
}

bool pm_graph_limit_passed(const pm_graph_limit *l, pm_status status, const char *input,
                           int64_t line, pm_error *err)
{
    if (status != PM_ESTOPPED || l->seconds <= 0 || !pm_run_is_late(&l->run))
        return false;
    char place[PM_PLACE];
    pm_fail(err, status, "%s: no answer within %g seconds (--time-limit-each)",
            pm_node_place(input, line, place), l->seconds);
    return true;
}

pm_status pm_graph_limit_skip(const pm_graph_limit *l, pm_status status, const pm_node *node,
                              const char *input, pm_console *console, pm_answers *out,
                              pm_error *err)
{
    if (!pm_graph_limit_passed(l, status, input, node->line, err))
        return status;
    pm_console_error(console, err->msg);
    return pm_answers_skip(out, node->name, status, err);
}
