/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe_point.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "bounds/rounded_rows.h"
#include "pm/alloc.h"

typedef struct {
    const pm_matrix *a;
    double (*entry)[2];
    const double *b;
    const double *
        v; /* multipliers of the columns; NULL: minus the logarithms of the factors of this scaling, or 0 */
    const pm_sinkhorn *scaling;
} matrix;

/* ---- the functional ---- */

static double entry(const matrix *m, int64_t k)
{
    return m->entry ? m->entry[k][0] : 1;
}

static double off_border(double b)
{
    return fmin(fmax(b, PM_BETHE_OFF_BORDER), 1 - PM_BETHE_OFF_BORDER);
}

static double inside(const matrix *m, int64_t k)
{
    return off_border(m->b[k]);
}

static void functional_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const matrix *m = context;
    (void)thread;
    for (int64_t k = m->a->rowptr[from]; k < m->a->rowptr[to]; ++k) {
        const double b = m->b[k], rest = 1 - b;
        pm_rounded_add(
            s, (b > 0 ? b * log(entry(m, k) / b) : 0) + (rest > 0 ? rest * log(rest) : 0), 0);
    }
}

double pm_bethe_functional(const pm_matrix *a, double (*entry)[2], const double *b, int threads)
{
    matrix m = {a, entry, b, NULL, NULL};
    pm_rounded_sum s = {0};
    pm_rounded_rows(a, functional_rows, &m, threads, &s);
    return s.sum;
}

/* ---- how far from the maximum ----
 *
 * Multipliers u of the rows and v of the columns make the gradient g of F - u - v nearly 0: v is of the messages and the factors of the
 * scaling, as in bounds.c, and u is the mean over the row.  To first order max F is F + sum of u (1 - row sum), since the columns sum to 1.
 * What remains of g in a row moves its entries: by b (exp(g) - 1 - g) where b is small, and about 1 - b of this elsewhere. */

/* The gradient less v_j. */
static double slope(const matrix *m, int64_t k)
{
    const double b = inside(m, k), gradient = log(entry(m, k) / b) - log1p(-b) - 2;
    const int32_t j = m->a->colind[k];
    if (!m->scaling)
        return m->v ? gradient - m->v[j] : gradient;
    return gradient + log(m->scaling->col[j]) + M_LN2 * pm_sinkhorn_col_exponent(m->scaling, j);
}

/* Sets the multiplier of row i; returns its sum. */
static double row_multiplier(const matrix *m, int64_t i, double *u)
{
    double sum = 0, along = 0;
    for (int64_t k = m->a->rowptr[i]; k < m->a->rowptr[i + 1]; ++k) {
        const double b = inside(m, k);
        sum += b;
        along += b * slope(m, k);
    }
    *u = along / sum;
    return sum;
}

static void first_order_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const matrix *m = context;
    (void)thread;
    for (int64_t i = from; i < to; ++i) {
        double u;
        const double sum = row_multiplier(m, i, &u);
        pm_rounded_add(s, u * (1 - sum), 0);
    }
}

static void second_order_rows(void *context, int64_t from, int64_t to, int thread,
                              pm_rounded_sum *s)
{
    const matrix *m = context;
    (void)thread;
    for (int64_t i = from; i < to; ++i) {
        double u;
        row_multiplier(m, i, &u);
        for (int64_t k = m->a->rowptr[i]; k < m->a->rowptr[i + 1]; ++k) {
            const double b = inside(m, k), g = slope(m, k) - u;
            pm_rounded_add(s, b * (1 - b) * fmax(fmin(exp(g), 1 / b) - 1 - g, 0), 0);
        }
    }
}

static double imbalance(const matrix *m, int threads, double *first)
{
    pm_rounded_sum along = {0}, second = {0};
    pm_rounded_rows(m->a, first_order_rows, (void *)m, threads, &along);
    pm_rounded_rows(m->a, second_order_rows, (void *)m, threads, &second);
    const double distance = fabs(along.sum) + second.sum;
    *first = isfinite(distance) ? along.sum : 0;
    const bool is_known = isfinite(distance) && !m->scaling->is_far && !m->scaling->is_linear;
    return is_known ? fmax(distance, DBL_MIN) : INFINITY;
}

double pm_bethe_imbalance(const pm_matrix *a, double (*entry)[2], const pm_sinkhorn *s, int threads)
{
    const matrix m = {a, entry, s->x, NULL, s};
    double first;
    return imbalance(&m, threads, &first);
}

/* ---- points ---- */

pm_status pm_bethe_lower_lines(const pm_matrix *a, double *b, pm_error *err)
{
    double *column = pm_calloc_array(a->ncols, sizeof *column);
    if (!column)
        return pm_fail_memory(err, "an estimate");
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        column[a->colind[k]] += b[k];
    for (int64_t i = 0; i < a->nrows; ++i) {
        double row = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            row += b[k];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            b[k] /= fmax(1, fmax(row, column[a->colind[k]]));
    }
    free(column);
    return PM_OK;
}

static pm_status point_init(int64_t nnz, const double *b, double bethe, double gap,
                            pm_bethe_point *out, pm_error *err)
{
    *out = (pm_bethe_point){.b = pm_alloc_array(nnz, sizeof *out->b),
                            .off = pm_alloc_array(nnz, sizeof *out->off),
                            .bethe = bethe,
                            .gap = gap,
                            .lower = -INFINITY,
                            .upper = INFINITY};
    if (!out->b || !out->off) {
        pm_bethe_point_free(out);
        return pm_fail_memory(err, "an estimate");
    }
    for (int64_t k = 0; k < nnz; ++k)
        out->b[k] = off_border(b[k]);
    return PM_OK;
}

static void set_off(const matrix *m, int threads, float *off)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < m->a->nrows; ++i) {
        double u;
        row_multiplier(m, i, &u);
        for (int64_t k = m->a->rowptr[i]; k < m->a->rowptr[i + 1]; ++k)
            off[k] = (float)(slope(m, k) - u);
    }
}

pm_status pm_bethe_point_make(const pm_matrix *a, double (*entry)[2], const double *b,
                              const double *v, double bethe, double gap, int threads,
                              pm_bethe_point *out, pm_error *err)
{
    pm_status status = point_init(pm_matrix_nnz(a), b, bethe, gap, out, err);
    if (status)
        return status;
    matrix m = {a, entry, out->b, v, NULL};
    pm_rounded_sum second = {0};
    pm_rounded_rows(a, second_order_rows, &m, threads, &second);
    out->lack = isfinite(second.sum) ? fmax(second.sum, 0) : INFINITY;
    set_off(&m, threads, out->off);
    return PM_OK;
}

pm_status pm_bethe_point_make_end(const pm_matrix *a, double (*entry)[2], const pm_sinkhorn *s,
                                  int threads, pm_bethe_point *out, pm_error *err)
{
    pm_status status = point_init(pm_matrix_nnz(a), s->x, 0, 0, out, err);
    if (status)
        return status;
    matrix m = {a, entry, out->b, NULL, s};
    double first;
    out->imbalance = imbalance(&m, threads, &first);
    out->bethe = pm_bethe_functional(a, entry, out->b, threads) + first;
    status = pm_bethe_lower_lines(a, out->b, err);
    if (!status)
        set_off(&m, threads, out->off);
    return status;
}

void pm_bethe_point_free(pm_bethe_point *p)
{
    free(p->b);
    free(p->off);
    *p = (pm_bethe_point){0};
}
