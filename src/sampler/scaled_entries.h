/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/scaled_entries.h: the entries of a nonnegative matrix as double-doubles near 1. */
#ifndef PM_SCALED_ENTRIES_H
#define PM_SCALED_ENTRIES_H

#include <stdint.h>

#include "pm/matrix.h"

/* Entry k of A = value[k] 2^-(r_i + c_j) within 2^-106 relative, so that
 * per A = 2^exp per (values), exp = -sum r - sum c.  A pattern stays as it is. */
typedef struct {
    double (*value)[2]; /* high and low part; pm_matrix_nnz of them */
    int64_t exp;
} pm_scaled_entries;

/* a: square, entries > 0.  r and c are Sinkhorn's scaling, rounded to integers: the rows and columns
 * of the values sum to about 1 where the matrix has total support.
 * Fails: PM_UNABLE an entry is below 2^-900 or above 2^900 even so; PM_ENOMEM. */
pm_status pm_scaled_entries_make(const pm_matrix *a, pm_scaled_entries *out, pm_error *err);
void pm_scaled_entries_free(pm_scaled_entries *s);

#endif
