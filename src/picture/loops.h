/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture/loops.h: two perfect matchings of a graph on each other: loops in which their edges alternate, and edges of
 * both. */
#ifndef PM_LOOPS_H
#define PM_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

typedef struct {
    int32_t *
        of; /* of each row, then of each column, with one set of each vertex: the number of its loop, from 0;
                  * -1: both matchings have its edge */
    int64_t count;        /* loops */
    int64_t double_edges; /* of both matchings */
} pm_loops;

/* first, second: perfect matchings of n rows and n columns, or of the n vertices of one set, as in picture/figure.h.
 * *out: freed by the caller.  Fails: PM_ENOMEM. */
pm_status pm_loops_find(int64_t n, bool one_set, const int32_t *first, const int32_t *second,
                        pm_loops *out, pm_error *err);
void pm_loops_free(pm_loops *l);

#endif
