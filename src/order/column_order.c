/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "order/column_order.h"
#include "pm/alloc.h"

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
