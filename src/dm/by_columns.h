/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/by_columns.h: the pattern of a matrix in compressed columns. */
#ifndef PM_BY_COLUMNS_H
#define PM_BY_COLUMNS_H

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* The rows of column j are row[ptr[j]] .. row[ptr[j + 1] - 1], ascending. */
typedef struct {
    int64_t *ptr; /* ncols + 1 entries */
    int32_t *row;
} pm_columns;

/* run: its threads; NULL: one thread.  out: freed by the caller.  Fails: PM_ENOMEM. */
pm_status pm_columns_make(const pm_matrix *a, const pm_run *run, pm_columns *out, pm_error *err);
void pm_columns_free(pm_columns *c);

#endif
