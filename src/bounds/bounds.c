/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/bethe.h"
#include "bounds/bregman.h"
#include "bounds/degree_terms.h"
#include "bounds/doubly_stochastic.h"
#include "bounds/rounded_rows.h"
#include "degree/hub_bound.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "sampler/scaled_entries.h"
#include "spmv/device_choice.h"

enum {
    SINKHORN_PRODUCTS = 4000,
    HUBER_MOST = 32767 /* entries of a line: the rounding of gamma is known up to this */
};

/* For a maximum at the border some entries of B would be too small for multiples of 2^-52. */
#define OFF_BORDER 0x1p-40

/* A matrix, its entries, and work arrays. */
typedef struct {
    const pm_matrix *a;
    pm_scaled_entries entries;
    pm_bethe bethe;
    pm_sinkhorn scaling;
    int64_t *b; /* a doubly stochastic matrix, in units of 2^-52 */
    double *x;  /* for each entry */
    double *v;  /* for each column */
    const pm_run *run;
    int threads;
} work;

/* Those of a pattern are all 1. */
static pm_status make_entries(work *w, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(w->a);
    if (w->a->re)
        return pm_scaled_entries_make(w->a, &w->entries, err);
    double(*value)[2] = w->entries.value = pm_alloc_array(nnz, sizeof *value);
    if (!value)
        return pm_fail_memory(err, "entries");
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t k = 0; k < nnz; ++k) {
        value[k][0] = 1;
        value[k][1] = 0;
    }
    return PM_OK;
}

static pm_status work_init(const pm_matrix *a, int device, const pm_run *run, work *w,
                           pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(a);
    *w = (work){.a = a, .run = run, .threads = pm_rounded_threads(a, run)};
    w->b = pm_alloc_array(nnz, sizeof *w->b);
    w->x = pm_alloc_array(nnz, sizeof *w->x);
    w->v = pm_alloc_array(a->nrows, sizeof *w->v);
    if (!w->b || !w->x || !w->v)
        return pm_fail_memory(err, "bounds");
    pm_status status = make_entries(w, err);
    return status ? status : pm_sinkhorn_make(a, device, run, &w->scaling, err);
}

static void work_free(work *w)
{
    pm_scaled_entries_free(&w->entries);
    pm_bethe_free(&w->bethe);
    pm_sinkhorn_free(&w->scaling);
    free(w->b);
    free(w->x);
    free(w->v);
}

/* ---- rounding and units ---- */

/* The factor 2^exp of the scaling. */
static void add_exponent(const work *w, pm_rounded_sum *s)
{
    pm_rounded_add(s, (double)w->entries.exp * M_LN2, 0);
}

static double low_log10(const pm_rounded_sum *s)
{
    double x = pm_rounded_low(s) * M_LOG10E;
    return x - 0x1p-50 * fabs(x);
}

static double high_log10(const pm_rounded_sum *s)
{
    double x = pm_rounded_high(s) * M_LOG10E;
    return x + 0x1p-50 * fabs(x);
}

/* ---- lower bounds ---- */

static double share(int64_t b)
{
    return ldexp((double)b, -PM_STOCHASTIC_BITS);
}

/* sum b log(a/b).  The low parts of the entries and the rounding of the quotient change each
 * logarithm by less than 2^-50. */
static void entropy_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const work *w = context;
    (void)thread;
    for (int64_t k = w->a->rowptr[from]; k < w->a->rowptr[to]; ++k) {
        double b = share(w->b[k]);
        pm_rounded_add(s, b * log(w->entries.value[k][0] / b), b * 0x1p-50);
    }
}

static void add_entropy(work *w, pm_rounded_sum *s)
{
    pm_rounded_rows(w->a, entropy_rows, w, w->threads, s);
    add_exponent(w, s);
}

/* sum (1 - b) log(1 - b) */
static void complement_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const work *w = context;
    (void)thread;
    for (int64_t k = w->a->rowptr[from]; k < w->a->rowptr[to]; ++k) {
        double rest = share((INT64_C(1) << PM_STOCHASTIC_BITS) - w->b[k]);
        if (rest > 0)
            pm_rounded_add(s, rest * log(rest), 0);
    }
}

static void count_lines(const work *w, bool columns, int64_t *count)
{
    const pm_csr *lines = columns ? &w->scaling.on.x.t : &w->scaling.on.x.a;
    for (int64_t i = 0; i < lines->nrows; ++i)
        count[i] = lines->rowptr[i + 1] - lines->rowptr[i];
}

/* The bounds that use the capacity; w->b is Sinkhorn's matrix. */
static pm_status capacity_bounds(work *w, pm_bounds *out, pm_error *err)
{
    int64_t n = w->a->nrows, *count = pm_alloc_array(n, sizeof *count);
    if (!count)
        return pm_fail_memory(err, "bounds");
    pm_rounded_sum capacity = {0};
    pm_status status = PM_OK;
    add_entropy(w, &capacity);
    for (int columns = 0; columns < 2 && !status; ++columns) {
        pm_rounded_sum s = capacity;
        count_lines(w, columns, count);
        status = pm_degree_terms_add(count, n, &s, err);
        out->gurvits = fmax(out->gurvits, low_log10(&s));
    }
    free(count);
    pm_degree_terms_add_all(n, w->threads, &capacity);
    out->van_der_waerden = low_log10(&capacity);
    return status;
}

/* ---- upper bound by Bethe's functional ---- */

static double gradient(const work *w, int64_t k)
{
    double b = share(w->b[k]);
    double rest = share((INT64_C(1) << PM_STOCHASTIC_BITS) - w->b[k]);
    return log(w->entries.value[k][0] / b) - log(rest) - 2;
}

/* v, a number for each column, such that the gradient less v_j is nearly constant in each row.  At
 * the fixed point of belief propagation b (1 - b) = a / (S_i T_j), S and T the sums of the messages to
 * row i and to column j, so that the gradient is log S_i + log T_j - 2; B is that point with rows and
 * columns scaled. */
static void find_dual(const work *w)
{
    const pm_matrix *a = w->a;
    const int threads = w->scaling.on.x.threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        const pm_column_range range = pm_column_range_of(a->ncols, part, threads);
        double *v = w->v + range.from;
        for (uint32_t j = 0; j < range.count; ++j)
            v[j] = 0;
        for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
            if (pm_column_is_in(range, a->colind[k]))
                w->v[a->colind[k]] += w->bethe.to_col[k];
        for (uint32_t j = 0; j < range.count; ++j)
            v[j] = log(v[j] / w->scaling.col[range.from + j]);
    }
}

/* -<grad F(B), B> + sum u, u_i the largest gradient less v_j */
static void dual_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const work *w = context;
    const pm_matrix *a = w->a;
    (void)thread;
    for (int64_t i = from; i < to; ++i) {
        double most = -INFINITY, size = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            double g = gradient(w, k), d = g - w->v[a->colind[k]], b = share(w->b[k]);
            most = fmax(most, d);
            size = fmax(size, fabs(g) + fabs(d));
            /* a gradient is a sum of three logarithms and 2: its error is below 2^-48 (4 + |g|) */
            pm_rounded_add(s, -b * g, b * (4 + fabs(g)) * 0x1p-46);
        }
        pm_rounded_add(s, most, (4 + size) * 0x1p-46);
    }
}

/* The bound from F(B), where B is w->b.  The permanent of a single entry is the entry. */
static double bethe_above(work *w, pm_rounded_sum f)
{
    const pm_matrix *a = w->a;
    if (a->nrows == 1)
        return high_log10(&f);
    bool has_one = false;
#pragma omp parallel for num_threads(w->threads) reduction(|| : has_one) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        has_one = has_one || w->b[k] >> PM_STOCHASTIC_BITS;
    if (has_one)
        return INFINITY;
    find_dual(w);
    for (int64_t j = 0; j < a->ncols; ++j)
        pm_rounded_add(&f, w->v[j], 0);
    pm_rounded_rows(a, dual_rows, w, w->threads, &f);
    pm_rounded_add(&f, (double)a->nrows * M_LN2 / 2, 0);
    return high_log10(&f);
}

/* ---- all bounds ---- */

/* Sets w->b to a matrix at or near the maximum of F.  least: smaller probabilities are raised to
 * it. */
static pm_status bethe_matrix(work *w, double least, bool *found, pm_error *err)
{
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(w->a); ++k)
        w->x[k] = fmax(w->bethe.probability[k], least);
    pm_sinkhorn_start(&w->scaling, w->x);
    return pm_doubly_stochastic(w->a, &w->scaling, SINKHORN_PRODUCTS, w->b, found, err);
}

static pm_status bethe_bounds(work *w, pm_bounds *out, pm_error *err)
{
    bool found;
    const pm_bethe_limits limits = {1e-15, pm_bethe_sweeps(pm_matrix_nnz(w->a)), 1e-13};
    pm_status status =
        pm_bethe_make(w->a, w->entries.value, &limits, &w->scaling.on, w->run, &w->bethe, err);
    if (status)
        return status;
    status = bethe_matrix(w, 0, &found, err);
    if (!status && !found)
        status = bethe_matrix(w, OFF_BORDER, &found, err);
    if (status || !found)
        return status;
    pm_rounded_sum f = {0};
    add_entropy(w, &f);
    pm_rounded_rows(w->a, complement_rows, w, w->threads, &f);
    out->schrijver = low_log10(&f);
    out->bethe = bethe_above(w, f);
    return PM_OK;
}

static pm_status huber_bound(const pm_matrix *a, pm_bounds *out, pm_error *err)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t r = a->rowptr[i + 1] - a->rowptr[i];
        longest = r > longest ? r : longest;
    }
    if (longest > HUBER_MOST)
        return PM_OK;
    double *gamma = pm_alloc_array(longest + 1, sizeof *gamma);
    if (!gamma)
        return pm_fail_memory(err, "bounds");
    pm_hub_gamma(gamma, (int32_t)longest);
    for (int64_t r = 1; r <= longest; ++r)
        gamma[r] = log(gamma[r]);
    pm_rounded_sum sum = {0};
    for (int64_t i = 0; i < a->nrows; ++i)
        pm_rounded_add(&sum, gamma[a->rowptr[i + 1] - a->rowptr[i]], 0x1p-35);
    out->huber = fmin(out->huber, high_log10(&sum));
    free(gamma);
    return PM_OK;
}

/* The upper bounds of one side: rows of a, with the scaling of its columns.  s->value: NULL: a is a pattern. */
static pm_status bregman_bounds(const pm_matrix *a, const pm_scaled_entries *s, const double *scale,
                                const pm_run *run, pm_bounds *out, pm_error *err)
{
    pm_rounded_sum plain = {0}, scaled = {0};
    pm_status status = pm_bregman_sum(a, s->value, NULL, run, &plain, err);
    if (!status)
        status = pm_bregman_sum(a, s->value, scale, run, &scaled, err);
    if (status)
        return status;
    pm_rounded_add(&plain, (double)s->exp * M_LN2, 0);
    pm_rounded_add(&scaled, (double)s->exp * M_LN2, 0);
    out->bregman = fmin(out->bregman, high_log10(&plain));
    out->bregman_scaled = fmin(out->bregman_scaled, high_log10(&scaled));
    return s->value ? PM_OK : huber_bound(a, out, err);
}

/* The entries by columns; freed by the caller.  Those of a pattern are all 1: out->value is NULL. */
static pm_status transpose_entries(const work *w, pm_scaled_entries *out, pm_error *err)
{
    const pm_csr *t = &w->scaling.on.x.t;
    const int64_t n = w->a->nrows;
    out->exp = w->entries.exp;
    if (!w->a->re)
        return PM_OK;
    int64_t *at = pm_alloc_array(n, sizeof *at);
    out->value = pm_alloc_array(pm_matrix_nnz(w->a), sizeof *out->value);
    if (!at || !out->value) {
        free(at);
        return pm_fail_memory(err, "bounds");
    }
    for (int64_t j = 0; j < n; ++j)
        at[j] = t->rowptr[j];
    for (int64_t k = 0; k < pm_matrix_nnz(w->a); ++k) {
        double *to = out->value[at[w->a->colind[k]]++];
        to[0] = w->entries.value[k][0];
        to[1] = w->entries.value[k][1];
    }
    free(at);
    return PM_OK;
}

/* The bounds of the rows and those of the columns. */
static pm_status line_bounds(const work *w, pm_bounds *out, pm_error *err)
{
    const pm_matrix *a = w->a;
    const pm_csr_pair *x = &w->scaling.on.x;
    const pm_matrix t = {
        .nrows = a->ncols, .ncols = a->nrows, .rowptr = x->owned[0], .colind = x->owned[1]};
    const pm_scaled_entries s = {.value = a->re ? w->entries.value : NULL, .exp = w->entries.exp};
    pm_scaled_entries st = {0};
    pm_status status = bregman_bounds(a, &s, w->scaling.col, w->run, out, err);
    if (!status)
        status = transpose_entries(w, &st, err);
    if (!status)
        status = bregman_bounds(&t, &st, w->scaling.row, w->run, out, err);
    pm_scaled_entries_free(&st);
    return status;
}

/* Sinkhorn's scaling, and with it the bounds by the capacity and those of the rows and the columns. */
static pm_status scaled_bounds(work *w, pm_bounds *out, pm_error *err)
{
    const pm_matrix *a = w->a;
    bool found;
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        w->x[k] = w->entries.value[k][0];
    pm_sinkhorn_start(&w->scaling, w->x);
    pm_status status = pm_doubly_stochastic(a, &w->scaling, SINKHORN_PRODUCTS, w->b, &found, err);
    if (!status && found)
        status = capacity_bounds(w, out, err);
    return status ? status : line_bounds(w, out, err);
}

static void sum_up(const pm_matrix *a, pm_bounds *out)
{
    out->lower = fmax(fmax(out->schrijver, out->gurvits), out->van_der_waerden);
    if (!a->re && isfinite(out->lower)) /* Birkhoff: a doubly stochastic matrix has a matching */
        out->lower = fmax(out->lower, 0);
    out->upper = fmin(fmin(out->bregman, out->bregman_scaled), fmin(out->huber, out->bethe));
}

typedef struct {
    const pm_matrix *a;
    const pm_run *run;
    pm_bounds *out;
} question;

static pm_status make(void *context, int device, pm_error *err)
{
    const question *q = context;
    work w;
    pm_bounds b = {.schrijver = -INFINITY,
                   .gurvits = -INFINITY,
                   .van_der_waerden = -INFINITY,
                   .bregman = INFINITY,
                   .bregman_scaled = INFINITY,
                   .huber = INFINITY,
                   .bethe = INFINITY};
    pm_status status = work_init(q->a, device, q->run, &w, err);
    if (!status)
        status = bethe_bounds(&w, &b, err);
    if (!status)
        status = scaled_bounds(&w, &b, err);
    if (!status) {
        sum_up(q->a, &b);
        *q->out = b;
    }
    work_free(&w);
    return status;
}

pm_status pm_bounds_make(const pm_matrix *a, pm_backend backend, const pm_run *run, pm_bounds *out,
                         pm_error *err)
{
    question q = {a, run, out};
    return pm_on_device(backend, pm_matrix_nnz(a), make, &q, run, err);
}

void pm_bounds_prepare(pm_backend backend)
{
    pm_device_prepare(backend);
}

void pm_bounds_prepared(void)
{
    pm_device_prepared();
}
