/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/frontier_shares.h: the frontier on devices, with its passes shared in any way. */
#ifndef PM_TEST_FRONTIER_SHARES_H
#define PM_TEST_FRONTIER_SHARES_H

#include <stdint.h>

#include "pm/status.h"

/* Counts an n x n pattern or integer matrix, n <= 32, modulo one to ten primes: in words of 64 or
 * of 32 bits, with any width, on any number of the devices, with passes cut at any step or not cut.
 * The residues must be those of the CPU.  *rng is advanced. */
void check_frontier_shares(uint64_t *rng, int n, int devices);

/* The same with levels that are spread over all devices.  What fails, also in planning, is returned;
 * what does not must be right. */
pm_status count_spread(uint64_t *rng, int n, int devices, pm_error *err);

#endif
