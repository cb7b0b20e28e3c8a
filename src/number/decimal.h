/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/decimal.h: correctly rounded decimal digits of numbers with any exponent (pm_xreal). */
#ifndef PM_DECIMAL_H
#define PM_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/value.h"

#define PM_DECIMAL_DIGITS 100

/* The number +-d.ddd... * 10^decade with up to `digits` digits, or 0 (with decade 0). */
typedef struct {
    bool is_negative;
    int digits; /* to which it was rounded, 1 .. PM_DECIMAL_DIGITS */
    int64_t decade;
    char digit[PM_DECIMAL_DIGITS + 2]; /* a string without point and trailing zeros */
    pm_xreal residue;                  /* a bound of |x - this number|; 0 when they are equal */
} pm_decimal;

typedef enum { PM_ROUND_NEAREST, PM_ROUND_AWAY } pm_rounding;

/* out = x rounded to `digits` digits, 1 .. PM_DECIMAL_DIGITS: to nearest with ties to the even
 * digit, or away from 0.  x is in range.
 * Cost: about 50 multiplications of 1280-bit numbers for the largest exponents. */
void pm_decimal_round(pm_xreal x, int digits, pm_rounding how, pm_decimal *out);

/* floor(log10 |x|), exact.  x is in range and not 0. */
int64_t pm_decimal_decade(pm_xreal x);

/* The text in the notation of pm_xreal_text.
 * Returns a string that the caller frees, or NULL when out of memory. */
char *pm_decimal_text(const pm_decimal *d);

#endif
