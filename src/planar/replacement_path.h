/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/replacement_path.h: the shortest path between the ends of an edge that avoids the edge. */
#ifndef PM_REPLACEMENT_PATH_H
#define PM_REPLACEMENT_PATH_H

#include <stdint.h>

#include "planar/embedding.h"
#include "pm/status.h"

enum { PM_REPLACEMENT_PATH_VERTICES = 256 }; /* that a search visits, at most */

/* A graph prepared for such searches, and the figures of the latest search. */
typedef struct {
    const pm_drawn_graph *graph;
    int64_t *start; /* entries at vertex v: entry[start[v]] .. entry[start[v + 1] - 1] */
    int32_t *entry;
    int32_t *row;      /* of each entry */
    int32_t *distance; /* scratch: of each vertex; -1 between searches */
    int32_t *queue;    /* scratch */
    int64_t visited;   /* vertices visited by the latest search */
    int32_t least;     /* lower bound of the latest length, also if no path was found */
} pm_replacement_path;

/* graph must outlive *out.  Not thread-safe.  Fails: PM_ENOMEM. */
pm_status pm_replacement_path_open(const pm_drawn_graph *graph, pm_replacement_path *out,
                                   pm_error *err);
void pm_replacement_path_close(pm_replacement_path *d);

/* The number of edges of a shortest path between the ends of entry k that avoids k and all entries
 * x with deleted[x].  INT32_MAX if no path lies among the PM_REPLACEMENT_PATH_VERTICES vertices
 * nearest to the row of k. */
int32_t pm_replacement_path_length(pm_replacement_path *d, const uint8_t *deleted, int32_t k);

#endif
