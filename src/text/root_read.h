/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/root_read.h: entries that are sums of roots of unity, such as "1/2-3*root(5)^2". */
#ifndef PM_ROOT_READ_H
#define PM_ROOT_READ_H

#include "text/scalar.h"

/* The text has a root of unity, or begins one. */
bool pm_has_root(const char *text, int64_t length);

/* Parses text[0 .. length-1], all of which must be terms with signs between them: a number, a number and the imaginary
 * unit, or root(n)^k, the number exp(2 pi i k / n), with a number and perhaps a * before it; n is 1 ..
 * PM_ROOT_ORDER_MAX.
 * exact: numbers are read as by pm_number_parse_as, and the sum stays as it is.  Otherwise its parts are rounded to the
 * nearest multiple of a power of two that is 2^-128 to 2^-127 of the largest coefficient.
 * out: zeroed before; complex; not changed when the result is no number that fits. */
pm_number_kind pm_root_parse(const char *text, int64_t length, bool exact, pm_scalar *out);

#endif
