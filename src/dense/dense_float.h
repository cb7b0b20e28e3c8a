/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_float.h: the permanent of a full real or complex block in Glynn's form,
 *
 *   per(A) = 2^(1-n) * sum over signs d with d_n = 1 of (prod_k d_k) prod_i (sum_j d_j a_ij).
 *
 * In the term of index t column j has the sign -1 if bit j of t ^ t >> 1 is set.  An aligned range
 * of 2^k indices contains all signs of the first k columns, so these are computed in any order:
 * three columns distinguish the eight lanes of a vector; the next two to four distinguish the
 * vectors of a tile, which share the row sums over all other columns.
 *
 * Row sums are exact: fixed point in one double, in two for PM_QUAD, in a
 * float for PM_SINGLE.  Blocks smaller
 * than a tile are extended by ones on the diagonal.
 * Source: Glynn 2010, theorem 2.1; Nijenhuis and Wilf 1978, chapter 23; the tiles are our own. */
#ifndef PM_DENSE_FLOAT_H
#define PM_DENSE_FLOAT_H

#include "core/isa.h"
#include "pm/value.h"
#include "sweep/sweep.h"

/* Prepares the sweep.  s: real or complex, made with any number of bits.  choice: a pm_precision.
 * Fails: PM_ENOMEM. */
pm_status pm_dense_float_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                 pm_error *err);

/* The same with a given vector unit, which the processor must have; for tests and measurements. */
pm_status pm_dense_float_prepare_isa(const pm_square *s, pm_precision precision, pm_isa isa,
                                     pm_sweep *out, pm_error *err);

#endif
