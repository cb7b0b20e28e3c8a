/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/vertex_classes.h: the different vertices of a general block, and how many copies each has.
 *
 * Two vertices are copies of one if their edges to all others have the same weights, and their loops
 * too.  The edge between them may have any weight, which is then the same for all pairs of the copies. */
#ifndef PM_VERTEX_CLASSES_H
#define PM_VERTEX_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/reduce.h"
#include "pm/status.h"

enum { PM_VERTEX_CLASSES_MAX = 64, PM_NO_EDGE = -1 /* as pm_matrix_find says it */ };

typedef struct {
    int32_t count; /* different vertices */
    int32_t times[PM_VERTEX_CLASSES_MAX];
    int64_t total; /* the sum of times */
    const pm_matrix *a, *loops;
    /* The number of an entry of `a` with the weight of an edge between two classes, or between two copies of one, or
     * PM_NO_EDGE; and of an entry of `loops`. */
    int64_t edge[PM_VERTEX_CLASSES_MAX][PM_VERTEX_CLASSES_MAX];
    int64_t loop[PM_VERTEX_CLASSES_MAX];
    bool has_loops;
} pm_vertex_classes;

/* b: general; borrowed by *out.  Cost: the entries, times the number of classes at most.
 * Fails: PM_UNABLE more than PM_VERTEX_CLASSES_MAX classes. */
pm_status pm_vertex_classes_find(const pm_block *b, pm_vertex_classes *out, pm_error *err);

#endif
