/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by necklaces of columns against the definition modulo a prime, and against ryser.  Nothing here can fail by chance. */
#include "config.h"

#include <string.h>

#include "cuda/necklace_step.h"
#include "integers/root_primes.h"
#include "necklace/necklace_sum.h"
#include "number/prime.h"
#include "pm/count.h"
#include "support/cyclic_blocks.h"
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

static uint64_t count(const uint64_t *a, int n, uint64_t p, const char *algorithm, pm_status wanted)
{
    pm_matrix matrix = {0};
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.modulus = p;
    o.reduce = (pm_reduce_options){0};
    residues_as_matrix(a, n, &matrix);
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

/* The permanent of a, whose rows are geometric sequences. */
static uint64_t sum_of(const uint64_t *a, int n, uint64_t p, const pm_run *run)
{
    pm_necklace_terms t;
    uint64_t sum = 0;
    assert_int_equal(pm_necklace_terms_make(a, n, p, &t, NULL), PM_OK);
    assert_int_equal(pm_necklace_terms_sum(&t, run, &sum, NULL), PM_OK);
    pm_necklace_terms_free(&t);
    return sum;
}

static void random_blocks(void **state)
{
    (void)state;
    uint64_t a[MOST * MOST];
    for (int round = 0; round < test_rounds(60); ++round) {
        const int n = 2 + (int)pm_rng_below(&rng, round % 10 ? 6 : MOST - 1);
        const uint64_t p = pm_root_prime_below(UINT64_C(1) << (8 + pm_rng_below(&rng, 55)), n);
        if (round % 3)
            schur_like(&rng, n, p, a);
        else
            random_cyclic(&rng, n, p, a);
        const uint64_t wanted = slow(a, n, 0, 0, p);
        assert_int_equal(sum_of(a, n, p, NULL), wanted);
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
            uint64_t wanted = 1;
            if (n > 18 && k > 0)
                continue;
            for (int i = 2; i <= n; ++i)
                wanted = pm_mod_mul(wanted, (uint64_t)i, moduli[k]);
            assert_int_equal(sum_of(a, n, moduli[k], &run), wanted);
        }
}

/* The prefixes are as many as are said; all necklaces have them, one of each orbit of words under shifts, and turns, is counted with the
 * size of its orbit. */
static void words(void **state)
{
    (void)state;
    for (int n = 2; n <= 13; ++n) {
        const uint64_t all = (UINT64_C(1) << n) - 1;
        uint64_t prefix = 0, shifts = 0, both = 0;
        double prefixes = 1;
        while (pm_necklace_next(&prefix, n))
            ++prefixes;
        assert_true(prefixes == pm_necklace_prefixes(n));
        for (uint64_t x = 1; x < all; x += 2) {
            uint64_t least = x, turned = 0, other;
            int size = 0;
            for (int k = 0; k < n; ++k)
                turned |= (x >> k & 1) << (n - 1 - k);
            other = turned;
            for (int by = 1; by < n; ++by) {
                const uint64_t shifted = pm_beads_from(x, by, n),
                               back = pm_beads_from(turned, by, n);
                least = shifted < least ? shifted : least;
                other = back < other ? back : other;
                if (shifted == x && !size)
                    size = by;
            }
            size = size ? size : n;
            if (x >> (n - 1))
                continue;
            assert_int_equal(pm_necklace_words(x, n, 0), x == least ? size : 0);
            assert_int_equal(pm_necklace_words(x, n, 1), x != least   ? 0
                                                         : other > x  ? 2 * size
                                                         : other == x ? size
                                                                      : 0);
            shifts += (uint64_t)pm_necklace_words(x, n, 0);
            both += (uint64_t)pm_necklace_words(x, n, 1);
        }
        assert_int_equal(shifts, all - 1);
        assert_int_equal(both, all - 1);
    }
}

/* A run that is to stop, stops. */
static void stops(void **state)
{
    enum { N = 23 };
    static uint64_t a[N * N];
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    pm_necklace_terms t;
    uint64_t sum;
    (void)state;
    schur_like(&rng, N, pm_root_prime_below(1 << 20, N), a);
    assert_int_equal(pm_necklace_terms_make(a, N, pm_root_prime_below(1 << 20, N), &t, NULL),
                     PM_OK);
    assert_int_equal(pm_necklace_terms_sum(&t, &run, &sum, NULL), PM_ESTOPPED);
    pm_necklace_terms_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_blocks), cmocka_unit_test(ones),
                                       cmocka_unit_test(words), cmocka_unit_test(stops)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
