/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/whole.h: whole numbers in arguments, exact: 1000, 0x3e8, 10^3, 2^10-24, 1e3, 1.5e3. */
#ifndef PM_WHOLE_H
#define PM_WHOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm/status.h"

/* Parses text[0 .. length-1]: decimal digits; 0x and hexadecimal digits; A^B, A^B-C or A^B+C with
 * decimal A, B and C (0^0 = 1); or a decimal with point or exponent whose value is whole.
 * Returns false for any other text, a sign and blanks too, and for numbers from 2^64 on. */
bool pm_whole_parse(const char *text, size_t length, uint64_t *out);

/* Parses arg, a number in least .. most.
 * Fails: PM_EUSAGE, "'ARG' is not a whole number from LEAST to MOST". */
pm_status pm_whole_between(const char *arg, uint64_t least, uint64_t most, uint64_t *out,
                           pm_error *err);

#endif
