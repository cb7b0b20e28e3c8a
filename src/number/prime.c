/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/prime.h"

static const uint64_t small_primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
enum { SMALL = sizeof small_primes / sizeof *small_primes };

uint64_t pm_mod_pow(uint64_t a, uint64_t e, uint64_t m)
{
    uint64_t r = 1 % m;
    for (a %= m; e; e >>= 1) {
        if (e & 1)
            r = pm_mod_mul(r, a, m);
        a = pm_mod_mul(a, a, m);
    }
    return r;
}

/* ---- primes ---- */

/* n is a strong probable prime to the base; n - 1 = d 2^twos. */
static bool is_strong(uint64_t base, uint64_t d, int twos, uint64_t n, uint64_t inverse)
{
    const uint64_t one = (UINT64_MAX % n + 1) % n, minus_one = n - one; /* 2^64 and -2^64 */
    uint64_t power = pm_mod_mul(base, one, n), x = one;
    for (; d; d >>= 1) {
        if (d & 1)
            x = pm_montgomery(x, power, n, inverse);
        power = pm_montgomery(power, power, n, inverse);
    }
    bool is_good = x == one || x == minus_one;
    for (int r = 1; !is_good && r < twos; ++r) {
        x = pm_montgomery(x, x, n, inverse);
        is_good = x == minus_one;
    }
    return is_good;
}

bool pm_is_prime(uint64_t n)
{
    for (int i = 0; i < SMALL; ++i)
        if (n % small_primes[i] == 0)
            return n == small_primes[i];
    if (n < 2)
        return false;
    const int twos = __builtin_ctzll(n - 1);
    const uint64_t inverse = pm_montgomery_inverse(n);
    for (int i = 0; i < SMALL; ++i)
        if (!is_strong(small_primes[i], (n - 1) >> twos, twos, n, inverse))
            return false;
    return true;
}

/* 2^62 - gap and 2^61 - gap: the largest primes below these powers, which every exact count asks
 * for. */
static const uint16_t gaps[2][9] = {{0, 57, 87, 117, 143, 153, 167, 171, 195},
                                    {0, 1, 31, 45, 229, 259, 283, 339, 391}};

/* 0 when the tables do not say. */
static uint64_t listed_below(uint64_t n)
{
    for (int which = 0; which < 2; ++which) {
        uint64_t power = PM_MODULUS_MAX >> which;
        for (int k = 0; k < 8; ++k)
            if (n == power - gaps[which][k])
                return power - gaps[which][k + 1];
    }
    return 0;
}

uint64_t pm_prime_below(uint64_t n)
{
    uint64_t listed = listed_below(n);
    if (listed)
        return listed;
    do
        --n;
    while (!pm_is_prime(n));
    return n;
}

uint64_t pm_mod_inverse(uint64_t a, uint64_t m)
{
    __int128 r0 = m, r1 = a % m, t0 = 0, t1 = 1;
    while (r1) {
        __int128 q = r0 / r1, r2 = r0 - q * r1, t2 = t0 - q * t1;
        r0 = r1, r1 = r2;
        t0 = t1, t1 = t2;
    }
    return r0 == 1 ? (uint64_t)(t0 < 0 ? t0 + m : t0) : 0;
}
