/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/rooted_graph.h"

#include <stdlib.h>

#include "core/union_find.h"
#include "pm/alloc.h"

typedef struct {
    const pm_adjacency *g;
    const int32_t *order;
    int32_t first; /* the time of the first kept vertex */
    int32_t *time; /* of each vertex */
    int32_t *up;   /* of each time before first; the root of a component is its last time */
} joining;

static void find_components(joining *j)
{
    const pm_adjacency *g = j->g;
    for (int32_t t = 0; t < g->n; ++t) {
        j->time[j->order[t]] = t;
        j->up[t] = t;
    }
    for (int32_t t = 0; t < j->first; ++t)
        for (int32_t k = g->ptr[j->order[t]]; k < g->ptr[j->order[t] + 1]; ++k)
            if (j->time[g->adj[k]] < t)
                j->up[pm_union_root(j->up, j->time[g->adj[k]])] = t;
}

/* Appends the neighbours of v at `at`; returns the end. */
static int32_t list_neighbours(const joining *j, int32_t v, int32_t *adj, int32_t at)
{
    const pm_adjacency *g = j->g;
    const int32_t t = j->time[v];
    for (int32_t k = g->ptr[v]; k < g->ptr[v + 1]; ++k)
        if (t < j->first || j->time[g->adj[k]] < j->first)
            adj[at++] = g->adj[k];
    for (int32_t s = j->first; s < g->n && t >= j->first; ++s)
        if (s != t)
            adj[at++] = j->order[s];
    if (t < j->first && j->up[t] == t)
        adj[at++] = j->order[j->first];
    for (int32_t s = 0; s < j->first && t == j->first; ++s)
        if (j->up[s] == s)
            adj[at++] = j->order[s];
    return at;
}

pm_status pm_rooted_graph_make(const pm_adjacency *g, const int32_t *order, int32_t kept,
                               pm_adjacency *out, pm_error *err)
{
    const int32_t n = g->n;
    joining j = {.g = g, .order = order, .first = n - kept};
    pm_adjacency h = {.n = n};
    j.time = pm_alloc_array(n, sizeof *j.time);
    j.up = pm_alloc_array(n, sizeof *j.up);
    h.ptr = pm_calloc_array((int64_t)n + 1, sizeof *h.ptr);
    h.adj = pm_alloc_array(g->ptr[n] + (int64_t)kept * kept + 2 * (int64_t)n, sizeof *h.adj);
    const bool done = j.time && j.up && h.ptr && h.adj;
    if (done) {
        find_components(&j);
        for (int32_t v = 0; v < n; ++v)
            h.ptr[v + 1] = list_neighbours(&j, v, h.adj, h.ptr[v]);
    }
    free(j.time);
    free(j.up);
    if (!done) {
        pm_adjacency_free(&h);
        return pm_fail_memory(err, "the structure of the elimination");
    }
    *out = h;
    return PM_OK;
}
