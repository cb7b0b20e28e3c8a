/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/plain_matching.h: a perfect matching of a plain graph, bipartite or not. */
#ifndef PM_PLAIN_MATCHING_H
#define PM_PLAIN_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/plain_graph.h"
#include "pm/run.h"
#include "pm/status.h"

/* partner: of each vertex of pm_plain_graph_drawn(w), the caller's; set if *is_there.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_plain_matching_find(const pm_plain_graph *w, const pm_run *run, int32_t *partner,
                                 bool *is_there, pm_error *err);

#endif
