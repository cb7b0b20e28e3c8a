/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dm/by_columns.h"

#include <stdlib.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"

pm_status pm_columns_make(const pm_matrix *a, const pm_run *run, pm_columns *out, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    pm_columns c = {0};
    c.ptr = pm_alloc_array(a->ncols + 1, sizeof *c.ptr);
    c.row = pm_alloc_array(nnz, sizeof *c.row);
    if (!c.ptr || !c.row) {
        pm_columns_free(&c);
        return pm_fail_memory(err, "the columns of a matrix");
    }
    pm_transposed_make(a->nrows, a->ncols, a->rowptr, a->colind, pm_transposed_threads(nnz, run),
                       c.ptr, c.row, NULL);
    *out = c;
    return PM_OK;
}

void pm_columns_free(pm_columns *c)
{
    free(c->ptr);
    free(c->row);
    *c = (pm_columns){0};
}
