/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/curtis_reid.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/value.h"
#include "spmv/conjugate_gradients.h"

/* log2 of a positive entry; 0 in a pattern */
static double size_of(const pm_matrix *a, int64_t k)
{
    if (!a->re)
        return 0;
    pm_xreal x = pm_xreal_from_dyadic(&a->re[k]);
    return log2(x.hi) + (double)x.exp;
}

/* Vectors of the workspace. */
enum {
    ROW_SIZES,
    ROW_COUNTS,
    COLUMN_SIZES, /* m */
    COLUMN_COUNTS,
    RIGHT,
    Q,
    RESULT,
    SOLVER,
    VECTORS = SOLVER + PM_CONJUGATE_GRADIENTS_VECTORS
};

enum { STEPS = 300 };
#define LEFT 0x1p-30 /* of the right side */

/* y = (D - P E^-1 P^T) x; returns x^T y. */
static double multiply(pm_workspace *w, int x, int y)
{
    double along;
    const pm_vector_step step[] = {pm_step_multiply(Q, y),
                                   pm_step_map(PM_MAP_REST, 0, ROW_COUNTS, x, y),
                                   pm_step_reduce(PM_REDUCE_DOT, x, y)};
    pm_workspace_multiply(w, true, x, Q);
    pm_workspace_map(w, PM_MAP_DIVIDE, 0, Q, COLUMN_COUNTS, Q);
    pm_workspace_run(w, step, 3, &along);
    return along;
}

/* RIGHT = P E^-1 m - l 1 */
static void set_right_side(pm_workspace *w)
{
    pm_workspace_map(w, PM_MAP_DIVIDE, 0, COLUMN_SIZES, COLUMN_COUNTS, Q);
    pm_workspace_multiply(w, false, Q, RIGHT);
    pm_workspace_map(w, PM_MAP_ADD, -1, ROW_SIZES, ROW_SIZES, RIGHT);
}

static void solve(pm_workspace *w, const pm_run *run)
{
    const pm_symmetric_system system = {
        .on = w, .multiply = multiply, .diagonal = ROW_COUNTS, .work = SOLVER, .run = run};
    double goal = LEFT * sqrt(pm_workspace_reduce(w, PM_REDUCE_DOT, RIGHT, RIGHT));
    pm_conjugate_gradients(&system, goal, STEPS, RIGHT, RESULT);
}

/* The matrix of ones, l 1, m, and the diagonals of D and E.  line: [n]; ones: [nnz]. */
static void set_equations(const pm_matrix *a, double *line, double *ones, pm_workspace *w)
{
    const int64_t n = a->nrows;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        ones[k] = 1;
    pm_workspace_set(w, ones);
    for (int is_size = 0; is_size < 2; ++is_size) {
        for (int64_t i = 0; i < n; ++i) {
            line[i] = 0;
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                line[i] += is_size ? size_of(a, k) : 1;
        }
        pm_workspace_put(w, is_size ? ROW_SIZES : ROW_COUNTS, line);
        for (int64_t j = 0; j < n; ++j)
            line[j] = 0;
        for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
            line[a->colind[k]] += is_size ? size_of(a, k) : 1;
        pm_workspace_put(w, is_size ? COLUMN_SIZES : COLUMN_COUNTS, line);
    }
}

/* line: [n] */
static void set_result(pm_workspace *w, double *line, int64_t *out)
{
    const int64_t n = w->x.a.nrows;
    pm_workspace_get(w, RESULT, line);
    for (int64_t i = 0; i < n; ++i)
        out[i] = llrint(line[i]);
    pm_workspace_multiply(w, true, RESULT, Q);
    pm_workspace_map(w, PM_MAP_ADD, 1, COLUMN_SIZES, COLUMN_SIZES, Q);
    pm_workspace_map(w, PM_MAP_DIVIDE, 0, Q, COLUMN_COUNTS, Q);
    pm_workspace_get(w, Q, line);
    for (int64_t j = 0; j < n; ++j)
        out[n + j] = llrint(-line[j]);
}

pm_status pm_curtis_reid(const pm_matrix *a, const pm_run *run, int64_t *out, pm_error *err)
{
    pm_workspace w;
    pm_status status = pm_workspace_make(a, VECTORS, PM_ON_HOST, run, &w, err);
    if (status)
        return status;
    double *line = pm_alloc_array(a->nrows, sizeof *line);
    double *ones = pm_alloc_array(pm_matrix_nnz(a), sizeof *ones);
    if (line && ones) {
        set_equations(a, line, ones, &w);
        set_right_side(&w);
        solve(&w, run);
        set_result(&w, line, out);
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the scaling of rows and columns");
    } else {
        status = pm_fail_memory(err, "factors");
    }
    free(ones);
    free(line);
    pm_workspace_free(&w);
    return status;
}
