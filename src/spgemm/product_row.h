/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spgemm/product_row.h: the table in which one row of a product is added up: a sum for each column that
 * occurs.  Not thread-safe: one for each thread. */
#ifndef PM_PRODUCT_ROW_H
#define PM_PRODUCT_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

/* A place has the column column[place], or -1: it is free.  Where all columns fit, the place of a column
 * is its number; otherwise places are found by hashing, and the next free one is taken. */
typedef struct {
    int64_t count;   /* columns in the row so far */
    uint64_t *found; /* [count] column * 2^32 + place, in the order in which they came */
    double *sum;     /* [places] */
    /* private: */
    int32_t *column;
    uint64_t *spare; /* for sorting */
    uint64_t
        factor; /* of the hash: odd, from the secret seed, so that nobody can choose columns that collide */
    int64_t most, places;
    int shift;  /* of the hash; 0: the place is the column */
    int digits; /* bytes of the largest column */
} pm_product_row;

/* For rows with at most `terms` terms, in `columns` columns.  The caller frees *out.
 * Memory: about 48 bytes for each of the smaller of both.  Fails: PM_ENOMEM. */
pm_status pm_product_row_make(int64_t terms, int64_t columns, pm_product_row *out, pm_error *err);
void pm_product_row_free(pm_product_row *t);

/* The bytes that pm_product_row_make takes. */
double pm_product_row_bytes(int64_t terms, int64_t columns);

/* The place of a column.  *is_new: the column was not in the row; then its sum is not defined. */
static inline int64_t pm_product_row_place(pm_product_row *t, int32_t column, bool *is_new)
{
    int64_t at = t->shift ? (int64_t)((uint64_t)column * t->factor >> t->shift) : column;
    while (t->column[at] != column) {
        if (t->column[at] < 0) {
            t->column[at] = column;
            t->found[t->count++] = (uint64_t)column << 32 | (uint64_t)at;
            *is_new = true;
            return at;
        }
        at = at + 1 < t->places ? at + 1 : 0;
    }
    *is_new = false;
    return at;
}

/* Sorts `found` by columns. */
void pm_product_row_sort(pm_product_row *t);

/* Frees all places, for the next row. */
void pm_product_row_clear(pm_product_row *t);

#endif
