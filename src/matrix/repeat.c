/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "matrix/written_out.h"
#include "pm/alloc.h"
#include "pm/matrix.h"

/* ---- the size, before anything is allocated ---- */

enum { VALUE_BYTES = 24 /* a part of a value, with a share of the numbers that are large */ };

typedef struct {
    int64_t nrows, ncols, nnz;
} extent;

/* *sum += times * count.  Returns false when this is above 2^63 - 1. */
static bool add_times(int64_t *sum, int64_t times, int64_t count)
{
    int64_t product;
    return !__builtin_mul_overflow(times, count, &product)
           && !__builtin_add_overflow(*sum, product, sum);
}

/* Returns false when a number is above 2^63 - 1. */
static bool measure(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                    extent *x)
{
    bool fits = true;
    *x = (extent){0};
    for (int64_t j = 0; j < a->ncols && fits; ++j)
        fits = add_times(&x->ncols, col_times ? col_times[j] : 1, 1);
    for (int64_t i = 0; i < a->nrows && fits; ++i) {
        int64_t times = row_times ? row_times[i] : 1, count = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1] && fits; ++k)
            fits = add_times(&count, col_times ? col_times[a->colind[k]] : 1, 1);
        fits = fits && add_times(&x->nrows, times, 1) && add_times(&x->nnz, times, count);
    }
    return fits;
}

bool pm_matrix_repeat_size(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                           int64_t *nrows, int64_t *ncols, int64_t *nnz)
{
    extent x;
    if (!measure(a, row_times, col_times, &x))
        return false;
    *nrows = x.nrows, *ncols = x.ncols, *nnz = x.nnz;
    return true;
}

static pm_status check_size(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                            extent *x, pm_error *err)
{
    if (!measure(a, row_times, col_times, x))
        return pm_fail(err, PM_UNABLE,
                       "the repeated matrix would have 2^63 rows, columns or entries, or more");
    bool fits = pm_written_out_is_allowed(x->nrows, x->ncols, x->nnz);
    int64_t parts = (a->re != NULL) + (a->im != NULL);
    int64_t bytes =
        fits ? 8 * x->nrows + 4 * (x->nrows + x->ncols) + x->nnz * (4 + VALUE_BYTES * parts) : 0;
    if (!fits || !pm_written_out_has_memory(bytes))
        return pm_fail(err, PM_UNABLE,
                       "the repeated matrix would have %" PRId64 " rows, %" PRId64
                       " columns and %" PRId64 " entries",
                       x->nrows, x->ncols, x->nnz);
    return PM_OK;
}

/* ---- the lines ---- */

/* *from: the old index of each of the `count` new lines; times NULL: each line once. */
static pm_status list_lines(const int64_t *times, int64_t n, int64_t count, int32_t **from,
                            pm_error *err)
{
    *from = pm_alloc_array(count, sizeof **from);
    if (!*from)
        return pm_fail_memory(err, "repeated rows and columns");
    int64_t at = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = 0; k < (times ? times[i] : 1); ++k)
            (*from)[at++] = (int32_t)i;
    return PM_OK;
}

static int64_t entries_of_row(const pm_matrix *a, int64_t i, const int64_t *col_times)
{
    int64_t count = 0;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        count += col_times ? col_times[a->colind[k]] : 1;
    return count;
}

/* first: the first new index of each column of a. */
static void put_row(const pm_matrix *a, int64_t i, const int64_t *col_times, const int32_t *first,
                    pm_matrix *b, int64_t at)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int32_t j = a->colind[k];
        for (int64_t t = 0; t < (col_times ? col_times[j] : 1); ++t, ++at) {
            b->colind[at] = (int32_t)(first[j] + t);
            if (b->re)
                pm_dyadic_set(&b->re[at], &a->re[k]);
            if (b->im)
                pm_dyadic_set(&b->im[at], &a->im[k]);
        }
    }
}

typedef struct {
    int32_t *row, *col; /* the old index of each new row and column */
    int32_t *first;     /* the first new index of each old column */
} lines;

static void lines_free(lines *x)
{
    free(x->row);
    free(x->col);
    free(x->first);
}

static pm_status lines_make(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                            const extent *size, lines *x, pm_error *err)
{
    pm_status status = list_lines(row_times, a->nrows, size->nrows, &x->row, err);
    if (!status)
        status = list_lines(col_times, a->ncols, size->ncols, &x->col, err);
    if (status)
        return status;
    x->first = pm_alloc_array(a->ncols, sizeof *x->first);
    if (!x->first)
        return pm_fail_memory(err, "repeated rows and columns");
    int64_t at = 0;
    for (int64_t j = 0; j < a->ncols; ++j) {
        x->first[j] = (int32_t)at;
        at += col_times ? col_times[j] : 1;
    }
    return PM_OK;
}

/* Allocates *out, with its labels and row pointers. */
static pm_status make_room(const pm_matrix *a, const extent *size, const lines *x,
                           const int64_t *col_times, pm_matrix *out, pm_error *err)
{
    pm_status status = pm_matrix_alloc(out, a->field, size->nrows, size->ncols, size->nnz, err);
    if (!status)
        status = pm_labels_select(&a->row_labels, x->row, size->nrows, &out->row_labels, err);
    if (!status)
        status = pm_labels_select(&a->col_labels, x->col, size->ncols, &out->col_labels, err);
    for (int64_t i = 0; i < size->nrows && !status; ++i)
        out->rowptr[i + 1] = out->rowptr[i] + entries_of_row(a, x->row[i], col_times);
    return status;
}

pm_status pm_matrix_repeat(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                           pm_matrix *out, pm_error *err)
{
    extent size;
    lines x = {0};
    pm_matrix b = {0};
    pm_status status = check_size(a, row_times, col_times, &size, err);
    if (!status)
        status = lines_make(a, row_times, col_times, &size, &x, err);
    if (!status)
        status = make_room(a, &size, &x, col_times, &b, err);
    for (int64_t i = 0; !status && i < size.nrows; ++i)
        put_row(a, x.row[i], col_times, x.first, &b, b.rowptr[i]);
    if (status)
        pm_matrix_free(&b);
    else
        *out = b;
    lines_free(&x);
    return status;
}
