/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/matrix.h"

/* *from: the old index of each new line; times NULL: each line once. */
static pm_status list_lines(const int64_t *times, int64_t n, int32_t **from, int64_t *count,
                            pm_error *err)
{
    *count = 0;
    for (int64_t i = 0; i < n; ++i) {
        int64_t t = times ? times[i] : 1;
        if (t > INT32_MAX - *count)
            return pm_fail(err, PM_UNABLE, "expected at most %d rows and columns, found more",
                           INT32_MAX);
        *count += t;
    }
    *from = pm_alloc_array(*count, sizeof **from);
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
    int64_t nrows, ncols;
} lines;

static void lines_free(lines *x)
{
    free(x->row);
    free(x->col);
    free(x->first);
}

static pm_status lines_make(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                            lines *x, pm_error *err)
{
    pm_status status = list_lines(row_times, a->nrows, &x->row, &x->nrows, err);
    if (!status)
        status = list_lines(col_times, a->ncols, &x->col, &x->ncols, err);
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
static pm_status make_room(const pm_matrix *a, const lines *x, const int64_t *col_times,
                           pm_matrix *out, pm_error *err)
{
    int64_t nnz = 0;
    for (int64_t i = 0; i < x->nrows; ++i) {
        int64_t count = entries_of_row(a, x->row[i], col_times);
        if (count > INT64_MAX / 64 - nnz)
            return pm_fail(err, PM_UNABLE, "too many entries after rows and columns are repeated");
        nnz += count;
    }
    pm_status status = pm_matrix_alloc(out, a->field, x->nrows, x->ncols, nnz, err);
    if (!status)
        status = pm_labels_select(&a->row_labels, x->row, x->nrows, &out->row_labels, err);
    if (!status)
        status = pm_labels_select(&a->col_labels, x->col, x->ncols, &out->col_labels, err);
    for (int64_t i = 0; i < x->nrows && !status; ++i)
        out->rowptr[i + 1] = out->rowptr[i] + entries_of_row(a, x->row[i], col_times);
    return status;
}

pm_status pm_matrix_repeat(const pm_matrix *a, const int64_t *row_times, const int64_t *col_times,
                           pm_matrix *out, pm_error *err)
{
    lines x = {0};
    pm_matrix b = {0};
    pm_status status = lines_make(a, row_times, col_times, &x, err);
    if (!status)
        status = make_room(a, &x, col_times, &b, err);
    for (int64_t i = 0; i < x.nrows && !status; ++i)
        put_row(a, x.row[i], col_times, x.first, &b, b.rowptr[i]);
    if (status)
        pm_matrix_free(&b);
    else
        *out = b;
    lines_free(&x);
    return status;
}
