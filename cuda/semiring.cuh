// SPDX-License-Identifier: GPL-3.0-or-later
// semiring.cuh: values of sparse matrices, and their sums and products.  It follows phases.cuh.
//
// Given: PM_SINGLE: values are floats, otherwise doubles; PM_SEMIRING: one of
//   0  sum:  y_i = sum over j of a_ij x_j
//   1  max:  y_i = max over j of a_ij + x_j
//   2  log:  y_i = log sum over j of exp(a_ij + x_j)
// A sum without terms is PM_EMPTY: 0 or minus infinity.

#if PM_SINGLE
typedef float pm_dev_value;
typedef unsigned pm_value_bits;
#else
typedef double pm_dev_value;
typedef pm_u64 pm_value_bits;
#endif

#if PM_SEMIRING == 0
#define PM_EMPTY ((pm_dev_value)0)
#else
#define PM_EMPTY ((pm_dev_value)-PM_INFINITY)
#endif

PM_FN pm_dev_value pm_add(pm_dev_value a, pm_dev_value b)
{
#if PM_SEMIRING == 0
    return a + b;
#elif PM_SEMIRING == 1
    return a > b ? a : b;
#else
    pm_dev_value most = a > b ? a : b, least = a > b ? b : a;
    return least == PM_EMPTY ? most : most + (pm_dev_value)log1p(exp(least - most));
#endif
}

PM_FN pm_dev_value pm_times(pm_dev_value entry, pm_dev_value x)
{
#if PM_SEMIRING == 0
    return entry * x;
#else
    return entry + x;
#endif
}
