/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/few_edges.h: the matchings among a few edges of a graph. */
#ifndef PM_FEW_EDGES_H
#define PM_FEW_EDGES_H

#include <stdint.h>

#include "pm/matrix.h"

enum { PM_FEW_EDGES_MOST = 64 };

typedef struct {
    int32_t count;
    int32_t row[PM_FEW_EDGES_MOST], col[PM_FEW_EDGES_MOST];
    uint64_t clash[PM_FEW_EDGES_MOST]; /* bit f: edge f has an end in common with this one */
} pm_few_edges;

/* entry: count <= PM_FEW_EDGES_MOST entries of a. */
void pm_few_edges_set(const pm_matrix *a, const int32_t *entry, int32_t count, pm_few_edges *out);
/* How many matchings there are, the empty one included, or most + 1 if there are more.
 * taken: NULL, or room for `most` sets of edges, bit e for edge e; the empty one comes first.
 * Cost: the number of matchings times the number of edges. */
int64_t pm_few_edges_matchings(const pm_few_edges *x, int64_t most, uint64_t *taken);

#endif
