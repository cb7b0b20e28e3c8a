/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_exact.h: the sum of repeated_digits.h over integer squares with classes, modulo
 * a prime below 2^50, in doubles.
 *
 * Rows with small sums are multiplied exactly, as long as the product of the bounds of their sums is
 * below the prime; the other rows are reduced first.  So most multiplications are ordinary ones. */
#ifndef PM_REPEATED_EXACT_H
#define PM_REPEATED_EXACT_H

#include "core/isa.h"
#include "repeated/repeated_digits.h"
#include "sweep/sweep.h"

/* Primes are below this. */
#define PM_REPEATED_PRIME_MAX (UINT64_C(1) << 50)

/* Vector operations of one sweep, of PM_REPEATED_LANES lanes each. */
double pm_repeated_exact_work(const pm_square *s, const pm_repeated_digits *d);
/* The digits with the tiles that suit the kernels.  Fails: as pm_repeated_digits_make. */
pm_status pm_repeated_exact_digits(const pm_square *s, pm_repeated_digits *out, pm_error *err);

/* Prepares the sweep over the tiles modulo prime[0].  count: 1.
 * Fails: PM_UNABLE as pm_repeated_exact_digits; PM_ENOMEM. */
pm_status pm_repeated_exact_prepare(const pm_square *s, const void *choice, const uint64_t *prime,
                                    int count, pm_sweep *out, pm_error *err);
/* The same with a given vector unit, which the processor must have; for tests. */
pm_status pm_repeated_exact_prepare_isa(const pm_square *s, uint64_t prime, pm_isa isa,
                                        pm_sweep *out, pm_error *err);
/* The permanent of the square modulo the prime. */
uint64_t pm_repeated_exact_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

#endif
