/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/splitting.h: the permanent or hafnian of a nearly planar graph as a sum of those of planar ones.
 *
 * Let E be a few edges whose deletion makes the graph G planar (planar/deletion.h).  The edges of E
 * in a perfect matching of G are a matching M, so
 *   per(G) = sum over the matchings M among E of weight(M) * per(G - E - ends of M).
 * and the same holds for haf(G).  The graph of a term consists of M and of G - E - ends of M.  It has all vertices, is planar, and
 * its permanent is the term.  Terms without a perfect matching are 0; they are left out as far as
 * there is time to check the terms. */
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
    pm_deleted_edges edges; /* E; empty if the graph itself is the only term */
    int32_t entry[PM_DELETED_EDGES_MAX];
    int64_t count;       /* of terms */
    uint64_t *matchings; /* M of each term, a bit set (planar/deleted_edges.h) */
    bool has_zeros;      /* some terms may be 0, as not all were checked; the first one is not 0 */
} pm_splitting;

/* w: has a perfect matching.  The sum has at most limits->most terms.
 * checks: this many terms, at most, are checked for a perfect matching.
 * Cost: the planarity tests of limits, and one maximum matching for each check.
 * Fails: PM_UNABLE no splitting was found; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_splitting_find(const pm_plain_graph *w, const pm_deletion_limits *limits,
                            int64_t checks, const pm_run *run, pm_splitting *out, pm_error *err);
/* The sum of one term, the graph itself.  Fails: PM_ENOMEM. */
pm_status pm_splitting_trivial(pm_splitting *out, pm_error *err);
void pm_splitting_free(pm_splitting *s);

/* The graph of term number `term`, a subgraph of w.  Fails: PM_ENOMEM. */
pm_status pm_splitting_term(const pm_splitting *s, const pm_plain_graph *w, int64_t term,
                            pm_plain_graph *out, pm_error *err);
/* The number of the first term whose M has the most edges. */
int64_t pm_splitting_largest_matching(const pm_splitting *s);

#endif
