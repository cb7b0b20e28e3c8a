/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/line_products.h: entries that are the product of a factor of the row and one of the column.
 *
 * Factors may leave the range of a double although their products do not: those of a strip grow by a constant from row
 * to row.  So they are numbers in the middle of that range, and shifts. */
#ifndef PM_LINE_PRODUCTS_H
#define PM_LINE_PRODUCTS_H

#include <math.h>
#include <stdint.h>

enum { PM_SHIFT = 512 /* octaves: half of the range of a double to either side */ };

/* Entry row_i col_j 2^(PM_SHIFT (row_shift_i + col_shift_j)).  No shifts: both NULL. */
typedef struct {
    const double *row, *col;
    const int16_t *row_shift, *col_shift;
} pm_line_products;

/* The power of two of an entry; 0 for one that is far below the range of doubles. */
static inline double pm_line_power(const pm_line_products *p, int64_t i, int32_t j)
{
    const int shift = p->row_shift[i] + p->col_shift[j];
    return shift == 0    ? 1
           : shift == -1 ? 0x1p-512
           : shift < 0   ? 0
           : shift == 1  ? 0x1p512
                         : INFINITY;
}

static inline double pm_line_product(const pm_line_products *p, int64_t i, int32_t j)
{
    const double x = p->row[i] * p->col[j];
    return p->row_shift ? x * pm_line_power(p, i, j) : x;
}

#endif
