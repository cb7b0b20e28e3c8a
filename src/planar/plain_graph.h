/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/plain_graph.h: the graph of a block with every twin as a vertex of its own, so that no
 * vertex has a capacity; and subgraphs of it.  General blocks have no twins.
 *
 * All reductions but the merging of twins delete or contract edges, which keeps a graph planar.  So
 * this graph is planar if the graph before the merging of twins was.  Its permanent is the weighted
 * count of the block times the factorials of all capacities. */
#ifndef PM_PLAIN_GRAPH_H
#define PM_PLAIN_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/embedding.h"
#include "pm/reduce.h"
#include "pm/status.h"

/* The number of edges allowed above 4n, about the maximum of a bipartite planar graph with 2n
 * vertices, or above 3n, that of any planar graph with n.  A graph with more edges is refused. */
enum { PM_PLAIN_GRAPH_EXTRA_EDGES = 256 };

typedef struct {
    pm_matrix a; /* a pattern, n x n; of a general block the entries above the diagonal */
    bool is_general;
    int32_t *source; /* of each entry: the entry of the block that it is a copy of */
} pm_plain_graph;

static inline pm_drawn_graph pm_plain_graph_drawn(const pm_plain_graph *w)
{
    return (pm_drawn_graph){&w->a, w->is_general ? 0 : w->a.nrows};
}

/* Fails: PM_UNABLE n too large, too many edges for a nearly planar graph, or a general block with
 * loops; PM_ENOMEM. */
pm_status pm_plain_graph_make(const pm_block *b, pm_plain_graph *out, pm_error *err);

/* The subgraph of all vertices and the entries k with keep[k].  Fails: PM_ENOMEM. */
pm_status pm_plain_graph_subgraph(const pm_plain_graph *w, const uint8_t *keep, pm_plain_graph *out,
                                  pm_error *err);
void pm_plain_graph_free(pm_plain_graph *w);

#endif
