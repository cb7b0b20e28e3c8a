/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/float_kind.h: the kinds of inexact numbers in kernels of the Ryser family: real or complex,
 * in double, double-double (quad) or single precision. */
#ifndef PM_FLOAT_KIND_H
#define PM_FLOAT_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/value.h"

typedef enum {
    PM_DENSE_REAL,
    PM_DENSE_COMPLEX,
    PM_DENSE_QUAD,
    PM_DENSE_COMPLEX_QUAD,
    PM_DENSE_SINGLE,
    PM_DENSE_COMPLEX_SINGLE
} pm_dense_kind;

enum { PM_DENSE_KINDS = 6, PM_DENSE_SINGLE_KINDS = 2 /* the last ones */ };

static inline pm_dense_kind pm_dense_kind_of(pm_precision precision, bool is_complex)
{
    switch (precision) {
    case PM_QUAD: return is_complex ? PM_DENSE_COMPLEX_QUAD : PM_DENSE_QUAD;
    case PM_SINGLE: return is_complex ? PM_DENSE_COMPLEX_SINGLE : PM_DENSE_SINGLE;
    default: return is_complex ? PM_DENSE_COMPLEX : PM_DENSE_REAL;
    }
}

static inline bool pm_dense_is_complex(pm_dense_kind kind)
{
    return kind == PM_DENSE_COMPLEX || kind == PM_DENSE_COMPLEX_QUAD
           || kind == PM_DENSE_COMPLEX_SINGLE;
}

static inline bool pm_dense_is_quad(pm_dense_kind kind)
{
    return kind == PM_DENSE_QUAD || kind == PM_DENSE_COMPLEX_QUAD;
}

static inline bool pm_dense_is_single(pm_dense_kind kind)
{
    return kind == PM_DENSE_SINGLE || kind == PM_DENSE_COMPLEX_SINGLE;
}

/* The number of doubles or floats that one number takes. */
static inline int pm_dense_components(pm_dense_kind kind)
{
    return (pm_dense_is_complex(kind) ? 2 : 1) * (pm_dense_is_quad(kind) ? 2 : 1);
}

/* ---- single precision ---- */

/* The unit roundoff, in units of 2^-53. */
#define PM_SINGLE_ROUNDING 0x1p29

/* What underflow changes a sum of `terms` products of n factors each, and its spread, by at most: an operation
 * whose result is below 2^-126 errs by 2^-150, a complex one has a few of them, and the partial products that
 * follow it are multiplied by at most 1. */
static inline double pm_single_lost(double terms, double n)
{
    return 64 * n * terms * 0x1p-150;
}

/* x[0 .. count - 1] as floats, in the same memory from the beginning. */
static inline void pm_single_narrow(double *x, int64_t count)
{
    typedef float narrow __attribute__((may_alias));
    narrow *to = (narrow *)x;
    for (int64_t k = 0; k < count; ++k)
        to[k] = (float)x[k];
}

/* At least x, which is 0 or more, and not less than 2^-120 unless it is 0: so that it is a float that does not
 * underflow. */
static inline double pm_single_at_least(double x)
{
    const double most = x * (1 + 0x1p-20);
    return x > 0 && most < 0x1p-120 ? 0x1p-120 : most;
}

#endif
