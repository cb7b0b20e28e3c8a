/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression/node_value.h: applies the factor and the repetitions of a node to its value, and adds
 * it to or multiplies it into a group (the formulas are in pm/expression.h).
 *
 * In all functions: modulus > 1: all values are residues in 0 .. modulus - 1.  modulus 0: values are
 * not residues.  run may be NULL.
 *
 * An exact value may have millions of digits, and an operation of GMP cannot be stopped.  So its size is
 * predicted before, and the functions fail with PM_UNABLE when the result would have more than 2^33 bits,
 * does not fit into memory (number/bits.h), would take longer than run->max_cost, or would probably end
 * after run->deadline; and with PM_ESTOPPED when the run is stopped. */
#ifndef PM_NODE_VALUE_H
#define PM_NODE_VALUE_H

#include <stdbool.h>

#include "pm/expression.h"
#include "pm/run.h"
#include "pm/value.h"

/* v = factor * v.  factor_field: PM_INTEGER takes any factor as it is, a complex one too.  Fails: PM_UNABLE a denominator without inverse, an exponent beyond 2^60,
 * roots of unity whose common order is too large. */
pm_status pm_node_multiply(pm_value *v, const pm_fraction *factor, pm_field factor_field,
                           uint64_t modulus, const pm_run *run, pm_error *err);
/* v = v^times in a product, v * times in a sum.
 * Fails: PM_UNABLE an exponent beyond 2^60. */
pm_status pm_node_repeat(pm_value *v, const mpz_t times, bool in_sum, uint64_t modulus,
                         const pm_run *run, pm_error *err);
/* to = to * v in a product, to + v in a sum.  Fails: PM_UNABLE an exponent beyond 2^60, roots of unity whose common
 * order is too large. */
pm_status pm_node_join(pm_value *to, const pm_value *v, bool in_sum, uint64_t modulus,
                       const pm_run *run, pm_error *err);

/* log2 |z|; -INFINITY of zero. */
double pm_node_log2(const mpz_t z);
/* Replaces the exact value by its residue; does nothing when modulus is 0. */
void pm_node_residue(pm_value *v, uint64_t modulus);
/* Fails: PM_UNABLE a binary exponent beyond 2^60: the next product might leave the range of
 * pm_xreal. */
pm_status pm_node_check_range(const pm_value *v, pm_error *err);

#endif
