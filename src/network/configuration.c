/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "network/configuration.h"

#include <math.h>
#include <stdlib.h>

#include "core/log_factorial.h"
#include "pm/alloc.h"

/* What is farther from a mean has a probability below this. */
#define NEGLIGIBLE 0x1p-90

/* Probabilities p[0 .. count - 1] of the numbers first, first + 1, ... */
typedef struct {
    int64_t first, count;
    double *p;
} distribution;

static double log_binomial(int64_t n, int64_t k)
{
    return pm_log_factorial((double)n) - pm_log_factorial((double)k)
           - pm_log_factorial((double)(n - k));
}

/* How many of n events with probability 1/d happen: the probabilities that are not negligible. */
static pm_status binomial(int64_t n, int64_t d, distribution *out, pm_error *err)
{
    const double p = 1 / (double)d, width = 12 * sqrt((double)n * p * (1 - p)) + 60;
    int64_t first = (int64_t)fmax(floor((double)n * p - width), 0);
    int64_t last = (int64_t)fmin(ceil((double)n * p + width), (double)n);
    if (d == 1)
        first = last = n;
    *out =
        (distribution){first, last - first + 1, pm_alloc_array(last - first + 1, sizeof *out->p)};
    if (!out->p)
        return pm_fail_memory(err, "distribution");
    for (int64_t k = first; k <= last; ++k)
        out->p[k - first] =
            d == 1 ? 1 : exp(log_binomial(n, k) + (double)k * log(p) + (double)(n - k) * log1p(-p));
    return PM_OK;
}

/* Leaves out negligible probabilities at both ends. */
static void trim(distribution *d)
{
    int64_t from = 0, to = d->count;
    while (from + 1 < to && d->p[from] < NEGLIGIBLE)
        ++from;
    while (to > from + 1 && d->p[to - 1] < NEGLIGIBLE)
        --to;
    for (int64_t k = from; k < to; ++k)
        d->p[k - from] = d->p[k];
    d->first += from;
    d->count = to - from;
}

/* all becomes the distribution of the sum of both. */
static pm_status add(distribution *all, const distribution *more, pm_error *err)
{
    distribution sum = {all->first + more->first, all->count + more->count - 1, NULL};
    sum.p = pm_calloc_array(sum.count, sizeof *sum.p);
    if (!sum.p)
        return pm_fail_memory(err, "distribution");
    for (int64_t i = 0; i < more->count; ++i)
        for (int64_t j = 0; j < all->count; ++j)
            sum.p[i + j] += more->p[i] * all->p[j];
    free(all->p);
    *all = sum;
    trim(all);
    return PM_OK;
}

static int ascending(const void *x, const void *y)
{
    const int64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* degree: [n], all > 0; sorted. */
static pm_status distribution_of(int64_t *degree, int64_t n, distribution *out, pm_error *err)
{
    *out = (distribution){0, 1, pm_alloc_array(1, sizeof *out->p)};
    if (!out->p)
        return pm_fail_memory(err, "distribution");
    out->p[0] = 1;
    qsort(degree, (size_t)n, sizeof *degree, ascending);
    pm_status status = PM_OK;
    for (int64_t i = 0, end; i < n && !status; i = end) {
        distribution one = {0};
        for (end = i; end < n && degree[end] == degree[i];)
            ++end;
        status = binomial(end - i, degree[i], &one, err);
        if (!status)
            status = add(out, &one, err);
        free(one.p);
    }
    return status;
}

static void degrees_of(const pm_matrix *a, bool columns, int64_t *degree)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        degree[i] = columns ? 0 : a->rowptr[i + 1] - a->rowptr[i];
    for (int64_t k = 0; columns && k < pm_matrix_nnz(a); ++k)
        ++degree[a->colind[k]];
}

/* log of the term of k, without P and Q */
static double log_weight(double n, double m, double k)
{
    return pm_log_factorial(k) + 2 * pm_log_factorial(n - k) + pm_log_factorial(m - 2 * n + k)
           + pm_log_factorial(m) - 2 * pm_log_factorial(n) - 2 * pm_log_factorial(m - n);
}

/* log of E X^2 / (E X)^2 */
static double log_ratio(int64_t n, int64_t m, const distribution d[2])
{
    double sum = 0;
    for (int64_t i = 0; i < d[0].count; ++i) {
        int64_t k = d[0].first + i, other = k - d[1].first;
        if (other >= 0 && other < d[1].count && m - 2 * n + k >= 0 && d[0].p[i] > 0)
            sum += d[0].p[i] * d[1].p[other] * exp(log_weight((double)n, (double)m, (double)k));
    }
    return fmax(log(sum), 0);
}

/* Sums over the degrees of a side. */
typedef struct {
    double pairs;  /* d (d - 1) */
    double others; /* (d - 1)(d - 2) */
} pair_sums;

static pair_sums pairs_of(const int64_t *degree, int64_t n)
{
    pair_sums s = {0, 0};
    for (int64_t i = 0; i < n; ++i) {
        double d = (double)degree[i];
        s.pairs += d * (d - 1);
        s.others += (d - 1) * (d - 2);
    }
    return s;
}

static void leave_out_parallel(int64_t nodes, int64_t edges, const pair_sums s[2],
                               pm_configuration *c)
{
    const double n = (double)nodes, m = (double)edges, rest = m - n;
    const double pairs = s[0].pairs * s[1].pairs / (2 * m * m);
    const double given = rest > 0 ? s[0].others * s[1].others / (2 * rest * rest) + rest / n : 0;
    c->simple_expected = c->expected + pairs - given;
    c->simple_variance =
        pairs > 0 ? fmax(c->variance - (given - pairs) * (given - pairs) / pairs, 0) : c->variance;
}

pm_status pm_configuration_make(const pm_matrix *a, pm_configuration *out, pm_error *err)
{
    const int64_t n = a->nrows, m = pm_matrix_nnz(a);
    distribution d[2] = {{0}, {0}};
    pair_sums pairs[2] = {{0, 0}, {0, 0}};
    int64_t *degree = pm_alloc_array(n, sizeof *degree);
    pm_status status = degree ? PM_OK : pm_fail_memory(err, "degrees");
    double expected = pm_log_factorial((double)n) - pm_log_factorial((double)m);
    bool is_zero = m < n;
    if (!is_zero)
        expected += pm_log_factorial((double)(m - n));
    for (int side = 0; side < 2 && !status && !is_zero; ++side) {
        degrees_of(a, side, degree);
        pairs[side] = pairs_of(degree, n);
        for (int64_t i = 0; i < n; ++i) {
            is_zero = is_zero || degree[i] == 0;
            expected += log((double)degree[i]);
        }
        if (!is_zero)
            status = distribution_of(degree, n, &d[side], err);
    }
    if (!status && is_zero) {
        *out = (pm_configuration){-INFINITY, 0, -INFINITY, 0};
    } else if (!status) {
        *out = (pm_configuration){.expected = expected, .variance = log_ratio(n, m, d)};
        leave_out_parallel(n, m, pairs, out);
    }
    free(degree);
    free(d[0].p);
    free(d[1].p);
    return status;
}
