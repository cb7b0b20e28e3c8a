/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact_packing.h: packs rows into halves, words and groups (dense_exact_plan.h) and
 * predicts the work of their products. */
#ifndef PM_DENSE_EXACT_PACKING_H
#define PM_DENSE_EXACT_PACKING_H

#include "dense/dense_exact_plan.h"

typedef struct {
    int32_t row;   /* of the square */
    int32_t flips; /* its first entry among the tile's columns is in the last `flips` of them */
    int32_t width; /* bytes */
    int64_t bound; /* of |y|, at least 1 */
} pm_dense_row;

/* The input of packing. */
typedef struct {
    const pm_dense_row *item; /* by flips, most first, then by bound, largest first */
    int32_t n;
    pm_dense_tail tail;
    int limbs;      /* of the sum */
    double touched; /* mean number of entries of a column */
} pm_dense_demand;

/* Bytes of a row whose sums have this bound. */
int32_t pm_dense_row_width(int64_t bound);

/* Packs the rows with the least work of a term and returns this work; NAN if they do not fit the
 * tail.
 * out: ngroups, group, flips and products are set.  sorted: [n], the rows by group and half. */
double pm_dense_pack(const pm_dense_demand *d, pm_dense_plan *out, pm_dense_row *sorted);

#endif
