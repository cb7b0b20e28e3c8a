/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/symmetric.h"

#include <stdlib.h>

#include "matrix/same_value.h"
#include "pm/alloc.h"

/* Rows in their order: entry j of row i, j > i, is the next one of row j, and equal. */
static bool is_symmetric_from(const pm_matrix *a, int64_t *next)
{
    for (int64_t i = 0; i < a->nrows; ++i) {
        if (next[i] < a->rowptr[i + 1] && a->colind[next[i]] < i)
            return false;
        for (int64_t k = next[i]; k < a->rowptr[i + 1]; ++k) {
            const int32_t j = a->colind[k];
            if (j == i)
                continue;
            const int64_t l = next[j]++;
            if (l >= a->rowptr[j + 1] || a->colind[l] != i || !pm_matrix_same_value(a, k, a, l))
                return false;
        }
    }
    return true;
}

pm_status pm_matrix_is_symmetric(const pm_matrix *a, bool *is_symmetric, pm_error *err)
{
    *is_symmetric = false;
    if (a->nrows != a->ncols)
        return PM_OK;
    int64_t *next = pm_alloc_array(a->nrows, sizeof *next);
    if (!next)
        return pm_fail_memory(err, "rows");
    for (int64_t i = 0; i < a->nrows; ++i)
        next[i] = a->rowptr[i];
    *is_symmetric = is_symmetric_from(a, next);
    free(next);
    return PM_OK;
}

bool pm_matrix_has_diagonal(const pm_matrix *a)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (a->colind[k] == i)
                return true;
    return false;
}

/* Moves a value out of a matrix. */
static pm_dyadic take(pm_dyadic *from)
{
    const pm_dyadic x = *from;
    *from = (pm_dyadic){0};
    return x;
}

static void move_entry(pm_matrix *a, int64_t k, pm_matrix *to, int64_t *at)
{
    to->colind[*at] = a->colind[k];
    if (a->re)
        to->re[*at] = take(&a->re[k]);
    if (a->im)
        to->im[*at] = take(&a->im[k]);
    ++*at;
}

static void copy_entry(const pm_matrix *a, int64_t k, pm_matrix *to, int64_t *at)
{
    to->colind[*at] = a->colind[k];
    if (a->re)
        pm_dyadic_set(&to->re[*at], &a->re[k]);
    if (a->im)
        pm_dyadic_set(&to->im[*at], &a->im[k]);
    ++*at;
}

pm_status pm_matrix_triangles(pm_matrix *a, pm_matrix *upper, pm_matrix *lower, pm_error *err)
{
    int64_t half = 0, u = 0, l = 0; /* half: entries of each triangle */
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            half += a->colind[k] >= i;
    pm_status status = pm_matrix_alloc(upper, a->field, a->nrows, a->ncols, half, err);
    if (!status)
        status = pm_matrix_alloc(lower, a->field, a->nrows, a->ncols, half, err);
    if (status) {
        pm_matrix_free(upper);
        return status;
    }
    for (int64_t i = 0; i < a->nrows; ++i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            if (a->colind[k] == i)
                copy_entry(a, k, lower, &l);
            if (a->colind[k] < i)
                move_entry(a, k, lower, &l);
            else
                move_entry(a, k, upper, &u);
        }
        upper->rowptr[i + 1] = u;
        lower->rowptr[i + 1] = l;
    }
    return PM_OK;
}
