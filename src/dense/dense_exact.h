/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact.h: the permanent of a full square of integers, exactly, in Glynn's form.
 *
 *   per(A) = 2^(1-n) * sum over signs d, one of them fixed, of (prod_j d_j) prod_i (sum_j d_j a_ij)
 *
 * The row sums of a 0/1 matrix are small, and what they can be at most is known beforehand: most
 * products of a term fit 16 bits, most of the others 32.  dense_exact_plan.h says which rows are
 * multiplied in which width, dense_exact_tile.h multiplies them, dense_exact_limbs.h and
 * dense_exact_ifma.h multiply the 64-bit groups that are left and add up the terms.
 *
 * An index t stands for the columns that are ones in t ^ t >> 1 having the sign -1.
 * Source: Glynn 2010, theorem 2.1; Nijenhuis and Wilf 1978, chapter 23, for the Gray code. */
#ifndef PM_DENSE_EXACT_H
#define PM_DENSE_EXACT_H

#include "core/isa.h"
#include "sweep/square.h"
#include "sweep/sweep.h"

typedef struct {
    bool keep_order; /* columns as given, not by what tiles make of them */
} pm_dense_exact_choice;

/* choice: a pm_dense_exact_choice, or NULL for the defaults.  Row sums up to 2^62.
 * Fails: PM_ENOMEM. */
pm_status pm_dense_exact_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                 pm_error *err);

/* The same for a vector unit that the processor has; the sums of all ranges are the same. */
pm_status pm_dense_exact_prepare_isa(const pm_square *s, pm_isa isa, pm_sweep *out, pm_error *err);

/* What one term costs with AVX-512 IFMA, in vector instructions of 64 bytes; whatever the
 * processor, so that the same input gives the same plan everywhere. */
double pm_dense_exact_work(const pm_square *s, bool keep_order);

#endif
