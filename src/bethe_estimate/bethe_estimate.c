/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bethe_estimate/bethe_estimate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bethe_estimate/contracted.h"
#include "bethe_estimate/log_determinant.h"
#include "bethe_estimate/short_cycles.h"
#include "bethe_estimate/spanning_trees.h"
#include "bounds/bethe.h"
#include "bounds/rounded_rows.h"
#include "core/team.h"
#include "matrix/short_line.h"
#include "pm/alloc.h"
#include "pm/reduce.h"
#include "pm/value.h"
#include "sampler/scaled_entries.h"
#include "sinkhorn/sinkhorn.h"
#include "spmv/csr.h"
#include "spmv/device_choice.h"
#include "spmv/multiply.h"

/* 1 - 2 b is at least this: at b = 1/2 infinite conductances cancel in the end. */
#define LEAST_CURVATURE 0x1p-27

/* Of a line, times its largest conductance. */
#define LEAST_SUM 0x1p-44

/* For maxima at the border. */
#define LEAST_PROBABILITY 0x1p-40
#define TOLERANCE         0x1p-30 /* of line sums */
enum { SINKHORN_PRODUCTS = 300 };

/* The spread in natural logarithms: what graphs without many short cycles differ by (PM_BETHE_UNKNOWN), the part of the cycles
 * of length 4 and 6 beyond those of a random graph, and standard errors.
 * Where few matchings have nearly all weight, b is far from Gaussian, and the correction is too small, even
 * negative, or too large: PM_BETHE_UNKNOWN_OF_HIGH and a share of what it is smaller than that of a random graph.  The
 * permanent is never below the Bethe permanent. */
#define SPREAD_OF_CYCLE 1.3 /* square-octagon lattices need 1.1, grids 0.3 (doc/measurements.md) */
#define SPREAD_OF_SMALL 0.5
enum { STANDARD_ERRORS = 2 };
/* An estimate outside of the bounds by no more than this is not refuted: it may be rounding. */
#define ROUNDING_OF_LOG10 0x1p-30
#define FACTOR_OF_SECOND  2 /* hexagon 1050 needs at least 1.45 (doc/measurements.md) */
#define SMALL_ERROR       8.0 /* of the logarithm of the spanning trees: random vectors are not tried */
#define SHARE_OF_TREES    0x1p-6 /* of the spread: an error of that logarithm does not matter */
#define SHARE_OF_CYCLES                                                                            \
    0x1p-8 /* of the spread without cycles: an error of theirs does not matter */

/* A point at which F lacks at most so much for each row is near its maximum. */
#define NEAR 0.05
/* With fewer entries a matrix with short lines is merged exactly: then its estimate is better, and it takes little time. */
enum { EXACT_MOST = 100000 };

static double curvature(double b)
{
    double c = 1 - 2 * b;
    return fabs(c) >= LEAST_CURVATURE ? c : c < 0 ? -LEAST_CURVATURE : LEAST_CURVATURE;
}

/* ---- spanning trees ---- */

/* The Laplacian of the weighted graph, with the rows eliminated: S = C - W^T R^-1 W, W the conductances,
 * R and C diagonal: their sums over rows and columns.  S is positive semidefinite, S 1 = 0, although
 * an edge with b > 1/2 has a negative conductance. */
typedef struct {
    pm_csr_pair w;
    double *row_sum, *column_sum, *y;
    int threads;
} laplacian;

static void laplacian_multiply(void *context, const double *x, double *out)
{
    laplacian *l = context;
    const int64_t n = l->w.a.nrows;
    pm_spmv_multiply(&l->w.a, x, l->y, l->threads);
#pragma omp parallel for num_threads(l->threads) if (l->threads > 1)
    for (int64_t i = 0; i < n; ++i)
        l->y[i] /= l->row_sum[i];
    pm_spmv_multiply(&l->w.t, l->y, out, l->threads);
#pragma omp parallel for num_threads(l->threads) if (l->threads > 1)
    for (int64_t j = 0; j < n; ++j)
        out[j] = l->column_sum[j] * x[j] - out[j];
}

static void laplacian_free(laplacian *l)
{
    pm_csr_pair_free(&l->w);
    free(l->row_sum);
    free(l->column_sum);
    free(l->y);
}

/* A line with an entry above 1/2 has a negative sum, since w(b) grows faster than b below 1/2 and w(1 - b) is -w(b).  Rounding may make
 * it 0 or positive. */
static void line_sums(const pm_csr *a, double *sum)
{
    for (int64_t i = 0; i < a->nrows; ++i) {
        double least = 0;
        sum[i] = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            sum[i] += a->value[k];
            least = fmin(least, a->value[k]);
        }
        if (least < 0)
            sum[i] = fmin(sum[i], LEAST_SUM * least);
    }
}

static pm_status laplacian_make(const pm_matrix *a, const double *b, const pm_run *run,
                                laplacian *l, pm_error *err)
{
    const int64_t n = a->nrows, nnz = pm_matrix_nnz(a);
    *l = (laplacian){.row_sum = pm_alloc_array(n, sizeof *l->row_sum),
                     .column_sum = pm_alloc_array(n, sizeof *l->column_sum),
                     .y = pm_alloc_array(n, sizeof *l->y)};
    double *w = pm_alloc_array(nnz, sizeof *w);
    pm_status status = w && l->row_sum && l->column_sum && l->y
                           ? pm_csr_pair_make(a, run, &l->w, err)
                           : pm_fail_memory(err, "spanning trees");
    if (!status) {
        for (int64_t k = 0; k < nnz; ++k)
            w[k] = b[k] * (1 - b[k]) / curvature(b[k]);
        pm_csr_pair_set(&l->w, w);
        line_sums(&l->w.a, l->row_sum);
        line_sums(&l->w.t, l->column_sum);
        l->threads = pm_team(run, pm_spmv_threads(&l->w.a, pm_run_threads(run)));
    }
    free(w);
    return status;
}

/* The diagonal of S. */
static void laplacian_diagonal(const laplacian *l, double *diagonal)
{
    const pm_csr *t = &l->w.t;
    for (int64_t j = 0; j < t->nrows; ++j) {
        diagonal[j] = l->column_sum[j];
        for (int64_t k = t->rowptr[j]; k < t->rowptr[j + 1]; ++k)
            diagonal[j] -= t->value[k] * t->value[k] / l->row_sum[t->colind[k]];
    }
}

/* log |tau|, up to the signs that sum log |1 - 2 b| leaves out too. */
static pm_status log_trees_by_determinant(laplacian *l, double tolerance, uint64_t seed,
                                          const pm_run *run, pm_log_determinant *out, pm_error *err)
{
    const int64_t n = l->w.a.nrows;
    double *diagonal = pm_alloc_array(n, sizeof *diagonal);
    if (!diagonal)
        return pm_fail_memory(err, "spanning trees");
    laplacian_diagonal(l, diagonal);
    const pm_laplacian_operator s = {n, 2 * l->w.a.rowptr[n], laplacian_multiply, l, diagonal};
    pm_status status = pm_log_determinant_make(&s, tolerance, seed, run, out, err);
    for (int64_t i = 0; i < n && !status; ++i)
        out->value += log(fabs(l->row_sum[i]));
    free(diagonal);
    return status;
}

/* The same; of large graphs by that one of two methods which has the smaller error.
 * tolerance: an error that does not matter. */
static pm_status log_trees(const pm_matrix *a, laplacian *l, double tolerance, uint64_t seed,
                           const pm_run *run, pm_log_determinant *out, pm_error *err)
{
    const double small = fmax(SMALL_ERROR, tolerance);
    pm_log_determinant series = {0};
    bool found = false;
    pm_status status = PM_OK;
    if (a->nrows > PM_DETERMINANT_DENSE)
        status = pm_spanning_trees_make(a, l->w.a.value, seed, run, &series, &found, err);
    if (!status && !(found && series.error <= small))
        status = log_trees_by_determinant(l, tolerance, seed, run, out, err);
    if (!status && found && (series.error <= small || series.error < out->error))
        *out = series;
    return status;
}

/* ---- one block ---- */

/* Natural logarithms. */
typedef struct {
    double value, spread;
} estimate;

/* b: the maximum of F, whose value is `bethe`, or near it.  Lines may sum to less than 1: if entries are multiplied by 1 - x, x small, so
 * are conductances, and the logarithm of the spanning trees is 2 n x smaller; this is made up for.
 * most: a spread as large tells nothing; then there is no correction. */
static pm_status estimate_at(const pm_matrix *a, const double *b, double bethe, double most,
                             uint64_t seed, const pm_run *run, estimate *out, pm_error *err)
{
    laplacian l = {0};
    pm_log_determinant trees;
    pm_short_cycles cycles;
    double correction = log(2 * M_PI) / 2, large = 0, lacking = (double)a->nrows;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        correction += log(1 - b[k]) - log(fabs(curvature(b[k]))) / 2;
        large += fmax(b[k] - 0.5, 0);
        lacking -= b[k];
    }
    double spread = PM_BETHE_UNKNOWN + PM_BETHE_UNKNOWN_OF_HIGH * large;
    if (spread >= most) {
        *out = (estimate){bethe, INFINITY};
        return PM_OK;
    }
    pm_status status =
        pm_short_cycles_make(a, b, SHARE_OF_CYCLES * spread, seed, run, &cycles, err);
    if (status)
        return status;
    spread += SPREAD_OF_CYCLE * cycles.excess;
    status = laplacian_make(a, b, run, &l, err);
    if (!status)
        status = log_trees(a, &l, SHARE_OF_TREES * spread, seed, run, &trees, err);
    laplacian_free(&l);
    if (status)
        return status;
    correction -= trees.value / 2 + lacking;
    const double usual = log(2 * M_PI * (double)a->nrows) / 2 - 0.5; /* of a random graph */
    const bool is_number = isfinite(correction);
    *out = (estimate){bethe + (is_number ? fmax(correction, 0) : 0),
                      spread + SPREAD_OF_SMALL * fmax(usual - correction, 0)
                          + STANDARD_ERRORS * (trees.error / 2 + cycles.error)};
    if (!is_number || isnan(out->spread))
        out->spread = INFINITY;
    return PM_OK;
}

/* Widens an estimate that was made at this point by how far max F may be: the proved gap, or what the second order says where that is less, which is
 * not proved.  The correction at the maximum may differ, too, and may be 0. */
static void add_distance(const pm_bethe_point *point, estimate *e)
{
    const double second = FACTOR_OF_SECOND * (point->lack + point->imbalance),
                 distance = point->imbalance > 0 ? second : fmin(point->gap, second),
                 correction = fmax(e->value - point->bethe, 0);
    e->spread += distance + fmin(distance, correction);
}

static estimate far_estimate(const pm_bethe_point *point)
{
    return (estimate){isfinite(point->bethe) ? point->bethe : point->upper, INFINITY};
}

/* A matrix with these entries. */
typedef struct {
    const pm_matrix *a;
    double (*entry)[2];
    uint64_t seed;
    const pm_run *run;
    estimate *out;
} question;

/* 1 / (the sum of the messages to the column). */
static void set_column_factors(const pm_matrix *a, const double *to_col, double *col)
{
    for (int64_t j = 0; j < a->ncols; ++j)
        col[j] = 0;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        col[a->colind[k]] += to_col[k];
    for (int64_t j = 0; j < a->ncols; ++j)
        col[j] = 1 / col[j];
}

/* The probabilities of belief propagation, scaled so that lines sum to 1. */
static pm_status scale(const question *q, pm_sinkhorn *scaled, pm_error *err)
{
    pm_bethe bethe;
    const int64_t nnz = pm_matrix_nnz(q->a);
    const pm_bethe_limits limits = {1e-15, pm_bethe_sweeps(nnz), 1e-14};
    pm_status status = pm_bethe_make(q->a, q->entry, &limits, &scaled->on, q->run, &bethe, err);
    if (status)
        return status;
    for (int64_t k = 0; k < nnz; ++k)
        bethe.probability[k] =
            fmin(fmax(bethe.probability[k], LEAST_PROBABILITY), 1 - LEAST_PROBABILITY);
    set_column_factors(q->a, bethe.to_col, scaled->col);
    pm_sinkhorn_start_from(scaled, bethe.probability);
    pm_bethe_free(&bethe);
    return pm_sinkhorn_improve(scaled, TOLERANCE, SINKHORN_PRODUCTS, err);
}

static pm_status estimate_on(void *context, int device, pm_error *err)
{
    const question *q = context;
    pm_sinkhorn scaled;
    pm_bethe_point point = {0};
    pm_status status = pm_sinkhorn_make(q->a, device, q->run, &scaled, err);
    if (status)
        return status;
    status = scale(q, &scaled, err);
    if (!status)
        status = pm_bethe_point_make_end(q->a, q->entry, &scaled, pm_rounded_threads(q->a, q->run),
                                         &point, err);
    pm_sinkhorn_free(&scaled);
    if (!status && isinf(point.imbalance)) {
        *q->out = far_estimate(&point);
    } else if (!status) {
        status = estimate_at(q->a, point.b, point.bethe, INFINITY, q->seed, q->run, q->out, err);
        if (!status)
            add_distance(&point, q->out);
    }
    pm_bethe_point_free(&point);
    return status;
}

static pm_status block_estimate(const pm_matrix *a, pm_backend backend, uint64_t seed,
                                const pm_run *run, estimate *out, pm_error *err)
{
    pm_scaled_entries entries;
    pm_status status = pm_scaled_entries_make(a, run, &entries, err);
    if (status)
        return status;
    question q = {a, entries.value, seed, run, out};
    *out = (estimate){0};
    if (a->nrows == 1)
        out->value = log(entries.value[0][0]);
    else
        status = pm_on_device(backend, pm_matrix_nnz(a), estimate_on, &q, run, err);
    out->value += (double)entries.exp * M_LN2;
    pm_scaled_entries_free(&entries);
    return status;
}

/* ---- all blocks ---- */

static pm_status reduced_estimate(const pm_matrix *a, pm_backend backend, uint64_t seed,
                                  const pm_run *run, estimate *out, pm_error *err)
{
    const pm_reduce_options how = {.degree1 = true, .degree2 = true}; /* one block stays one */
    pm_reduced r;
    pm_status status = pm_reduce(a, &how, run, &r, err);
    if (status)
        return status;
    *out = (estimate){pm_xreal_log10_abs(pm_xreal_from_dyadic(&r.factor_re)) * M_LN10, 0};
    for (int64_t i = 0; i < r.nblocks && !status; ++i) {
        estimate e;
        status = block_estimate(&r.blocks[i].a, backend, seed, run, &e, err);
        out->value += e.value;
        out->spread += e.spread;
    }
    pm_reduced_free(&r);
    return status;
}

/* In a large graph a spread that is wider than the bounds is found before the correction is. */
static double most_spread(const pm_matrix *a, const pm_bethe_point *point)
{
    return pm_matrix_nnz(a) >= PM_BOUNDS_LARGE ? point->upper - point->lower : INFINITY;
}

/* With the lines of two entries contracted. */
static pm_status contracted_estimate(const pm_matrix *a, const pm_bethe_point *point, uint64_t seed,
                                     const pm_run *run, estimate *out, pm_error *err)
{
    pm_contracted c;
    pm_status status = pm_contracted_make(a, point, &c, err);
    if (status)
        return status;
    const double bethe = pm_bethe_functional(&c.a, c.entry, c.b, pm_rounded_threads(&c.a, run));
    if (point->imbalance > 0)
        status = pm_bethe_lower_lines(&c.a, c.b, err);
    if (c.a.nrows == 1)
        *out = (estimate){log(c.entry[0][0]), 0};
    else if (!status)
        status = estimate_at(&c.a, c.b, bethe, most_spread(a, point), seed, run, out, err);
    out->value += c.log_factor;
    pm_contracted_free(&c);
    return status;
}

/* From a point at or near the maximum of F.  If it may be far from it: F without a correction, and an infinite spread. */
static pm_status point_estimate(const pm_matrix *a, const pm_bethe_point *point,
                                bool has_short_line, uint64_t seed, const pm_run *run,
                                estimate *out, pm_error *err)
{
    if (isinf(point->imbalance)) {
        *out = far_estimate(point);
        return PM_OK;
    }
    pm_status status = has_short_line ? contracted_estimate(a, point, seed, run, out, err)
                                      : estimate_at(a, point->b, point->bethe,
                                                    most_spread(a, point), seed, run, out, err);
    if (!status)
        add_distance(point, out);
    return status;
}

/* Whether the estimate is made from this point.  In a large graph nothing nearer would be found: the bounds make more sweeps of belief
 * propagation and more products. */
static bool is_usable(const pm_matrix *a, const pm_bethe_point *point, bool has_short_line)
{
    if (!point || !point->b)
        return false;
    if (point->imbalance > 0 || pm_matrix_nnz(a) >= PM_BOUNDS_LARGE)
        return true;
    return point->gap <= NEAR * (double)a->nrows
           && (!has_short_line || pm_matrix_nnz(a) >= EXACT_MOST);
}

pm_status pm_bethe_estimate_make(const pm_matrix *a, const pm_bethe_point *point,
                                 pm_backend backend, uint64_t seed, const pm_run *run,
                                 pm_bethe_estimate *out, pm_error *err)
{
    bool has_short_line = false;
    estimate e = {0};
    pm_status status = pm_short_line_find(a, &has_short_line, err);
    if (status)
        return status;
    const bool usable = is_usable(a, point, has_short_line);
    if (usable)
        status = point_estimate(a, point, has_short_line, seed, run, &e, err);
    else if (has_short_line)
        status = reduced_estimate(a, backend, seed, run, &e, err);
    else
        status = block_estimate(a, backend, seed, run, &e, err);
    /* the scaling failed because of magnitudes that it cannot bring together, or ended far from its solution */
    const bool is_unknown = status == PM_UNABLE || (!status && isinf(e.spread));
    if (!usable && is_unknown && a->nrows > 1 && point && point->b)
        status = point_estimate(a, point, has_short_line, seed, run, &e, err);
    if (!status)
        *out = (pm_bethe_estimate){e.value * M_LOG10E, (e.value - e.spread) * M_LOG10E,
                                   (e.value + e.spread) * M_LOG10E};
    return status;
}

pm_bethe_estimate pm_bethe_estimate_within(const pm_bethe_estimate *e, double lower, double upper)
{
    const double log10 = fmin(fmax(e->log10, lower), upper);
    const bool is_refuted = fabs(e->log10 - log10) > ROUNDING_OF_LOG10 * fmax(fabs(log10), 1);
    if (is_refuted || isnan(e->low) || isnan(e->high))
        return (pm_bethe_estimate){log10, lower, upper};
    return (pm_bethe_estimate){log10, fmax(e->low, lower), fmin(e->high, upper)};
}
