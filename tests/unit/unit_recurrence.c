/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linear recurrences: random ones are found again from their terms, terms of large number against slow powers, and
 * characteristic polynomials against determinants and traces. */
#include "config.h"

#include "layers/characteristic.h"
#include "layers/recurrence.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "support/testing.h"

enum { ORDER = 7, TERMS = 60 };

static uint64_t rng;

static const uint64_t primes[] = {2, 3, 5, 101, 1000000007, 2305843009213693951};
enum { PRIMES = sizeof primes / sizeof *primes };

static uint64_t random_below(uint64_t m)
{
    return pm_rng_next(&rng) % m;
}

/* term[k] for k < count, of a recurrence with q and the first `order` terms */
static void continue_terms(const uint64_t *q, int order, uint64_t m, uint64_t *term, int count)
{
    for (int k = order; k < count; ++k) {
        term[k] = 0;
        for (int i = 1; i <= order; ++i)
            term[k] = (term[k] + pm_mod_mul(m - q[i] % m, term[k - i], m)) % m;
    }
}

static void found_again(void **state)
{
    (void)state;
    for (int round = test_rounds(400); round > 0; --round) {
        const uint64_t m = primes[pm_rng_below(&rng, PRIMES)];
        const int order = (int)pm_rng_below(&rng, ORDER + 1);
        uint64_t q[ORDER + 1] = {1}, term[TERMS] = {0}, value;
        pm_recurrence r;
        for (int i = 0; i < order; ++i) {
            q[i + 1] = random_below(m);
            term[i] = random_below(m);
        }
        continue_terms(q, order, m, term, TERMS);
        const int given = 2 * order + (int)pm_rng_below(&rng, 3);
        assert_int_equal(pm_recurrence_find(term, given, m, NULL, &r, NULL), PM_OK);
        assert_true(r.order <= order && r.q[0] == 1);
        for (int k = 0; k < TERMS; ++k) {
            assert_int_equal(pm_recurrence_term(&r, k, m, NULL, &value, NULL), PM_OK);
            assert_int_equal(value, term[k]);
        }
        pm_recurrence_free(&r);
    }
}

/* Fibonacci numbers, whose numbers of 2 n follow from those of n. */
static void large_numbers(void **state)
{
    (void)state;
    const uint64_t m = 1000000007, first[] = {0, 1};
    pm_recurrence r;
    assert_int_equal(pm_recurrence_alloc(2, &r, NULL), PM_OK);
    r.q[1] = r.q[2] = m - 1;
    pm_recurrence_set_terms(&r, first, m);
    for (int round = test_rounds(100); round > 0; --round) {
        const int64_t n = (int64_t)(pm_rng_next(&rng) >> 3);
        uint64_t f, g, twice;
        assert_int_equal(pm_recurrence_term(&r, n, m, NULL, &f, NULL), PM_OK);
        assert_int_equal(pm_recurrence_term(&r, n + 1, m, NULL, &g, NULL), PM_OK);
        assert_int_equal(pm_recurrence_term(&r, 2 * n, m, NULL, &twice, NULL), PM_OK);
        assert_int_equal(twice, pm_mod_mul(f, (2 * g + m - f) % m, m));
    }
    pm_recurrence_free(&r);
}

/* The trace of a^k modulo m, n x n. */
static uint64_t trace_of_power(const uint64_t *a, int n, int k, uint64_t m)
{
    uint64_t power[ORDER * ORDER] = {0}, next[ORDER * ORDER], trace = 0;
    for (int i = 0; i < n; ++i)
        power[i * n + i] = 1 % m;
    for (; k > 0; --k) {
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                next[i * n + j] = 0;
                for (int l = 0; l < n; ++l)
                    next[i * n + j] =
                        (next[i * n + j] + pm_mod_mul(power[i * n + l], a[l * n + j], m)) % m;
            }
        for (int i = 0; i < n * n; ++i)
            power[i] = next[i];
    }
    for (int i = 0; i < n; ++i)
        trace = (trace + power[i * n + i]) % m;
    return trace;
}

/* The power sums of the roots are the traces of the powers; together with q[0] = 1 they decide q where the prime is
 * above n. */
static void characteristic(void **state)
{
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        const uint64_t m = primes[pm_rng_below(&rng, PRIMES)];
        const int n = 1 + (int)pm_rng_below(&rng, ORDER);
        const uint64_t zeros = pm_rng_below(&rng, 4);
        uint64_t a[ORDER * ORDER], copy[ORDER * ORDER], value;
        pm_recurrence r;
        for (int i = 0; i < n * n; ++i)
            copy[i] = a[i] = pm_rng_below(&rng, 4) < zeros ? 0 : random_below(m);
        assert_int_equal(pm_recurrence_alloc(n, &r, NULL), PM_OK);
        assert_int_equal(pm_characteristic(copy, n, m, NULL, r.q, NULL), PM_OK);
        assert_int_equal(r.q[0], 1);
        pm_recurrence_set_power_sums(&r, m);
        for (int k = 0; k < 2 * n + 2; ++k) {
            assert_int_equal(pm_recurrence_term(&r, k, m, NULL, &value, NULL), PM_OK);
            assert_int_equal(value, trace_of_power(a, n, k, m));
        }
        pm_recurrence_free(&r);
    }
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_again),
        cmocka_unit_test(large_numbers),
        cmocka_unit_test(characteristic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
