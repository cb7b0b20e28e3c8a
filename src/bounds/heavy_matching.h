/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/heavy_matching.h: a perfect matching of large entries: the product of their weights is a lower bound of a permanent without
 * negative entries. */
#ifndef PM_HEAVY_MATCHING_H
#define PM_HEAVY_MATCHING_H

#include <stdbool.h>

#include "pm/matrix.h"
#include "pm/run.h"

/* A perfect matching of the entries with x at least t, for the larger one of two thresholds t for which there is one.  The other
 * threshold is 0.  It need not be the heaviest matching.
 * a: square; x: [nnz], >= 0, as of a scaled matrix; entry: [nrows], the entry of each row.
 * *found: whether there is a perfect matching; else entry is not set.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_heavy_matching(const pm_matrix *a, const double *x, const pm_run *run, int64_t *entry,
                            bool *found, pm_error *err);

#endif
