/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_entries.h: the entries of a square as doubles whose row sums are exact. */
#ifndef PM_DENSE_FLOAT_ENTRIES_H
#define PM_DENSE_FLOAT_ENTRIES_H

#include "dense/dense_float_problem.h"

/* Each row is rounded to multiples of one unit (one for each part of a double-double) and divided
 * by a power of two.
 * entry:   [n][n][components], rows first, zeroed by the caller; every sum of entries of a row is
 *          exact, those of magnitudes are at most 1.
 * inexact: of each row, sum over its entries of |true - rounded|; 0 when all are exact.
 * Returns the shift: the square's integers have 2^shift times the permanent of the entries. */
int64_t pm_dense_float_entries(const pm_square *s, pm_dense_kind kind, int32_t n, double *entry,
                               double *inexact);

#endif
