/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/deletion.h: the search for a few edges whose deletion makes a graph planar.
 *
 * The least number of such edges is NP-hard to find (Liu and Geldmacher 1979).  This is a greedy
 * search.  While the graph is not planar, one edge of a Kuratowski subgraph (a subdivision of K5 or
 * K3,3) is deleted.  It is an edge that lies in most of several such subgraphs, or that closes no
 * short cycle, or that shares an end with deleted edges; each of these preferences is tried.  Then
 * edges that need not be deleted are restored, and single edges are exchanged for others.  The
 * objective is the number of matchings among the deleted edges. */
#ifndef PM_DELETION_H
#define PM_DELETION_H

#include <stdint.h>

#include "planar/deleted_edges.h"
#include "pm/run.h"
#include "pm/status.h"

/* Work is counted in planarity tests. */
typedef struct {
    int64_t most;  /* matchings, at most */
    double tests;  /* for the deletion, at most; as many again for the exchanges */
    double effort; /* for the exchanges at most this many tests for each matching there is */
    uint64_t seed;
    double *used; /* the tests that the search took are added; may be NULL */
} pm_deletion_limits;

/* The outcomes, from the worst to the best. */
typedef enum {
    PM_DELETION_OUT_OF_TIME,        /* the tests were used up */
    PM_DELETION_TOO_MANY_EDGES,     /* more than PM_DELETED_EDGES_MAX */
    PM_DELETION_TOO_MANY_MATCHINGS, /* more than limits->most */
    PM_DELETION_FOUND
} pm_deletion_outcome;

typedef struct {
    pm_deletion_outcome outcome;
    int32_t count; /* of deleted edges; 0 if none were found */
    int32_t entry[PM_DELETED_EDGES_MAX];
    int64_t matchings; /* among them */
} pm_deletion;

/* d: not planar.  The outcome is in out->outcome.
 * Fails: PM_UNABLE built without libplanarity; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_deletion_find(const pm_drawn_graph *d, const pm_deletion_limits *limits,
                           const pm_run *run, pm_deletion *out, pm_error *err);

#endif
