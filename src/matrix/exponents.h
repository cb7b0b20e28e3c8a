/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/exponents.h: how far the binary exponents of the values of a matrix are apart.  Sums of values are
 * exact, so a sum of 2^e and 2^-e has 2 e bits: a short input could need gigabytes. */
#ifndef PM_EXPONENTS_H
#define PM_EXPONENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/dyadic.h"

#define PM_EXPONENTS_MAX (INT64_C(1) << 26)

typedef struct {
    int64_t low, high;       /* the least and the greatest exponent of values that are not 0 */
    int64_t at_low, at_high; /* indices of values that have them; -1: all values are 0 */
} pm_exponents;

/* Of re[0 .. n-1] and, unless im is NULL, im[0 .. n-1]. */
pm_exponents pm_exponents_of(const pm_dyadic *re, const pm_dyadic *im, int64_t n);

static inline bool pm_exponents_are_wide(const pm_exponents *s)
{
    return s->at_low >= 0 && s->high - s->low > PM_EXPONENTS_MAX;
}

/* The text of a refusal after the place of the first entry, and before that of the second one; arguments:
 * PM_EXPONENTS_MAX, s.low, s.high, as long long. */
#define PM_EXPONENTS_REFUSAL                                                                       \
    "expected values whose binary exponents differ by at most %lld, found 2^%lld beside 2^%lld"
#define PM_EXPONENTS_REMEDY "; divide rows or columns by powers of 2"

#endif
