/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the degree of a vertex is its capacity, every perfect matching contains all its entries:
 * their values go into the factor, and the capacity of each neighbour decreases by 1; a neighbour
 * of capacity 0 is removed.  For capacity 1 this is the edge at a vertex of degree 1. */
#include "config.h"

#include "reduce/reduce_graph.h"

void pm_rgraph_force(pm_rgraph *g, int32_t v)
{
    int32_t e;
    g->vertex[v].cap = 0;
    while ((e = g->vertex[v].head) >= 0) {
        int32_t u = pm_rgraph_other(g, v, e);
        pm_rgraph_factor(g, v, &g->value[e], 1);
        pm_rgraph_unlink(g, e);
        if (--g->vertex[u].cap == 0)
            pm_rgraph_remove(g, u);
        else if (g->vertex[u].cap == 1) /* u may be merged from now on */
            for (int32_t f = pm_rgraph_first(g, u); f >= 0; f = pm_rgraph_next(g, u, f))
                pm_rgraph_enqueue(g, pm_rgraph_other(g, u, f));
    }
}
