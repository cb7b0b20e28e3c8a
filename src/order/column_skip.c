/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A term is zero when one row sum is zero, and stays zero until a column of that row flips.  So a
 * row whose columns all come late in the order, where flips are rare, lets long ranges of terms be
 * skipped.  The order is filled from its last position down.  A row is complete when all its
 * columns have a position.  The next row to complete is the one with the fewest columns without a
 * position; among these, the one whose columns have the most entries in incomplete rows.  The rows
 * are ordered as they are completed. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "order/column_order.h"
#include "order/heap.h"
#include "pm/alloc.h"

/* The key of a row: MISSING times the number of its columns without a position, less the number of
 * entries of these columns in incomplete rows. */
#define MISSING INT64_C(0x100000000)

typedef struct {
    const pm_pattern *a;
    pm_heap rows;       /* the incomplete rows */
    int32_t *entries;   /* of each column: its entries in incomplete rows */
    bool *has_position; /* of each column: it has a position */
    int64_t *missing;   /* scratch: columns of the current row without a position */
    int32_t *cols;      /* the order; positions from `last` on are filled */
    int32_t last;
} completion;

static pm_status start(const pm_pattern *a, int32_t *cols, completion *x, pm_error *err)
{
    *x = (completion){.a = a, .cols = cols, .last = a->n};
    x->entries = pm_alloc_array(a->n, sizeof *x->entries);
    x->has_position = pm_calloc_array(a->n, sizeof *x->has_position);
    x->missing = pm_alloc_array(a->n, sizeof *x->missing);
    if (!x->entries || !x->has_position || !x->missing)
        return pm_fail_memory(err, "an order");
    pm_status status = pm_heap_make(a->n, &x->rows, err);
    if (status)
        return status;
    for (int32_t j = 0; j < a->n; ++j)
        x->entries[j] = pm_pattern_degree(a, j);
    for (int32_t i = 0; i < a->n; ++i) {
        int64_t key = 0;
        for (int32_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            key += MISSING - x->entries[a->colind[k]];
        pm_heap_add_to_key(&x->rows, i, key);
    }
    return PM_OK;
}

static void end(completion *x)
{
    pm_heap_free(&x->rows);
    free(x->entries);
    free(x->has_position);
    free(x->missing);
}

static void change_rows(completion *x, int32_t column, int64_t by)
{
    for (int32_t k = x->a->colptr[column]; k < x->a->colptr[column + 1]; ++k)
        pm_heap_add_to_key(&x->rows, x->a->rowind[k], by);
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Give positions to the columns of row i that have none.  The column with the most entries in
 * other incomplete rows gets the last position. */
static void complete_row(completion *x, int32_t i)
{
    int32_t count = 0;
    for (int32_t k = x->a->rowptr[i]; k < x->a->rowptr[i + 1]; ++k) {
        int32_t j = x->a->colind[k];
        if (x->has_position[j])
            continue;
        change_rows(x, j, 1);
        x->missing[count++] = -MISSING * --x->entries[j] + j;
    }
    if (count > 1)
        qsort(x->missing, (size_t)count, sizeof *x->missing, ascending);
    for (int32_t c = 0; c < count; ++c) {
        int32_t j = (int32_t)(x->missing[c] & (MISSING - 1));
        x->cols[--x->last] = j;
        x->has_position[j] = true;
        change_rows(x, j, x->entries[j] - MISSING);
    }
}

pm_status pm_column_order_skip(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err)
{
    completion x;
    pm_status status = start(a, cols, &x, err);
    for (int32_t k = 0; k < a->n && !status; ++k) {
        rows[k] = pm_heap_pop(&x.rows);
        complete_row(&x, rows[k]);
    }
    for (int32_t j = 0; j < a->n && !status; ++j)
        if (!x.has_position[j]) /* an empty column */
            cols[--x.last] = j;
    end(&x);
    return status;
}
