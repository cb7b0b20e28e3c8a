/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_scale.h: powers of two for the vertices of a graph whose weights differ by more than doubles can. */
#ifndef PM_HAFNIAN_SCALE_H
#define PM_HAFNIAN_SCALE_H

#include <stdbool.h>

/* Each row and each column i is to be multiplied by 2^(by[i]), a loop once.
 *
 * n:        at most 2 PM_HAFNIAN_PAIRS.
 * exponent: n x n, symmetric, multiples of 1/2, below 2^33 in absolute value; -INFINITY where there is no edge.  The
 *           diagonal has the loops.
 * by:       integers.  No exponent exceeds 0 with them, and no others make all perfect matchings larger by more than
 *           2^n: they are an optimum of the linear program whose dual is the heaviest fractional perfect matching.
 * Returns false where there is no perfect matching, not even a fractional one; then *by is not set. */
bool pm_hafnian_factors(int n, const double *exponent, double *by);

#endif
