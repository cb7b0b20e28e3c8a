/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/deleted_edges.h: the edges that are deleted from a graph, and the matchings among them. */
#ifndef PM_DELETED_EDGES_H
#define PM_DELETED_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/embedding.h"

enum { PM_DELETED_EDGES_MAX = 256 };

typedef struct {
    int32_t count;
    int32_t end[PM_DELETED_EDGES_MAX][2]; /* vertices; first that of the row */
    /* of each end: a number that it shares with the other ends at this vertex */
    int16_t place[PM_DELETED_EDGES_MAX][2];
} pm_deleted_edges;

/* entry: count <= PM_DELETED_EDGES_MAX indices of entries of d. */
void pm_deleted_edges_make(const pm_drawn_graph *d, const int32_t *entry, int32_t count,
                           pm_deleted_edges *out);

/* Words of a bit set of these edges: edge e is bit e % 64 of word e / 64. */
static inline int pm_deleted_edges_words(const pm_deleted_edges *x)
{
    return (x->count + 63) / 64;
}

static inline bool pm_deleted_edges_has(const uint64_t *set, int32_t e)
{
    return set[e / 64] >> e % 64 & 1;
}

/* The number of matchings, including the empty one; `most` + 1 if there are more than `most`.
 * sets: NULL, or room for `most` bit sets, which are set to the matchings, the empty one first.
 * Cost: at most the number of matchings times the number of edges. */
int64_t pm_deleted_edges_matchings(const pm_deleted_edges *x, int64_t most, uint64_t *sets);

#endif
