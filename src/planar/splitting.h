/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/splitting.h: the permanent of a nearly planar graph as a sum of permanents of planar ones.
 *
 * Let E be few edges without which the graph G is planar (planar/deletion.h).  A perfect matching
 * of G has some of them, a matching M among E, so
 *   per(G) = sum over the matchings M of E of weight(M) * per(G - E - ends of M).
 * The graph of a term is that of M and G - E - ends of M: it has all vertices, is planar, and its
 * permanent is the term.  Terms that have no perfect matching, and are 0, are left out as far as
 * there is time to look at them. */
#ifndef PM_SPLITTING_H
#define PM_SPLITTING_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/deleted_edges.h"
#include "planar/deletion.h"
#include "planar/plain_graph.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    pm_deleted_edges edges; /* E; none where the graph is its own only term */
    int32_t entry[PM_DELETED_EDGES_MAX];
    int64_t count;   /* of terms */
    uint64_t *taken; /* M of each, a set of edges (planar/deleted_edges.h) */
    bool has_zeros;  /* perhaps: not all terms were looked at; the first one is not 0 */
} pm_splitting;

/* w has a perfect matching.  Into limits->most terms at most; so many of them, `looks`, are looked
 * at for a perfect matching.
 * Cost: tests of planarity, and `looks` maximum matchings.
 * Fails: PM_UNABLE none was found, PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_splitting_find(const pm_plain_graph *w, const pm_deletion_limits *limits,
                            int64_t looks, const pm_run *run, pm_splitting *out, pm_error *err);
/* Of one term, the graph itself. */
pm_status pm_splitting_trivial(pm_splitting *out, pm_error *err);
void pm_splitting_free(pm_splitting *s);

/* The graph of a term, a part of w.  Fails: PM_ENOMEM. */
pm_status pm_splitting_term(const pm_splitting *s, const pm_plain_graph *w, int64_t term,
                            pm_plain_graph *out, pm_error *err);
/* A term whose M has most edges. */
int64_t pm_splitting_largest_matching(const pm_splitting *s);

#endif
