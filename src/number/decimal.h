/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/decimal.h: extended reals in decimal, correctly rounded, whatever their exponent. */
#ifndef PM_DECIMAL_H
#define PM_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/value.h"

#define PM_DECIMAL_DIGITS 100

/* sign d.ddd * 10^decade with `digits` digits, or 0 (decade 0). */
typedef struct {
    bool is_negative;
    int digits; /* 1 .. PM_DECIMAL_DIGITS */
    int64_t decade;
    char digit[PM_DECIMAL_DIGITS + 2]; /* NUL-terminated, no trailing zeros */
    pm_xreal residue;                  /* >= |x - the decimal|, 0 when they are equal */
} pm_decimal;

typedef enum { PM_ROUND_NEAREST, PM_ROUND_AWAY } pm_rounding;

/* Ties of PM_ROUND_NEAREST go to the even digit; PM_ROUND_AWAY goes away from 0.
 * Cost: about 50 multiplications of 1280-bit numbers for the largest exponents. */
void pm_decimal_round(pm_xreal x, int digits, pm_rounding how, pm_decimal *out);

/* floor(log10 |x|), exact; x is not 0. */
int64_t pm_decimal_decade(pm_xreal x);

/* As printf's %g prints, but plain for decades -5 .. 20 (fewer where the digits end before the
 * point).  A string for free(), NULL when memory ends. */
char *pm_decimal_text(const pm_decimal *d);

#endif
