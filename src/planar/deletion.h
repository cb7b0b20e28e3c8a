/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/deletion.h: few edges without which a graph is planar.
 *
 * To find the fewest is NP-hard (Liu and Geldmacher 1979).  As long as the graph is not planar, one
 * edge of a subdivision of K5 or K3,3 in it goes: one that is in most of several such subdivisions,
 * that closes no short cycle, or that shares an end with edges that are gone; each of these
 * preferences is tried.  What turns out not to be needed comes back; then single edges are
 * exchanged for others.  The measure is the number of matchings among the edges that go. */
#ifndef PM_DELETION_H
#define PM_DELETION_H

#include <stdint.h>

#include "planar/deleted_edges.h"
#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    int64_t most;  /* matchings */
    double tests;  /* of planarity or as much work, for edges that go; as many for exchanges */
    double effort; /* tests for exchanges, for each matching that there is then, at most */
    uint64_t seed;
} pm_deletion_limits;

/* What a search came to, the nearer the later. */
typedef enum {
    PM_DELETION_OUT_OF_TIME,        /* it used up its tests */
    PM_DELETION_TOO_MANY_EDGES,     /* more edges than can be looked at */
    PM_DELETION_TOO_MANY_MATCHINGS, /* more matchings than are worth it */
    PM_DELETION_FOUND
} pm_deletion_outcome;

typedef struct {
    pm_deletion_outcome outcome;
    int32_t count; /* 0: none was found */
    int32_t entry[PM_DELETED_EDGES_MAX];
    int64_t matchings; /* among them */
} pm_deletion;

/* Edges of a, which is not planar.
 * Fails: PM_UNABLE built without libplanarity, PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_deletion_find(const pm_matrix *a, const pm_deletion_limits *limits, const pm_run *run,
                           pm_deletion *out, pm_error *err);

#endif
