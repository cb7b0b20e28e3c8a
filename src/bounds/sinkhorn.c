/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/sinkhorn.h"

#include <math.h>
#include <stdlib.h>

#include "core/team.h"
#include "pm/alloc.h"
#include "spmv/conjugate_gradients.h"
#include "spmv/multiply.h"

enum {
    FIRST_SWEEPS = 10, /* before Newton's steps, which need a point that is not too far */
    SWEEPS = 10,       /* after a step that brought nothing */
    FAILURES = 4,      /* such steps in a row before it gives up */
    ARRAYS = 9         /* 0 to 2: factors and sums; 3 to 8: the equations of a step */
};
#define LONGEST_STEP 2.0 /* of a logarithm */
/* A step that brings nothing leaves more of the residual and makes f less smaller. */
#define LEAST_GAIN     0.9
#define LEAST_DECREASE 0x1p-10
#define EASY           0.1 /* share of the equations of a first step that may remain */
#define ROUNDING       0x1p-56

pm_status pm_sinkhorn_make(const pm_matrix *a, const pm_run *run, pm_sinkhorn *out, pm_error *err)
{
    int64_t n = a->nrows;
    *out = (pm_sinkhorn){.run = run};
    pm_status status = pm_csr_pair_make(a, &out->x, err);
    if (status)
        return status;
    out->threads = pm_team(run, pm_spmv_threads(&out->x.a, pm_run_threads(run)));
    out->row = pm_alloc_array(n, sizeof *out->row);
    out->col = pm_alloc_array(n, sizeof *out->col);
    out->work = pm_alloc_array(ARRAYS * n, sizeof *out->work);
    if (out->row && out->col && out->work)
        return PM_OK;
    pm_sinkhorn_free(out);
    return pm_fail_memory(err, "Sinkhorn's scaling");
}

void pm_sinkhorn_free(pm_sinkhorn *s)
{
    pm_csr_pair_free(&s->x);
    free(s->row);
    free(s->col);
    free(s->work);
    *s = (pm_sinkhorn){0};
}

void pm_sinkhorn_start(pm_sinkhorn *s, const double *value)
{
    pm_csr_pair_set(&s->x, value);
    for (int64_t i = 0; i < s->x.a.nrows; ++i)
        s->row[i] = s->col[i] = 1;
    s->residual = INFINITY;
    s->products = 0;
}

static double *array(const pm_sinkhorn *s, int which)
{
    return s->work + which * s->x.a.nrows;
}

static void by_rows(pm_sinkhorn *s, const double *x, double *y)
{
    pm_spmv_multiply(&s->x.a, x, y, s->threads);
    ++s->products;
}

static void by_columns(pm_sinkhorn *s, const double *x, double *y)
{
    pm_spmv_multiply(&s->x.t, x, y, s->threads);
    ++s->products;
}

/* Multiplies by the factors r and c, which are changes of those so far. */
static void absorb(pm_sinkhorn *s, const double *r, const double *c)
{
    pm_csr_pair_scale(&s->x, r, c, s->threads);
    for (int64_t i = 0; i < s->x.a.nrows; ++i) {
        s->row[i] *= r[i];
        s->col[i] *= c[i];
    }
}

/* sum: the row sums.  Their largest difference from 1; NAN if one is not a number. */
static double residual_of(const double *sum, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; ++i)
        if (!(fabs(sum[i] - 1) <= most))
            most = fabs(sum[i] - 1);
    return isfinite(most) ? most : NAN;
}

static void fill(double *x, int64_t n, double value)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = value;
}

static void invert(double *x, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = 1 / x[i];
}

/* The columns are divided by their sums with the rows multiplied by r; then the matrix and the residual
 * are up to date.  Returns how much smaller f has become. */
static double finish(pm_sinkhorn *s, const double *r, double *c)
{
    int64_t n = s->x.a.nrows;
    double *sum = array(s, 2), decrease = 0;
    by_columns(s, r, c);
    for (int64_t i = 0; i < n; ++i)
        decrease += log(r[i]) - log(c[i]);
    invert(c, n);
    absorb(s, r, c);
    fill(c, n, 1);
    by_rows(s, c, sum);
    s->residual = residual_of(sum, n);
    return decrease;
}

static void sweep(pm_sinkhorn *s, int count)
{
    int64_t n = s->x.a.nrows;
    double *r = array(s, 0), *c = array(s, 1);
    fill(c, n, 1);
    while (count-- > 0) {
        by_rows(s, c, r);
        invert(r, n);
        if (count) {
            by_columns(s, r, c);
            invert(c, n);
        }
    }
    finish(s, r, c);
}

/* ---- Newton's method ---- */

/* The diagonal of diag(R) - X X^T; where rounding leaves nothing of it, R. */
static void fill_diagonal(const pm_sinkhorn *s, const double *sum, double *diagonal)
{
    const pm_csr *a = &s->x.a;
    for (int64_t i = 0; i < a->nrows; ++i) {
        double squares = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            squares += a->value[k] * a->value[k];
        diagonal[i] = squares < (1 - 0x1p-40) * sum[i] ? sum[i] - squares : sum[i];
    }
}

/* y = (diag(R) - X X^T) d */
static void multiply(void *context, const double *d, double *y)
{
    pm_sinkhorn *s = context;
    const double *sum = array(s, 2);
    double *q = array(s, 3);
    by_columns(s, d, q);
    by_rows(s, q, y);
    for (int64_t i = 0; i < s->x.a.nrows; ++i)
        y[i] = sum[i] * d[i] - y[i];
}

/* Solves (diag(R) - X X^T) p = 1 - R until what remains is `share` of the right side.  sum: R. */
static void solve(pm_sinkhorn *s, const double *sum, double share, int64_t most, double *p)
{
    int64_t n = s->x.a.nrows;
    double *rest = array(s, 4), *diagonal = array(s, 5);
    fill_diagonal(s, sum, diagonal);
    for (int64_t i = 0; i < n; ++i)
        rest[i] = 1 - sum[i];
    const pm_symmetric_system system = {.n = n,
                                        .multiply = multiply,
                                        .context = s,
                                        .diagonal = diagonal,
                                        .work = array(s, 6),
                                        .run = s->run};
    double goal = fmax(share * sqrt(pm_dot(rest, rest, n)), ROUNDING * sqrt((double)n));
    pm_conjugate_gradients(&system, goal, (most - s->products) / 2, rest, p);
}

/* One step, whose equations are solved up to `share`.  The matrix has columns that sum to 1.  Returns how
 * much smaller f has become. */
static double newton(pm_sinkhorn *s, double share, int64_t most)
{
    int64_t n = s->x.a.nrows;
    double *p = array(s, 0), *c = array(s, 1), *sum = array(s, 2), largest = 0;
    solve(s, sum, share, most, p);
    for (int64_t i = 0; i < n; ++i)
        largest = fmax(largest, fabs(p[i]));
    double step = largest > LONGEST_STEP ? LONGEST_STEP / largest : 1;
    for (int64_t i = 0; i < n; ++i)
        p[i] = exp(step * p[i]);
    return finish(s, p, c);
}

/* How well to solve the equations of a step: not much better than the last step was (Eisenstat and Walker
 * 1996, choice 2), nor than what is wanted. */
static double share_of(double gain, double wanted)
{
    return fmax(fmin(EASY, gain * gain), wanted / 4);
}

pm_status pm_sinkhorn_improve(pm_sinkhorn *s, double target, int64_t most, pm_error *err)
{
    int failures = 0;
    double gain = 1; /* of the last step */
    if (!s->products)
        sweep(s, FIRST_SWEEPS);
    while (s->residual > target && s->products < most && failures < FAILURES) {
        double before = s->residual;
        double decrease = newton(s, share_of(gain, target / before), most);
        gain = s->residual / before;
        if (pm_run_stopped(s->run))
            return pm_fail(err, PM_ESTOPPED, "stopped during Sinkhorn's scaling");
        if (gain < LEAST_GAIN || decrease > LEAST_DECREASE) {
            failures = 0;
            continue;
        }
        ++failures;
        if (s->residual > target)
            sweep(s, SWEEPS);
    }
    return PM_OK;
}
