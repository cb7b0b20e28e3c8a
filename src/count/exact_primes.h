/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/exact_primes.h: the primes of an exact count. */
#ifndef PM_EXACT_PRIMES_H
#define PM_EXACT_PRIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

/* Primes whose product exceeds every number of size at most 2^log2_bound, with a sign.  Those of an
 * independent verification lie below 2^61, the others above: the two sets are disjoint.
 * *out: *count numbers, freed by the caller.
 * Fails: PM_UNABLE more than 10^8 bits; PM_ENOMEM. */
pm_status pm_exact_primes(double log2_bound, bool independent, uint64_t **out, int *count,
                          pm_error *err);

#endif
