/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/dissection.h: an order of elimination by nested dissection. */
#ifndef PM_DISSECTION_H
#define PM_DISSECTION_H

#include <stdint.h>

#include "pm/status.h"

/* A graph without loops: the neighbours of v are adj[ptr[v]] .. adj[ptr[v + 1] - 1], and v is one of
 * theirs. */
typedef struct {
    int32_t n;
    int32_t *ptr, *adj;
} pm_adjacency;

void pm_adjacency_free(pm_adjacency *g);

/* order[t]: the vertex eliminated at time t; n entries, the caller's.  Other seed, other order.
 * Fails: PM_UNABLE built without METIS, PM_ENOMEM.
 * Source: George 1973; Karypis and Kumar 1998, as in METIS. */
pm_status pm_dissection_order(const pm_adjacency *g, uint64_t seed, int32_t *order, pm_error *err);

#endif
