/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "order/column_order.h"
#include "pm/alloc.h"

pm_status pm_row_order_by_columns(const pm_pattern *a, const int32_t *cols, int32_t *rows,
                                  pm_error *err)
{
    int32_t count = 0;
    bool *placed = pm_calloc_array(a->n, sizeof *placed);
    if (!placed)
        return pm_fail_memory(err, "an order");
    for (int32_t c = 0; c < a->n; ++c)
        for (int32_t k = a->colptr[cols[c]]; k < a->colptr[cols[c] + 1]; ++k) {
            int32_t i = a->rowind[k];
            if (!placed[i])
                rows[count++] = i;
            placed[i] = true;
        }
    for (int32_t i = 0; i < a->n; ++i)
        if (!placed[i])
            rows[count++] = i;
    free(placed);
    return PM_OK;
}

double pm_column_order_updates(const pm_pattern *a, const int32_t *cols)
{
    double sum = 0;
    for (int32_t k = 0; k < a->n - 1; ++k)
        sum += ldexp(pm_pattern_degree(a, cols ? cols[k] : k), -k - 1);
    return sum;
}
