/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/philox.h: counter-based random numbers.  Every number is a function of a seed, of a random
 * sequence and of its position there, so it does not depend on threads, on order or on the machine.
 * Source: Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3". */
#ifndef PM_PHILOX_H
#define PM_PHILOX_H

#include <stdint.h>

/* Philox4x32-10: one block of four words. */
void pm_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* A position in one random sequence of one seed.  The caller may set any position.  Not
 * thread-safe: one object a thread. */
typedef struct {
    uint64_t seed, sequence, position;
} pm_random;

/* 64 uniform bits: words 0 and 1 of the block with counter (position, sequence).  Adds 1 to the
 * position. */
uint64_t pm_random_bits(pm_random *r);
/* Uniform in 0 .. bound-1, without bias; bound > 0.  Adds 1 or more to the position. */
uint64_t pm_random_below(pm_random *r, uint64_t bound);
/* Uniform in (0, 1], a multiple of 2^-53.  Adds 1 to the position. */
double pm_random_unit(pm_random *r);

#endif
