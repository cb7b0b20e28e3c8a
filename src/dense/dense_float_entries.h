/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float_entries.h: the entries of a square as doubles, rounded so that row sums are
 * exact: in doubles, or in floats for the kinds in single precision. */
#ifndef PM_DENSE_FLOAT_ENTRIES_H
#define PM_DENSE_FLOAT_ENTRIES_H

#include "dense/dense_float_problem.h"

/* Rounds each row to multiples of one unit (of one for each part of a double-double) and divides it
 * by a power of two.
 * n:       at least s->n; the block is extended by ones on the diagonal.
 * entry:   output, [n][n][components], rows first, zeroed by the caller.  Every sum of entries of a
 *          row is exact; the sum of their magnitudes, each times the multiplicity of its column,
 *          is at most 1.
 * inexact: output, [n]: of each row the same sum of |true - rounded|; 0 when all are exact.
 * Returns the shift: the permanent of the square's integers is 2^shift times that of the
 * entries. */
int64_t pm_dense_float_entries(const pm_square *s, pm_dense_kind kind, int32_t n, double *entry,
                               double *inexact);

/* In single precision products of many row sums below 1 would underflow: multiplies row 0, the first of a product,
 * by a power of two, so that the sum of its magnitudes is at most 2^60.  Returns what the shift changes by; 0, and
 * nothing changes, for other kinds. */
int64_t pm_dense_float_lift(pm_dense_kind kind, int32_t n, double *entry, double *inexact);

#endif
