/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/joined_rows.h: the matrix of a level of coarse systems (coarse.h), by clusters of rows and by columns. */
#ifndef PM_JOINED_ROWS_H
#define PM_JOINED_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"
#include "spmv/line_products.h"

/* The entries by items; the columns of an item ascend.  value: NULL where they are those of the rows, see below. */
typedef struct {
    int64_t lines;
    const int64_t *ptr;
    const int32_t *ind;
    const float *value;
    void *owned[3];
} pm_joined_items;

/* The same by columns: the items of column j are ind[ptr[j]] .. ind[ptr[j + 1] - 1], ascending.  Their entries are found in the items. */
typedef struct {
    int64_t lines;
    uint32_t *ptr;
    int32_t *ind;
} pm_joined_columns;

/* Y = P^T X, P the clusters of the level below; the entries that a cluster has in a column are one entry.  Columns
 * with one entry are left out: they add nothing to A.  Values in single precision change each weight of A, and so A
 * itself, by some 2^-24 of it: A is a sum of terms w (e_p - e_q) (e_p - e_q)^T with w > 0. */
typedef struct {
    pm_joined_items a;
    pm_joined_columns t;
    const double *x;          /* of the rows: the values by items in double precision, or NULL */
    pm_line_products between; /* of the rows: or they are these, if between.row is not NULL */
} pm_joined;

/* Entry k of a, of item i: the same number. */
static inline double pm_joined_by_item(const pm_joined *y, int64_t k, int64_t i)
{
    if (y->a.value)
        return y->a.value[k];
    return y->x ? (float)y->x[k] : pm_line_product(&y->between, i, y->a.ind[k]);
}

/* The entry of item i that is in column j. */
static inline int64_t pm_joined_find(const pm_joined *y, int64_t i, int32_t j)
{
    int64_t low = y->a.ptr[i], high = y->a.ptr[i + 1] - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (y->a.ind[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Entry k of t, in column j. */
static inline double pm_joined_by_column(const pm_joined *y, int64_t k, int64_t j)
{
    const int32_t i = y->t.ind[k];
    return y->between.row ? pm_line_product(&y->between, i, (int32_t)j)
                          : pm_joined_by_item(y, pm_joined_find(y, i, (int32_t)j), i);
}

/* Makes y->t from y->a, which has fewer than 2^32 entries.  columns: of y; threads: what pm_transposed_threads permits.
 * Memory: 4 bytes a column and an entry.  Fails: PM_ENOMEM. */
pm_status pm_joined_add_columns(pm_joined *y, int64_t columns, int threads, pm_error *err);

/* The clusters of *y as items.  cluster: [items], 0 .. count - 1.
 * Memory: beside y->a and the result 8 bytes an item and a third of a byte a column.  Fails: PM_ENOMEM; *y may be freed then. */
pm_status pm_joined_join(pm_joined *y, const int32_t *cluster, int64_t count, pm_error *err);

/* The diagonal of A, [items]; column after column, so that it needs no other memory. */
void pm_joined_diagonal(const pm_joined *y, float *diagonal);

void pm_joined_free(pm_joined *y);

#endif
