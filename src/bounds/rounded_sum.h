/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/rounded_sum.h: a sum of doubles and a bound of what is wrong with it. */
#ifndef PM_ROUNDED_SUM_H
#define PM_ROUNDED_SUM_H

#include <math.h>
#include <stdint.h>

typedef struct {
    double sum, size; /* of the terms, of their absolute values */
    double wrong;     /* of the terms themselves, beside the 16 units below */
    int64_t terms;
} pm_rounded_sum; /* zeroed: 0 */

/* term: wrong by at most 16 units of 2^-53 of itself, plus `wrong`. */
static inline void pm_rounded_add(pm_rounded_sum *s, double term, double wrong)
{
    s->sum += term;
    s->size += fabs(term);
    s->wrong += wrong;
    ++s->terms;
}

/* Every partial sum is at most size (1 + terms 2^-53) and rounded once; the doubled unit takes care
 * of the roundings in size, wrong and here. */
static inline double pm_rounded_error(const pm_rounded_sum *s)
{
    return 0x1p-52 * (double)(s->terms + 20) * s->size + 2 * s->wrong;
}

static inline double pm_rounded_low(const pm_rounded_sum *s)
{
    return nextafter(s->sum - pm_rounded_error(s), -INFINITY);
}

static inline double pm_rounded_high(const pm_rounded_sum *s)
{
    return nextafter(s->sum + pm_rounded_error(s), INFINITY);
}

#endif
