/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/column_order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "pm/alloc.h"

void pm_column_order_given(int32_t n, pm_column_order *out)
{
    for (int32_t i = 0; i < n; ++i)
        out->cols[i] = out->rows[i] = i;
}

pm_status pm_row_order_by_columns(const pm_pattern *a, const int32_t *cols, int32_t *rows,
                                  pm_error *err)
{
    int32_t count = 0;
    bool *has_position = pm_calloc_array(a->n, sizeof *has_position);
    if (!has_position)
        return pm_fail_memory(err, "an order");
    for (int32_t c = 0; c < a->n; ++c)
        for (int32_t k = a->colptr[cols[c]]; k < a->colptr[cols[c] + 1]; ++k) {
            int32_t i = a->rowind[k];
            if (!has_position[i])
                rows[count++] = i;
            has_position[i] = true;
        }
    for (int32_t i = 0; i < a->n; ++i)
        if (!has_position[i])
            rows[count++] = i;
    free(has_position);
    return PM_OK;
}

double pm_column_order_updates(const pm_pattern *a, const int32_t *cols)
{
    double sum = 0;
    for (int32_t k = 0; k < a->n - 1; ++k)
        sum += ldexp(pm_pattern_degree(a, cols ? cols[k] : k), -k - 1);
    return sum;
}

pm_status pm_column_order_sort(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err)
{
    int32_t *start = pm_calloc_array((int64_t)a->n + 2, sizeof *start); /* of each degree */
    if (!start)
        return pm_fail_memory(err, "an order");
    for (int32_t j = 0; j < a->n; ++j)
        ++start[pm_pattern_degree(a, j) + 1];
    for (int32_t d = 0; d <= a->n; ++d)
        start[d + 1] += start[d];
    for (int32_t j = 0; j < a->n; ++j)
        cols[start[pm_pattern_degree(a, j)]++] = j;
    free(start);
    return pm_row_order_by_columns(a, cols, rows, err);
}
