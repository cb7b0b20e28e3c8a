/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bounds.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/bethe.h"
#include "bounds/bethe_ascent.h"
#include "bounds/bregman.h"
#include "bounds/degree_terms.h"
#include "bounds/heavy_matching.h"
#include "bounds/rounded_rows.h"
#include "degree/hub_bound.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "pm/memory.h"
#include "sampler/scaled_entries.h"
#include "sinkhorn/coarse.h"
#include "sinkhorn/doubly_stochastic.h"
#include "spmv/device_choice.h"

enum { HUBER_MOST = 32767 /* entries of a line: the rounding of gamma is known up to this */ };

/* Products of a scaling: so many that they read ENTRIES, from PRODUCTS_LEAST to PRODUCTS_MOST. */
enum { PRODUCTS_LEAST = 300, PRODUCTS_MOST = 4000 };
#define ENTRIES 4e9

/* The same with linear steps: nothing is scaled a second time after them. */
#define LINEAR_ENTRIES 20e9
#define NEAR           0x1p-10 /* a residual up to this needs none */
/* Before linear steps entries become at least this: smaller ones carry little, and make the equations hard. */
#define LEAST_CURRENT 0x1p-12
/* Residuals after linear steps at which sums are made exact first.  Where entries are similar, errors of the sums add up along long paths. */
#define FIRST_SIMILAR   0x1p-16
#define FIRST_DIFFERENT 0x1p-6

/* In a large graph whose entries differ by at most a factor SIMILAR, the scaling after belief propagation first gets 1 / FIRST_PART of the
 * products, and the rest only if its factors are not far from right by then.  In lattices with frozen corners they are, and Sinkhorn's scaling
 * comes nearer. */
enum { FIRST_PART = 4, SIMILAR = 16 };

enum { SMALL = 100000 }; /* entries: all scalings are tried */

/* Sweeps of belief propagation for an estimate: at most POINT_SWEEPS, which change at most POINT_MESSAGES. */
#define POINT_SWEEPS   200.0
#define POINT_MESSAGES 1e9

/* Steps of the ascent end where one brings less than this share of what all have brought. */
#define LEAST_GAIN 0x1p-5

/* After belief propagation of a lattice Sinkhorn's matrix and an ascent from it follow if F may be GAP a row larger, and the scaling has read
 * at most ASCENT_ENTRIES. */
#define GAP            0x1p-10
#define ASCENT_ENTRIES 2e9

/* For a maximum at the border some entries of B would be too small for multiples of 2^-52. */
#define OFF_BORDER 0x1p-40

/* A matrix, its entries, and work arrays.  Large graphs need most of their memory here, so there is one number for each entry, in
 * the workspace of the scaling: its probability, the scaled entry, then that of B.  Beside it there are messages, and at
 * the end the pattern of the transpose. */
typedef struct {
    const pm_matrix *a;
    pm_scaled_entries entries; /* value is NULL for a pattern */
    pm_sinkhorn scaling;
    const double *b; /* a doubly stochastic matrix B, multiples of 2^-52: 1 - b is exact */
    const double *v; /* of find_dual, for each column */
    const pm_run *run;
    int threads;
    pm_bethe_point *point; /* not NULL: only the best bounds are wanted, and this */
} work;

static pm_status work_init(const pm_matrix *a, int device, const pm_run *run, work *w,
                           pm_error *err)
{
    *w = (work){.a = a, .run = run, .threads = pm_rounded_threads(a, run)};
    if (pm_matrix_nnz(a) >= PM_BOUNDS_LARGE) /* of reading and of what found the blocks */
        pm_memory_give_back();
    pm_status status = a->re ? pm_scaled_entries_make(a, run, &w->entries, err) : PM_OK;
    if (!status)
        status = pm_sinkhorn_make(a, device, run, &w->scaling, err);
    if (!status)
        pm_sinkhorn_drop_rows(&w->scaling);
    return status;
}

static void work_free(work *w)
{
    pm_scaled_entries_free(&w->entries);
    pm_sinkhorn_free(&w->scaling);
}

static double entry(const work *w, int64_t k)
{
    return w->entries.value ? w->entries.value[k][0] : 1;
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

/* sum b log(a/b).  The low parts of the entries and the rounding of the quotient change each
 * logarithm by less than 2^-50. */
static void entropy_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const work *w = context;
    (void)thread;
    for (int64_t k = w->a->rowptr[from]; k < w->a->rowptr[to]; ++k) {
        double b = w->b[k];
        pm_rounded_add(s, b * log(entry(w, k) / b), b * 0x1p-50);
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
        double rest = 1 - w->b[k];
        if (rest > 0)
            pm_rounded_add(s, rest * log(rest), 0);
    }
}

static void count_lines(const work *w, bool columns, int64_t *count)
{
    const pm_matrix *a = w->a;
    if (columns)
        pm_transposed_count(a->ncols, pm_matrix_nnz(a), a->colind, w->scaling.on.x.threads, count);
    else
        for (int64_t i = 0; i < a->nrows; ++i)
            count[i] = a->rowptr[i + 1] - a->rowptr[i];
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

/* One term of a weighted permanent; w->scaling.x says which entries are large. */
static pm_status matching_bound(work *w, pm_bounds *out, pm_error *err)
{
    const int64_t n = w->a->nrows;
    int64_t *at = pm_alloc_array(n, sizeof *at);
    bool found = false;
    pm_status status = at ? pm_heavy_matching(w->a, w->scaling.x, w->run, at, &found, err)
                          : pm_fail_memory(err, "bounds");
    if (!status && found) {
        pm_rounded_sum s = {0};
        for (int64_t i = 0; i < n; ++i) /* the low part of an entry changes its logarithm by less */
            pm_rounded_add(&s, log(entry(w, at[i])), 0x1p-50);
        add_exponent(w, &s);
        out->lower = low_log10(&s);
    }
    free(at);
    return status;
}

/* ---- upper bound by Bethe's functional ---- */

static double gradient(const work *w, int64_t k)
{
    double b = w->b[k];
    double rest = 1 - w->b[k];
    return log(entry(w, k) / b) - log(rest) - 2;
}

/* v, a number for each column, such that the gradient less v_j is nearly constant in each row.  At the fixed point of belief propagation b (1 - b) = a / (S_i T_j), S and T the sums of the messages to
 * row i and to column j, so that the gradient is log S_i + log T_j - 2; B is that point with rows and
 * columns scaled. */
static void find_dual(work *w, double *v)
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
    const work *w = context;
    const pm_matrix *a = w->a;
    (void)thread;
    for (int64_t i = from; i < to; ++i) {
        double most = -INFINITY, size = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            double g = gradient(w, k), d = g - w->v[a->colind[k]], b = w->b[k];
            most = fmax(most, d);
            size = fmax(size, fabs(g) + fabs(d));
            /* a gradient is a sum of three logarithms and 2: its error is below 2^-48 (4 + |g|) */
            pm_rounded_add(s, -b * g, b * (4 + fabs(g)) * 0x1p-46);
        }
        pm_rounded_add(s, most, (4 + size) * 0x1p-46);
    }
}

/* An upper bound of max F, from F(B), where B is w->b.  v: [columns], for find_dual.  Returns false when there is none. */
static bool find_most(work *w, double *v, pm_rounded_sum *f)
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

/* The permanent of a single entry is the entry.  Factors beyond the range of numbers give no bound. */
static void bethe_above(work *w, double *v, pm_rounded_sum f, pm_bounds *out)
{
    if (!find_most(w, v, &f) || !isfinite(f.sum))
        return;
    out->bethe_most = fmin(out->bethe_most, high_log10(&f));
    if (w->a->nrows > 1)
        pm_rounded_add(&f, (double)w->a->nrows * M_LN2 / 2, 0);
    out->bethe = fmin(out->bethe, high_log10(&f));
}

/* ---- all bounds ---- */

static int64_t products_for(const pm_matrix *a)
{
    return (int64_t)fmin(fmax(ENTRIES / (double)pm_matrix_nnz(a), PRODUCTS_LEAST), PRODUCTS_MOST);
}

static int64_t linear_products_for(const pm_matrix *a)
{
    return (int64_t)fmin(fmax(LINEAR_ENTRIES / (double)pm_matrix_nnz(a), PRODUCTS_LEAST),
                         PRODUCTS_MOST);
}

/* Sweeps of belief propagation.  For an estimate they should come near the maximum: a sweep takes as long as one or two products,
 * and each digit saves many products of the scaling. */
static int sweeps_for(const work *w)
{
    const int64_t nnz = pm_matrix_nnz(w->a);
    const int sweeps = pm_bethe_sweeps(nnz),
              more = (int)fmin(POINT_SWEEPS, POINT_MESSAGES / (double)nnz);
    return w->point && more > sweeps ? more : sweeps;
}

static bool is_hasty(const work *w)
{
    return w->point && pm_matrix_nnz(w->a) >= PM_BOUNDS_LARGE;
}

/* The largest entry over the smallest one. */
static double spread(const work *w)
{
    double least = INFINITY, most = 0;
    for (int64_t k = 0; k < pm_matrix_nnz(w->a); ++k) {
        least = fmin(least, entry(w, k));
        most = fmax(most, entry(w, k));
    }
    return most / least;
}

static void raise_entries(work *w, double least)
{
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(w->a); ++k)
        w->scaling.x[k] = fmax(w->scaling.x[k], least);
}

/* Sets w->b, after the start of the scaling; most: products. */
static pm_status stochastic_matrix(work *w, int64_t most, bool *found, pm_error *err)
{
    const double first = !w->scaling.is_linear  ? 0
                         : spread(w) <= SIMILAR ? FIRST_SIMILAR
                                                : FIRST_DIFFERENT;
    pm_status status = pm_doubly_stochastic(w->a, &w->scaling, first, most, found, err);
    w->b = w->scaling.x;
    return status;
}

/* Products of the scaling from belief propagation while its factors are far from right. */
static int64_t first_products(const work *w)
{
    const int64_t all = products_for(w->a);
    return is_hasty(w) && spread(w) <= SIMILAR ? all / FIRST_PART : all;
}

/* Linear steps are for matrices that are not small and may have coarse systems, on the host.  Where entries differ a scaling that converges is
 * nearer to the maximum, so only large ones get them; and an estimate, which is made from the end of a scaling, too, has no time for
 * them. */
static pm_status may_be_linear(const work *w, bool *may, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(w->a);
    *may = nnz >= SMALL && !w->scaling.on.gpu
           && (spread(w) <= SIMILAR || (nnz >= PM_BOUNDS_LARGE && !is_hasty(w)));
    return *may ? pm_coarse_check(&w->scaling.on, may, err) : PM_OK;
}

/* Where the sums of the probabilities are not near 1 the scaling gets linear steps. */
static pm_status begin_linearly(work *w, bool *is_linear, pm_error *err)
{
    pm_status status = may_be_linear(w, is_linear, err);
    if (status || !*is_linear)
        return status;
    status = pm_sinkhorn_improve(&w->scaling, NEAR, 0, err);
    *is_linear = !status && !(w->scaling.residual <= NEAR);
    if (!*is_linear)
        return status == PM_UNABLE ? PM_OK : status;
    raise_entries(w, LEAST_CURRENT);
    pm_sinkhorn_start_again(&w->scaling, w->scaling.x);
    pm_sinkhorn_step_linearly(&w->scaling);
    return PM_OK;
}

/* Sets w->b to a matrix at or near the maximum of F, and the column factors of the scaling to those of B divided by the sums of the
 * messages.  least: smaller probabilities are raised to it. */
static pm_status bethe_matrix(work *w, double least, bool *found, pm_error *err)
{
    const pm_bethe_limits limits = {1e-15, sweeps_for(w), 1e-14};
    double *col = w->scaling.col;
    pm_status status =
        pm_bethe_probabilities(w->a, w->entries.value, &limits, &w->scaling.on, w->run, col, err);
    if (status)
        return status;
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t j = 0; j < w->a->ncols; ++j)
        col[j] = 1 / col[j];
    raise_entries(w, least);
    pm_sinkhorn_start_from(&w->scaling, w->scaling.x);
    bool is_linear = false;
    status = begin_linearly(w, &is_linear, err);
    const int64_t most = is_linear ? linear_products_for(w->a) : products_for(w->a),
                  first = is_linear ? most : first_products(w);
    if (!status)
        status = stochastic_matrix(w, first, found, err);
    if (!status && !*found && first < most && !w->scaling.is_far)
        status = stochastic_matrix(w, most, found, err);
    return status;
}

/* F(B), B is w->b. */
static pm_rounded_sum functional(work *w)
{
    pm_rounded_sum f = {0};
    add_entropy(w, &f);
    pm_rounded_rows(w->a, complement_rows, w, w->threads, &f);
    return f;
}

/* Keeps w->b, where F is f, and how far it is from the maximum, at most: out->bethe_most is known. */
static pm_status keep_point(const work *w, pm_rounded_sum f, const pm_bounds *out, pm_error *err)
{
    const double gap = (out->bethe_most - low_log10(&f)) * M_LN10;
    pm_bethe_point_free(w->point); /* an earlier one, or one of a device that failed */
    return pm_bethe_point_make(w->a, w->entries.value, w->b, w->v, pm_rounded_low(&f), gap,
                               w->threads, w->point, err);
}

/* Where no doubly stochastic matrix was found: keeps the matrix at which the scaling ended. */
static pm_status end_bounds(work *w, pm_bounds *out, pm_error *err)
{
    pm_bethe_point_free(w->point);
    pm_status status =
        pm_bethe_point_make_end(w->a, w->entries.value, &w->scaling, w->threads, w->point, err);
    w->point->bethe += (double)w->entries.exp * M_LN2;
    return status || !w->a->re ? status : matching_bound(w, out, err);
}

/* A graph that is not small and whose scaling took many of its products, at least those of one long step, has no time for another one; nor has one whose
 * equations cannot be solved. */
static bool has_time(const work *w)
{
    const int64_t most = products_for(w->a);
    return pm_matrix_nnz(w->a) < SMALL || (!w->scaling.is_stuck && w->scaling.products < most / 4);
}

/* Bethe's upper bound, and the point if it is the best so far, after a step of an ascent to where F is f; the factors of the columns stay. */
static pm_status step_bounds(work *w, pm_rounded_sum f, bool is_best, pm_bounds *out, pm_error *err)
{
    double *v = pm_alloc_array(w->a->ncols, sizeof *v);
    if (!v)
        return pm_fail_memory(err, "bounds");
    bethe_above(w, v, f, out);
    const pm_status status = w->point && is_best ? keep_point(w, f, out, err) : PM_OK;
    w->v = NULL;
    free(v);
    return status;
}

/* From w->b, where F is `now`, to the matrices that follow (bethe_ascent.h), until a step brings little beside what all have brought,
 * fails, or the products are spent.  The factors of the columns are then those of the last scaling. */
static pm_status ascend(work *w, double now, int64_t most, pm_bounds *out, pm_error *err)
{
    const double first = now;
    double gain = INFINITY;
    while (gain > LEAST_GAIN * (now - first) && most > w->scaling.products) {
        bool found;
        most -= w->scaling.products;
        pm_bethe_ascent_start(w->a, w->entries.value, w->threads, &w->scaling);
        pm_status status = stochastic_matrix(w, most, &found, err);
        if (status || !found)
            return status;
        const pm_rounded_sum f = functional(w);
        gain = low_log10(&f) - now;
        now = fmax(now, low_log10(&f));
        status = step_bounds(w, f, now > out->schrijver, out, err);
        out->schrijver = fmax(out->schrijver, now);
        if (status)
            return status;
    }
    return PM_OK;
}

/* Bethe's bounds from Sinkhorn's matrix on. */
static pm_status ascend_from_sinkhorn(work *w, pm_bounds *out, pm_error *err)
{
    const pm_rounded_sum f = functional(w);
    const double now = low_log10(&f);
    pm_status status = step_bounds(w, f, now > out->schrijver, out, err);
    out->schrijver = fmax(out->schrijver, now);
    return status ? status : ascend(w, now, products_for(w->a), out, err);
}

/* Whether belief propagation ended far from the maximum of F, and the scaling has left time. */
static bool may_ascend(const work *w, const pm_bounds *out)
{
    const double entries = (double)w->scaling.products * (double)pm_matrix_nnz(w->a),
                 gap = (out->bethe_most - out->schrijver) * M_LN10;
    return isfinite(gap) && gap > GAP * (double)w->a->nrows && entries <= ASCENT_ENTRIES;
}

static pm_status bethe_bounds(work *w, pm_bounds *out, pm_error *err)
{
    bool found;
    pm_status status = bethe_matrix(w, 0, &found, err);
    if (!status && !found && has_time(w)) /* the probabilities have been overwritten */
        status = bethe_matrix(w, OFF_BORDER, &found, err);
    if (!status && !found && is_hasty(w))
        return end_bounds(w, out, err);
    if (!status && !found && w->a->re && pm_matrix_nnz(w->a) >= PM_BOUNDS_LARGE)
        return matching_bound(w, out, err); /* other scalings say less about large entries */
    if (status || !found)
        return status;
    const pm_rounded_sum f = functional(w);
    out->schrijver = low_log10(&f);
    bethe_above(w, w->scaling.col, f, out);
    return w->point ? keep_point(w, f, out, err) : PM_OK;
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

/* The upper bounds of one side: rows of a, with the scaling of its columns. */
static pm_status bregman_bounds(const work *w, const pm_matrix *a, double (*value)[2],
                                const double *scale, pm_bounds *out, pm_error *err)
{
    pm_rounded_sum plain = {0}, scaled = {0};
    pm_status status = pm_bregman_sum(a, value, NULL, w->run, &plain, err);
    if (!status)
        status = pm_bregman_sum(a, value, scale, w->run, &scaled, err);
    if (status)
        return status;
    add_exponent(w, &plain);
    add_exponent(w, &scaled);
    out->bregman = fmin(out->bregman, high_log10(&plain));
    out->bregman_scaled = fmin(out->bregman_scaled, high_log10(&scaled));
    return value ? PM_OK : huber_bound(a, out, err);
}

/* The entries by columns; ptr: of the columns; value: NULL for a pattern, freed by the caller. */
static pm_status transpose_values(const work *w, const int64_t *ptr, double (**value)[2],
                                  pm_error *err)
{
    const pm_matrix *a = w->a;
    *value = NULL;
    if (!w->entries.value)
        return PM_OK;
    int64_t *at = pm_copy(ptr, (size_t)a->ncols * sizeof *at);
    *value = pm_alloc_array(pm_matrix_nnz(a), sizeof **value);
    for (int64_t k = 0; at && *value && k < pm_matrix_nnz(a); ++k) {
        double *to = (*value)[at[a->colind[k]]++];
        to[0] = w->entries.value[k][0];
        to[1] = w->entries.value[k][1];
    }
    const bool has_memory = at && *value;
    free(at);
    return has_memory ? PM_OK : pm_fail_memory(err, "bounds");
}

/* The factors of the rows that belong to those of the columns; freed by the caller. */
static pm_status row_factors(const work *w, double **out, pm_error *err)
{
    const pm_matrix *a = w->a;
    double *row = pm_alloc_array(a->nrows, sizeof *row);
    if (!row)
        return pm_fail_memory(err, "bounds");
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            sum += entry(w, k) * w->scaling.col[a->colind[k]];
        row[i] = 1 / sum;
    }
    *out = row;
    return PM_OK;
}

static pm_status column_bounds(const work *w, pm_bounds *out, pm_error *err)
{
    const pm_matrix *a = w->a;
    double *row = NULL;
    double(*value)[2] = NULL;
    int64_t *ptr = pm_alloc_array(a->ncols + 1, sizeof *ptr);
    int32_t *ind = pm_alloc_array(pm_matrix_nnz(a), sizeof *ind);
    pm_status status = ptr && ind ? PM_OK : pm_fail_memory(err, "bounds");
    if (!status) {
        pm_transposed_make(a->nrows, a->ncols, a->rowptr, a->colind, w->scaling.on.x.threads, ptr,
                           ind, NULL);
        status = transpose_values(w, ptr, &value, err);
    }
    const pm_matrix t = {
        .field = PM_PATTERN, .nrows = a->ncols, .ncols = a->nrows, .rowptr = ptr, .colind = ind};
    if (!status)
        status = row_factors(w, &row, err);
    if (!status)
        status = bregman_bounds(w, &t, value, row, out, err);
    free(row);
    free(value);
    free(ptr);
    free(ind);
    return status;
}

/* The factors of the columns become numbers without exponents, whose largest and smallest are about equally far from 1: a number times all
 * factors changes no bound. */
static void center_factors(work *w)
{
    enum { RANGE = 4000 /* more than that of exponents */ };
    double *col = w->scaling.col;
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int64_t j = 0; j < w->a->ncols; ++j) {
        const int64_t e = ilogb(col[j]) + (int64_t)pm_sinkhorn_col_exponent(&w->scaling, j);
        least = e < least ? e : least;
        most = e > most ? e : most;
    }
    const int64_t middle = least + (most - least) / 2;
    for (int64_t j = 0; j < w->a->ncols; ++j) {
        const int64_t by = pm_sinkhorn_col_exponent(&w->scaling, j) - middle;
        col[j] = ldexp(col[j], by < -RANGE ? -RANGE : by > RANGE ? RANGE : (int)by);
    }
}

/* Sinkhorn's scaling, and with it the bounds by the capacity and those of the rows and the columns; any factors give the latter, which
 * need no entries of the scaled matrix any more. */
static pm_status scaled_bounds(work *w, pm_bounds *out, pm_error *err)
{
    const int64_t all = products_for(w->a), first = first_products(w);
    const bool has_part = first < all && w->scaling.is_far; /* of the products */
    const bool has_bound = isfinite(out->schrijver), is_linear = w->scaling.is_linear,
               is_lattice = is_linear || w->scaling.is_slow,
               ascends = !has_bound || (is_lattice && may_ascend(w, out));
    const bool is_short =
        is_hasty(w) ? has_bound || !(has_time(w) || has_part) : is_linear && !ascends;
    const int64_t most = has_part      ? all - first
                         : is_hasty(w) ? all / 2 /* one found nothing */
                                       : all;
    bool found = false;
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(w->a); ++k)
        w->scaling.x[k] = entry(w, k);
    pm_sinkhorn_start(&w->scaling, w->scaling.x);
    pm_status status = is_short ? pm_sinkhorn_improve(&w->scaling, INFINITY, 0, err)
                                : stochastic_matrix(w, most, &found, err);
    if (!status && found)
        status = capacity_bounds(w, out, err);
    if (!status && found && ascends)
        status = ascend_from_sinkhorn(w, out, err);
    else if (!status && !found && w->a->re && !isfinite(out->schrijver) && !isfinite(out->lower))
        status = matching_bound(w, out, err);
    w->b = NULL;
    pm_sinkhorn_drop_entries(&w->scaling);
    center_factors(w);
    if (!status)
        status = bregman_bounds(w, w->a, w->entries.value, w->scaling.col, out, err);
    return status ? status : column_bounds(w, out, err);
}

/* out->lower: of one matching, or -INFINITY. */
static void sum_up(const pm_matrix *a, pm_bounds *out)
{
    out->lower = fmax(fmax(out->lower, out->schrijver), fmax(out->gurvits, out->van_der_waerden));
    if (a->field <= PM_INTEGER
        && isfinite(out->lower)) /* Birkhoff: a doubly stochastic matrix has a matching */
        out->lower = fmax(out->lower, 0);
    out->upper = fmin(fmin(out->bregman, out->bregman_scaled), fmin(out->huber, out->bethe));
}

typedef struct {
    const pm_matrix *a;
    const pm_run *run;
    pm_bounds *out;
    pm_bethe_point *point; /* NULL: not wanted */
} question;

static pm_status make(void *context, int device, pm_error *err)
{
    const question *q = context;
    work w;
    pm_bounds b = {.schrijver = -INFINITY,
                   .gurvits = -INFINITY,
                   .van_der_waerden = -INFINITY,
                   .lower = -INFINITY,
                   .bregman = INFINITY,
                   .bregman_scaled = INFINITY,
                   .huber = INFINITY,
                   .bethe = INFINITY,
                   .bethe_most = INFINITY};
    pm_status status = work_init(q->a, device, q->run, &w, err);
    w.point = q->point;
    if (!status)
        status = bethe_bounds(&w, &b, err);
    if (!status)
        status = scaled_bounds(&w, &b, err);
    if (!status) {
        sum_up(q->a, &b);
        *q->out = b;
        if (q->point) {
            q->point->lower = b.lower * M_LN10;
            q->point->upper = b.upper * M_LN10;
        }
    }
    work_free(&w);
    return status;
}

pm_status pm_bounds_make(const pm_matrix *a, pm_backend backend, const pm_run *run, pm_bounds *out,
                         pm_error *err)
{
    question q = {a, run, out, NULL};
    return pm_on_device(backend, pm_matrix_nnz(a), make, &q, run, err);
}

pm_status pm_bounds_make_bracket(const pm_matrix *a, pm_backend backend, const pm_run *run,
                                 pm_bounds *out, pm_bethe_point *point, pm_error *err)
{
    question q = {a, run, out, point};
    *point = (pm_bethe_point){0};
    pm_status status = pm_on_device(backend, pm_matrix_nnz(a), make, &q, run, err);
    if (status)
        pm_bethe_point_free(point);
    return status;
}

pm_status pm_bounds_demand(pm_backend backend, pm_error *err)
{
    return pm_device_demand(backend, err);
}

void pm_bounds_prepare(pm_backend backend)
{
    pm_device_prepare(backend);
}

void pm_bounds_prepared(void)
{
    pm_device_prepared();
}
