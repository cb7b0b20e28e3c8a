/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/curtis_reid.h"

#include <math.h>
#include <stdlib.h>

#include "core/team.h"
#include "pm/alloc.h"
#include "pm/value.h"
#include "spmv/conjugate_gradients.h"
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
    double *r, *c, *right, *q, *counts; /* [n] each */
    double *work;                       /* [3 n] */
    int threads;
} equations;

enum { ARRAYS = 8, STEPS = 300 };
#define LEFT 0x1p-30 /* of the right side */

static double count_of(const pm_csr *a, int64_t i)
{
    return (double)(a->rowptr[i + 1] - a->rowptr[i]);
}

/* y = (D - P E^-1 P^T) d */
static void multiply(void *context, const double *d, double *y)
{
    equations *s = context;
    int64_t n = s->p.a.nrows;
    pm_spmv_multiply(&s->p.t, d, s->q, s->threads);
    for (int64_t j = 0; j < n; ++j)
        s->q[j] /= count_of(&s->p.t, j);
    pm_spmv_multiply(&s->p.a, s->q, y, s->threads);
    for (int64_t i = 0; i < n; ++i)
        y[i] = s->counts[i] * d[i] - y[i];
}

static void solve(equations *s, const pm_run *run)
{
    const pm_symmetric_system system = {.n = s->p.a.nrows,
                                        .multiply = multiply,
                                        .context = s,
                                        .diagonal = s->counts,
                                        .work = s->work,
                                        .run = run};
    double goal = LEFT * sqrt(pm_dot(s->right, s->right, system.n));
    pm_conjugate_gradients(&system, goal, STEPS, s->right, s->r);
}

/* c = m, right = P E^-1 m - l 1 */
static void set_equations(const pm_matrix *a, double *ones, equations *s)
{
    int64_t n = a->nrows;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        ones[k] = 1;
    pm_csr_pair_set(&s->p, ones);
    for (int64_t i = 0; i < n; ++i)
        s->right[i] = s->c[i] = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            double l = size_of(a, k);
            s->right[i] -= l;
            s->c[a->colind[k]] += l;
        }
    for (int64_t j = 0; j < n; ++j)
        s->q[j] = s->c[j] / count_of(&s->p.t, j);
    pm_spmv_multiply(&s->p.a, s->q, s->work, s->threads);
    for (int64_t i = 0; i < n; ++i) {
        s->right[i] += s->work[i];
        s->counts[i] = count_of(&s->p.a, i);
    }
}

static void set_result(equations *s, int64_t *out)
{
    int64_t n = s->p.a.nrows;
    pm_spmv_multiply(&s->p.t, s->r, s->q, s->threads);
    for (int64_t i = 0; i < n; ++i) {
        out[i] = llrint(s->r[i]);
        out[n + i] = llrint(-(s->c[i] + s->q[i]) / count_of(&s->p.t, i));
    }
}

pm_status pm_curtis_reid(const pm_matrix *a, const pm_run *run, int64_t *out, pm_error *err)
{
    int64_t n = a->nrows;
    equations s = {0};
    pm_status status = pm_csr_pair_make(a, &s.p, err);
    if (status)
        return status;
    s.threads = pm_team(run, pm_spmv_threads(&s.p.a, pm_run_threads(run)));
    double *work = pm_alloc_array(ARRAYS * n, sizeof *work);
    double *ones = pm_alloc_array(pm_matrix_nnz(a), sizeof *ones);
    if (work && ones) {
        double **const arrays[] = {&s.r, &s.c, &s.right, &s.q, &s.counts, &s.work};
        for (int k = 0; k < 6; ++k)
            *arrays[k] = work + k * n;
        set_equations(a, ones, &s);
        solve(&s, run);
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
