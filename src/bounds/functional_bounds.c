/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/functional_bounds.h"

#include <math.h>

#include "bounds/rounded_rows.h"

/* sum b log(a/b).  The low parts of the entries and the rounding of the quotient change each
 * logarithm by less than 2^-50. */
static void entropy_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const pm_bounds_work *w = context;
    (void)thread;
    for (int64_t k = w->a->rowptr[from]; k < w->a->rowptr[to]; ++k) {
        double b = w->b[k];
        pm_rounded_add(s, b * log(pm_bounds_entry(w, k) / b), b * 0x1p-50);
    }
}

void pm_bounds_add_entropy(pm_bounds_work *w, pm_rounded_sum *s)
{
    pm_rounded_rows(w->a, entropy_rows, w, w->threads, s);
    pm_bounds_add_exponent(w, s);
}

/* sum (1 - b) log(1 - b) */
static void complement_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const pm_bounds_work *w = context;
    (void)thread;
    for (int64_t k = w->a->rowptr[from]; k < w->a->rowptr[to]; ++k) {
        double rest = 1 - w->b[k];
        if (rest > 0)
            pm_rounded_add(s, rest * log(rest), 0);
    }
}

pm_rounded_sum pm_bounds_functional(pm_bounds_work *w)
{
    pm_rounded_sum f = {0};
    pm_bounds_add_entropy(w, &f);
    pm_rounded_rows(w->a, complement_rows, w, w->threads, &f);
    return f;
}

/* The error of a gradient g is at most this times 4 + |g|: log(1 - b) is above -37 and log(a / b) within |g| + 39 of 0, each is wrong by at
 * most 2^-50 of itself and 2^-51, and the sum is rounded twice. */
#define GRADIENT_ERROR 0x1p-45

static double gradient(const pm_bounds_work *w, int64_t k)
{
    double b = w->b[k];
    double rest = 1 - w->b[k];
    return log(pm_bounds_entry(w, k) / b) - log(rest) - 2;
}

/* v, a number for each column, such that the gradient less v_j is nearly constant in each row.  At the fixed point of belief propagation b (1 - b) = a / (S_i T_j), S and T the sums of the messages to
 * row i and to column j, so that the gradient is log S_i + log T_j - 2; B is that point with rows and
 * columns scaled. */
static void find_dual(pm_bounds_work *w, double *v)
{
    const double *col = w->scaling.col; /* the factor of B, divided by T_j */
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t j = 0; j < w->a->ncols; ++j)
        v[j] = -log(col[j]) - M_LN2 * pm_sinkhorn_col_exponent(&w->scaling, j);
    w->v = v;
}

/* -<grad F(B), B> + sum u, u_i the largest gradient less v_j */
static void dual_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const pm_bounds_work *w = context;
    const pm_matrix *a = w->a;
    (void)thread;
    for (int64_t i = from; i < to; ++i) {
        double most = -INFINITY, size = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            double g = gradient(w, k), d = g - w->v[a->colind[k]], b = w->b[k];
            most = fmax(most, d);
            size = fmax(size, fabs(g) + fabs(d));
            pm_rounded_add(s, -b * g, b * (4 + fabs(g)) * GRADIENT_ERROR);
        }
        pm_rounded_add(s, most, (4 + size) * GRADIENT_ERROR);
    }
}

/* An upper bound of max F, from F(B), where B is w->b.  v: [columns], for find_dual.  Returns false when there is none. */
static bool find_most(pm_bounds_work *w, double *v, pm_rounded_sum *f)
{
    const pm_matrix *a = w->a;
    if (a->nrows == 1)
        return true;
    bool has_one = false;
#pragma omp parallel for num_threads(w->threads) reduction(|| : has_one) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        has_one = has_one || w->b[k] == 1;
    if (has_one)
        return false;
    find_dual(w, v);
    for (int64_t j = 0; j < a->ncols; ++j)
        pm_rounded_add(f, w->v[j], 0);
    pm_rounded_rows(a, dual_rows, w, w->threads, f);
    return true;
}

void pm_bounds_bethe_above(pm_bounds_work *w, double *v, pm_rounded_sum f, pm_bounds *out)
{
    w->v = NULL;
    if (!find_most(w, v, &f) || !isfinite(f.sum)) /* factors beyond the range of numbers */
        return;
    out->bethe_most = fmin(out->bethe_most, pm_bounds_high(&f));
    if (w->a->nrows > 1) /* the permanent of a single entry is the entry */
        pm_rounded_add(&f, (double)w->a->nrows * M_LN2 / 2, 0);
    out->bethe = fmin(out->bethe, pm_bounds_high(&f));
}
