/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bregman.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "pm/alloc.h"

static int descending(const void *p, const void *q)
{
    double a = *(const double *)p, b = *(const double *)q;
    return (a < b) - (a > b);
}

/* G(k) = (k!)^(1/k), k = 0 .. n.  Relative error at most (k + 16) 2^-52: log k! / k is a mean of
 * logarithms below 22, and each addition loses at most half a unit. */
static void fill_means(double *mean, int64_t n)
{
    double log_factorial = 0;
    mean[0] = 0;
    for (int64_t k = 1; k <= n; ++k) {
        log_factorial += log((double)k);
        mean[k] = exp(log_factorial / (double)k);
    }
}

/* The error of a logarithm of such means; d: the largest k. */
static double wrong(int64_t d)
{
    return 22 * (double)(d + 32) * 0x1p-52;
}

/* Products of entries, which are from 2^-900 to 2^900, and scales stay far from overflow and underflow; so do scales alone. */
static bool is_moderate(const double *scale, bool has_values, int64_t n)
{
    const double most = ldexp(1, has_values ? PM_BREGMAN_OCTAVES : PM_BREGMAN_OCTAVES_OF_PATTERN);
    for (int64_t j = 0; j < n; ++j)
        if (!(scale[j] > 1 / most && scale[j] < most))
            return false;
    return true;
}

typedef struct {
    const pm_matrix *a;
    double (*value)[2];         /* NULL: all are 1 */
    const double *scale, *mean; /* mean: [longest + 1] */
    double *row;                /* [threads][longest + 1] */
    int64_t longest;
} work;

enum { SHORT_ROW = 24 };

static void sort_descending(double *x, int64_t n)
{
    if (n > SHORT_ROW) {
        qsort(x, (size_t)n, sizeof *x, descending);
        return;
    }
    for (int64_t k = 1; k < n; ++k) {
        const double value = x[k];
        int64_t at = k;
        for (; at > 0 && x[at - 1] < value; --at)
            x[at] = x[at - 1];
        x[at] = value;
    }
}

/* sum over k of (x_k - x_(k + 1)) G(k), x sorted; row: room for a row and a zero */
static double row_bound(const work *w, int64_t i, double *row)
{
    const pm_matrix *a = w->a;
    const int64_t d = a->rowptr[i + 1] - a->rowptr[i];
    if (!w->value && !w->scale)
        return w->mean[d];
    for (int64_t k = 0; k < d; ++k) {
        int64_t from = a->rowptr[i] + k;
        row[k] = (w->value ? w->value[from][0] : 1) * (w->scale ? w->scale[a->colind[from]] : 1);
    }
    sort_descending(row, d);
    row[d] = 0;
    double sum = 0;
    for (int64_t k = 0; k < d; ++k)
        sum += (row[k] - row[k + 1]) * w->mean[k + 1];
    return sum;
}

static void add_rows(void *context, int64_t from, int64_t to, int thread, pm_rounded_sum *s)
{
    const work *w = context;
    for (int64_t i = from; i < to; ++i) {
        double bound = row_bound(w, i, w->row + thread * (w->longest + 1));
        pm_rounded_add(s, log(bound), wrong(w->a->rowptr[i + 1] - w->a->rowptr[i]));
    }
}

static void add_scale(const void *context, int64_t from, int64_t to, pm_rounded_sum *s)
{
    const double *scale = context;
    for (int64_t j = from; j < to; ++j)
        pm_rounded_add(s, -log(scale[j]), 0);
}

pm_status pm_bregman_sum(const pm_matrix *a, double (*value)[2], const double *scale,
                         const pm_run *run, pm_rounded_sum *s, pm_error *err)
{
    if (scale && !is_moderate(scale, value != NULL, a->ncols)) {
        *s = (pm_rounded_sum){.sum = INFINITY};
        return PM_OK;
    }
    int64_t longest = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        longest =
            a->rowptr[i + 1] - a->rowptr[i] > longest ? a->rowptr[i + 1] - a->rowptr[i] : longest;
    const int threads = pm_rounded_threads(a, run);
    double *mean = pm_alloc_array(longest + 1, sizeof *mean);
    double *row = pm_alloc_array(threads * (longest + 1), sizeof *row);
    pm_status status = mean && row ? PM_OK : pm_fail_memory(err, "bounds");
    if (!status) {
        work w = {a, value, scale, mean, row, longest};
        fill_means(mean, longest);
        pm_rounded_rows(a, add_rows, &w, threads, s);
        if (scale)
            pm_rounded_items(a->ncols, add_scale, scale, threads, s);
    }
    free(mean);
    free(row);
    return status;
}
