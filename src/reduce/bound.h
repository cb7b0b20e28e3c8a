/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/bound.h: upper bounds of log2 of the weighted count of a block (pm/reduce.h) with
 * |values|. The lines (classes of rows or columns) are added one after another.
 *
 * A perfect matching has c entries in a line of capacity c.  So a line with d entries x contributes
 * at most e_c(|x|), the elementary symmetric polynomial of degree c, and
 * e_c(|x|) <= min((sum |x|)^c / c!, C(d,c) max|x|^c).  The product over all rows is a bound, and so
 * is the product over all columns.  With all twins written out, Bregman's theorem (Minc's
 * conjecture) bounds the number of matchings times all c!. */
#ifndef PM_BOUND_H
#define PM_BOUND_H

#include <stdint.h>

#include "number/cnum.h"

typedef struct {
    int64_t cap;
    int64_t degree; /* the sum of the capacities of the neighbours */
    int64_t ones;   /* entries of value 1 */
    int64_t others; /* entries of other values */
    double sum;     /* log2 of the sum of |value| of the others; valid when others > 0 */
    double max;     /* log2 of the largest |value| of the others; valid when others > 0 */
} pm_line;          /* zeroed but for cap: a line without entries */

/* Adds an entry to a line.  value == NULL: 1. */
void pm_line_add(pm_line *line, const pm_cnum *value, int64_t neighbour_cap);

typedef struct {
    double sum[2];   /* log2 of the products of the bounds of the rows [0] and of the columns [1] */
    double max[2];   /* log2 of the products of the largest |values|, each to the power c */
    double count[2]; /* log2 of Bregman's bounds */
    double twins;    /* log2 of the product of all c! */
    double size;     /* sum of all |logarithms| added; the rounding error is proportional to it */
    struct {
        int64_t degree;   /* of the last line */
        double factorial; /* log2 degree! */
    } last;
} pm_bound; /* zeroed: no lines, bound 0 */

/* Adds a complete line.  side: 0 row, 1 column. */
void pm_bound_add(pm_bound *b, int side, const pm_line *line);
/* The smallest of the bounds, rounded up; -INFINITY when a line has fewer neighbours than its
 * capacity. */
double pm_bound_log2(const pm_bound *b);

#endif
