/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The primes of exact counts: those that are listed, and those that are searched for; numbers from their remainders. */
#include "config.h"

#include <gmp.h>

#include "number/prime.h"
#include "support/testing.h"

/* No prime is left out, and none is wrong: by GMP's test, certain to 4^-40 a number. */
static void in_sequence(void **state)
{
    (void)state;
    mpz_t z;
    mpz_init(z);
    static const uint64_t from[] = {UINT64_C(1) << 62, UINT64_C(1) << 61, UINT64_C(1) << 50, 1000};
    for (int which = 0; which < 4; ++which) {
        uint64_t p = from[which];
        for (int k = 0; k < 12; ++k) {
            uint64_t next = pm_prime_below(p);
            assert_true(next < p);
            for (uint64_t q = next; q < p; ++q) {
                mpz_set_ui(z, q);
                assert_int_equal(mpz_probab_prime_p(z, 40) > 0, q == next);
            }
            p = next;
        }
    }
    mpz_clear(z);
}

static void inverses(void **state)
{
    (void)state;
    uint64_t rng = test_seed(), p = pm_prime_below(PM_MODULUS_MAX);
    for (int round = 0; round < test_rounds(500); ++round) {
        uint64_t a = 1 + (pm_rng_next(&rng) >> 2) % (p - 1);
        assert_int_equal(pm_mod_mul(a, pm_mod_inverse(a, p), p), 1);
    }
    assert_int_equal(pm_mod_inverse(6, 9), 0);
}

/* Numbers of any sign and size between the limits are found again, whatever the number of moduli: one after another,
 * and in trees with and without nodes left over. */
static void remainders(void **state)
{
    enum { MOST = 700 };
    static uint64_t m[MOST], residue[MOST];
    (void)state;
    uint64_t rng = test_seed();
    mpz_t x, y, product;
    mpz_inits(x, y, product, NULL);
    for (int round = 0; round < test_rounds(60); ++round) {
        const int n = 1 + (int)pm_rng_below(&rng, round % 2 ? MOST : 100);
        const bool is_signed = pm_rng_below(&rng, 2);
        uint64_t p = (UINT64_C(1) << 20) << pm_rng_below(&rng, 43);
        mpz_set_ui(product, 1);
        for (int i = 0; i < n; ++i) {
            m[i] = p = pm_prime_below(p);
            mpz_mul_ui(product, product, p);
        }
        mpz_set_ui(x, 0);
        for (int i = 0; i < n; ++i) {
            mpz_mul_2exp(x, x, 64);
            mpz_add_ui(x, x, pm_rng_next(&rng));
        }
        mpz_fdiv_r(x, x, product);
        if (pm_rng_below(&rng, 4) == 0)
            mpz_set_si(x, (long)pm_rng_below(&rng, 3) - 1);
        if (is_signed) {
            mpz_mul_2exp(y, x, 1);
            if (mpz_cmp(y, product) > 0)
                mpz_sub(x, x, product);
        } else {
            mpz_fdiv_r(x, x, product);
        }
        for (int i = 0; i < n; ++i)
            residue[i] = mpz_fdiv_ui(x, m[i]);
        pm_crt(y, residue, m, n, is_signed);
        assert_int_equal(mpz_cmp(x, y), 0);
    }
    mpz_clears(x, y, product, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_sequence),
        cmocka_unit_test(inverses),
        cmocka_unit_test(remainders),
    };
    return cmocka_run_group_tests_name("prime", tests, NULL, NULL);
}
