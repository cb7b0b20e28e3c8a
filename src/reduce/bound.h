/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/bound.h: upper bounds of the sum of |products| over the matchings of a block with
 * capacities (pm/reduce.h), in log2, one line (row or column class) after another.
 *
 * A line of capacity c with values x in d entries contributes c of them at once, so at most
 * e_c(|x|) <= min((sum |x|)^c / c!, C(d,c) max|x|^c); the product over the rows bounds the sum,
 * and so does that over the columns.  With every class taken apart into its twins, Bregman's
 * theorem (conjecture of Minc) bounds the number of matchings times all c!. */
#ifndef PM_BOUND_H
#define PM_BOUND_H

#include <stdint.h>

#include "number/cnum.h"

typedef struct {
    int64_t cap;
    int64_t degree; /* neighbours, each as often as its capacity says */
    int64_t ones;   /* entries of value 1 */
    double sum;     /* log2 of the sum of |value| of the others; unless others == 0 */
    double max;     /* log2 of the largest of the others */
    int64_t others;
} pm_line; /* zeroed but cap: an empty line */

void pm_line_add(pm_line *line, const pm_cnum *value, int64_t neighbour_cap);

typedef struct {
    double sum[2]; /* rows, columns */
    double max[2];
    double count[2];
    double twins; /* log2 of the product of all c! */
    double size;  /* sum of |terms|: what rounding errors are proportional to */
} pm_bound;       /* zeroed: no lines, bound 0 */

/* side: 0 row, 1 column */
void pm_bound_add(pm_bound *b, int side, const pm_line *line);
/* The smallest bound, rounded up; -INFINITY when a line cannot be filled. */
double pm_bound_log2(const pm_bound *b);

#endif
