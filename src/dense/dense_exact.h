/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact.h: the permanent of a full square of integers, exactly, in Glynn's form.
 *
 *   per(A) = 2^(1-n) * sum over signs d, one of them fixed, of (prod_j d_j) prod_i (sum_j d_j a_ij)
 *
 * The row sums of a 0/1 matrix are small and have known bounds: most products of a term fit 16
 * bits, most of the others fit 32 bits.  dense_exact_plan.h decides which rows are multiplied in
 * which width, dense_exact_tile.h multiplies them, dense_exact_limbs.h and dense_exact_ifma.h
 * multiply the resulting 64-bit groups and add the terms.
 *
 * In the term of index t column j has the sign -1 if bit j of t ^ t >> 1 is set.
 * Source: Glynn 2010, theorem 2.1; Nijenhuis and Wilf 1978, chapter 23, for the Gray code. */
#ifndef PM_DENSE_EXACT_H
#define PM_DENSE_EXACT_H

#include "core/isa.h"
#include "sweep/square.h"
#include "sweep/sweep.h"

typedef struct {
    /* leave the columns in the given order; else the order that suits tiles best */
    bool keep_order;
    /* limbs for the sum of any range; else for that of all terms, and others are modulo 2^(64 limbs) */
    bool any_range;
} pm_dense_exact_choice;

/* Prepares the sweep.  s: integers, made with at most 62 bits.
 * choice: a pm_dense_exact_choice, or NULL for the defaults.
 * Fails: PM_ENOMEM. */
pm_status pm_dense_exact_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                 pm_error *err);

/* The same with a given vector unit, which the processor must have.  All vector units give the same
 * sums. */
pm_status pm_dense_exact_prepare_isa(const pm_square *s, pm_isa isa, pm_sweep *out, pm_error *err);

/* The cost of a term in vector instructions of 64 bytes, or other instructions, with a given vector unit; the processor need
 * not have it. */
double pm_dense_exact_work(const pm_square *s, bool keep_order, pm_isa isa);

#endif
