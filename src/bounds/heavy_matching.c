/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/heavy_matching.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/dm.h"

static const double thresholds[] = {0x1p-6, 0x1p-12, 0x1p-24, 0};

/* thin: the pattern of the entries with x at least `least`, in arrays that are as long as those of a. */
static void select_entries(const pm_matrix *a, const double *x, double least, pm_matrix *thin)
{
    int64_t count = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (x[k] >= least)
                thin->colind[count++] = a->colind[k];
        thin->rowptr[i + 1] = count;
    }
}

static int64_t entry_at(const pm_matrix *a, int64_t i, int32_t column)
{
    int64_t k = a->rowptr[i];
    while (a->colind[k] != column)
        ++k;
    return k;
}

pm_status pm_heavy_matching(const pm_matrix *a, const double *x, const pm_run *run, int64_t *entry,
                            bool *found, pm_error *err)
{
    enum { THRESHOLDS = sizeof thresholds / sizeof *thresholds };
    pm_matrix thin = {0};
    int32_t *col_of = pm_alloc_array(a->nrows, sizeof *col_of);
    int32_t *row_of = pm_alloc_array(a->ncols, sizeof *row_of);
    pm_status status = col_of && row_of ? pm_matrix_alloc(&thin, PM_PATTERN, a->nrows, a->ncols,
                                                          pm_matrix_nnz(a), err)
                                        : pm_fail_memory(err, "a perfect matching");
    *found = false;
    for (int k = 0; k < THRESHOLDS && !status && !*found; ++k) {
        int64_t rank = 0;
        select_entries(a, x, thresholds[k], &thin);
        status = pm_matching_maximum(&thin, run, col_of, row_of, &rank, err);
        *found = !status && rank == a->nrows;
    }
    for (int64_t i = 0; i < a->nrows && *found; ++i)
        entry[i] = entry_at(a, i, col_of[i]);
    pm_matrix_free(&thin);
    free(col_of);
    free(row_of);
    return status;
}
