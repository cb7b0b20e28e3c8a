/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/sum_bits.h: how large a part of a sum in Glynn's form may become.
 *
 * The terms cancel, so a sum of some of them may be much larger than the permanent.  With y_i(d) =
 * sum_j d_j a_ij, E the mean over all signs d, and Hoelder's inequality,
 *
 *   E prod_i |y_i| <= prod_i (E |y_i|^n)^(1/n),     x^n <= (n / (e t))^n exp(t x) for x >= 0, t > 0,
 *   E exp(t |y_i|) <= 2 E cosh(t y_i) = 2 prod_j cosh(t a_ij).
 *
 * So a row contributes at most min over t of n / (e t) (2 prod_j cosh(t a_ij))^(1/n), and at most
 * sum_j |a_ij|.  The factors x_i of sweep/term.h are such y_i, of a mean and half the entries.  For the matrix of
 * ones this is 0.555 n, and the bound of the permanent e^-1 n. */
#ifndef PM_SUM_BITS_H
#define PM_SUM_BITS_H

#include "sweep/square.h"
#include "sweep/term.h"

/* An upper bound of log2 of the sum of |terms| over all signs of n - 1 columns, where the permanent is
 * 2^shift times the sum of the terms.  s: integers; all multiplicities are 1. */
double pm_square_sum_bits(const pm_square *s, int64_t shift);

/* An upper bound of log2 of the sum of |terms| over all subsets.  t: integers. */
double pm_terms_sum_bits(const pm_terms *t);

/* Limbs of an integer of at most so many bits, in two's complement. */
int pm_sum_bits_limbs(double bits);
/* Limbs for the sum of any range of such terms. */
int pm_terms_any_range_limbs(const pm_terms *t);

#endif
