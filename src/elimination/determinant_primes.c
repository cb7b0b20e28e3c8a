/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/determinant_primes.h"

#include <math.h>
#include <stdlib.h>

#include "elimination/front_kernel.h"
#include "number/prime.h"
#include "pm/alloc.h"

enum {
    LEAST_BITS = 20,      /* primes are above 2^LEAST_BITS, */
    MOST_PRIMES = 1 << 20 /* of which there are fewer than this */
};

void pm_determinant_primes_free(pm_determinant_primes *m)
{
    free(m->prime);
    free(m->unit);
    *m = (pm_determinant_primes){0};
}

/* A root of -1 modulo a prime p that is 1 mod 4. */
static uint32_t imaginary_unit(uint64_t p)
{
    for (uint64_t g = 2;; ++g) {
        uint64_t r = pm_mod_pow(g, (p - 1) / 4, p);
        if (pm_mod_mul(r, r, p) == p - 1)
            return (uint32_t)r;
    }
}

static pm_status too_few(pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "numbers of too many bits for primes below 2^%d",
                   PM_LANE_PRIME_BITS);
}

pm_status pm_determinant_primes_choose(double bits, bool is_complex, bool independent,
                                       pm_determinant_primes *out, pm_error *err)
{
    uint64_t p = UINT64_C(1) << (PM_LANE_PRIME_BITS - independent);
    pm_determinant_primes m = {.roots = is_complex ? 2 : 1};
    int64_t most = m.roots * (int64_t)(bits / LEAST_BITS + 2);
    if (bits > (double)MOST_PRIMES * PM_LANE_PRIME_BITS)
        return too_few(err);
    m.prime = pm_alloc_array(most, sizeof *m.prime);
    m.unit = pm_calloc_array(most, sizeof *m.unit);
    if (!m.prime || !m.unit) {
        pm_determinant_primes_free(&m);
        return pm_fail_memory(err, "primes");
    }
    for (double have = 0; have < bits; have += log2((double)p) - 1e-9) {
        do
            p = pm_prime_below(p);
        while (is_complex && p % 4 != 1);
        if (p < UINT64_C(1) << LEAST_BITS) {
            pm_determinant_primes_free(&m);
            return too_few(err);
        }
        uint32_t unit = is_complex ? imaginary_unit(p) : 0;
        for (int root = 0; root < m.roots; ++root) {
            m.prime[m.count] = (uint32_t)p;
            m.unit[m.count++] = root ? (uint32_t)p - unit : unit;
        }
    }
    *out = m;
    return PM_OK;
}

/* Part 0 (re) or 1 (im) from x = re + unit im and y = re - unit im. */
static uint64_t part_of(uint64_t x, uint64_t y, uint64_t unit, int part, uint64_t p)
{
    uint64_t twice = part == 0 ? x + y : (x + p - y) % p * pm_mod_inverse(unit, p);
    return twice % p * ((p + 1) / 2) % p;
}

pm_status pm_determinant_primes_crt(const pm_determinant_primes *m, const uint64_t *residue,
                                    int part, mpz_t out, pm_error *err)
{
    int64_t n = m->count / m->roots;
    uint64_t *r = pm_alloc_array(n, sizeof *r), *p = pm_alloc_array(n, sizeof *p);
    if (!r || !p) {
        free(r);
        free(p);
        return pm_fail_memory(err, "residues");
    }
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t *x = &residue[i * m->roots];
        p[i] = m->prime[i * m->roots];
        r[i] = m->roots == 1 ? x[0] : part_of(x[0], x[1], m->unit[i * m->roots], part, p[i]);
    }
    pm_crt(out, r, p, (int)n, true);
    free(r);
    free(p);
    return PM_OK;
}
