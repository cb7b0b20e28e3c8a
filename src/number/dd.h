/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/dd.h: double-double arithmetic: a number is x[0] + x[1] with |x[1]| <= ulp(x[0]) / 2.
 * Addition is algorithm 6 of Joldes, Muller and Popescu 2017 (relative error below 3 * 2^-106);
 * multiplication leaves out the product of the two low parts (below 7 * 2^-106).  Needs
 * round-to-nearest and no contraction (-ffp-contract=off). */
#ifndef PM_DD_H
#define PM_DD_H

#include <math.h>

#define PM_DD_INLINE static inline __attribute__((always_inline))

/* *s + *e = a + b exactly, *s = a + b rounded. */
PM_DD_INLINE void pm_two_sum(double a, double b, double *s, double *e)
{
    *s = a + b;
    double t = *s - a;
    *e = (a - (*s - t)) + (b - t);
}

/* The same when |a| >= |b| or a = 0. */
PM_DD_INLINE void pm_fast_two_sum(double a, double b, double *s, double *e)
{
    *s = a + b;
    *e = b - (*s - a);
}

/* x = x + y */
PM_DD_INLINE void pm_dd_add(double *x, const double *y)
{
    double s, e, t, f;
    pm_two_sum(x[0], y[0], &s, &e);
    pm_two_sum(x[1], y[1], &t, &f);
    pm_fast_two_sum(s, e + t, &s, &e);
    pm_fast_two_sum(s, e + f, &x[0], &x[1]);
}

/* z = x * y */
PM_DD_INLINE void pm_dd_mul(double *z, const double *x, const double *y)
{
    double p = x[0] * y[0];
    double e = fma(x[0], y[0], -p);
    e = fma(x[1], y[0], fma(x[0], y[1], e));
    pm_fast_two_sum(p, e, &z[0], &z[1]);
}

#endif
