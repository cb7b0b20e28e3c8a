/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by necklaces of columns against the definition modulo a prime, and against ryser.  Nothing here can fail by chance. */
#include "config.h"

#include <string.h>

#include "integers/root_primes.h"
#include "necklace/necklace_sum.h"
#include "number/prime.h"
#include "pm/count.h"
#include "support/testing.h"

enum { MOST = 9 };

static uint64_t rng;

/* The permanent of rows `row`, ... on the columns that are not used. */
static uint64_t slow(const uint64_t *a, int n, int row, unsigned used, uint64_t m)
{
    uint64_t sum = 0;
    if (row == n)
        return 1 % m;
    for (int k = 0; k < n; ++k)
        if (!(used >> k & 1))
            sum = (sum + pm_mod_mul(a[row * n + k], slow(a, n, row + 1, used | 1u << k, m), m)) % m;
    return sum;
}

/* Rows a_i w_i^k with w_i = z^e_i, where n divides the sum of all e_i, so that their product is 1. */
static void random_cyclic(int n, uint64_t p, uint64_t *a)
{
    const uint64_t z = pm_root_modulo(p, n);
    uint64_t all = 0;
    for (int i = 0; i < n; ++i) {
        uint64_t e = pm_rng_below(&rng, (uint32_t)n);
        if (i == n - 1)
            e = ((uint64_t)n - all % (uint64_t)n) % (uint64_t)n;
        all += e;
        a[i * n] = 1 + pm_rng_next(&rng) % (p - 1);
        for (int k = 1; k < n; ++k)
            a[i * n + k] = pm_mod_mul(a[i * n + k - 1], pm_mod_pow(z, e, p), p);
    }
}

static uint64_t count(const uint64_t *a, int n, uint64_t p, const char *algorithm, pm_status wanted)
{
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    pm_matrix matrix = {0};
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.modulus = p;
    o.reduce = (pm_reduce_options){0};
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            pm_dyadic x = {0};
            pm_dyadic_set_si(&x, (int64_t)a[i * n + k]);
            assert_int_equal(pm_triples_add(&t, i, k, 0, &x, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &matrix, NULL), PM_OK);
    pm_value_init(&v);
    const pm_status status = pm_count(&matrix, &o, NULL, &v, NULL, &err);
    if (status != wanted)
        print_message("# %s\n", err.msg);
    assert_int_equal(status, wanted);
    const uint64_t residue = mpz_fdiv_ui(mpq_numref(v.exact), p);
    pm_value_clear(&v);
    pm_matrix_free(&matrix);
    return status ? 0 : residue;
}

static void random_blocks(void **state)
{
    (void)state;
    rng = test_seed();
    uint64_t a[MOST * MOST];
    for (int round = 0; round < test_rounds(60); ++round) {
        const int n = 2 + (int)pm_rng_below(&rng, round % 10 ? 6 : MOST - 1);
        const uint64_t p = pm_root_prime_below(UINT64_C(1) << (8 + pm_rng_below(&rng, 55)), n);
        uint64_t sum;
        random_cyclic(n, p, a);
        const uint64_t wanted = slow(a, n, 0, 0, p);
        assert_int_equal(pm_necklace_sum(a, n, p, NULL, &sum, NULL), PM_OK);
        assert_int_equal(sum, wanted);
        assert_int_equal(count(a, n, p, "necklace", PM_OK), wanted);
        assert_int_equal(count(a, n, p, "ryser", PM_OK), wanted);
        if (n > 2) { /* one entry is another one */
            const size_t at = pm_rng_below(&rng, (uint32_t)(n * n));
            a[at] = a[at] % (p - 1) + 1;
            count(a, n, p, "necklace", PM_UNABLE);
        }
    }
}

/* A matrix of ones, modulo numbers that are odd, prime or not: n!; with words of several tasks, and threads. */
static void ones(void **state)
{
    (void)state;
    static uint64_t a[PM_NECKLACE_MOST * PM_NECKLACE_MOST];
    static const uint64_t moduli[] = {3, 9, 101, 1000005, (UINT64_C(1) << 62) - 57};
    for (size_t k = 0; k < sizeof a / sizeof *a; ++k)
        a[k] = 1;
    for (int n = 1; n <= 20; ++n)
        for (size_t k = 0; k < sizeof moduli / sizeof *moduli; ++k) {
            const pm_run run = {.threads = 1 + n % 3};
            uint64_t wanted = 1, sum;
            if (n > 18 && k > 0)
                continue;
            for (int i = 2; i <= n; ++i)
                wanted = pm_mod_mul(wanted, (uint64_t)i, moduli[k]);
            assert_int_equal(pm_necklace_sum(a, n, moduli[k], &run, &sum, NULL), PM_OK);
            assert_int_equal(sum, wanted);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_blocks), cmocka_unit_test(ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
