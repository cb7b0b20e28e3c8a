/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The primes of exact counts: those that are listed, and those that are searched for. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_sequence),
        cmocka_unit_test(inverses),
    };
    return cmocka_run_group_tests_name("prime", tests, NULL, NULL);
}
