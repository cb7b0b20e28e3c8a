/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of hash tables that were chosen so that they collide without a secret seed. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/keyed_hash.h"
#include "edges/label_map.h"
#include "frontier/state_table.h"
#include "pm/count.h"
#include "pm/reduce.h"
#include "pm/settings.h"
#include "pm/value.h"
#include "support/matrices.h"
#include "support/testing.h"

static uint64_t rng;

static void seed_tables(void)
{
    pm_settings s = *pm_settings_get();
    s.hash_seed[0] = pm_rng_next(&rng);
    s.hash_seed[1] = pm_rng_next(&rng);
    pm_settings_set(&s);
}

/* The most used slots in a row of an open table. */
static int64_t longest_run(const void *slots, int64_t count)
{
    int64_t longest = 0, run = 0;
    for (int64_t k = 0; k < 2 * count; ++k) {
        run = ((const int32_t *)slots)[k % count] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* At most half of the slots are used.  For random places the probability of a run of 400 is below
 * 2^18 slots (sqrt(e) / 2)^400 < 1e-28 (Chernoff's bound for the places that begin a run). */
enum { RUN_MOST = 400 };

/* SipHash-1-3 with the key 0, as Python 3.11 with PYTHONHASHSEED=0 prints
 * hash(bytes(range(n))) & (2**64-1); the last one: of bytes(range(1, 64)). */
static void known_hashes(void **state)
{
    (void)state;
    static const uint64_t known[] = {
        UINT64_C(0x68a914128e01e473), UINT64_C(0x010bac45c41e3669), UINT64_C(0x4d4c9a4a8ef6e0ad),
        UINT64_C(0x7cc43f98813e4dbd), UINT64_C(0x5abe2169dff36275), UINT64_C(0xe3c25f87624f1cdb),
        UINT64_C(0x2f098ab0c751325a), UINT64_C(0xead411e67ebe2eea), UINT64_C(0x75927f9d95124362),
        UINT64_C(0xaf9f77a65ab51a1d), UINT64_C(0xfe64ce8b6617fcff), UINT64_C(0xa6baf4fb0f9fe1c2),
        UINT64_C(0xa0cf3211850f8e0d), UINT64_C(0x7f86049379fbfe67), UINT64_C(0xf30eb725bb91c9ea),
        UINT64_C(0x8972188433a5c5b7), UINT64_C(0x4883c49a2c009c1d)};
    unsigned char bytes[64];
    for (int i = 0; i < 64; ++i)
        bytes[i] = (unsigned char)i;
    pm_settings_set(&(pm_settings){0});
    for (size_t n = 1; n <= sizeof known / sizeof *known; ++n)
        assert_int_equal(pm_keyed_hash(0, bytes, n), known[n - 1]);
    assert_int_equal(pm_keyed_hash(0, bytes + 1, 63), UINT64_C(0x6bafe9f92616651b));
    /* the key 00 01 .. 0f and no bytes, as in the tests of the standard library of Rust */
    pm_settings_set(
        &(pm_settings){.hash_seed = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)}});
    assert_int_equal(pm_keyed_hash(0, bytes, 0), UINT64_C(0xabac0158050fc4dc));
}

/* ---- labels ---- */

/* From each state of FNV-1a that the words before lead to, both words lead to states with the same
 * lower 50 bits. */
static const char *const words[][2] = {
    {"TKDBccOLQfAB", "DTBhfLfKRdYJ"}, {"PcZOBeAMZKeE", "TSOhgHgBELWN"},
    {"ZKHNEJSOXYHe", "WOXGNPYOUNYY"}, {"BCPcJJIYgSKd", "SARXWZYLMCPE"},
    {"DWYhRZTPfLAP", "MfYfPRhHEhdX"}, {"MJcUcdATDTNU", "HOKgcDENFQEe"},
    {"TKDBccOLQfAB", "DTBhfLfKRdYJ"}, {"PcZOBeAMZKeE", "TSOhgHgBELWN"},
    {"ZKHNEJSOXYHe", "WOXGNPYOUNYY"}, {"BCPcJJIYgSKd", "SARXWZYLMCPE"},
    {"DWYhRZTPfLAP", "MfYfPRhHEhdX"}, {"MJcUcdATDTNU", "HOKgcDENFQEe"},
    {"TKDBccOLQfAB", "DTBhfLfKRdYJ"}, {"PcZOBeAMZKeE", "TSOhgHgBELWN"},
};
enum { PAIRS = sizeof words / sizeof *words, LABELS = 1 << PAIRS, WORD = 12 };

static void make_label(int number, char text[PAIRS * WORD + 1])
{
    for (int k = 0; k < PAIRS; ++k)
        memcpy(text + k * WORD, words[k][number >> k & 1], WORD);
    text[PAIRS * WORD] = '\0';
}

static uint64_t fnv(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    while (*text)
        h = (h ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
    return h;
}

static void chosen_labels_are_harmless(void **state)
{
    (void)state;
    char text[PAIRS * WORD + 1];
    make_label(0, text);
    const uint64_t all = fnv(text) & ((UINT64_C(1) << 50) - 1);
    seed_tables();
    pm_label_map m = {0};
    for (int k = 0; k < LABELS; ++k) {
        int32_t number;
        make_label(k, text);
        assert_int_equal(fnv(text) & ((UINT64_C(1) << 50) - 1), all);
        assert_int_equal(pm_label_number(&m, text, PAIRS * WORD, &number, NULL), PM_OK);
        assert_int_equal(number, k);
    }
    assert_in_range(longest_run(m.slot, m.nslots), 1, RUN_MOST);
    for (int k = 0; k < LABELS; ++k) {
        make_label(k, text);
        assert_int_equal(pm_label_find(&m, text, PAIRS * WORD), k);
    }
    pm_label_map_free(&m);
}

/* ---- states of the frontier ---- */

#define LOW_FACTOR  UINT64_C(0x9e3779b97f4a7c15)
#define HIGH_FACTOR UINT64_C(0xc2b2ae3d27d4eb4f)

static uint64_t inverse(uint64_t a) /* modulo 2^64, a odd */
{
    uint64_t x = a;
    for (int i = 0; i < 6; ++i)
        x *= 2 - a * x;
    return x;
}

static void chosen_states_are_harmless(void **state)
{
    (void)state;
    enum { STATES = 1 << 14 };
    const uint64_t modulus = 1000003;
    pm_block b = {0};
    pm_matrix_alloc(&b.a, PM_PATTERN, 0, 0, 0, NULL);
    pm_ring *ring;
    assert_int_equal(pm_ring_residues(&b, &modulus, 1, &ring, NULL), PM_OK);
    seed_tables();
    pm_state_table t = {0};
    for (uint64_t k = 0; k < STATES; ++k) {
        /* low * LOW_FACTOR ^ high * HIGH_FACTOR is the same for all: keys of the engine's hash of
         * partitions, which has no seed */
        uint64_t low = (UINT64_C(12345) ^ k * HIGH_FACTOR) * inverse(LOW_FACTOR);
        assert_int_equal(low * LOW_FACTOR ^ k * HIGH_FACTOR, 12345);
        pm_state_key key = (pm_state_key)k << 64 | low;
        assert_int_equal(pm_state_table_find(&t, key, ring), k);
        assert_int_equal(pm_state_table_find(&t, key, ring), k);
    }
    assert_in_range(longest_run(t.index, t.slots), 1, RUN_MOST);
    pm_state_table_free(&t);
    /* few bits that differ, as real states have */
    for (uint64_t k = 0; k < STATES; ++k)
        assert_int_equal(
            pm_state_table_find(&t, (pm_state_key)k << 3 | (pm_state_key)k << 90, ring), k);
    assert_in_range(longest_run(t.index, t.slots), 1, RUN_MOST);
    pm_state_table_free(&t);
    ring->free(ring);
    pm_block_free(&b);
}

/* ---- twins ---- */

static void count_text(const pm_matrix *a, const char *algorithm, bool reduces, char text[512])
{
    pm_count_options opt = pm_count_defaults();
    pm_value v;
    pm_error err;
    opt.algorithm = algorithm;
    if (!reduces)
        opt.reduce = (pm_reduce_options){0};
    pm_value_init(&v);
    if (pm_count(a, &opt, NULL, &v, NULL, &err) != PM_OK)
        fail_msg("%s", err.msg);
    char *value = pm_value_text(&v), *error = pm_value_error_text(&v);
    assert_non_null(value);
    snprintf(text, 512, "%.400s +- %.60s", value, error ? error : "-");
    free(value);
    free(error);
    pm_value_clear(&v);
}

/* 2^(61 k) is 1 modulo the prime of the hash of values, 2^61 - 1: all rows have equal hashes, and so
 * have all columns.  The last two rows are twins. */
static void values_with_equal_residues(void **state)
{
    (void)state;
    enum { N = 12 };
    int exponent[N][N];
    for (int round = 0; round < test_rounds(5); ++round) {
        pm_triples t = {.field = PM_INTEGER, .nrows = N, .ncols = N};
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) {
                pm_dyadic v = {0};
                exponent[i][j] = i == N - 1 ? exponent[i - 1][j] : 61 * (int)pm_rng_below(&rng, 3);
                pm_dyadic_set_si(&v, 1);
                v.exp = exponent[i][j];
                assert_int_equal(pm_triples_add(&t, i, j, 0, &v, NULL, NULL), PM_OK);
            }
        pm_matrix a = {0};
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "x", &a, NULL), PM_OK);
        char with[512], without[512];
        seed_tables();
        count_text(&a, NULL, true, with);
        count_text(&a, NULL, false, without);
        assert_string_equal(with, without);
        pm_matrix_free(&a);
    }
}

/* ---- answers ---- */

/* For every seed the same digits, of all fields, and the same bound of the error. */
static void no_answer_depends_on_the_seed(void **state)
{
    (void)state;
    static const pm_field fields[] = {PM_PATTERN, PM_INTEGER, PM_REAL, PM_COMPLEX};
    static const char *const algorithms[] = {NULL, "frontier-hash"};
    for (int round = 0; round < test_rounds(24); ++round) {
        pm_matrix a = {0};
        random_matrix(&rng, fields[round % 4], 15, 15, 0.35, &a);
        const char *algorithm = algorithms[round / 4 % 2];
        char first[512], again[512];
        for (int k = 0; k < 6; ++k) {
            seed_tables();
            count_text(&a, algorithm, k < 3, k % 3 ? again : first);
            if (k % 3)
                assert_string_equal(again, first);
        }
        pm_matrix_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_hashes),
        cmocka_unit_test(chosen_labels_are_harmless),
        cmocka_unit_test(chosen_states_are_harmless),
        cmocka_unit_test(values_with_equal_residues),
        cmocka_unit_test(no_answer_depends_on_the_seed),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
