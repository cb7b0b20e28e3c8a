/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/detours.h: how long the way between the ends of an edge is without it. */
#ifndef PM_DETOURS_H
#define PM_DETOURS_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

enum { PM_DETOURS_NEAR = 256 };

typedef struct {
    const pm_matrix *a;
    int64_t *start;    /* of vertex v: its entries are entry[start[v]] .. */
    int32_t *entry;    /*   entry[start[v + 1] - 1] */
    int32_t *row;      /* of each entry */
    int32_t *distance; /* of each vertex, -1 between two searches */
    int32_t *queue;
    int64_t seen;  /* vertices, by the latest search */
    int32_t least; /* what the latest length is at least, also where none was found */
} pm_detours;

/* Lends a.  Fails: PM_ENOMEM. */
pm_status pm_detours_open(const pm_matrix *a, pm_detours *out, pm_error *err);
void pm_detours_close(pm_detours *d);

/* Edges of a shortest path between the ends of entry k, without it and the entries x with gone[x];
 * INT32_MAX if there is none among the PM_DETOURS_NEAR vertices nearest to its row. */
int32_t pm_detours_length(pm_detours *d, const uint8_t *gone, int32_t k);

#endif
