/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/workspace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "spmv/folded.h"
#include "spmv/multiply.h"
#include "spmv/workspace_gpu.h"

/* Entries for which two threads are worth it in a product with the transpose. */
enum { PARTED = 1 << 16 };
/* Factors beyond this, or below its inverse, are shifted: products of them with steps stay far inside of the range of doubles. */
#define FAR 0x1p440

static pm_status add_vectors(int vectors, int device, const pm_run *run, pm_workspace *w,
                             pm_error *err)
{
    assert(vectors <= PM_WORKSPACE_VECTORS);
    w->vectors = w->sums = vectors;
    w->threads = pm_team(run, pm_spmv_threads(&w->x.a, pm_run_threads(run)));
    pm_status status = device == PM_ON_HOST
                           ? pm_workspace_take(w, 0, err)
                           : pm_workspace_gpu_open(device, &w->x, vectors, &w->gpu, err);
    if (status) {
        pm_workspace_free(w);
        return status;
    }
    free(w->x.owned[1]); /* the GPU has the transpose */
    w->x.t.colind = w->x.owned[1] = NULL;
    return PM_OK;
}

/* The pattern of *x; the transpose is only for a GPU. */
static pm_status make_pattern(const pm_matrix *pattern, int device, const pm_run *run,
                              pm_csr_pair *x, pm_error *err)
{
    if (device != PM_ON_HOST)
        return pm_csr_pair_make_ones(pattern, run, x, err);
    *x = (pm_csr_pair){
        .a = {pattern->nrows, pattern->ncols, pattern->rowptr, pattern->colind, NULL, NULL},
        .threads = pm_transposed_threads(pm_matrix_nnz(pattern), run),
    };
    return PM_OK;
}

pm_status pm_workspace_make(const pm_matrix *pattern, int vectors, int device, const pm_run *run,
                            pm_workspace *out, pm_error *err)
{
    *out = (pm_workspace){0};
    pm_status status = make_pattern(pattern, device, run, &out->x, err);
    if (status)
        return status;
    double *value = pm_calloc_array(pm_matrix_nnz(pattern), sizeof *value);
    out->x.a.value = out->x.owned[2] = value;
    if (!value) {
        pm_workspace_free(out);
        return pm_fail_memory(err, "sparse matrix");
    }
    return add_vectors(vectors, device, run, out, err);
}

pm_status pm_workspace_make_product(const pm_matrix *pattern, int vectors, int row, int col,
                                    const pm_run *run, pm_workspace *out, pm_error *err)
{
    *out = (pm_workspace){.is_product = true, .row = row, .col = col};
    pm_status status = make_pattern(pattern, PM_ON_HOST, run, &out->x, err);
    return status ? status : add_vectors(vectors, PM_ON_HOST, run, out, err);
}

static void drop_vector(pm_workspace *w, int x)
{
    free(w->vector[x]);
    w->vector[x] = NULL;
}

void pm_workspace_drop(pm_workspace *w, int from)
{
    for (int x = from; x <= w->vectors; ++x)
        drop_vector(w, x);
    w->part = (pm_spmv_part){0};
}

void pm_workspace_lend(pm_workspace *w, int vector)
{
    drop_vector(w, w->vectors);
    w->sums = vector;
    if (w->part.sum)
        w->part.sum = w->vector[vector];
}

static pm_status take_vector(pm_workspace *w, int x, pm_error *err)
{
    if (!w->vector[x])
        w->vector[x] = pm_alloc_array(w->x.a.nrows, sizeof *w->vector[x]);
    return w->vector[x] ? PM_OK : pm_fail_memory(err, "vectors");
}

pm_status pm_workspace_take(pm_workspace *w, int from, pm_error *err)
{
    if (w->gpu)
        return PM_OK;
    pm_status status = PM_OK;
    for (int x = from; x < w->vectors && !status; ++x)
        status = take_vector(w, x, err);
    if (status || w->part.sum || w->x.a.rowptr[w->x.a.nrows] < PARTED)
        return status;
    status = take_vector(w, w->sums, err);
    if (!status)
        w->part = pm_spmv_part_make(&w->x.a, w->vector[w->sums]);
    return status;
}

void pm_workspace_drop_entries(pm_workspace *w)
{
    free(w->x.owned[2]);
    w->x.owned[2] = w->x.a.value = NULL;
    w->x.a.narrow = NULL;
}

void pm_workspace_narrow(pm_workspace *w)
{
    pm_csr *a = &w->x.a;
    assert(!w->gpu);
    if (!a->value)
        return;
    w->x.owned[2] = a->narrow = pm_fold(a->value, a->rowptr[a->nrows]);
    a->value = NULL;
}

pm_status pm_workspace_widen(pm_workspace *w, pm_error *err)
{
    pm_csr *a = &w->x.a;
    if (!a->narrow)
        return PM_OK;
    pm_status status = pm_unfold(&a->narrow, a->rowptr[a->nrows], &a->value, err);
    if (!status)
        w->x.owned[2] = a->value;
    return status;
}

pm_status pm_workspace_leave_gpu(pm_workspace *w, int vectors, pm_error *err)
{
    pm_workspace_gpu *g = w->gpu;
    if (!g)
        return PM_OK;
    pm_workspace_fetch(w);
    w->gpu = NULL;
    pm_status status = PM_OK;
    for (int x = 0; x < vectors && !status; ++x) {
        status = take_vector(w, x, err);
        if (!status)
            pm_workspace_gpu_get(g, x, w->vector[x]);
    }
    if (!status && g->status) {
        status = g->status;
        if (err)
            *err = g->error;
    }
    pm_workspace_gpu_close(g);
    free(w->x.owned[0]);
    w->x.owned[0] = NULL;
    w->x.t = (pm_csr){0};
    return status;
}

void pm_workspace_free(pm_workspace *w)
{
    pm_workspace_gpu_close(w->gpu);
    pm_csr_pair_free(&w->x);
    pm_workspace_drop(w, 0);
    pm_workspace_drop_shifts(w);
    *w = (pm_workspace){0};
}

pm_status pm_workspace_check(pm_workspace *w, pm_error *err)
{
    if (!w->gpu || !w->gpu->status)
        return PM_OK;
    if (err)
        *err = w->gpu->error;
    return w->gpu->status;
}

static double *at(const pm_workspace *w, int x)
{
    return w->vector[x];
}

/* ---- the matrix ---- */

void pm_workspace_set(pm_workspace *w, const double *value)
{
    if (w->gpu) {
        pm_workspace_gpu_set(w->gpu, value);
        return;
    }
    double *to = w->x.a.value;
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t k = 0; k < (to == value ? 0 : w->x.a.rowptr[w->x.a.nrows]); ++k)
        to[k] = value[k];
}

void pm_workspace_fetch(pm_workspace *w)
{
    if (w->gpu)
        pm_workspace_gpu_get_entries(w->gpu, w->gpu->entries.value, w->x.a.value);
}

static void multiply_transposed(pm_workspace *w, int x, int y)
{
    const pm_line_products between = pm_workspace_products(w);
    pm_spmv_multiply_transposed(&w->x.a, w->is_product ? &between : NULL, at(w, x), at(w, y),
                                &w->part, w->threads);
    if (w->is_product)
        pm_workspace_map(w, PM_MAP_MULTIPLY, 0, w->col, y, y);
}

void pm_workspace_multiply(pm_workspace *w, bool is_transposed, int x, int y)
{
    const pm_vector_step by_rows = pm_step_multiply(x, y);
    if (!is_transposed)
        pm_workspace_run(w, &by_rows, 1, NULL);
    else if (w->gpu)
        pm_workspace_gpu_multiply(w->gpu, true, x, y);
    else
        multiply_transposed(w, x, y);
}

void pm_workspace_sum_rows(pm_workspace *w, int y)
{
    const pm_vector_step sums = pm_step_sum_rows(y);
    pm_workspace_run(w, &sums, 1, NULL);
}

void pm_workspace_scale(pm_workspace *w, int row, int col)
{
    assert(!w->is_product);
    if (w->gpu)
        pm_workspace_gpu_scale(w->gpu, row, col);
    else
        pm_csr_scale(&w->x.a, at(w, row), at(w, col), w->threads);
}

void pm_workspace_divide_rows(pm_workspace *w, int factors)
{
    const pm_csr *a = &w->x.a;
    assert(!w->gpu && a->value);
    double *factor = factors < 0 ? NULL : at(w, factors);
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            sum += a->value[k];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            a->value[k] /= sum;
        if (factor)
            factor[i] /= sum;
    }
}

void pm_workspace_divide_columns(pm_workspace *w, int y)
{
    assert(!w->gpu && w->x.a.value);
    pm_spmv_multiply_transposed(&w->x.a, NULL, NULL, at(w, y), &w->part, w->threads);
    pm_workspace_map(w, PM_MAP_INVERT, 0, y, y, y);
    pm_csr_scale(&w->x.a, NULL, at(w, y), w->threads);
}

void pm_workspace_squares(pm_workspace *w, int y)
{
    const pm_csr *a = &w->x.a;
    if (w->gpu) {
        pm_workspace_gpu_squares(w->gpu, y);
        return;
    }
    double *to = at(w, y);
    const pm_line_products between = pm_workspace_products(w);
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const double value = w->is_product ? pm_line_product(&between, i, a->colind[k])
                                 : a->narrow   ? a->narrow[k]
                                               : a->value[k];
            sum += value * value;
        }
        to[i] = sum;
    }
}

/* ---- shifts ---- */

void pm_workspace_drop_shifts(pm_workspace *w)
{
    for (int side = 0; side < 2; ++side) {
        free(w->shift[side]);
        w->shift[side] = NULL;
    }
}

static bool is_far(const pm_workspace *w, const double *factor)
{
    bool found = false;
#pragma omp parallel for num_threads(w->threads) reduction(|| : found) if (w->threads > 1)
    for (int64_t i = 0; i < w->x.a.nrows; ++i)
        found = found || factor[i] > FAR || factor[i] < 1 / FAR;
    return found;
}

static bool shift_factors(const pm_workspace *w, double *factor, int16_t *shift)
{
    bool fails = false;
#pragma omp parallel for num_threads(w->threads) reduction(|| : fails) if (w->threads > 1)
    for (int64_t i = 0; i < w->x.a.nrows; ++i) {
        if (!isnormal(factor[i])) /* of a scaling that has failed */
            continue;
        const int by = (int)lrint(ilogb(factor[i]) / (double)PM_SHIFT), sum = shift[i] + by;
        if (sum < -INT16_MAX || sum > INT16_MAX) {
            fails = true;
            continue;
        }
        factor[i] = ldexp(factor[i], -by * PM_SHIFT);
        shift[i] = (int16_t)sum;
    }
    return !fails;
}

static pm_status shift_side(pm_workspace *w, int side, double *factor, pm_error *err)
{
    if (!w->shift[side]
        && !(w->shift[side] = pm_calloc_array(w->x.a.nrows, sizeof *w->shift[side])))
        return pm_fail_memory(err, "factors");
    if (!shift_factors(w, factor, w->shift[side]))
        return pm_fail(err, PM_UNABLE, "a factor of the scaling is beyond 2^%d",
                       PM_SHIFT * INT16_MAX);
    return PM_OK;
}

/* The same on a GPU: the factors are copied to the host and back. */
static pm_status shift_on_gpu(pm_workspace *w, int side, int x, pm_error *err)
{
    double *factor = pm_alloc_array(w->x.a.nrows, sizeof *factor);
    pm_status status = factor ? PM_OK : pm_fail_memory(err, "factors");
    if (!status) {
        pm_workspace_get(w, x, factor);
        status = pm_workspace_check(w, err);
    }
    if (!status && is_far(w, factor)) {
        status = shift_side(w, side, factor, err);
        pm_workspace_put(w, x, factor);
    }
    free(factor);
    return status;
}

pm_status pm_workspace_keep_range(pm_workspace *w, int row, int col, pm_error *err)
{
    const int vector[2] = {row, col};
    pm_status status = PM_OK;
    if (w->gpu) {
        for (int side = 0; side < 2 && !status; ++side)
            if (vector[side] >= 0)
                status = shift_on_gpu(w, side, vector[side], err);
        return status;
    }
    double *const factor[2] = {row < 0 ? NULL : at(w, row), at(w, col)};
    if (!(is_far(w, factor[1]) || (factor[0] && is_far(w, factor[0]))))
        return PM_OK;
    for (int side = 0; side < 2 && !status; ++side)
        if (factor[side])
            status = shift_side(w, side, factor[side], err);
    return status;
}

/* ---- vectors ---- */

void pm_workspace_get(pm_workspace *w, int x, double *to)
{
    if (w->gpu)
        pm_workspace_gpu_get(w->gpu, x, to);
    else
        memcpy(to, at(w, x), (size_t)w->x.a.nrows * sizeof *to);
}

void pm_workspace_put(pm_workspace *w, int x, const double *from)
{
    if (w->gpu)
        pm_workspace_gpu_put(w->gpu, x, from);
    else
        memcpy(at(w, x), from, (size_t)w->x.a.nrows * sizeof *from);
}

void pm_workspace_move(pm_workspace *w, int x, int y)
{
    if (w->gpu) {
        pm_workspace_map(w, PM_MAP_COPY, 0, x, x, y);
        return;
    }
    assert(x != w->sums && y != w->sums);
    double *values = w->vector[x];
    w->vector[x] = w->vector[y];
    w->vector[y] = values;
}
