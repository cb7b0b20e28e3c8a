/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/general_bound.h"

#include <math.h>

#include "matrix/symmetric.h"
#include "number/cnum.h"
#include "pm/reduce.h"

/* log2 |a_k|; an entry is not 0. */
static double log2_of(const pm_matrix *a, int64_t k)
{
    if (!a->re)
        return 0;
    pm_cnum x = {.re = a->re[k]}; /* not freed: it owns nothing */
    if (a->im)
        x.im = a->im[k];
    return pm_cnum_log2(&x);
}

static double log2_add(double x, double y)
{
    const double more = fmax(x, y), less = fmin(x, y);
    return less == -INFINITY ? more : more + log2(1 + exp2(less - more));
}

/* Neighbours after (direction 1) or before (-1) a vertex are picked. */
static double bound_of_picks(const pm_matrix *a, int direction)
{
    double bound = 0, size = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = -INFINITY;
        if (a->rowptr[i] == a->rowptr[i + 1])
            return -INFINITY;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if ((a->colind[k] - i) * direction >= 0)
                sum = log2_add(sum, log2_of(a, k));
        bound += fmax(0, sum);
        size += fmax(1, fabs(sum == -INFINITY ? 0 : sum));
    }
    return bound + 1e-12 * size; /* the rounding of the logarithms */
}

double pm_general_log2_bound(const pm_matrix *a)
{
    if (!pm_matrix_has_diagonal(a))
        return pm_permanent_log2_bound(a) / 2;
    return fmin(bound_of_picks(a, 1), bound_of_picks(a, -1));
}
