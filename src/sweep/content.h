/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/content.h: what the entries of a line have in common.
 *
 * Doubles that stand for 1/n, or for small numbers times one that has no end in binary, are
 * integers of 53 bits times powers of two; sums of them are as long, and each product of such sums
 * is rounded.  Divided by their greatest common divisor they are small integers: sums are short, and
 * products of several of them need no rounding at all. */
#ifndef PM_CONTENT_H
#define PM_CONTENT_H

#include "number/cnum.h"
#include "sweep/square.h"

/* The entries of each row, then of each column, are divided by the greatest common divisor of their
 * parts, unless that is a power of two.  Quotients are exact.
 * x:       CCS entries of s, of which the positions alone are read.
 * Returns the product of the divisors, within 2^-100 of itself. */
pm_xreal pm_content_divide(const pm_square *s, pm_cnum *x);

#endif
