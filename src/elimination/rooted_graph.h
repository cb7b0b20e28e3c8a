/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/rooted_graph.h: a graph with more edges, so that its elimination ends in one front of given pairs. */
#ifndef PM_ROOTED_GRAPH_H
#define PM_ROOTED_GRAPH_H

#include <stdint.h>

#include "elimination/paired_matrix.h"
#include "pm/status.h"

/* out: g, and edges between any two of the last `kept` vertices of the order, and from the first of these to the last
 * vertex of each component of the others.  So every other vertex is below the first kept one in the elimination tree.
 * Edges may be listed twice.
 * The caller frees out.  Fails: PM_ENOMEM. */
pm_status pm_rooted_graph_make(const pm_adjacency *g, const int32_t *order, int32_t kept,
                               pm_adjacency *out, pm_error *err);

#endif
