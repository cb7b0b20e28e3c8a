/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/equilibrate.h: scales the rows and columns of a small matrix to similar size. */
#ifndef PM_EQUILIBRATE_H
#define PM_EQUILIBRATE_H

#include <stdint.h>

enum { PM_EQUILIBRATE_MAX = 64 /* rows; columns */ };

/* The sizes of the entries of a matrix.  Entry k is in row[k] and column[k]. */
typedef struct {
    int32_t nrows, ncols, count;
    const int32_t *row, *column;
    const double *size;                   /* log2 |entry k| */
    const int32_t *row_times, *col_times; /* multiplicities */
} pm_entry_sizes;

/* Finds powers of two by which to divide rows and columns, so that all sums of absolute values in a
 * line are near 1.  Method: Sinkhorn's iteration on logarithms, which starts from geometric means.
 * The permanent is then as large as possible relative to the product of the row sums (van der
 * Waerden), so sums cancel least.
 * Lines count as often as their multiplicities say.
 * row, column: output, nrows and ncols: log2 of the divisors; 0 of lines without entries. */
void pm_equilibrate(const pm_entry_sizes *e, int64_t *row, int64_t *column);

#endif
