/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Philox against the known answers that come with the generator's paper (Random123, kat_vectors),
 * and the numbers drawn from it. */
#include "config.h"

#include "support/testing.h"

#include "core/philox.h"

static void test_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        uint32_t out[4];
        pm_philox(known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
}

/* A number depends on seed, sequence and position alone. */
static void test_position(void **state)
{
    (void)state;
    pm_random r = {.seed = 1, .sequence = 2};
    uint64_t drawn[10];
    for (int i = 0; i < 10; ++i)
        drawn[i] = pm_random_bits(&r);
    for (uint64_t i = 10; i-- > 0;) {
        pm_random jump = {.seed = 1, .sequence = 2, .position = i};
        assert_true(pm_random_bits(&jump) == drawn[i]);
    }
    pm_random other_sequence = {.seed = 1, .sequence = 3}, other_seed = {.seed = 2, .sequence = 2};
    assert_true(pm_random_bits(&other_sequence) != drawn[0]);
    assert_true(pm_random_bits(&other_seed) != drawn[0]);
}

/* 7 classes, 70000 draws: the chi-square of 6 degrees of freedom stays below 35 but for one seed
 * in 2e5; the seed is fixed, so that there are no false alarms. */
static void test_below(void **state)
{
    (void)state;
    enum { CLASSES = 7, DRAWS = 70000 };
    pm_random r = {.seed = 3};
    int64_t seen[CLASSES] = {0};
    for (int i = 0; i < DRAWS; ++i) {
        uint64_t k = pm_random_below(&r, CLASSES);
        assert_true(k < CLASSES);
        ++seen[k];
    }
    double chi2 = 0, mean = (double)DRAWS / CLASSES;
    for (int k = 0; k < CLASSES; ++k)
        chi2 += ((double)seen[k] - mean) * ((double)seen[k] - mean) / mean;
    assert_true(chi2 < 35);
    assert_true(pm_random_below(&r, 1) == 0);
    /* a bound just above 2^63 rejects nearly half of all words and must still end */
    for (int i = 0; i < 100; ++i)
        assert_true(pm_random_below(&r, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
}

static void test_unit(void **state)
{
    (void)state;
    pm_random r = {.seed = 4};
    double sum = 0;
    for (int i = 0; i < 100000; ++i) {
        double u = pm_random_unit(&r);
        assert_true(u > 0 && u <= 1);
        sum += u;
    }
    assert_true(sum > 49500 && sum < 50500); /* 5 standard deviations are 456 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_position),
        cmocka_unit_test(test_below),
        cmocka_unit_test(test_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
