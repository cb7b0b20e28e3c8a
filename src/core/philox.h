/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/philox.h: counter-based random numbers.  Every number is a function of a seed, a sequence
 * and its position, so a draw never depends on threads, on order or on the machine.
 * Source: Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3". */
#ifndef PM_PHILOX_H
#define PM_PHILOX_H

#include <stdint.h>

/* Philox4x32-10: one block of four words. */
void pm_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* A position in one sequence of one seed; set position to jump. */
typedef struct {
    uint64_t seed, sequence, position;
} pm_random;

/* 64 uniform bits: words 0 and 1 of the block with counter (position, sequence); moves on by one. */
uint64_t pm_random_bits(pm_random *r);
/* Uniform in 0 .. bound-1, without bias; bound > 0.  May take several positions. */
uint64_t pm_random_below(pm_random *r, uint64_t bound);
/* Uniform in (0, 1], a multiple of 2^-53. */
double pm_random_unit(pm_random *r);

#endif
