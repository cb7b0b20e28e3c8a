/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/root_norm.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

static const double two_pi = 6.28318530717958647692;

/* Rounding, for at most 64 rows whose entries have sums of |coefficients| up to `most`.  Cosines and sines are within
 * 2^-48, and an entry has at most 1000 terms: so its parts are within most 2^-42.  The parts of a sum of 64 products of
 * two entries are within 64 most^2 2^-40, the sizes of 64 such sums within most^2 2^-27 together.  The rounding of all
 * sums takes less than this again. */
static const double rounding = 0x1p-26;

/* re, im: [n][n]; returns the largest sum of |coefficients|. */
static double set_entries(const pm_root_entries *e, const pm_matrix *a, double *re, double *im)
{
    double most = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int64_t at = i * a->ncols + a->colind[k];
            double size = 0;
            for (int64_t t = e->first[k]; t < e->first[k + 1]; ++t) {
                const double c = pm_dyadic_get_d(&e->c[t]);
                const double angle = two_pi * e->power[t] / e->order;
                re[at] += c * cos(angle);
                im[at] += c * sin(angle);
                size += fabs(c);
            }
            most = fmax(most, size);
        }
    return most;
}

/* The largest sum of |entries| in a row of A* A. */
static double largest_sum(int64_t n, const double *re, const double *im)
{
    double most = 0;
    for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < n; ++k) {
            double x = 0, y = 0;
            for (int64_t i = 0; i < n; ++i) {
                x += re[i * n + j] * re[i * n + k] + im[i * n + j] * im[i * n + k];
                y += re[i * n + j] * im[i * n + k] - im[i * n + j] * re[i * n + k];
            }
            sum += hypot(x, y);
        }
        most = fmax(most, sum);
    }
    return most;
}

pm_status pm_root_norm_log2(const pm_root_entries *e, const pm_matrix *a, double *out,
                            pm_error *err)
{
    const int64_t n = a->nrows;
    pm_status status = PM_OK;
    *out = INFINITY;
    if (n > PM_ROOT_NORM_ROWS || n != a->ncols || n == 0)
        return PM_OK;
    double *re = pm_calloc_array(n * n, sizeof *re), *im = pm_calloc_array(n * n, sizeof *im);
    if (re && im) {
        const double most = set_entries(e, a, re, im);
        const double square = largest_sum(n, re, im) + most * most * rounding;
        if (most < 0x1p400 && square > 0 && isfinite(square))
            *out = log2(square) / 2 + 0x1p-40;
    } else {
        status = pm_fail_memory(err, "a block");
    }
    free(re);
    free(im);
    return status;
}
