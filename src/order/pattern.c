/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/pattern.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

pm_status pm_pattern_make(const pm_matrix *a, pm_pattern_copy *out, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(a), n = a->nrows;
    assert(n == a->ncols);
    if (nnz >= INT32_MAX)
        return pm_fail(err, PM_UNABLE,
                       "expected fewer than 2^31 - 1 edges for an order of columns");
    int32_t *arrays = pm_calloc_array(2 * (n + 1) + 2 * nnz, sizeof *arrays);
    if (!arrays)
        return pm_fail_memory(err, "the columns of a matrix");
    int32_t *colptr = arrays, *rowptr = colptr + n + 1, *rowind = rowptr + n + 1;
    int32_t *colind = rowind + nnz;
    for (int64_t k = 0; k < nnz; ++k)
        ++colptr[colind[k] = a->colind[k]];
    for (int64_t j = 0; j < n; ++j)
        colptr[j + 1] += colptr[j];
    /* from the last row to the first; each column is filled from its end to its start */
    for (int64_t i = n - 1; i >= 0; --i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            rowind[--colptr[colind[k]]] = (int32_t)i;
    colptr[n] = (int32_t)nnz;
    for (int64_t i = 0; i < n; ++i)
        rowptr[i + 1] = (int32_t)a->rowptr[i + 1];
    *out = (pm_pattern_copy){{(int32_t)n, colptr, rowind, rowptr, colind}, arrays};
    return PM_OK;
}

void pm_pattern_free(pm_pattern_copy *p)
{
    free(p->arrays);
    *p = (pm_pattern_copy){0};
}
