/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "order/column_order.h"
#include "order/heap.h"
#include "pm/alloc.h"

/* Give the rows of a column that have no place yet one; what is left of the other columns shrinks
 * by them. */
static void place_rows(const pm_pattern *a, int32_t column, bool *placed, pm_heap *left)
{
    for (int32_t e = a->colptr[column]; e < a->colptr[column + 1]; ++e) {
        int32_t row = a->rowind[e];
        for (int32_t f = a->rowptr[row]; f < a->rowptr[row + 1] && !placed[row]; ++f)
            pm_heap_add_to_key(left, a->colind[f], -1);
        placed[row] = true;
    }
}

pm_status pm_column_order_permanent(const pm_pattern *a, int32_t *cols, int32_t *rows,
                                    pm_error *err)
{
    pm_heap left = {0}; /* columns by their entries in rows that have no place yet */
    bool *placed = pm_calloc_array(a->n, sizeof *placed);
    pm_status s = placed ? pm_heap_make(a->n, &left, err) : pm_fail_memory(err, "an order");
    if (s == PM_OK) {
        for (int32_t j = 0; j < a->n; ++j)
            pm_heap_add_to_key(&left, j, pm_pattern_degree(a, j));
        for (int32_t k = 0; k < a->n; ++k) {
            cols[k] = pm_heap_pop(&left);
            place_rows(a, cols[k], placed, &left);
        }
        s = pm_row_order_by_columns(a, cols, rows, err);
    }
    free(placed);
    pm_heap_free(&left);
    return s;
}
