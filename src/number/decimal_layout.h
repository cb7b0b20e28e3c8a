/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/decimal_layout.h: decimal digits as a text, in the notation of pm_xreal_text. */
#ifndef PM_DECIMAL_LAYOUT_H
#define PM_DECIMAL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* The digits of n < 10^38 as a string without trailing zeros, 0 as none.  Returns their number with them, at most 38. */
int pm_decimal_digits(unsigned __int128 n, char *out);

/* The number +-d.ddd... * 10^decade with the digits `digit`, a string without point and trailing zeros, which was rounded to
 * `digits` digits; 0 has decade 0.
 * Returns a string that the caller frees, or NULL when out of memory. */
char *pm_decimal_layout(bool is_negative, const char *digit, int64_t digits, int64_t decade);

#endif
