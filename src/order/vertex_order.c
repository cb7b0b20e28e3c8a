/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "order/vertex_order.h"
#include "pm/alloc.h"

pm_status pm_vertex_order_natural(const pm_matrix *a, int32_t *order, pm_error *err)
{
    int64_t *left = pm_calloc_array(a->ncols, sizeof *left); /* rows to come */
    if (!left)
        return pm_fail_memory(err, "an order");
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        ++left[a->colind[k]];
    for (int64_t j = 0; j < a->ncols; ++j)
        if (left[j] == 0)
            *order++ = (int32_t)(a->nrows + j);
    for (int64_t i = 0; i < a->nrows; ++i) {
        *order++ = (int32_t)i;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (--left[a->colind[k]] == 0)
                *order++ = (int32_t)(a->nrows + a->colind[k]);
    }
    free(left);
    return PM_OK;
}
