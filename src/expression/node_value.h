/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression/node_value.h: what the factor and the repetitions of a node do to its value.
 *
 * A node is worth (factor * value)^times in a product, factor * value * times in a sum.
 * modulus > 1: all values are residues, exact integers; 0: none. */
#ifndef PM_NODE_VALUE_H
#define PM_NODE_VALUE_H

#include <stdbool.h>

#include "pm/expression.h"
#include "pm/run.h"
#include "pm/value.h"

/* v = factor * v.  Fails: PM_UNABLE a denominator without inverse, an exponent beyond 2^60. */
pm_status pm_node_multiply(pm_value *v, const pm_fraction *factor, pm_field factor_field,
                           uint64_t modulus, pm_error *err);
/* v = v^times or v * times.  Fails: PM_UNABLE a power too large to be written down, or before the
 * deadline of the run: what GMP has begun nothing stops. */
pm_status pm_node_repeat(pm_value *v, const mpz_t times, bool in_sum, uint64_t modulus,
                         const pm_run *run, pm_error *err);
/* to = to * v or to + v. */
pm_status pm_node_join(pm_value *to, const pm_value *v, bool in_sum, uint64_t modulus,
                       pm_error *err);

/* log2 |z|; -INFINITY of zero. */
double pm_node_log2(const mpz_t z);
/* The exact value modulo modulus. */
void pm_node_residue(pm_value *v, uint64_t modulus);
/* Fails: PM_UNABLE an exponent with which the next product may leave the range of pm_xreal. */
pm_status pm_node_check_range(const pm_value *v, pm_error *err);

#endif
