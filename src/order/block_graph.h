/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/block_graph.h: the graph of a block, by vertex. */
#ifndef PM_BLOCK_GRAPH_H
#define PM_BLOCK_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/reduce.h"
#include "pm/status.h"

enum { PM_UNIT = -1 }; /* in place of an index of an entry: an entry of value 1 */

/* Vertices 0 .. nrows-1 are the rows of the block, nrows .. nv-1 its columns; of a general block all are rows, and loops are left
 * out.  The neighbours of vertex v are adj[ptr[v]] .. adj[ptr[v + 1] - 1], ascending. */
typedef struct {
    int32_t nv, nrows;
    int64_t *ptr;    /* nv + 1 */
    int32_t *adj;    /* ptr[nv] */
    int64_t *entry;  /* ptr[nv]: index of the entry in the block's matrix, or PM_UNIT */
    int32_t *cap;    /* nv: the capacity, 1 or the number of twins in the class */
    bool all_single; /* every capacity is 1 */
    bool
        is_partial; /* every digit vector is a state, or half of them: vertices may stay unmatched, or the
                      * block is general.  False from pm_block_graph_make for a bipartite block; a caller may set it if all_single is set. */
    double weighted; /* share of the entries that are not 1 */
} pm_block_graph;

/* Fails: PM_UNABLE 2^31 vertices or more; PM_ENOMEM. */
pm_status pm_block_graph_make(const pm_block *b, pm_block_graph *g, pm_error *err);
void pm_block_graph_free(pm_block_graph *g);

/* k, or PM_UNIT where entry k of a is 1. */
int64_t pm_block_graph_entry(const pm_matrix *a, int64_t k);

static inline bool pm_block_graph_is_row(const pm_block_graph *g, int32_t v)
{
    return v < g->nrows;
}

#endif
