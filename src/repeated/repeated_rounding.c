/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_rounding.h"

#include <math.h>

#include "repeated/repeated_weights.h"

/* Products: N - 1 roundings; complex ones sqrt 5 each.  Double-double: the low part is at most 2 k u
 * of a product of k row sums, and a product of k + l row sums rounds it three times, 6 (k + l) u,
 * and omits low * low, 4 k l u.  Over all products of a term the sum of k + l is at most N^2 / 2 +
 * N, that of k l is N (N - 1) / 2: together 5 N^2 u + 6 N u.  Complex: 7/2 k u in the low part, 19
 * (k + l) u for a product and 2 (7/2)^2 k l u for what is omitted, together 22 N^2 u + 26 N u.
 * Weights: exact, or rounded for the pattern, the tile and their product; then one multiplication.
 * In double-double 7 u for each product of weights.  In single precision they are rounded once more. */

double pm_repeated_product_rounding(pm_dense_kind kind, double n)
{
    const double u = 0x1p-53;
    switch (kind) {
    case PM_DENSE_REAL: return n - 1;
    case PM_DENSE_COMPLEX: return 2.25 * (n - 1);
    case PM_DENSE_QUAD: return (5 * n * n + 6 * n) * u;
    case PM_DENSE_COMPLEX_QUAD: return (22 * n * n + 26 * n) * u;
    case PM_DENSE_SINGLE: return (n - 1) * PM_SINGLE_ROUNDING;
    case PM_DENSE_COMPLEX_SINGLE: return 2.25 * (n - 1) * PM_SINGLE_ROUNDING;
    }
    return INFINITY;
}

double pm_repeated_weight_rounding(pm_dense_kind kind, const pm_repeated_digits *d, double n)
{
    double products = 8. * (d->count + 2);
    if (pm_dense_is_single(kind))
        return 4 * PM_SINGLE_ROUNDING + 4 + products * 0x1p-53;
    if (pm_dense_is_quad(kind))
        return (products + 14 * n) * 0x1p-53;
    return pm_repeated_weights_are_exact(d) ? 1 : 4 + products * 0x1p-53;
}
