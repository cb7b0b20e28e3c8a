/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/short_line.h"

#include <stdlib.h>

#include "pm/alloc.h"

pm_status pm_short_line_find(const pm_matrix *a, bool *found, pm_error *err)
{
    int64_t *column = pm_calloc_array(a->ncols, sizeof *column);
    if (!column)
        return pm_fail_memory(err, "a matrix");
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        ++column[a->colind[k]];
    *found = false;
    for (int64_t i = 0; i < a->nrows && !*found; ++i)
        *found = a->rowptr[i + 1] - a->rowptr[i] < 3;
    for (int64_t j = 0; j < a->ncols && !*found; ++j)
        *found = column[j] < 3;
    free(column);
    return PM_OK;
}
