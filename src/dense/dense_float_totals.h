/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_totals.h: sums of terms for each lane, in one number, compensated or in
 * double-double.  There are as many lanes as 64 bytes hold, so that the order of the additions does not
 * depend on the vector unit. */
#ifndef PM_DENSE_FLOAT_TOTALS_H
#define PM_DENSE_FLOAT_TOTALS_H

#include <stdbool.h>

#include "dense/dense_float_problem.h"
#include "dense/dense_float_products.h"
#include "number/dd.h"

/* Sums of the real or the imaginary parts of a block of tiles for each lane. */
typedef struct {
    _Alignas(64) element high[LANES];
    _Alignas(64) element low[LANES];
} lane_total;

/* a - b */
PM_BODY vec_dd dd_minus(vec_dd a, vec_dd b)
{
    vec_dd r;
    vec e;
    vec_two_sum(a.h, -b.h, &r.h, &e);
    r.l = (a.l - b.l) + e;
    return r;
}

/* *total += sign * (high + low) */
PM_BODY void add_double(lane_total *total, int lane, vec sign, vec high)
{
    store(total->high + lane, load(total->high + lane) + sign * high);
}

PM_BODY void add_compensated(lane_total *total, int lane, vec sign, vec high)
{
    vec s, e;
    vec_two_sum(load(total->high + lane), sign * high, &s, &e);
    store(total->high + lane, s);
    store(total->low + lane, load(total->low + lane) + e);
}

PM_BODY void add_dd(lane_total *total, int lane, vec sign, vec_dd x)
{
    vec s, e;
    vec_two_sum(load(total->high + lane), sign * x.h, &s, &e);
    vec_fast_two_sum(s, (load(total->low + lane) + sign * x.l) + e, &s, &e);
    store(total->high + lane, s);
    store(total->low + lane, e);
}

/* Adds the lanes to *sum.  alternate: lane l has the sign (-1)^(bits of l). */
PM_BODY void add_lanes(double *sum, const lane_total *total, bool alternate)
{
    double x[LANES][2];
    for (int lane = 0; lane < LANES; ++lane) {
        double sign = alternate && __builtin_parity((unsigned)lane) ? -1 : 1;
        pm_two_sum(sign * (double)total->high[lane], sign * (double)total->low[lane], &x[lane][0],
                   &x[lane][1]);
    }
    for (int span = LANES / 2; span > 0; span /= 2)
        for (int lane = 0; lane < span; ++lane)
            pm_dd_add(x[lane], x[lane + span]);
    pm_dd_add(sum, x[0]);
}

#endif
