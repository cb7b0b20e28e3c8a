/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/determinant.h: the determinant of a signed sparse matrix modulo a few primes; of a
 * skew-symmetric one its Pfaffian, whose square is the determinant.
 *
 * A pivot is sought among the pairs of a front, in rows and columns independently.  It must be
 * nonzero modulo every prime.  A pair without such a pivot is delayed: it goes to the parent
 * together with the boundary.  What is left at a root is eliminated modulo each prime separately.
 * So the determinant is right modulo every prime, also where it is 0, and no prime has to be
 * replaced.
 *
 * A pivot of a skew-symmetric matrix is a cell below the diagonal, with two rows and the same two
 * columns, which become neighbours.  So the sequence in which the rows were eliminated is recorded:
 * its sign is that of the Pfaffian (Parlett and Reid 1970; Bunch 1982). */
#ifndef PM_DETERMINANT_H
#define PM_DETERMINANT_H

#include <stdint.h>

#include "elimination/elimination.h"
#include "elimination/front_kernel.h"
#include "elimination/integer_entries.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct pm_determinant pm_determinant;

/* Buffers for determinants that are computed one after another.  e, z and kernel must outlive *out.
 * Not thread-safe.  Fails: PM_ENOMEM. */
pm_status pm_determinant_open(const pm_elimination *e, const pm_integer_entries *z,
                              const pm_front_kernel *kernel, pm_determinant **out, pm_error *err);
void pm_determinant_close(pm_determinant *d); /* NULL is allowed */

/* The determinant or Pfaffian modulo kernel->lanes odd primes below 2^24, which may be equal.
 * class: of signs, 0 .. classes - 1.
 * prime, unit, residue: kernel->lanes entries each.  residue[l] is set to the determinant modulo
 * prime[l], where the value of an entry is re + im * unit[l] of its source, negated if its sign in
 * the class is negative.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_determinant_modulo(pm_determinant *d, int class, const uint32_t *prime,
                                const uint32_t *unit, const pm_run *run, uint64_t *residue,
                                pm_error *err);

/* The Schur complement on the pairs of the last front, which is the only root (pm_elimination_make_rooted), and on
 * those that found no pivot below it.
 * *root: its *size x *size cells, not reduced; valid until the next call.  First come the pairs of the front.
 * residue[l]: the product of the pivots of all other fronts.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_determinant_root(pm_determinant *d, int class, const uint32_t *prime,
                              const pm_run *run, const double **root, int32_t *size,
                              uint64_t *residue, pm_error *err);
/* The lanes' constants of the last call. */
const pm_lane_primes *pm_determinant_lanes(const pm_determinant *d);

/* How often a pair has been delayed so far, in all determinants; for tests. */
int64_t pm_determinant_delayed(const pm_determinant *d);

/* Bytes of the buffers, if no pair is delayed. */
double pm_determinant_bytes(const pm_elimination *e, int lanes);

#endif
