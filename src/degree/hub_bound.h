/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/hub_bound.h: Huber's upper bound of the permanent of a 0/1 matrix.
 *
 * gamma(0) = 0, gamma(1) = 1, and g(c) = e gamma(c) grows by
 * g(c+1) = g(c) + 1 + 1/(2 g(c)) + 0.6/g(c)^2.
 * Then perm(A) <= U = product of gamma(c_j) over the columns j, c_j the number of entries of column
 * j.  The bound nests: for every row of every submatrix, the sum of 1/gamma(c_j - 1) over its
 * columns j is at most the product over its columns k of gamma(c_k)/gamma(c_k - 1).  In words:
 * choose a column for the row in all possible ways; the bounds of the submatrices that remain add
 * up to at most the bound before.  This holds for any order of the rows.
 * Source: Huber 2006, Huber and Law 2008; a test checks the inequality on many rows. */
#ifndef PM_HUB_BOUND_H
#define PM_HUB_BOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler/neighbours.h"
#include "sampler/sampler.h"

/* gamma[c] = gamma(c) for c = 0 .. most.  Relative error below 2^-36 for c <= 32767. */
void pm_hub_gamma(double *gamma, int32_t most);

/* table[c] = T(c) = 2^31 / gamma(c - 1), rounded, for c = 2 .. most; table[0] = table[1] = 0.
 * Returns the slack: the largest factor, above 1, by which one step of a sampler with this table
 * can exceed the bound because of rounding. */
double pm_hub_table(const double *gamma, int32_t most, uint32_t *table);

/* The product over the columns of l of gamma(c_j) times slack.  No weight is larger. */
pm_weight pm_hub_bound(const pm_neighbours *l, const double *gamma, double slack);
/* Transposes l if its transpose has the smaller pm_hub_bound.  Returns the smaller one. */
pm_weight pm_hub_choose_side(pm_neighbours *l, const double *gamma, double slack,
                             bool *is_transposed);

#endif
