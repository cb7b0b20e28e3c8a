/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/line_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/bregman.h"
#include "degree/hub_bound.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"

enum { HUBER_MOST = 32767 /* entries of a line: the rounding of gamma is known up to this */ };

static pm_status huber_bound(const pm_matrix *a, pm_bounds *out, pm_error *err)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t r = a->rowptr[i + 1] - a->rowptr[i];
        longest = r > longest ? r : longest;
    }
    if (longest > HUBER_MOST)
        return PM_OK;
    double *gamma = pm_alloc_array(longest + 1, sizeof *gamma);
    if (!gamma)
        return pm_fail_memory(err, "bounds");
    pm_hub_gamma(gamma, (int32_t)longest);
    for (int64_t r = 1; r <= longest; ++r)
        gamma[r] = log(gamma[r]);
    pm_rounded_sum sum = {0};
    for (int64_t i = 0; i < a->nrows; ++i)
        pm_rounded_add(&sum, gamma[a->rowptr[i + 1] - a->rowptr[i]], 0x1p-35);
    out->huber = fmin(out->huber, pm_bounds_high(&sum));
    free(gamma);
    return PM_OK;
}

/* The upper bounds of one side: rows of a, with the scaling of its columns. */
static pm_status bregman_bounds(const pm_bounds_work *w, const pm_matrix *a, double (*value)[2],
                                const double *scale, pm_bounds *out, pm_error *err)
{
    pm_rounded_sum plain = {0}, scaled = {0};
    pm_status status = pm_bregman_sum(a, value, NULL, w->run, &plain, err);
    if (!status)
        status = pm_bregman_sum(a, value, scale, w->run, &scaled, err);
    if (status)
        return status;
    pm_bounds_add_exponent(w, &plain);
    pm_bounds_add_exponent(w, &scaled);
    out->bregman = fmin(out->bregman, pm_bounds_high(&plain));
    out->bregman_scaled = fmin(out->bregman_scaled, pm_bounds_high(&scaled));
    return value ? PM_OK : huber_bound(a, out, err);
}

/* The entries by columns; ptr: of the columns; value: NULL for a pattern, freed by the caller. */
static pm_status transpose_values(const pm_bounds_work *w, const int64_t *ptr, double (**value)[2],
                                  pm_error *err)
{
    const pm_matrix *a = w->a;
    *value = NULL;
    if (!w->entries.value)
        return PM_OK;
    int64_t *at = pm_copy(ptr, (size_t)a->ncols * sizeof *at);
    *value = pm_alloc_array(pm_matrix_nnz(a), sizeof **value);
    for (int64_t k = 0; at && *value && k < pm_matrix_nnz(a); ++k) {
        double *to = (*value)[at[a->colind[k]]++];
        to[0] = w->entries.value[k][0];
        to[1] = w->entries.value[k][1];
    }
    const bool has_memory = at && *value;
    free(at);
    return has_memory ? PM_OK : pm_fail_memory(err, "bounds");
}

/* The factors of the rows that belong to those of the columns; freed by the caller. */
static pm_status row_factors(const pm_bounds_work *w, double **out, pm_error *err)
{
    const pm_matrix *a = w->a;
    double *row = pm_alloc_array(a->nrows, sizeof *row);
    if (!row)
        return pm_fail_memory(err, "bounds");
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            sum += pm_bounds_entry(w, k) * w->scaling.col[a->colind[k]];
        row[i] = 1 / sum;
    }
    *out = row;
    return PM_OK;
}

static pm_status column_bounds(const pm_bounds_work *w, pm_bounds *out, pm_error *err)
{
    const pm_matrix *a = w->a;
    double *row = NULL;
    double(*value)[2] = NULL;
    int64_t *ptr = pm_alloc_array(a->ncols + 1, sizeof *ptr);
    int32_t *ind = pm_alloc_array(pm_matrix_nnz(a), sizeof *ind);
    pm_status status = ptr && ind ? PM_OK : pm_fail_memory(err, "bounds");
    if (!status) {
        pm_transposed_make(a->nrows, a->ncols, a->rowptr, a->colind, w->scaling.on.x.threads, ptr,
                           ind, NULL);
        status = transpose_values(w, ptr, &value, err);
    }
    const pm_matrix t = {
        .field = PM_PATTERN, .nrows = a->ncols, .ncols = a->nrows, .rowptr = ptr, .colind = ind};
    if (!status)
        status = row_factors(w, &row, err);
    if (!status)
        status = bregman_bounds(w, &t, value, row, out, err);
    free(row);
    free(value);
    free(ptr);
    free(ind);
    return status;
}

static int64_t exponent(const pm_bounds_work *w, int64_t j)
{
    return ilogb(w->scaling.col[j]) + (int64_t)pm_sinkhorn_col_exponent(&w->scaling, j);
}

static void find_range(const pm_bounds_work *w, int64_t *least, int64_t *most)
{
    *least = INT64_MAX;
    *most = INT64_MIN;
    for (int64_t j = 0; j < w->a->ncols; ++j) {
        const int64_t e = exponent(w, j);
        *least = e < *least ? e : *least;
        *most = e > *most ? e : *most;
    }
}

bool pm_bounds_have_range(const pm_bounds_work *w)
{
    int64_t least, most;
    find_range(w, &least, &most);
    /* after center_factors exponents are at most half of this, rounded up */
    return most - least <= 2 * (w->a->re ? PM_BREGMAN_OCTAVES : PM_BREGMAN_OCTAVES_OF_PATTERN) - 2;
}

/* The factors of the columns become numbers without exponents, whose largest and smallest are about equally far from 1: a number times all
 * factors changes no bound. */
static void center_factors(pm_bounds_work *w)
{
    enum { RANGE = 4000 /* more than that of exponents */ };
    double *col = w->scaling.col;
    int64_t least, most;
    find_range(w, &least, &most);
    const int64_t middle = least + (most - least) / 2;
    for (int64_t j = 0; j < w->a->ncols; ++j) {
        const int64_t by = pm_sinkhorn_col_exponent(&w->scaling, j) - middle;
        col[j] = ldexp(col[j], by < -RANGE ? -RANGE : by > RANGE ? RANGE : (int)by);
    }
}

pm_status pm_bounds_by_lines(pm_bounds_work *w, pm_bounds *out, pm_error *err)
{
    center_factors(w);
    pm_status status = bregman_bounds(w, w->a, w->entries.value, w->scaling.col, out, err);
    return status ? status : column_bounds(w, out, err);
}
