/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/short_decimal.h: the double next to a decimal of few digits. */
#ifndef PM_SHORT_DECIMAL_H
#define PM_SHORT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* *out: the double next to the decimal digits .. end - 1, in which there may be one point, times 10^exp; of two that are as near
 * the one whose last bit is 0.  False, and *out is unchanged, where there are more than 19 digits after leading zeros, or the
 * last digit stands for 10^28 or more, or 10^-28 or less: strtod is needed then. */
bool pm_short_decimal(const char *digits, const char *end, int64_t exp, double *out);

#endif
