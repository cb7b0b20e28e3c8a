/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/joined_rows.h: rows that are joined to clusters, for coarse systems (coarse.h), and some of them by columns. */
#ifndef PM_JOINED_ROWS_H
#define PM_JOINED_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"
#include "spmv/line_products.h"

/* Y = P^T X, P the clusters of the level below; the entries that a cluster has in a column are one entry.  Columns
 * with one entry are left out: they add nothing to A.  Values in single precision change each weight of A, and so A
 * itself, by some 2^-24 of it: A is a sum of terms w (e_p - e_q) (e_p - e_q)^T with w > 0.
 * The entries are stored by items, the columns of an item ascend.  At most 2^32 - 1 entries. */
typedef struct {
    int64_t items, columns;
    const int64_t *rowptr;    /* [items + 1]: of the rows, or NULL: */
    const uint32_t *ptr;      /* of clusters */
    const int32_t *ind;       /* the column of each entry */
    const float *value;       /* NULL: those of the rows, see below */
    const double *x;          /* of the rows: the values in double precision, or NULL */
    pm_line_products between; /* of the rows: or they are these, if between.row is not NULL */
    void *owned[3];           /* of clusters: ptr, ind, value */
} pm_joined;

/* Where the entries of item i begin; items: where all end. */
static inline int64_t pm_joined_start(const pm_joined *y, int64_t i)
{
    return y->ptr ? y->ptr[i] : y->rowptr[i];
}

/* Entry k, of item i. */
static inline double pm_joined_value(const pm_joined *y, int64_t k, int64_t i)
{
    if (y->value)
        return y->value[k];
    return y->x ? (float)y->x[k] : pm_line_product(&y->between, i, y->ind[k]);
}

/* The entry of item i that is in column j. */
static inline int64_t pm_joined_find(const pm_joined *y, int64_t i, int32_t j)
{
    int64_t low = pm_joined_start(y, i), high = pm_joined_start(y, i + 1) - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (y->ind[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The entry of item i in column j, which is there. */
static inline double pm_joined_at(const pm_joined *y, int64_t i, int32_t j)
{
    return y->between.row ? pm_line_product(&y->between, i, j)
                          : pm_joined_value(y, pm_joined_find(y, i, j), i);
}

/* Some items by columns: those that have an entry in the column of entry k are item[start[k - base]] and the following
 * ones, ascending, up to one that is negative, ~ the last. */
typedef struct {
    int64_t base;
    int32_t *item;
    uint32_t *start, *end;
} pm_joined_columns;

/* Memory for items that have at most so many entries together: 10 bytes for each.  Freed by the caller, also after a
 * failure. Fails: PM_ENOMEM. */
pm_status pm_joined_columns_make(int64_t room, pm_joined_columns *out, pm_error *err);
/* The items from .. to - 1. */
void pm_joined_columns_set(pm_joined_columns *t, const pm_joined *y, int64_t from, int64_t to);
void pm_joined_columns_free(pm_joined_columns *t);

/* Clusters of the items.  The items are in parts; those of part p are part[p] .. part[p + 1] - 1, and their clusters
 * are first[p] .. first[p + 1] - 1. */
typedef struct {
    const int32_t *cluster; /* [items] */
    int64_t count;
    int parts;
    const int32_t *part, *first;
} pm_joined_clusters;

/* The clusters of *y become the items. Memory: 4 bytes a cluster, 8 an entry of the largest part, a third of a byte a
 * column; if the items are rows, the entries of the clusters, too.  Fails: PM_ENOMEM; *y may be freed then. */
pm_status pm_joined_join(pm_joined *y, const pm_joined_clusters *c, pm_error *err);

/* Entries of a line, [n]: they are sorted by their indices, and those with the same index become one, their sum.  Returns how many are left. */
int64_t pm_joined_merge(int64_t n, int32_t *ind, float *value);

/* The diagonal of A, [items].  Memory: 2 bytes a column.  Fails: PM_ENOMEM. */
pm_status pm_joined_diagonal(const pm_joined *y, float *diagonal, pm_error *err);

void pm_joined_free(pm_joined *y);

#endif
