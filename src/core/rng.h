/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/rng.h: a small and fast generator of random numbers for searches and tests.  Estimates use
 * core/philox.h. */
#ifndef PM_RNG_H
#define PM_RNG_H

#include <stdint.h>

/* 64 random bits; *state is the seed at first.
 * Source: SplitMix64 of Steele, Lea and Flood 2014. */
static inline uint64_t pm_rng_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Uniform in 0..n-1 (bias below 2^-32), n < 2^32. */
static inline uint32_t pm_rng_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((pm_rng_next(state) >> 32) * n >> 32);
}

/* Uniform in [0, 1). */
static inline double pm_rng_unit(uint64_t *state)
{
    return (double)(pm_rng_next(state) >> 11) * 0x1p-53;
}

#endif
