/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/content.h: divides each row and column by the greatest common divisor (the content) of its
 * entries.
 *
 * Doubles that stand for 1/n, or for small integers times a number with no finite binary expansion,
 * are integers of 53 bits times powers of two.  Their sums have 53 bits too, and each product of
 * sums is rounded.  Divided by the content the entries are small integers: sums are short, and a
 * product of several sums needs no rounding. */
#ifndef PM_CONTENT_H
#define PM_CONTENT_H

#include "number/cnum.h"
#include "sweep/square.h"

/* Divides the entries of each row, then of each column, by the greatest common divisor of their
 * real and imaginary parts, unless it is a power of two.  Quotients are exact.
 * s: only its pattern and its multiplicities are read.  x: the entries, in CCS order of s; changed.
 * Returns the product of the divisors, each to the power of the multiplicity of its line, with a
 * relative error of at most 2^-100. */
pm_xreal pm_content_divide(const pm_square *s, pm_cnum *x);

#endif
