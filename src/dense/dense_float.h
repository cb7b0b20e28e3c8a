/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float.h: the permanent of a full real or complex block in Glynn's form,
 *
 *   per(A) = 2^(1-n) * sum over signs d with d_n = 1 of (prod_k d_k) prod_i (sum_j d_j a_ij).
 *
 * Index t stands for the signs of the Gray code t ^ t >> 1: bit j set, column j negative.  An
 * aligned range of 2^k indices is all patterns of the low k bits, so those are run in any order:
 * three columns make the eight lanes of a vector, the next two to four a tile of vectors that
 * share the row sums of all other columns.
 *
 * Row sums are exact: fixed point in one double, or in two for PM_QUAD.  Blocks smaller than a
 * tile are filled up with ones on the diagonal.
 * Source: Glynn 2010, theorem 2.1; Nijenhuis and Wilf 1978, chapter 23; the tiles are ours. */
#ifndef PM_DENSE_FLOAT_H
#define PM_DENSE_FLOAT_H

#include "core/isa.h"
#include "pm/value.h"
#include "sweep/sweep.h"

/* s: real or complex, of any `bits`; choice: const pm_precision *.
 * Fails: PM_ENOMEM. */
pm_status pm_dense_float_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                 pm_error *err);

/* The same for a vector unit that the machine has, for tests and measurements. */
pm_status pm_dense_float_prepare_isa(const pm_square *s, pm_precision precision, pm_isa isa,
                                     pm_sweep *out, pm_error *err);

#endif
