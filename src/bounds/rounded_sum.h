/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/rounded_sum.h: a sum of doubles and a bound of its error. */
#ifndef PM_ROUNDED_SUM_H
#define PM_ROUNDED_SUM_H

#include <math.h>
#include <stdint.h>

typedef struct {
    double sum, size; /* sum of the terms; sum of their absolute values */
    double wrong;     /* sum of the `wrong` of the terms */
    int64_t terms;
} pm_rounded_sum; /* zeroed: 0 */

/* Adds a term whose error is at most 16 * 2^-53 * |term| + wrong. */
static inline void pm_rounded_add(pm_rounded_sum *s, double term, double wrong)
{
    s->sum += term;
    s->size += fabs(term);
    s->wrong += wrong;
    ++s->terms;
}

/* A bound of the error.  Every partial sum is at most size (1 + terms 2^-53) and is rounded once.
 * The unit is doubled for the rounding of size, of wrong and of this bound. */
static inline double pm_rounded_error(const pm_rounded_sum *s)
{
    return 0x1p-52 * (double)(s->terms + 20) * s->size + 2 * s->wrong;
}

/* Adds a sum of other terms as one term: errors grow with the number of terms, so that sums of sums are
 * more exact. */
static inline void pm_rounded_join(pm_rounded_sum *s, const pm_rounded_sum *more)
{
    pm_rounded_add(s, more->sum, pm_rounded_error(more));
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
