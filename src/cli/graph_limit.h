/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/graph_limit.h: --time-limit-each in the programs that work on one matrix after another. */
#ifndef PM_GRAPH_LIMIT_H
#define PM_GRAPH_LIMIT_H

#include <stdbool.h>

#include "cli/answers.h"
#include "cli/console.h"
#include "pm/expression.h"
#include "pm/run.h"

typedef struct {
    pm_run run; /* for the work: its deadline is that of the graph */
    double seconds;
} pm_graph_limit;

/* Call it when the work on a graph begins.  seconds: of --time-limit-each; 0: none. */
pm_graph_limit pm_graph_limit_begin(const pm_run *run, double seconds);

/* True when the work ended with PM_ESTOPPED because of this limit, and nothing else.  Then *err is
 * the message.  input: its name; line: of the graph in the input. */
bool pm_graph_limit_passed(const pm_graph_limit *l, pm_status status, const char *input,
                           int64_t line, pm_error *err);

/* For programs that print answers: when the limit has passed, prints the message, and adds the
 * failure of the graph to *out.
 * status: of the work on node.  Returns PM_OK when the limit has passed, else `status`. */
pm_status pm_graph_limit_skip(const pm_graph_limit *l, pm_status status, const pm_node *node,
                              const char *input, pm_console *console, pm_answers *out,
                              pm_error *err);

#endif
