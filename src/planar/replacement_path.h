/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/replacement_path.h: how long the way between the ends of an edge is without it. */
#ifndef PM_REPLACEMENT_PATH_H
#define PM_REPLACEMENT_PATH_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

enum { PM_REPLACEMENT_PATH_VERTICES = 256 };

typedef struct {
    const pm_matrix *a;
    int64_t *start;    /* of vertex v: its entries are entry[start[v]] .. */
    int32_t *entry;    /*   entry[start[v + 1] - 1] */
    int32_t *row;      /* of each entry */
    int32_t *distance; /* of each vertex, -1 between two searches */
    int32_t *queue;
    int64_t seen;  /* vertices, by the latest search */
    int32_t least; /* what the latest length is at least, also where none was found */
} pm_replacement_path;

/* Lends a.  Fails: PM_ENOMEM. */
pm_status pm_replacement_path_open(const pm_matrix *a, pm_replacement_path *out, pm_error *err);
void pm_replacement_path_close(pm_replacement_path *d);

/* Edges of a shortest path between the ends of entry k, without it and the entries x with gone[x];
 * INT32_MAX if there is none among the PM_REPLACEMENT_PATH_VERTICES vertices nearest to its row. */
int32_t pm_replacement_path_length(pm_replacement_path *d, const uint8_t *gone, int32_t k);

#endif
