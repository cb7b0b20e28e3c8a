/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/fetch_lists.h: lists of several vertices, asked for before they are read.
 *
 * The entries of a list are anywhere in memory, and a walk along it waits for each of them.  Here the lists of some vertices are
 * followed side by side, so that the waits overlap. */
#ifndef PM_FETCH_LISTS_H
#define PM_FETCH_LISTS_H

#include "reduce/reduce_graph.h"

enum {
    PM_RFETCHED = 16,      /* vertices */
    PM_RFETCHED_LENGTH = 8 /* entries of a list, at most: the cache has room for so many */
};

/* Asks for the lists of some vertices, at most PM_RFETCHED, and for the neighbours.
 * Inline: a compiler may leave out the call of a function that only asks for memory. */
static inline __attribute__((always_inline)) void
pm_rgraph_fetch_of(const pm_rgraph *g, const int32_t *vertex, int count)
{
    int32_t e[PM_RFETCHED];
    for (int k = 0; k < count; ++k)
        e[k] = pm_rgraph_first(g, vertex[k]);
    for (int step = 0, lists = count; step < PM_RFETCHED_LENGTH && lists > 0; ++step) {
        for (int k = 0; k < count; ++k)
            if (e[k] >= 0) {
                __builtin_prefetch(&g->entry[e[k]]);
                __builtin_prefetch(&g->value[e[k]]);
            }
        lists = 0;
        for (int k = 0; k < count; ++k)
            if (e[k] >= 0) {
                __builtin_prefetch(&g->vertex[pm_rgraph_other(g, vertex[k], e[k])]);
                e[k] = pm_rgraph_next(g, vertex[k], e[k]);
                ++lists;
            }
    }
}

/* The same for the vertices v .. v + PM_RFETCHED - 1, or as many as there are. */
static inline __attribute__((always_inline)) void pm_rgraph_fetch(const pm_rgraph *g, int64_t v)
{
    const int64_t left = g->nrows + g->ncols - v;
    const int count = left < PM_RFETCHED ? (int)left : PM_RFETCHED;
    int32_t vertex[PM_RFETCHED];
    for (int k = 0; k < count; ++k)
        vertex[k] = (int32_t)(v + k);
    pm_rgraph_fetch_of(g, vertex, count);
}

#endif
