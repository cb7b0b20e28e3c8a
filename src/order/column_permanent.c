/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "order/column_order.h"
#include "order/heap.h"
#include "pm/alloc.h"

/* Give a position to the rows of a column that have none yet; the other columns of these rows have
 * one entry less in rows without a position. */
static void place_rows(const pm_pattern *a, int32_t column, bool *has_position,
                       pm_heap *open_entries)
{
    for (int32_t e = a->colptr[column]; e < a->colptr[column + 1]; ++e) {
        int32_t row = a->rowind[e];
        for (int32_t f = a->rowptr[row]; f < a->rowptr[row + 1] && !has_position[row]; ++f)
            pm_heap_add_to_key(open_entries, a->colind[f], -1);
        has_position[row] = true;
    }
}

pm_status pm_column_order_permanent(const pm_pattern *a, int32_t *cols, int32_t *rows,
                                    pm_error *err)
{
    pm_heap open_entries = {0}; /* columns by their number of entries in rows without a position */
    bool *has_position = pm_calloc_array(a->n, sizeof *has_position);
    pm_status status =
        has_position ? pm_heap_make(a->n, &open_entries, err) : pm_fail_memory(err, "an order");
    if (!status) {
        for (int32_t j = 0; j < a->n; ++j)
            pm_heap_add_to_key(&open_entries, j, pm_pattern_degree(a, j));
        for (int32_t k = 0; k < a->n; ++k) {
            cols[k] = pm_heap_pop(&open_entries);
            place_rows(a, cols[k], has_position, &open_entries);
        }
        status = pm_row_order_by_columns(a, cols, rows, err);
    }
    free(has_position);
    pm_heap_free(&open_entries);
    return status;
}
