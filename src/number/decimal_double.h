/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/decimal_double.h: decimal digits of doubles of usual size.  The functions do the same as
 * those of number/decimal.h, in a tenth of the time, or nothing. */
#ifndef PM_DECIMAL_DOUBLE_H
#define PM_DECIMAL_DOUBLE_H

#include "number/decimal.h"

/* pm_decimal_round.  Returns false when x is not a double, when x or the last digit is too large or
 * too small, and for more than 17 digits; *out is not valid then. */
bool pm_decimal_round_double(pm_xreal x, int digits, pm_rounding how, pm_decimal *out);

/* *k = pm_decimal_decade(x).  Returns false when x is too large or too small, or is the sum of two
 * doubles and may be next to a power of ten. */
bool pm_decimal_decade_double(pm_xreal x, int64_t *k);

#endif
