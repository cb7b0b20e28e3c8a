/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "integers/root_primes.h"

#include <string.h>

#include "number/prime.h"
#include "number/root_sum.h"

uint64_t pm_root_prime_below(uint64_t n, int32_t order)
{
    const uint64_t step = (uint64_t)order;
    if (n < 3)
        return 0;
    for (uint64_t p = (n - 2) / step * step + 1; p > 1; p -= step)
        if (pm_is_prime(p))
            return p;
    return 0;
}

static bool has_order(uint64_t z, uint64_t p, int32_t order)
{
    for (int32_t q = 2, rest = order; rest > 1; ++q) {
        if (rest % q)
            continue;
        if (pm_mod_pow(z, (uint64_t)(order / q), p) == 1)
            return false;
        while (rest % q == 0)
            rest /= q;
    }
    return true;
}

uint64_t pm_root_modulo(uint64_t p, int32_t order)
{
    for (uint64_t a = 2;; ++a) {
        const uint64_t z = pm_mod_pow(a, (p - 1) / (uint64_t)order, p);
        if (z && has_order(z, p, order))
            return z;
    }
}

static uint64_t residue_of(int64_t x, uint64_t p)
{
    const int64_t r = x % (int64_t)p;
    return r < 0 ? (uint64_t)r + p : (uint64_t)r;
}

/* quotient[0 .. degree - 1] = poly / (x - at); returns its value there, which is the derivative of poly. */
static uint64_t divide(uint64_t p, int32_t degree, const int64_t *poly, uint64_t at,
                       uint64_t *quotient)
{
    uint64_t carry = 0, value = 0;
    for (int32_t k = degree - 1; k >= 0; --k) {
        carry = (pm_mod_mul(carry, at, p) + residue_of(poly[k + 1], p)) % p;
        quotient[k] = carry;
        value = (pm_mod_mul(value, at, p) + carry) % p;
    }
    return value;
}

void pm_root_coefficients(uint64_t p, int32_t order, uint64_t z, const int64_t *poly,
                          const uint64_t *value, uint64_t *c)
{
    uint64_t quotient[PM_ROOT_ORDER_MAX];
    const int32_t degree = pm_root_phi(order);
    uint64_t at = 1;
    memset(c, 0, (size_t)degree * sizeof *c);
    for (int32_t j = 0; j < order; ++j, at = pm_mod_mul(at, z, p)) {
        if (pm_root_gcd(order, j) != 1)
            continue;
        const uint64_t slope = divide(p, degree, poly, at, quotient);
        const uint64_t times = pm_mod_mul(value[j], pm_mod_inverse(slope, p), p);
        for (int32_t k = 0; k < degree; ++k)
            c[k] = (c[k] + pm_mod_mul(times, quotient[k], p)) % p;
    }
}
