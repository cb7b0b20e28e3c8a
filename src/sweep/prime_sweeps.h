/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/prime_sweeps.h: the sweep of any method of the CPU, with sums modulo some primes: where the method has fewer of
 * them in one sweep, several sweeps over the same indices, which look like one; where it sums integers as they are, the
 * sums of ranges modulo one prime. */
#ifndef PM_PRIME_SWEEPS_H
#define PM_PRIME_SWEEPS_H

#include "sweep/ryser_driver.h"

/* Prepares the sweep modulo `count` primes, 1 .. PM_RYSER_PRIMES_MAX; where the method has so many in one sweep, that
 * one.  method: of the CPU.  Without primes of its own: count is 1, and its limbs are enough for the sum of any range.
 * Fails: as the prepare functions of the method; PM_ENOMEM. */
pm_status pm_prime_sweeps_prepare(const pm_sweep_method *method, const pm_square *s,
                                  const void *choice, const uint64_t *prime, int count,
                                  pm_sweep *out, pm_error *err);
/* 2^shift * the sum of such a sweep modulo prime k of `count` primes. */
uint64_t pm_prime_sweeps_residue(const pm_sweep_method *method, const pm_sweep *s,
                                 const pm_sum *sum, int count, int k);

#endif
