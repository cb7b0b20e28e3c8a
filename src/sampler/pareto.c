/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "sampler/weight.h"

enum { FEWEST = 5, CANDIDATES_MOST = 30 + 64 }; /* 30 + sqrt(PM_MOMENTS_TAIL) */

/* The mean of log(1 - b x): minus the shape where b = -shape / scale. */
static double mean_log(const double *x, int64_t n, double b)
{
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += log1p(-b * x[i]);
    return sum / (double)n;
}

double pm_pareto_shape(const double *x, int64_t n)
{
    double b[CANDIDATES_MOST], likelihood[CANDIDATES_MOST], quartile = x[(n + 2) / 4 - 1];
    int count = 30 + (int)sqrt((double)n);
    count = count < CANDIDATES_MOST ? count : CANDIDATES_MOST;
    double best = -INFINITY;
    for (int i = 0; i < count; ++i) {
        b[i] = 1 / x[n - 1] + (1 - sqrt(count / (i + 0.5))) / (3 * quartile);
        double k = mean_log(x, n, b[i]);
        likelihood[i] = (double)n * (log(-b[i] / k) - k - 1);
        best = fmax(best, likelihood[i]);
    }
    double weights = 0, posterior = 0;
    for (int i = 0; i < count; ++i)
        if (isfinite(likelihood[i])) {
            double w = exp(likelihood[i] - best);
            weights += w;
            posterior += w * b[i];
        }
    return mean_log(x, n, posterior / weights);
}

static int descending(const void *a, const void *b)
{
    return -pm_weight_compare(*(const pm_weight *)a, *(const pm_weight *)b);
}

/* How many of the n weights, descending, are the tail: those not below the length-th one, or, where
 * that is all of them, those above it. */
static int64_t cut(const pm_weight *w, int64_t n, int64_t length)
{
    int64_t with = length, without = length;
    while (with < n && pm_weight_compare(w[with], w[length - 1]) == 0)
        ++with;
    while (without > 0 && pm_weight_compare(w[without - 1], w[length - 1]) == 0)
        --without;
    return with < n ? with : without;
}

/* Hill 1975; w[length] is the threshold */
static double mean_log_ratio(const pm_weight *w, int64_t length)
{
    double sum = 0;
    for (int64_t i = 0; i < length; ++i)
        sum += pm_weight_log2(w[i]) - pm_weight_log2(w[length]);
    return sum * log(2) / (double)length;
}

/* x: room for length */
static double shape_above(const pm_weight *w, int64_t length, double *x)
{
    double least = pm_weight_to_double(w[length], w[0].e), n = (double)length;
    for (int64_t i = 0; i < length; ++i)
        x[i] = pm_weight_to_double(w[length - 1 - i], w[0].e) - least;
    double k = fmin(pm_pareto_shape(x, length), mean_log_ratio(w, length));
    return (n * k + 10 * 0.5) / (n + 10);
}

double pm_pareto_tail(const pm_moments *m)
{
    int64_t n = m->count, kept = m->ntail,
            length = (int64_t)ceil(fmin(0.2 * (double)n, 3 * sqrt((double)n)));
    if (length < FEWEST || kept < FEWEST)
        return NAN;
    pm_weight *w = pm_calloc_array(kept + 1, sizeof *w);
    double *x = pm_alloc_array(kept + 1, sizeof *x), k = NAN;
    if (w && x) {
        memcpy(w, m->tail, (size_t)kept * sizeof *w);
        qsort(w, (size_t)kept, sizeof *w, descending);
        /* a dead sample, where all others are kept */
        int64_t known = kept + (kept + m->dead == n && m->dead > 0);
        length = cut(w, known, length < known ? length : known - 1);
        k = length < FEWEST ? 0 : shape_above(w, length, x);
    }
    free(w);
    free(x);
    return k;
}
