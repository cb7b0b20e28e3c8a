/* SPDX-License-Identifier: GPL-3.0-or-later */
/* necklace/necklace_sum.h: Ryser's sum over sets of columns up to shifts, modulo one number. */
#ifndef PM_NECKLACE_SUM_H
#define PM_NECKLACE_SUM_H

#include "pm/run.h"
#include "pm/status.h"

enum { PM_NECKLACE_MOST = 62 }; /* columns */

/* *out = the sum, over all sets S of columns, of (-1)^(n - |S|) prod_i sum_{k in S} a[i n + k], modulo m, where S and
 * S + 1 (mod n) have equal terms.  a: n x n residues modulo m, which is odd and below 2^62; 1 <= n <= PM_NECKLACE_MOST.
 * Cost: about 2^n / n terms of n products, on the threads of the run.
 * Fails: PM_ESTOPPED; PM_ENOMEM.
 * Source: Fredricksen, Kessler and Maiorana for the order of the necklaces (Knuth, The Art of Computer Programming,
 * 7.2.1.1, algorithm F). */
pm_status pm_necklace_sum(const uint64_t *a, int n, uint64_t m, const pm_run *run, uint64_t *out,
                          pm_error *err);

#endif
