/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/workspace.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "spmv/multiply.h"
#include "spmv/workspace_gpu.h"

/* Entries for which two threads are worth it in a product with the transpose. */
enum { PARTED = 1 << 16 };

static pm_status add_vectors(int vectors, int device, const pm_run *run, pm_workspace *w,
                             pm_error *err)
{
    assert(vectors <= PM_WORKSPACE_VECTORS);
    w->vectors = vectors;
    w->threads = pm_team(run, pm_spmv_threads(&w->x.a, pm_run_threads(run)));
    pm_status status = device == PM_ON_HOST
                           ? pm_workspace_take(w, 0, err)
                           : pm_workspace_gpu_open(device, &w->x, vectors, &w->gpu, err);
    if (status)
        pm_workspace_free(w);
    return status;
}

/* The pattern of *x; the transpose is only for a GPU. */
static pm_status make_pattern(const pm_matrix *pattern, int device, const pm_run *run,
                              pm_csr_pair *x, pm_error *err)
{
    if (device != PM_ON_HOST)
        return pm_csr_pair_make_ones(pattern, run, x, err);
    *x = (pm_csr_pair){
        .a = {pattern->nrows, pattern->ncols, pattern->rowptr, pattern->colind, NULL},
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
                                    int spare, const pm_run *run, pm_workspace *out, pm_error *err)
{
    *out = (pm_workspace){.is_product = true, .row = row, .col = col, .spare = spare};
    pm_status status = make_pattern(pattern, PM_ON_HOST, run, &out->x, err);
    return status ? status : add_vectors(vectors, PM_ON_HOST, run, out, err);
}

void pm_workspace_drop(pm_workspace *w, int from)
{
    for (int x = from; x < w->vectors; ++x) {
        free(w->vector[x]);
        w->vector[x] = NULL;
    }
    free(w->part);
    w->part = NULL;
}

pm_status pm_workspace_take(pm_workspace *w, int from, pm_error *err)
{
    if (w->gpu)
        return PM_OK;
    for (int x = from; x < w->vectors; ++x)
        if (!w->vector[x] && !(w->vector[x] = pm_alloc_array(w->x.a.nrows, sizeof *w->vector[x])))
            return pm_fail_memory(err, "vectors");
    if (!w->part && w->x.a.rowptr[w->x.a.nrows] >= PARTED
        && !(w->part = pm_alloc_array(w->x.a.ncols, sizeof *w->part)))
        return pm_fail_memory(err, "vectors");
    return PM_OK;
}

pm_status pm_workspace_leave_gpu(pm_workspace *w, pm_error *err)
{
    pm_workspace_gpu *g = w->gpu;
    if (!g)
        return PM_OK;
    pm_workspace_fetch(w);
    w->gpu = NULL;
    pm_status status = pm_workspace_take(w, 0, err);
    for (int x = 0; x < w->vectors && !status; ++x)
        pm_workspace_gpu_get(g, x, w->vector[x]);
    if (!status && g->status) {
        status = g->status;
        if (err)
            *err = g->error;
    }
    pm_workspace_gpu_close(g);
    return status;
}

void pm_workspace_free(pm_workspace *w)
{
    pm_workspace_gpu_close(w->gpu);
    pm_csr_pair_free(&w->x);
    pm_workspace_drop(w, 0);
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

/* y = diag(row) P diag(col) x, P the pattern */
static void multiply_product(pm_workspace *w, int x, int y)
{
    pm_workspace_map(w, PM_MAP_MULTIPLY, 0, w->col, x, w->spare);
    pm_spmv_multiply(&w->x.a, at(w, w->spare), at(w, y), w->threads);
    pm_workspace_map(w, PM_MAP_MULTIPLY, 0, w->row, y, y);
}

static void multiply_transposed(pm_workspace *w, int x, int y)
{
    const double *row = w->is_product ? at(w, w->row) : NULL;
    pm_spmv_multiply_transposed(&w->x.a, row, at(w, x), at(w, y), w->part, w->threads);
    if (w->is_product)
        pm_workspace_map(w, PM_MAP_MULTIPLY, 0, w->col, y, y);
}

void pm_workspace_multiply(pm_workspace *w, bool is_transposed, int x, int y)
{
    if (w->gpu)
        pm_workspace_gpu_multiply(w->gpu, is_transposed, x, y);
    else if (is_transposed)
        multiply_transposed(w, x, y);
    else if (w->is_product)
        multiply_product(w, x, y);
    else
        pm_spmv_multiply(&w->x.a, at(w, x), at(w, y), w->threads);
}

void pm_workspace_scale(pm_workspace *w, int row, int col)
{
    assert(!w->is_product);
    if (w->gpu)
        pm_workspace_gpu_scale(w->gpu, row, col);
    else
        pm_csr_scale(&w->x.a, at(w, row), at(w, col), w->threads);
}

void pm_workspace_squares(pm_workspace *w, int y)
{
    const pm_csr *a = &w->x.a;
    if (w->gpu) {
        pm_workspace_gpu_squares(w->gpu, y);
        return;
    }
    double *to = at(w, y);
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const double value =
                w->is_product ? at(w, w->row)[i] * at(w, w->col)[a->colind[k]] : a->value[k];
            sum += value * value;
        }
        to[i] = sum;
    }
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

/* Elements of a vector that a thread takes at a time; sums are made of the sums of such parts, so that the number of
 * threads changes no digit. */
enum { PART = 1 << 15 };

/* With a constant op the compiler leaves out the other operations. */
static inline __attribute__((always_inline)) void map_all(pm_map op, double s, const double *x,
                                                          const double *z, double *y, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        y[i] = pm_map_step(op, s, x[i], z[i], y[i]);
}

static void map_part(pm_map op, double s, const double *x, const double *z, double *y, int64_t n)
{
    switch (op) {
    case PM_MAP_FILL: map_all(PM_MAP_FILL, s, x, z, y, n); break;
    case PM_MAP_COPY: map_all(PM_MAP_COPY, s, x, z, y, n); break;
    case PM_MAP_INVERT: map_all(PM_MAP_INVERT, s, x, z, y, n); break;
    case PM_MAP_EXP: map_all(PM_MAP_EXP, s, x, z, y, n); break;
    case PM_MAP_FROM_ONE: map_all(PM_MAP_FROM_ONE, s, x, z, y, n); break;
    case PM_MAP_MULTIPLY: map_all(PM_MAP_MULTIPLY, s, x, z, y, n); break;
    case PM_MAP_DIVIDE: map_all(PM_MAP_DIVIDE, s, x, z, y, n); break;
    case PM_MAP_ADD: map_all(PM_MAP_ADD, s, x, z, y, n); break;
    case PM_MAP_ADD_TO: map_all(PM_MAP_ADD_TO, s, x, z, y, n); break;
    case PM_MAP_REST: map_all(PM_MAP_REST, s, x, z, y, n); break;
    case PM_MAP_REMAINDER: map_all(PM_MAP_REMAINDER, s, x, z, y, n); break;
    }
}

static int64_t parts_of(int64_t n)
{
    return (n + PART - 1) / PART;
}

static int64_t part_size(int64_t n, int64_t part)
{
    return n - part * PART < PART ? n - part * PART : PART;
}

void pm_workspace_map(pm_workspace *w, pm_map op, double s, int x, int z, int y)
{
    if (w->gpu) {
        pm_workspace_gpu_map(w->gpu, op, s, x, z, y);
        return;
    }
    const double *px = at(w, x), *pz = at(w, z);
    double *py = at(w, y);
    const int64_t n = w->x.a.nrows, parts = parts_of(n);
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1 && parts > 1)
    for (int64_t p = 0; p < parts; ++p)
        map_part(op, s, px + p * PART, pz + p * PART, py + p * PART, part_size(n, p));
}

static inline __attribute__((always_inline)) double reduce_all(pm_reduction op, const double *x,
                                                               const double *y, int64_t n)
{
    double all = 0;
    for (int64_t i = 0; i < n; ++i)
        all = pm_reduce_join(op, all, pm_reduce_step(op, x[i], y[i]));
    return all;
}

static double reduce_part(pm_reduction op, const double *x, const double *y, int64_t n)
{
    switch (op) {
    case PM_REDUCE_DOT: return reduce_all(PM_REDUCE_DOT, x, y, n);
    case PM_REDUCE_LOG_RATIOS: return reduce_all(PM_REDUCE_LOG_RATIOS, x, y, n);
    case PM_REDUCE_LARGEST: return reduce_all(PM_REDUCE_LARGEST, x, y, n);
    default: return reduce_all(PM_REDUCE_FROM_ONE, x, y, n);
    }
}

double pm_workspace_reduce(pm_workspace *w, pm_reduction op, int x, int y)
{
    enum { PARTS = 64 }; /* whose results are kept at the same time */
    if (w->gpu)
        return pm_workspace_gpu_reduce(w->gpu, op, x, y);
    const double *px = at(w, x), *py = at(w, y);
    const int64_t n = w->x.a.nrows, parts = parts_of(n);
    double all = 0, result[PARTS];
    for (int64_t from = 0; from < parts; from += PARTS) {
        const int64_t to = from + PARTS < parts ? from + PARTS : parts;
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1 && to - from > 1)
        for (int64_t p = from; p < to; ++p)
            result[p - from] = reduce_part(op, px + p * PART, py + p * PART, part_size(n, p));
        for (int64_t p = from; p < to; ++p)
            all = pm_reduce_join(op, all, result[p - from]);
    }
    return all;
}
