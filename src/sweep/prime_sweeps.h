/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/prime_sweeps.h: a sweep modulo more primes than its method has in one: several sweeps over the same
 * indices, which look like one. */
#ifndef PM_PRIME_SWEEPS_H
#define PM_PRIME_SWEEPS_H

#include "sweep/ryser_driver.h"

/* Prepares the sweep modulo `count` primes, 1 .. PM_RYSER_PRIMES_MAX; where the method has so many in one sweep, that
 * one.  method: of the CPU, with primes.  Fails: as method->prepare_modular. */
pm_status pm_prime_sweeps_prepare(const pm_sweep_method *method, const pm_square *s,
                                  const void *choice, const uint64_t *prime, int count,
                                  pm_sweep *out, pm_error *err);
/* method->residue of such a sweep modulo `count` primes. */
uint64_t pm_prime_sweeps_residue(const pm_sweep_method *method, const pm_sweep *s,
                                 const pm_sum *sum, int count, int k);

#endif
