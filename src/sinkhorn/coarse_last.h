/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/coarse_last.h: the equations of the last level of coarse systems (coarse.h), which has few clusters: by
 * Cholesky's method. */
#ifndef PM_COARSE_LAST_H
#define PM_COARSE_LAST_H

#include "sinkhorn/joined_rows.h"

typedef struct {
    int64_t count;
    double *matrix;  /* the factor of P^T A P without its last line, its rows one after the other */
    double *unknown; /* [count]: is overwritten */
} pm_coarse_last;

/* Memory: 4 count^2 bytes, count = y->items.  The caller frees *out, also after a failure.  Fails: PM_ENOMEM. */
pm_status pm_coarse_last_make(const pm_joined *y, pm_coarse_last *out, pm_error *err);
void pm_coarse_last_free(pm_coarse_last *l);

/* right, solution: [count].  The equations say nothing of the mean of a solution, and a large one would leave its
 * rounding: here it is 0. */
void pm_coarse_last_solve(const pm_coarse_last *l, const float *right, float *solution);

#endif
