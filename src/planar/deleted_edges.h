/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/deleted_edges.h: the matchings among a few edges of a graph. */
#ifndef PM_DELETED_EDGES_H
#define PM_DELETED_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"

enum { PM_DELETED_EDGES_MAX = 256 };

typedef struct {
    int32_t count;
    int32_t row[PM_DELETED_EDGES_MAX], col[PM_DELETED_EDGES_MAX];
    /* the first edge that has the same row, and the same column */
    int16_t first_of_row[PM_DELETED_EDGES_MAX], first_of_col[PM_DELETED_EDGES_MAX];
} pm_deleted_edges;

/* entry: count <= PM_DELETED_EDGES_MAX entries of a. */
void pm_deleted_edges_make(const pm_matrix *a, const int32_t *entry, int32_t count,
                           pm_deleted_edges *out);

/* Words of a set of edges: edge e is bit e % 64 of word e / 64. */
static inline int pm_deleted_edges_words(const pm_deleted_edges *x)
{
    return (x->count + 63) / 64;
}

static inline bool pm_deleted_edges_has(const uint64_t *set, int32_t e)
{
    return set[e / 64] >> e % 64 & 1;
}

/* How many matchings there are, the empty one included, or most + 1 if there are more.
 * taken: NULL, or room for `most` sets of edges; the empty one comes first.
 * Cost: the number of matchings times the number of edges, at most. */
int64_t pm_deleted_edges_matchings(const pm_deleted_edges *x, int64_t most, uint64_t *taken);

#endif
