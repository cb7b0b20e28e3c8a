/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/coarse_last.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

#define NONE_LEFT 0x1p-40 /* of a diagonal element: its component has no other equation */

static double dot(const double *x, const double *y, int64_t n)
{
    double sum[4] = {0}, rest = 0;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k)
            sum[k] += x[i + k] * y[i + k];
    for (; i < n; ++i)
        rest += x[i] * y[i];
    return sum[0] + sum[1] + (sum[2] + sum[3]) + rest;
}

/* Row i of a lower triangle, whose rows are one after the other. */
static double *row_of(double *matrix, int64_t i)
{
    return matrix + i * (i + 1) / 2;
}

/* The entries of one column with those of items below them.  Returns the start of the next column. */
static int64_t add_column(const pm_joined *y, const pm_joined_columns *t, int64_t start, int32_t j,
                          double *matrix)
{
    bool is_last = false;
    int64_t k = start;
    for (; !is_last; ++k) {
        is_last = t->item[k] < 0;
        const int64_t p = is_last ? ~t->item[k] : t->item[k];
        for (int64_t l = start; l < k; ++l) {
            const int64_t q = t->item[l]; /* p > q */
            const double x = pm_joined_at(y, p, j) * pm_joined_at(y, q, j);
            row_of(matrix, p)[p] += x;
            row_of(matrix, q)[q] += x;
            row_of(matrix, p)[q] -= x;
        }
    }
    return k;
}

/* A, the lower triangle. */
static pm_status make_equations(const pm_joined *y, double *matrix, pm_error *err)
{
    const int64_t m = y->items, entries = pm_joined_start(y, m);
    pm_joined_columns t;
    memset(matrix, 0, (size_t)(m * (m + 1) / 2) * sizeof *matrix);
    pm_status status = pm_joined_columns_make(entries, &t, err);
    int32_t *column =
        pm_alloc_array(entries + 1, sizeof *column); /* the one that begins at a place of t */
    if (!status && !column)
        status = pm_fail_memory(err, "a coarse system");
    if (!status) {
        pm_joined_columns_set(&t, y, 0, m);
        for (int64_t k = 0; k < entries; ++k)
            column[t.start[k]] = y->ind[k];
        for (int64_t start = 0; start < entries;)
            start = add_column(y, &t, start, column[start], matrix);
    }
    free(column);
    pm_joined_columns_free(&t);
    return status;
}

/* The last line follows from the others, as does one of each component: its unknown is 0. */
static void factorize(const pm_coarse_last *l)
{
    for (int64_t i = 0; i < l->count - 1; ++i) {
        double *row = row_of(l->matrix, i);
        const double whole = row[i];
        for (int64_t j = 0; j < i; ++j) {
            const double *other = row_of(l->matrix, j);
            row[j] = (row[j] - dot(row, other, j)) / other[j];
        }
        const double pivot = whole - dot(row, row, i);
        row[i] = pivot > NONE_LEFT * whole ? sqrt(pivot) : INFINITY;
    }
}

pm_status pm_coarse_last_make(const pm_joined *y, pm_coarse_last *out, pm_error *err)
{
    const int64_t m = y->items;
    *out = (pm_coarse_last){.count = m,
                            .matrix = pm_alloc_array(m * (m + 1) / 2, sizeof *out->matrix),
                            .unknown = pm_alloc_array(m, sizeof *out->unknown)};
    if (!out->matrix || !out->unknown)
        return pm_fail_memory(err, "a coarse system");
    pm_status status = make_equations(y, out->matrix, err);
    if (!status)
        factorize(out);
    return status;
}

void pm_coarse_last_free(pm_coarse_last *l)
{
    free(l->matrix);
    free(l->unknown);
    *l = (pm_coarse_last){0};
}

void pm_coarse_last_solve(const pm_coarse_last *l, const float *right, float *solution)
{
    const int64_t last = l->count - 1;
    double *x = l->unknown, mean = 0;
    for (int64_t i = 0; i < last; ++i) {
        const double *row = row_of(l->matrix, i);
        x[i] = (right[i] - dot(row, x, i)) / row[i];
    }
    for (int64_t i = last - 1; i >= 0; --i) {
        const double *row = row_of(l->matrix, i);
        x[i] /= row[i];
        for (int64_t j = 0; j < i; ++j)
            x[j] -= row[j] * x[i];
    }
    x[last] = 0;
    for (int64_t i = 0; i < last; ++i)
        mean += x[i] / (double)l->count;
    for (int64_t i = 0; i <= last; ++i)
        solution[i] = (float)(x[i] - mean);
}
