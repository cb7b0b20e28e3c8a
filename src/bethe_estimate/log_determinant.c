/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bethe_estimate/log_determinant.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_eigen.h>

#include "core/rng.h"
#include "core/team.h"
#include "pm/alloc.h"

enum { MANY = 20000 }; /* unknowns: then several threads share the vectors */
/* At least PROBES_LEAST random vectors of at most STEPS products each, and so many
 * that all products take about WORK additions, but at most PROBES_MOST; fewer, even one, where the tolerance permits it. */
enum { STEPS = 40, PROBES_LEAST = 3, PROBES_MOST = 40 };
#define WORK    2000000000.0
#define FLOOR   0x1p-60 /* of eigenvalues, which rounding may make negative */
#define NO_MORE 0x1p-33 /* Lanczos' method has found an invariant subspace */
#define ENOUGH  0x1p-5  /* of a quadrature, times the root of n: random vectors differ by more */

static double dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

/* ---- exact ---- */

/* log det of the n x n matrix s, which is overwritten by its lower Cholesky factor. */
static double cholesky(double *s, int64_t n)
{
    double log_det = 0;
    for (int64_t i = 0; i < n; ++i) {
        double *row = s + i * n;
        for (int64_t j = 0; j < i; ++j)
            row[j] = (row[j] - dot(row, s + j * n, j)) / s[j * n + j];
        double pivot = row[i] - dot(row, row, i);
        pivot = pivot > FLOOR * row[i] ? pivot : FLOOR * row[i];
        log_det += log(pivot);
        row[i] = sqrt(pivot);
    }
    return log_det;
}

/* Column by column, without the last one. */
static pm_status dense(const pm_laplacian_operator *s, const pm_run *run, pm_log_determinant *out,
                       pm_error *err)
{
    const int64_t n = s->n, m = n - 1;
    double *x = pm_calloc_array(n, sizeof *x), *y = pm_alloc_array(n, sizeof *y);
    double *full = pm_alloc_array(m * m, sizeof *full);
    pm_status status = x && y && full ? PM_OK : pm_fail_memory(err, "spanning trees");
    for (int64_t j = 0; j < m && !status; ++j) {
        x[j] = 1;
        s->multiply(s->context, x, y);
        x[j] = 0;
        memcpy(full + j * m, y, (size_t)m * sizeof *y);
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the estimate");
    }
    if (!status)
        *out = (pm_log_determinant){.value = cholesky(full, m)};
    free(x);
    free(y);
    free(full);
    return status;
}

/* ---- by random vectors ---- */

/* S scaled to a diagonal of ones; its null vector u, of length 1, is the root of the diagonal. */
typedef struct {
    const pm_laplacian_operator *s;
    const pm_run *run;
    double *u, *root, *before, *v, *next, *x;
    int threads;
    /* Views of `numbers`: where memory is short a function of GSL that takes some ends the process. */
    double *numbers;
    gsl_matrix_view t, part, vectors;
    gsl_vector_view values;
    gsl_eigen_symmv_workspace eigen;
} probes;

/* In PARTS, so that the number of threads changes no digit. */
static double dot_of(const probes *p, const double *x, const double *y)
{
    enum { PARTS = 64 };
    const int64_t n = p->s->n;
    double part[PARTS], sum = 0;
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1)
    for (int64_t k = 0; k < PARTS; ++k) {
        const int64_t from = n * k / PARTS, to = n * (k + 1) / PARTS;
        part[k] = dot(x + from, y + from, to - from);
    }
    for (int k = 0; k < PARTS; ++k)
        sum += part[k];
    return sum;
}

static void remove_null(const probes *p, double *x)
{
    const double part = dot_of(p, p->u, x);
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1)
    for (int64_t i = 0; i < p->s->n; ++i)
        x[i] -= part * p->u[i];
}

static void scaled_multiply(const probes *p, const double *x, double *y)
{
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1)
    for (int64_t i = 0; i < p->s->n; ++i)
        p->x[i] = x[i] / p->root[i];
    p->s->multiply(p->s->context, p->x, y);
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1)
    for (int64_t i = 0; i < p->s->n; ++i)
        y[i] /= p->root[i];
}

/* For the leading part of T of this size, e_1^T log(T) e_1 and e_1^T h(T)^2 e_1, h(x) = log x - x + 1. */
typedef struct {
    double log, square;
} moments;

static moments quadrature(probes *p, int size)
{
    moments sum = {0};
    gsl_matrix_memcpy(&p->part.matrix, &p->t.matrix);
    for (int k = size; k < STEPS; ++k) { /* apart from the rest, log 1 = 0 */
        gsl_matrix_set(&p->part.matrix, (size_t)k, (size_t)k - 1, 0);
        gsl_matrix_set(&p->part.matrix, (size_t)k - 1, (size_t)k, 0);
        gsl_matrix_set(&p->part.matrix, (size_t)k, (size_t)k, 1);
    }
    gsl_eigen_symmv(&p->part.matrix, &p->values.vector, &p->vectors.matrix, &p->eigen);
    for (int k = 0; k < STEPS; ++k) {
        const double first = gsl_matrix_get(&p->vectors.matrix, 0, (size_t)k);
        const double value = fmax(gsl_vector_get(&p->values.vector, (size_t)k), FLOOR);
        const double h = log(value) - value + 1;
        sum.log += first * first * log(value);
        sum.square += first * first * h * h;
    }
    return sum;
}

/* Quadratures after EVERY, 2 EVERY, ... steps, and their limit if what is missing falls as one over the steps: so it does where
 * the smallest eigenvalues are close to 0, as those of large meshes. */
enum { EVERY = 4 };
typedef struct {
    double value, limit;
    double change, change_of_limit; /* by the last steps */
    double square;
} sequence;

static void sequence_add(sequence *x, moments now, int steps)
{
    const double change = now.log - x->value, limit = now.log + change * (steps - EVERY) / EVERY;
    *x = (sequence){now.log, limit, fabs(change), fabs(limit - x->limit), now.square};
}

/* square: z^T h(S)^2 z, whose mean is the sum of the squares of the entries of h(S). */
typedef struct {
    double value, error, square;
} approximation;

/* Lanczos' method from p->v, of length 1.  Ends when the quadrature changes by no more than `enough`, its limit by no more
 * than `tolerance`, or when the run is to stop. */
static approximation lanczos(probes *p, double enough, double tolerance)
{
    sequence found = {0};
    const int64_t n = p->s->n;
    double beta = 0;
    gsl_matrix_set_zero(&p->t.matrix);
    memset(p->before, 0, (size_t)n * sizeof *p->before);
    for (int k = 0;; ++k) {
        scaled_multiply(p, p->v, p->next);
        const double alpha = dot_of(p, p->v, p->next);
        gsl_matrix_set(&p->t.matrix, (size_t)k, (size_t)k, alpha);
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1)
        for (int64_t i = 0; i < n; ++i)
            p->next[i] -= alpha * p->v[i] + beta * p->before[i];
        remove_null(p, p->next);
        beta = sqrt(dot_of(p, p->next, p->next));
        const bool is_last = k + 1 == STEPS || pm_run_stopped(p->run);
        if (beta < NO_MORE) {
            const moments exact = quadrature(p, k + 1);
            return (approximation){exact.log, 0, exact.square};
        }
        if (is_last || (k + 1) % EVERY == 0)
            sequence_add(&found, quadrature(p, k + 1), k + 1);
        if (k > EVERY && found.change <= enough)
            return (approximation){found.value, found.change, found.square};
        if (is_last || (k > 2 * EVERY && found.change_of_limit <= tolerance))
            return (approximation){found.limit, found.change_of_limit, found.square};
        gsl_matrix_set(&p->t.matrix, (size_t)k + 1, (size_t)k, beta);
        gsl_matrix_set(&p->t.matrix, (size_t)k, (size_t)k + 1, beta);
#pragma omp parallel for num_threads(p->threads) if (p->threads > 1)
        for (int64_t i = 0; i < n; ++i) {
            p->before[i] = p->v[i];
            p->v[i] = p->next[i] / beta;
        }
    }
}

/* z^T (log S - S + P) z for random signs z, plus trace (S - P) = 1; P leaves out the null vector.  The part of
 * the first order in S - P, which is most of the variance, is left out so.  error: of the quadrature. */
static approximation probe(probes *p, double tolerance, uint64_t *rng)
{
    const int64_t n = p->s->n;
    for (int64_t i = 0; i < n; ++i)
        p->v[i] = pm_rng_next(rng) >> 63 ? 1 : -1;
    remove_null(p, p->v);
    const double squared = dot_of(p, p->v, p->v);
    for (int64_t i = 0; i < n; ++i)
        p->v[i] /= sqrt(squared);
    const approximation log_part = lanczos(p, ENOUGH / sqrt(squared), tolerance / squared);
    return (approximation){squared * (log_part.value - gsl_matrix_get(&p->t.matrix, 0, 0) + 1) + 1,
                           squared * log_part.error, squared * log_part.square};
}

/* The matrices and vectors of a quadrature, in `numbers`. */
enum { NUMBERS = 3 * STEPS * STEPS + 5 * STEPS };

static void set_views(probes *p)
{
    double *square = p->numbers, *line = p->numbers + 3 * STEPS * STEPS;
    p->t = gsl_matrix_view_array(square, STEPS, STEPS);
    p->part = gsl_matrix_view_array(square + STEPS * STEPS, STEPS, STEPS);
    p->vectors = gsl_matrix_view_array(square + 2 * STEPS * STEPS, STEPS, STEPS);
    p->values = gsl_vector_view_array(line, STEPS);
    p->eigen = (gsl_eigen_symmv_workspace){STEPS, line + STEPS, line + 2 * STEPS, line + 3 * STEPS,
                                           line + 4 * STEPS};
}

static pm_status probes_make(const pm_laplacian_operator *s, const pm_run *run, probes *p,
                             pm_error *err)
{
    double *all = pm_alloc_array(6 * s->n, sizeof *all), sum = 0;
    *p = (probes){.s = s,
                  .run = run,
                  .threads = s->n >= MANY ? pm_team(run, pm_run_threads(run)) : 1,
                  .numbers = pm_alloc_array(NUMBERS, sizeof *p->numbers)};
    p->u = all;
    if (!all || !p->numbers)
        return pm_fail_memory(err, "spanning trees");
    set_views(p);
    p->root = all + s->n;
    p->before = all + 2 * s->n;
    p->v = all + 3 * s->n;
    p->next = all + 4 * s->n;
    p->x = all + 5 * s->n;
    for (int64_t i = 0; i < s->n; ++i) {
        p->root[i] = sqrt(s->diagonal[i]);
        sum += s->diagonal[i];
    }
    for (int64_t i = 0; i < s->n; ++i)
        p->u[i] = p->root[i] / sqrt(sum);
    return PM_OK;
}

static void probes_free(probes *p)
{
    free(p->u);
    free(p->numbers);
}

/* det' of the scaled matrix, its nonzero eigenvalues, is det S_red sum d / prod d, d the diagonal of S:
 * all minors of S are equal. */
static double unscaled(const pm_laplacian_operator *s)
{
    double logs = 0, sum = 0;
    for (int64_t i = 0; i < s->n; ++i) {
        logs += log(s->diagonal[i]);
        sum += s->diagonal[i];
    }
    return logs - log(sum);
}

/* The variance of z^T h z is twice the sum of the squares of the entries of h beside the diagonal.  So one vector is enough to say what the
 * standard error may be. */
static pm_status stochastic(const pm_laplacian_operator *s, double tolerance, uint64_t seed,
                            const pm_run *run, pm_log_determinant *out, pm_error *err)
{
    probes p;
    double sum = 0, squares = 0, missing = 0, entries = 0, known = INFINITY;
    const double wanted = WORK / ((double)s->work * STEPS);
    const int most = wanted < PROBES_LEAST ? PROBES_LEAST : (int)fmin(wanted, PROBES_MOST);
    int count = 0;
    pm_status status = probes_make(s, run, &p, err);
    while (count < most && !(known <= tolerance) && !status) {
        const approximation x = probe(&p, tolerance, &seed);
        ++count;
        sum += x.value;
        squares += x.value * x.value;
        missing = fmax(missing, x.error);
        entries += x.square;
        known = sqrt(2 * entries) / count;
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the estimate");
    }
    probes_free(&p);
    if (status)
        return status;
    const double mean = sum / count, variance = squares / count - mean * mean;
    const double error = known <= tolerance ? known : sqrt(fmax(variance, 0) / (count - 1));
    *out = (pm_log_determinant){mean + unscaled(s), error + missing};
    return PM_OK;
}

pm_status pm_log_determinant_make(const pm_laplacian_operator *s, double tolerance, uint64_t seed,
                                  const pm_run *run, pm_log_determinant *out, pm_error *err)
{
    return s->n <= PM_DETERMINANT_DENSE ? dense(s, run, out, err)
                                        : stochastic(s, tolerance, seed, run, out, err);
}
