/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/loop_bounds.h"

#include <math.h>

#include "bounds/hafnian_bounds.h"
#include "general/doubled.h"
#include "general/general_bound.h"
#include "pm/value.h"

/* Of a sum of logarithms, each with an error of a few ulp. */
#define ROUNDING 0x1p-46

static double rounded(double x, int direction)
{
    return isfinite(x) ? x + direction * ROUNDING * (1 + fabs(x)) : x;
}

/* log10 of the product of 1 + loop, rounded up. */
static double log10_of_loops(const pm_matrix *a)
{
    double sum = 0, size = 0;
    for (int64_t v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
            if (a->colind[k] != v)
                continue;
            const pm_xreal one = {.hi = 1}, loop = a->re ? pm_xreal_from_dyadic(&a->re[k]) : one;
            const double log = pm_xreal_log10_abs(pm_xreal_add(one, loop));
            sum += log;
            size += 1 + fabs(log);
        }
    return sum + ROUNDING * size;
}

static pm_status bounds_of_doubled(const pm_matrix *a, pm_doubled_weights weights,
                                   pm_backend backend, const pm_run *run, pm_bounds *out,
                                   pm_error *err)
{
    pm_matrix twice = {0};
    pm_status status = pm_doubled_make(a, weights, &twice, err);
    if (!status)
        status = pm_hafnian_bounds_make(&twice, backend, run, out, err);
    pm_matrix_free(&twice);
    return status;
}

pm_status pm_loop_bounds_make(const pm_matrix *a, pm_backend backend, const pm_run *run,
                              pm_bounds *out, pm_error *err)
{
    pm_bounds squares, loops;
    pm_status status = bounds_of_doubled(a, PM_DOUBLED_SQUARES, backend, run, &squares, err);
    if (!status)
        status = bounds_of_doubled(a, PM_DOUBLED_LOOPS, backend, run, &loops, err);
    if (status)
        return status;
    const double alone = log10_of_loops(a);
    const double picks = rounded(pm_general_log2_bound(a) * log10(2), 1);
    const bool is_zero = loops.upper == -INFINITY;
    *out = (pm_bounds){.schrijver = rounded(squares.schrijver / 2, -1),
                       .gurvits = rounded(squares.gurvits / 2, -1),
                       .van_der_waerden = rounded(squares.van_der_waerden / 2, -1),
                       .lower = rounded(squares.lower / 2, -1),
                       .bregman = rounded((alone + loops.bregman) / 2, 1),
                       .bregman_scaled = rounded((alone + loops.bregman_scaled) / 2, 1),
                       .huber = rounded((alone + loops.huber) / 2, 1),
                       .bethe = rounded((alone + loops.bethe) / 2, 1),
                       .upper = rounded((alone + loops.upper) / 2, 1),
                       .bethe_most = is_zero ? -INFINITY : INFINITY};
    out->upper = fmin(out->upper, picks);
    return PM_OK;
}
