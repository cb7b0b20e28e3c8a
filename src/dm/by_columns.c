/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dm/by_columns.h"

#include <stdlib.h>

#include "pm/alloc.h"

pm_status pm_columns_make(const pm_matrix *a, pm_columns *out, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(a), ncols = a->ncols;
    pm_columns c = {0};
    c.ptr = pm_calloc_array(ncols + 2, sizeof *c.ptr);
    c.row = pm_alloc_array(nnz, sizeof *c.row);
    if (!c.ptr || !c.row) {
        pm_columns_free(&c);
        return pm_fail_memory(err, "the columns of a matrix");
    }
    /* counts two places up, so that filling leaves every start in its place */
    for (int64_t k = 0; k < nnz; ++k)
        ++c.ptr[a->colind[k] + 2];
    for (int64_t j = 1; j <= ncols; ++j)
        c.ptr[j + 1] += c.ptr[j];
    for (int64_t i = 0; i < a->nrows && nnz; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            c.row[c.ptr[a->colind[k] + 1]++] = (int32_t)i;
    *out = c;
    return PM_OK;
}

void pm_columns_free(pm_columns *c)
{
    free(c->ptr);
    free(c->row);
    *c = (pm_columns){0};
}
