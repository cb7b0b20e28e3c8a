/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/weight.h: arithmetic of weights m 2^e (pm_weight, sampler/sampler.h). */
#ifndef PM_WEIGHT_H
#define PM_WEIGHT_H

#include <math.h>

#include "sampler/sampler.h"

/* The weight m 2^e of any finite m >= 0. */
static inline pm_weight pm_weight_make(double m, int64_t e)
{
    int shift = 0;
    m = frexp(m, &shift);
    return m > 0 ? (pm_weight){.m = m, .e = e + shift} : (pm_weight){0};
}

static inline pm_weight pm_weight_product(pm_weight a, pm_weight b)
{
    return pm_weight_make(a.m * b.m, a.e + b.e);
}

/* a / b, b > 0. */
static inline pm_weight pm_weight_ratio(pm_weight a, pm_weight b)
{
    return pm_weight_make(a.m / b.m, a.e - b.e);
}

/* -1, 0 or 1 when a < b, a = b or a > b. */
static inline int pm_weight_compare(pm_weight a, pm_weight b)
{
    if (a.m == 0 || b.m == 0 || a.e == b.e)
        return (a.m > b.m) - (a.m < b.m);
    return a.e < b.e ? -1 : 1;
}

/* w 2^-e as a double: 0 below the range of doubles, INFINITY above. */
static inline double pm_weight_to_double(pm_weight w, int64_t e)
{
    int64_t shift = w.e - e;
    return ldexp(w.m, shift > 4000 ? 4000 : shift < -4000 ? -4000 : (int)shift);
}

/* log2(w); -INFINITY for 0. */
static inline double pm_weight_log2(pm_weight w)
{
    return log2(w.m) + (double)w.e;
}

#endif
