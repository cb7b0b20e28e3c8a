/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A term is zero as soon as one row sum is, and stays so until a column of that row flips.  So a
 * row whose columns all come late in the order, where flips are rare, makes long jumps.  Rows are
 * completed from the last column downwards, always the one that lacks fewest columns, and among
 * those the one whose columns bring most others nearer to completion.  Rows come in the order in
 * which they are completed. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>

#include "order/column_order.h"
#include "order/heap.h"
#include "pm/alloc.h"

/* The key of a row: columns that it lacks, then, the more the better, the entries of those in rows
 * that are not complete. */
#define LACKS INT64_C(0x100000000)

typedef struct {
    const pm_pattern *a;
    pm_heap rows;     /* that are not complete */
    int32_t *entries; /* of each column: in rows that are not complete */
    bool *taken;      /* columns */
    int64_t *lacking; /* of the row at hand */
    int32_t *cols, last;
} completion;

static pm_status start(const pm_pattern *a, int32_t *cols, completion *x, pm_error *err)
{
    *x = (completion){.a = a, .cols = cols, .last = a->n};
    x->entries = pm_alloc_array(a->n, sizeof *x->entries);
    x->taken = pm_calloc_array(a->n, sizeof *x->taken);
    x->lacking = pm_alloc_array(a->n, sizeof *x->lacking);
    if (!x->entries || !x->taken || !x->lacking)
        return pm_fail_memory(err, "an order");
    pm_status s = pm_heap_make(a->n, &x->rows, err);
    if (s != PM_OK)
        return s;
    for (int32_t j = 0; j < a->n; ++j)
        x->entries[j] = pm_pattern_degree(a, j);
    for (int32_t i = 0; i < a->n; ++i) {
        int64_t key = 0;
        for (int32_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            key += LACKS - x->entries[a->colind[k]];
        pm_heap_add_to_key(&x->rows, i, key);
    }
    return PM_OK;
}

static void end(completion *x)
{
    pm_heap_free(&x->rows);
    free(x->entries);
    free(x->taken);
    free(x->lacking);
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

/* The columns that row i lacks, the one of most other rows first: it stays longest. */
static void complete(completion *x, int32_t i)
{
    int32_t count = 0;
    for (int32_t k = x->a->rowptr[i]; k < x->a->rowptr[i + 1]; ++k) {
        int32_t j = x->a->colind[k];
        if (x->taken[j])
            continue;
        change_rows(x, j, 1);
        x->lacking[count++] = -LACKS * --x->entries[j] + j;
    }
    if (count > 1)
        qsort(x->lacking, (size_t)count, sizeof *x->lacking, ascending);
    for (int32_t c = 0; c < count; ++c) {
        int32_t j = (int32_t)(x->lacking[c] & (LACKS - 1));
        x->cols[--x->last] = j;
        x->taken[j] = true;
        change_rows(x, j, x->entries[j] - LACKS);
    }
}

pm_status pm_column_order_skip(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err)
{
    completion x;
    pm_status s = start(a, cols, &x, err);
    for (int32_t k = 0; k < a->n && s == PM_OK; ++k) {
        rows[k] = pm_heap_pop(&x.rows);
        complete(&x, rows[k]);
    }
    for (int32_t j = 0; j < a->n && s == PM_OK; ++j)
        if (!x.taken[j]) /* without entries */
            cols[--x.last] = j;
    end(&x);
    return s;
}
