/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/prime.h: arithmetic modulo numbers below 2^62, and primes that serve as moduli. */
#ifndef PM_PRIME_H
#define PM_PRIME_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#define PM_MODULUS_MAX (UINT64_C(1) << 62) /* every modulus is less than this */
#define PM_PRIME_BITS                                                                              \
    61.999999 /* at most log2 of each of the thousand largest primes below PM_MODULUS_MAX */

/* Deterministic for all 64-bit n: Miller-Rabin with the first twelve primes as bases
 * (Sorenson and Webster 2017). */
bool pm_is_prime(uint64_t n);
/* The largest prime below n; n > 2. */
uint64_t pm_prime_below(uint64_t n);

/* a b mod m */
static inline uint64_t pm_mod_mul(uint64_t a, uint64_t b, uint64_t m)
{
    return (uint64_t)((unsigned __int128)a * b % m);
}
/* a^e mod m */
uint64_t pm_mod_pow(uint64_t a, uint64_t e, uint64_t m);
/* The inverse of a modulo m, or 0 when there is none. */
uint64_t pm_mod_inverse(uint64_t a, uint64_t m);

/* For many products with the same w < m (Shoup's method): c = floor(w 2^64 / m). */
static inline uint64_t pm_shoup_prepare(uint64_t w, uint64_t m)
{
    return (uint64_t)(((unsigned __int128)w << 64) / m);
}
/* A number in 0 .. 2m-1 that is w x modulo m, for any x; c: from pm_shoup_prepare. */
static inline uint64_t pm_shoup_mul(uint64_t w, uint64_t c, uint64_t x, uint64_t m)
{
    uint64_t q = (uint64_t)((unsigned __int128)c * x >> 64);
    return w * x - q * m;
}

/* Montgomery's product a b 2^-64 mod n, for odd n and a, b < n; inverse: of
 * pm_montgomery_inverse.  Below n. */
static inline uint64_t pm_montgomery(uint64_t a, uint64_t b, uint64_t n, uint64_t inverse)
{
    const unsigned __int128 product = (unsigned __int128)a * b;
    const uint64_t q = (uint64_t)product * inverse;
    const uint64_t high = (uint64_t)(product >> 64);
    const uint64_t take = (uint64_t)((unsigned __int128)q * n >> 64);
    return high >= take ? high - take : high - take + n;
}

/* 1 / n modulo 2^64, of an odd n. */
static inline uint64_t pm_montgomery_inverse(uint64_t n)
{
    uint64_t x = n; /* right in 3 bits; each step doubles them */
    for (int k = 0; k < 5; ++k)
        x *= 2 - n * x;
    return x;
}

/* Chinese remainder theorem: x = the number with x mod m[i] = residue[i] for i < n, in 0 .. M-1, or
 * in (-M/2, M/2) when is_signed; M = m[0] ... m[n-1].  The m[i] are pairwise coprime.  x is
 * initialised by the caller.  (number/crt.c) */
void pm_crt(mpz_t x, const uint64_t *residue, const uint64_t *m, int n, bool is_signed);

#endif
