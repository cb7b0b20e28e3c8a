/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/equilibrate.h: scales the rows and columns of a square to similar size. */
#ifndef PM_EQUILIBRATE_H
#define PM_EQUILIBRATE_H

#include "sweep/square.h"

/* Finds powers of two by which to divide rows and columns, so that all sums of absolute values in a
 * line are near 1.  Method: Sinkhorn's iteration on logarithms, which starts from geometric means.
 * The permanent is then as large as possible relative to the product of the row sums (van der
 * Waerden), so sums cancel least.
 * s:           only its pattern and its multiplicities are read.
 * Lines count as often as their multiplicities say.
 * size:        log2 |entry|, in CCS order.
 * row, column: output, [n]: log2 of the divisors. */
void pm_equilibrate(const pm_square *s, const double *size, int64_t *row, int64_t *column);

#endif
