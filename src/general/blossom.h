/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/blossom.h: a maximum matching of a graph that need not be bipartite. */
#ifndef PM_BLOSSOM_H
#define PM_BLOSSOM_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* A maximum matching of the graph whose adjacency matrix has the pattern of a.
 * a: symmetric, not checked; the diagonal is ignored.
 * partner: a->nrows elements, allocated by the caller; the vertex that v is matched to, or -1.
 * *size: the number of its edges.
 * run: stops early when run->stop is set; may be NULL.
 * Cost: one pass over the entries for each phase, and each phase but the last one finds an augmenting path: O(n m alpha(n)) at
 * worst.  Memory: 70 bytes a vertex.
 * Fails: PM_ENOMEM, PM_ESTOPPED.
 * Source: Edmonds 1965; Gabow 1976; the start of Karp and Sipser 1981. */
pm_status pm_blossom_matching(const pm_matrix *a, const pm_run *run, int32_t *partner,
                              int64_t *size, pm_error *err);

#endif
