/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/decimal_wide.h: decimal digits of sums of two doubles of usual size.  The functions do the same as those
 * of number/decimal.h, in a tenth of the time, or nothing. */
#ifndef PM_DECIMAL_WIDE_H
#define PM_DECIMAL_WIDE_H

#include "number/decimal.h"

/* pm_decimal_round, x not 0.  Returns false when the last digit is too large or too small, when the exponents of the
 * two doubles are too far apart, and for more than 34 digits; *out is not valid then. */
bool pm_decimal_round_wide(pm_xreal x, int digits, pm_rounding how, pm_decimal *out);

/* *k = pm_decimal_decade(x).  Returns false as above. */
bool pm_decimal_decade_wide(pm_xreal x, int64_t *k);

#endif
