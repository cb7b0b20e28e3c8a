/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/curtis_reid.h"

#include <math.h>
#include <stdlib.h>

#include "core/team.h"
#include "pm/alloc.h"
#include "pm/value.h"
#include "spmv/multiply.h"

/* log2 of a positive entry; 0 in a pattern */
static double size_of(const pm_matrix *a, int64_t k)
{
    if (!a->re)
        return 0;
    pm_xreal x = pm_xreal_from_dyadic(&a->re[k]);
    return log2(x.hi) + (double)x.exp;
}

typedef struct {
    pm_csr_pair p;
    double *r, *c, *rest, *d, *q, *z; /* [n] */
    const pm_run *run;
    int threads;
} equations;

enum { ARRAYS = 6, STEPS = 300 };
#define LEFT 0x1p-60 /* of the squared residual, in the norm of the counts */

static double dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

static double count_of(const pm_csr *a, int64_t i)
{
    return (double)(a->rowptr[i + 1] - a->rowptr[i]);
}

/* z = (D - P E^-1 P^T) d */
static void apply(equations *s)
{
    int64_t n = s->p.a.nrows;
    pm_spmv_multiply(&s->p.t, s->d, s->q, s->threads);
    for (int64_t j = 0; j < n; ++j)
        s->q[j] /= count_of(&s->p.t, j);
    pm_spmv_multiply(&s->p.a, s->q, s->z, s->threads);
    for (int64_t i = 0; i < n; ++i)
        s->z[i] = count_of(&s->p.a, i) * s->d[i] - s->z[i];
}

/* On entry c: m, and r: the right side; on return r solves the equations, about. */
static void solve(equations *s)
{
    int64_t n = s->p.a.nrows;
    for (int64_t i = 0; i < n; ++i) {
        s->rest[i] = s->r[i];
        s->r[i] = 0;
        s->d[i] = s->rest[i] / count_of(&s->p.a, i);
    }
    double rz = dot(s->rest, s->d, n), first = rz;
    for (int step = 0; step < STEPS && rz > first * LEFT && !pm_run_stopped(s->run); ++step) {
        apply(s);
        double along = dot(s->d, s->z, n), before = rz;
        if (!(along > 0))
            return;
        rz = 0;
        for (int64_t i = 0; i < n; ++i) {
            s->r[i] += before / along * s->d[i];
            s->rest[i] -= before / along * s->z[i];
            rz += s->rest[i] * s->rest[i] / count_of(&s->p.a, i);
        }
        for (int64_t i = 0; i < n; ++i)
            s->d[i] = s->rest[i] / count_of(&s->p.a, i) + rz / before * s->d[i];
    }
}

static void set_equations(const pm_matrix *a, double *ones, equations *s)
{
    int64_t n = a->nrows;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        ones[k] = 1;
    pm_csr_pair_set(&s->p, ones);
    for (int64_t i = 0; i < n; ++i)
        s->r[i] = s->c[i] = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            double l = size_of(a, k);
            s->r[i] -= l;
            s->c[a->colind[k]] += l;
        }
    for (int64_t j = 0; j < n; ++j)
        s->d[j] = s->c[j] / count_of(&s->p.t, j);
    pm_spmv_multiply(&s->p.a, s->d, s->z, s->threads);
    for (int64_t i = 0; i < n; ++i)
        s->r[i] += s->z[i];
}

static void set_result(equations *s, int64_t *out)
{
    int64_t n = s->p.a.nrows;
    pm_spmv_multiply(&s->p.t, s->r, s->z, s->threads);
    for (int64_t i = 0; i < n; ++i) {
        out[i] = llrint(s->r[i]);
        out[n + i] = llrint(-(s->c[i] + s->z[i]) / count_of(&s->p.t, i));
    }
}

pm_status pm_curtis_reid(const pm_matrix *a, const pm_run *run, int64_t *out, pm_error *err)
{
    int64_t n = a->nrows;
    equations s = {.run = run};
    pm_status status = pm_csr_pair_make(a, &s.p, err);
    if (status)
        return status;
    s.threads = pm_team(run, pm_spmv_threads(&s.p.a, pm_run_threads(run)));
    double *work = pm_alloc_array(ARRAYS * n, sizeof *work);
    double *ones = pm_alloc_array(pm_matrix_nnz(a), sizeof *ones);
    if (work && ones) {
        double **const arrays[ARRAYS] = {&s.r, &s.c, &s.rest, &s.d, &s.q, &s.z};
        for (int k = 0; k < ARRAYS; ++k)
            *arrays[k] = work + k * n;
        set_equations(a, ones, &s);
        solve(&s);
        set_result(&s, out);
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the scaling of rows and columns");
    } else {
        status = pm_fail_memory(err, "factors");
    }
    free(ones);
    free(work);
    pm_csr_pair_free(&s.p);
    return status;
}
