/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/cyclic_blocks.h"

#include "core/rng.h"
#include "integers/root_primes.h"
#include "number/prime.h"
#include "number/root_sum.h"
#include "support/testing.h"

static void fill(uint64_t *rng, int n, uint64_t p, const uint64_t *e, uint64_t *a)
{
    const uint64_t z = pm_root_modulo(p, n);
    for (int i = 0; i < n; ++i) {
        a[i * n] = 1 + pm_rng_next(rng) % (p - 1);
        for (int k = 1; k < n; ++k)
            a[i * n + k] = pm_mod_mul(a[i * n + k - 1], pm_mod_pow(z, e[i], p), p);
    }
}

void random_cyclic(uint64_t *rng, int n, uint64_t p, uint64_t *a)
{
    uint64_t e[64], all = 0;
    for (int i = 0; i < n; ++i) {
        e[i] = pm_rng_below(rng, (uint32_t)n);
        if (i == n - 1)
            e[i] = ((uint64_t)n - all % (uint64_t)n) % (uint64_t)n;
        all += e[i];
    }
    fill(rng, n, p, e, a);
}

/* All numbers once, in some other order; or, for each of them, all products with the powers of a unit, and at the end zeros. */
void schur_like(uint64_t *rng, int n, uint64_t p, uint64_t *a)
{
    uint64_t e[64] = {0}, sum = 0;
    int unit = 1, rows = 0;
    if (n % 2 && pm_rng_below(rng, 2)) {
        for (int i = 0; i < n; ++i)
            e[i] = (uint64_t)i;
    } else {
        for (int k = 0; k < 4; ++k) {
            const int u = 1 + (int)pm_rng_below(rng, (uint32_t)n);
            unit = pm_root_gcd(n, u % n) == 1 ? u % n : unit;
        }
        for (int tries = 0; tries < 40; ++tries) {
            const int first = (int)pm_rng_below(rng, (uint32_t)n);
            int length = 0, orbit = 0, x = first;
            do {
                ++length;
                orbit += x;
                x = x * unit % n;
            } while (x != first);
            if (rows + length > n || orbit % n)
                continue;
            do {
                e[rows++] = (uint64_t)x;
                x = x * unit % n;
            } while (x != first);
        }
    }
    for (int i = 0; i < n; ++i)
        sum += e[i];
    assert_true(sum % (uint64_t)n == 0);
    fill(rng, n, p, e, a);
}

void residues_as_matrix(const uint64_t *a, int n, pm_matrix *out)
{
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    *out = (pm_matrix){.rowptr = NULL};
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            pm_dyadic x = {0};
            pm_dyadic_set_si(&x, (int64_t)a[i * n + k]);
            assert_int_equal(pm_triples_add(&t, i, k, 0, &x, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", out, NULL), PM_OK);
}
