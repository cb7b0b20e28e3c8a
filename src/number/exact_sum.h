/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/exact_sum.h: sums of doubles without rounding.  The sum does not depend on the sequence of
 * the additions, so the digits of a sum do not depend on how its terms were divided.
 *
 * The sum is kept in fixed point with a digit for each 32 bits from 2^-1088 on, which all doubles
 * and 2^63 of the largest ones fit (the long accumulator of Kulisch and Miranker 1986, section 2). */
#ifndef PM_EXACT_SUM_H
#define PM_EXACT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PM_EXACT_DIGITS = 69, PM_EXACT_LOWEST = -1088 };

/* {0} is the sum 0. */
typedef struct {
    int64_t digit[PM_EXACT_DIGITS]; /* times 2^(32 k + PM_EXACT_LOWEST), k = 0, 1, ... */
    int32_t added;                  /* doubles since the carries were made */
    double special; /* 0, or the sum of the infinities and NaNs: the sum is then this */
} pm_exact_sum;

/* s += x, any double */
void pm_exact_sum_add(pm_exact_sum *s, double x);
/* s += other; carries are made in both. */
void pm_exact_sum_merge(pm_exact_sum *s, pm_exact_sum *other);
/* Makes the carries: equal sums have equal digits then, from 0 to 2^32 - 1 but for the highest one,
 * which has the sign. */
void pm_exact_sum_carry(pm_exact_sum *s);
enum { PM_EXACT_SCALE = 14 };
/* s = 2^bits s, without rounding.  bits: -PM_EXACT_SCALE .. PM_EXACT_SCALE; negative ones once for a sum of doubles. */
void pm_exact_sum_scale(pm_exact_sum *s, int bits);
/* out[0] + out[1] = s with a relative error of at most 2^-105 and an absolute one of 2^-1074,
 * |out[1]| <= ulp(out[0]) / 2.  Beyond the doubles, and for infinities and NaNs, out[1] is 0. */
void pm_exact_sum_round(const pm_exact_sum *s, double out[2]);

enum { PM_EXACT_TEXT = 8 * PM_EXACT_DIGITS + 32 };
/* Writes s as text without blanks: a hexadecimal integer, "p", and a binary exponent. */
void pm_exact_sum_text(const pm_exact_sum *s, char text[PM_EXACT_TEXT]);
/* Reads such a text.  Returns false, and leaves *s undefined, when it is none. */
bool pm_exact_sum_read(const char *text, pm_exact_sum *s);

#endif
