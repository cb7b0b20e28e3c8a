/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/stochastic_units.h: entries of a doubly stochastic matrix as integers, in units of 2^-52. */
#ifndef PM_STOCHASTIC_UNITS_H
#define PM_STOCHASTIC_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "sinkhorn/doubly_stochastic.h"

#define PM_STOCHASTIC_ONE (INT64_C(1) << PM_STOCHASTIC_BITS)

/* The nearest multiple of 2^-52, from 1 to 2^52 units; of a multiple, the same.  x: 0 to 2.  The sum below is exact, or less than 1. */
static inline int64_t pm_stochastic_rounded(double x)
{
    int64_t q = (int64_t)(x * (double)PM_STOCHASTIC_ONE + 0.5);
    return q < 1 ? 1 : q > PM_STOCHASTIC_ONE ? PM_STOCHASTIC_ONE : q;
}

static inline double pm_stochastic_multiple(int64_t units)
{
    return (double)units / (double)PM_STOCHASTIC_ONE;
}

/* *missing -= b.  Returns false when the sum of the line is far too large: above 2^63. */
static inline bool pm_stochastic_take(int64_t *missing, int64_t b)
{
    return !__builtin_sub_overflow(*missing, b, missing);
}

/* What row i lacks of 1.  Returns false when some x is not from 0 to 2 (overflow or underflow in the scaling), or the sum is far too large. */
static inline bool pm_stochastic_row_missing(const pm_matrix *a, const double *x, int64_t i,
                                             int64_t *missing)
{
    *missing = PM_STOCHASTIC_ONE;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (!(x[k] >= 0 && x[k] <= 2) || !pm_stochastic_take(missing, pm_stochastic_rounded(x[k])))
            return false;
    return true;
}

#endif
