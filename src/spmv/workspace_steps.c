/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <assert.h>

#include "spmv/multiply.h"
#include "spmv/workspace.h"
#include "spmv/workspace_gpu.h"

/* A thread takes a part of the rows at a time, and does all steps of a list for a tile of it, which stays in the cache.  Sums
 * are made of the sums of tiles and parts, so that the number of threads changes no digit. */
enum {
    TILE = 1 << 10,      /* rows, at most */
    PART = 1 << 15,      /* rows, at most */
    PART_LEAST = 1 << 6, /* rows */
    PART_ENTRIES = 1 << 16,
    PARTS = 256 /* whose results are kept at the same time */
};

/* Rows of a part. */
static int64_t part_rows(const pm_csr *a)
{
    const int64_t n = a->nrows, nnz = a->rowptr[n], rows = nnz ? n * PART_ENTRIES / nnz : PART;
    return rows > PART ? PART : rows < PART_LEAST ? PART_LEAST : rows;
}

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

/* Four results side by side: one would wait for each addition. */
static inline __attribute__((always_inline)) double reduce_all(pm_reduction op, const double *x,
                                                               const double *y, int64_t n)
{
    double side[4] = {0};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k)
            side[k] = pm_reduce_join(op, side[k], pm_reduce_step(op, x[i + k], y[i + k]));
    for (; i < n; ++i)
        side[0] = pm_reduce_join(op, side[0], pm_reduce_step(op, x[i], y[i]));
    return pm_reduce_join(op, pm_reduce_join(op, side[0], side[1]),
                          pm_reduce_join(op, side[2], side[3]));
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

/* y = X x, these rows. */
static void multiply_rows(const pm_workspace *w, const double *x, double *y, int64_t from,
                          int64_t to)
{
    const pm_line_products between = pm_workspace_products(w);
    pm_spmv_multiply_rows(&w->x.a, w->is_product ? &between : NULL, (pm_csr_rows){from, to}, x, y);
    if (w->is_product)
        map_all(PM_MAP_MULTIPLY, 0, w->vector[w->row] + from, y + from, y + from, to - from);
}

/* y = X x for x = 1, these rows. */
static void sum_rows(const pm_workspace *w, double *y, int64_t from, int64_t to)
{
    if (w->is_product)
        multiply_rows(w, w->vector[w->col], y, from, to);
    else
        pm_spmv_sum_rows(&w->x.a, (pm_csr_rows){from, to}, y);
}

/* y_i = the sum over j of x_ij (z_i - x_j), these rows. */
static void add_differences(const pm_workspace *w, const double *x, const double *z, double *y,
                            int64_t from, int64_t to)
{
    const pm_line_products between = pm_workspace_products(w);
    pm_spmv_differences_rows(&w->x.a, w->is_product ? &between : NULL, (pm_csr_rows){from, to}, x,
                             z, y);
    if (w->is_product)
        map_all(PM_MAP_MULTIPLY, 0, w->vector[w->row] + from, y + from, y + from, to - from);
}

/* All steps for the elements from .. to - 1. */
static void run_tile(const pm_workspace *w, const pm_vector_step *step, int steps, int64_t from,
                     int64_t to, double *result)
{
    for (int k = 0; k < steps; ++k) {
        const pm_vector_step *s = &step[k];
        const double *x = w->vector[s->x], *z = w->vector[s->z];
        double *y = w->vector[s->y];
        switch (s->kind) {
        case PM_STEP_MULTIPLY: multiply_rows(w, x, y, from, to); break;
        case PM_STEP_SUM_ROWS: sum_rows(w, y, from, to); break;
        case PM_STEP_DIFFERENCES: add_differences(w, x, z, y, from, to); break;
        case PM_STEP_MAP: map_part(s->map, s->s, x + from, z + from, y + from, to - from); break;
        case PM_STEP_REDUCE:
            *result = pm_reduce_join(s->reduction, *result,
                                     reduce_part(s->reduction, x + from, y + from, to - from));
            ++result;
        }
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void run_part(const pm_workspace *w, const pm_vector_step *step, int steps, int64_t part,
                     double *result)
{
    const int64_t rows = part_rows(&w->x.a), end = least(w->x.a.nrows, (part + 1) * rows);
    for (int k = 0; k < PM_STEPS_MOST; ++k)
        result[k] = 0;
    for (int64_t from = part * rows; from < end; from += TILE)
        run_tile(w, step, steps, from, least(end, from + TILE), result);
}

static void run_on_host(pm_workspace *w, const pm_vector_step *step, int steps, double *result)
{
    const int64_t rows = part_rows(&w->x.a), parts = (w->x.a.nrows + rows - 1) / rows;
    const bool is_product = step->kind == PM_STEP_MULTIPLY || step->kind == PM_STEP_DIFFERENCES;
    const bool has_entries = is_product || step->kind == PM_STEP_SUM_ROWS;
    const bool is_shared = w->threads > 1 && parts > 1 && (has_entries || w->x.a.nrows > PART);
    double some[PARTS][PM_STEPS_MOST];
    if (is_product && w->is_product)
        pm_workspace_map(w, PM_MAP_MULTIPLY, 0, w->col, step->x, step->x);
    for (int64_t from = 0; from < parts; from += PARTS) {
        const int64_t to = least(parts, from + PARTS);
#pragma omp parallel for num_threads(w->threads) if (is_shared) schedule(dynamic)
        for (int64_t p = from; p < to; ++p)
            run_part(w, step, steps, p, some[p - from]);
        for (int64_t p = from; p < to; ++p)
            for (int k = 0, r = 0; k < steps; ++k)
                if (step[k].kind == PM_STEP_REDUCE) {
                    result[r] = pm_reduce_join(step[k].reduction, result[r], some[p - from][r]);
                    ++r;
                }
    }
}

static void run_on_gpu(pm_workspace *w, const pm_vector_step *step, int steps, double *result)
{
    for (const pm_vector_step *s = step; s < step + steps; ++s)
        switch (s->kind) {
        case PM_STEP_MULTIPLY: pm_workspace_gpu_multiply(w->gpu, false, s->x, s->y); break;
        case PM_STEP_SUM_ROWS: pm_workspace_gpu_multiply(w->gpu, false, w->gpu->ones, s->y); break;
        case PM_STEP_DIFFERENCES: assert(!"differences on a GPU"); break;
        case PM_STEP_MAP: pm_workspace_gpu_map(w->gpu, s->map, s->s, s->x, s->z, s->y); break;
        case PM_STEP_REDUCE: *result++ = pm_workspace_gpu_reduce(w->gpu, s->reduction, s->x, s->y);
        }
}

void pm_workspace_run(pm_workspace *w, const pm_vector_step *step, int steps, double *result)
{
    assert(steps <= PM_STEPS_MOST);
    for (int k = 0, r = 0; k < steps; ++k) {
        assert(k == 0 || step[k].kind == PM_STEP_MAP || step[k].kind == PM_STEP_REDUCE);
        if (step[k].kind == PM_STEP_REDUCE)
            result[r++] = 0;
    }
    (w->gpu ? run_on_gpu : run_on_host)(w, step, steps, result);
}

void pm_workspace_map(pm_workspace *w, pm_map op, double s, int x, int z, int y)
{
    const pm_vector_step step = pm_step_map(op, s, x, z, y);
    pm_workspace_run(w, &step, 1, NULL);
}

double pm_workspace_reduce(pm_workspace *w, pm_reduction op, int x, int y)
{
    const pm_vector_step step = pm_step_reduce(op, x, y);
    double result;
    pm_workspace_run(w, &step, 1, &result);
    return result;
}
