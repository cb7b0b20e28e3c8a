/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/determinant.h: the determinant of a signed matrix modulo a few primes, front by front.
 *
 * Pivots are sought among the pairs of a front, rows and columns apart; a pair that finds none that
 * is nonzero modulo every prime is delayed: it goes to the parent with the boundary.  What is left
 * at a root is eliminated modulo each prime alone, so the determinant is right modulo every prime,
 * 0 included, and no prime ever has to be replaced. */
#ifndef PM_DETERMINANT_H
#define PM_DETERMINANT_H

#include <stdint.h>

#include "elimination/elimination.h"
#include "elimination/front_kernel.h"
#include "elimination/integer_entries.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct pm_determinant pm_determinant;

/* Room to compute determinants in, one after another, all of them with the lanes of the kernel.
 * Lends e, z and kernel.  Fails: PM_ENOMEM. */
pm_status pm_determinant_open(const pm_elimination *e, const pm_integer_entries *z,
                              const pm_front_kernel *kernel, pm_determinant **out, pm_error *err);
void pm_determinant_close(pm_determinant *d);

/* residue[l] = the determinant modulo prime[l], for kernel->lanes odd primes below 2^24, not
 * necessarily distinct; the entry at (i, j) is (re + im * unit[l]) of its source, negative in the
 * class of signs (planar/kasteleyn.h).
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_determinant_modulo(pm_determinant *d, int class, const uint32_t *prime,
                                const uint32_t *unit, const pm_run *run, uint64_t *residue,
                                pm_error *err);

/* Pairs that have been delayed so far, each front counted. */
int64_t pm_determinant_delayed(const pm_determinant *d);

/* Bytes that it takes, if none is delayed. */
double pm_determinant_bytes(const pm_elimination *e, int lanes);

#endif
