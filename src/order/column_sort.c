/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/columns.h"

/* Rows in the order in which the columns, taken in theirs, first touch them. */
static void rows_by_first_touch(const pm_pattern *a, pm_column_order *out)
{
    uint64_t placed = 0;
    int32_t count = 0;
    for (int32_t c = 0; c < a->n; ++c)
        for (int32_t k = a->colptr[out->cols[c]]; k < a->colptr[out->cols[c] + 1]; ++k) {
            int32_t i = a->rowind[k];
            if (!(placed >> i & 1))
                out->rows[count++] = i;
            placed |= UINT64_C(1) << i;
        }
    for (int32_t i = 0; i < a->n; ++i)
        if (!(placed >> i & 1))
            out->rows[count++] = i;
}

void pm_order_sort(const pm_pattern *a, pm_column_order *out)
{
    int32_t count = 0;
    for (int32_t degree = 0; degree <= a->n; ++degree)
        for (int32_t j = 0; j < a->n; ++j)
            if (a->colptr[j + 1] - a->colptr[j] == degree)
                out->cols[count++] = j;
    rows_by_first_touch(a, out);
}
