/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture/loops.h: two perfect matchings of a bipartite graph on each other: loops in which their edges alternate,
 * and edges of both. */
#ifndef PM_LOOPS_H
#define PM_LOOPS_H

#include <stdint.h>

#include "pm/status.h"

typedef struct {
    int32_t *of; /* of each row: the number of its loop, from 0; -1: both matchings have its edge */
    int64_t count;        /* loops */
    int64_t double_edges; /* of both matchings */
} pm_loops;

/* first, second: the columns of the n rows.  *out: freed by the caller.  Fails: PM_ENOMEM. */
pm_status pm_loops_find(int64_t n, const int32_t *first, const int32_t *second, pm_loops *out,
                        pm_error *err);
void pm_loops_free(pm_loops *l);

#endif
