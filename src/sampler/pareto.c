/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "sampler/weight.h"

enum {
    MIN_TAIL = 5,            /* weights that a fit needs */
    MAX_CANDIDATES = 30 + 64 /* of b in the fit: 30 + sqrt(PM_MOMENTS_TAIL) */
};

/* The mean of log(1 - b x), which is minus the shape for b = -shape / scale. */
static double mean_log(const double *x, int64_t n, double b)
{
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += log1p(-b * x[i]);
    return sum / (double)n;
}

double pm_pareto_shape(const double *x, int64_t n)
{
    double b[MAX_CANDIDATES], likelihood[MAX_CANDIDATES], quartile = x[(n + 2) / 4 - 1];
    int count = 30 + (int)sqrt((double)n);
    count = count < MAX_CANDIDATES ? count : MAX_CANDIDATES;
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

/* Length of the tail of n weights in descending order: all weights not below w[length - 1], or, if
 * that is all n, the weights above it. */
static int64_t tail_length(const pm_weight *w, int64_t n, int64_t length)
{
    int64_t with = length, without = length;
    while (with < n && pm_weight_compare(w[with], w[length - 1]) == 0)
        ++with;
    while (without > 0 && pm_weight_compare(w[without - 1], w[length - 1]) == 0)
        --without;
    return with < n ? with : without;
}

/* The mean of log(weight / threshold) over the tail (Hill 1975); w[length] is the threshold. */
static double mean_log_ratio(const pm_weight *w, int64_t length)
{
    double sum = 0;
    for (int64_t i = 0; i < length; ++i)
        sum += pm_weight_log2(w[i]) - pm_weight_log2(w[length]);
    return sum * log(2) / (double)length;
}

/* Shape of the tail w[0 .. length-1] above the threshold w[length]; x: working memory, length. */
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
    if (length < MIN_TAIL || kept < MIN_TAIL)
        return NAN;
    pm_weight *w = pm_calloc_array(kept + 1, sizeof *w);
    double *x = pm_alloc_array(kept + 1, sizeof *x), k = NAN;
    if (w && x) {
        memcpy(w, m->tail, (size_t)kept * sizeof *w);
        qsort(w, (size_t)kept, sizeof *w, descending);
        /* where all weights > 0 are kept, a dead end is the next smaller weight: the 0 at w[kept]
         * */
        int64_t known = kept + (kept + m->dead == n && m->dead > 0);
        length = tail_length(w, known, length < known ? length : known - 1);
        k = length < MIN_TAIL ? 0 : shape_above(w, length, x);
    }
    free(w);
    free(x);
    return k;
}
