/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/plain_graph.h: the graph of a block with its twins written out, and parts of it.
 *
 * A block with twins is planar when the block before their merging was, since all other reductions
 * delete and contract; and the permanent of the graph written out is the weighted count of the
 * block times the factorials of all capacities. */
#ifndef PM_PLAIN_GRAPH_H
#define PM_PLAIN_GRAPH_H

#include <stdint.h>

#include "pm/reduce.h"
#include "pm/status.h"

enum {
    PM_PLAIN_GRAPH_EXTRA_EDGES = 256
}; /* edges beyond what a planar graph of that size may have */

typedef struct {
    pm_matrix a;     /* a pattern, n x n */
    int32_t *source; /* of each entry: the entry of the block that it copies */
} pm_plain_graph;

/* Fails: PM_UNABLE n too large, or so many edges that the graph is far from planar; PM_ENOMEM. */
pm_status pm_plain_graph_make(const pm_block *b, pm_plain_graph *out, pm_error *err);
/* The entries k with keep[k] alone. */
pm_status pm_plain_graph_subgraph(const pm_plain_graph *w, const uint8_t *keep, pm_plain_graph *out,
                                  pm_error *err);
void pm_plain_graph_free(pm_plain_graph *w);

#endif
