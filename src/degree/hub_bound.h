/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/hub_bound.h: Huber's bound of the permanent of a 0/1 matrix.
 *
 * gamma(0) = 0, gamma(1) = 1 and g = e gamma grows by g(c+1) = g(c) + 1 + 1/(2 g(c)) + 0.6/g(c)^2.
 * Then perm(A) <= product of gamma(c_j) over the columns, and the bound nests: for every row of
 * every submatrix, sum over its columns j of 1/gamma(c_j - 1) <= product over them of
 * gamma(c_k)/gamma(c_k - 1); that is, the bounds of what is left after each choice of a column add
 * up to no more than the bound before, in whatever sequence rows are taken.  Source: Huber 2006,
 * Huber and Law 2008; a test tries the inequality on many rows. */
#ifndef PM_HUB_BOUND_H
#define PM_HUB_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler/neighbours.h"
#include "sampler/sampler.h"

/* gamma(c), c = 0 .. most; most + 1 doubles.  Relative error below 2^-36 for c <= 32767. */
void pm_hub_gamma(double *gamma, int32_t most);

/* T(c) = 2^31 / gamma(c - 1), rounded; c = 2 .. most, 0 below.  Returns by what factor a step of
 * the sampler that uses T may pass the bound, at the most. */
double pm_hub_table(const double *gamma, int32_t most, uint32_t *table);

/* The product over the columns of l of gamma * slack: no weight is above it. */
pm_weight pm_hub_bound(const pm_neighbours *l, const double *gamma, double slack);
/* Make that side the columns of l for which this is smaller; returns it. */
pm_weight pm_hub_choose_side(pm_neighbours *l, const double *gamma, double slack,
                             bool *is_transposed);

#endif
