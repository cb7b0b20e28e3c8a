/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bound of the memory of the process, and numbers that do not fit into it. */
#include "config.h"

#include "support/testing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "number/bits.h"
#include "pm/alloc.h"
#include "pm/dyadic.h"
#include "pm/memory.h"

#define MIB (INT64_C(1) << 20)

enum { BLOCKS = 64 };

/* The bound leaves this much; skips where the C library does not say what is allocated (sanitizers). */
static void leave(int64_t bytes)
{
    enum { PROBE = 8 };
    pm_memory_set_limit(1024 * MIB);
    int64_t all = pm_memory_left();
    void *probe = pm_calloc_array(PROBE, MIB);
    int64_t less = pm_memory_left();
    free(probe);
    if (all - less < PROBE * MIB) {
        pm_memory_set_limit(0);
        skip();
    }
    pm_memory_set_limit(1024 * MIB - all + bytes);
}

static int end(void **state)
{
    (void)state;
    pm_memory_set_limit(0);
    return 0;
}

static void test_bound(void **state)
{
    (void)state;
    leave(32 * MIB);
    void *block[BLOCKS];
    int count = 0;
    while (count < BLOCKS && (block[count] = pm_alloc_array(1, MIB)))
        ++count;
    assert_in_range(count, 30, 32);
    assert_false(pm_memory_allows((size_t)(4 * MIB)));
    assert_true(pm_memory_allows_last((size_t)(4 * MIB)));
    free(block[0]);
    free(block[1]);
    assert_non_null(block[0] = pm_alloc_array(1, MIB)); /* what was freed can be had again */
    free(block[0]);
    for (int k = 2; k < count; ++k)
        free(block[k]);
    assert_null(pm_alloc_array(40, MIB));
    assert_null(pm_calloc_array(40, MIB));
    assert_null(pm_alloc_huge(40, MIB));
}

/* Small requests are added up. */
static void test_small(void **state)
{
    (void)state;
    enum { MOST = 1 << 17 };
    leave(16 * MIB);
    void **block = malloc(MOST * sizeof *block);
    assert_non_null(block);
    int count = 0;
    while (count < MOST && (block[count] = pm_alloc_array(1, 1000)))
        ++count;
    assert_in_range(count, 12 << 10, 17 << 10);
    for (int k = 0; k < count; ++k)
        free(block[k]);
    free(block);
}

static void test_growth(void **state)
{
    (void)state;
    leave(32 * MIB);
    char *array = NULL;
    int64_t cap = 0;
    int status = 0;
    for (int64_t want = MIB; !status && want <= 256 * MIB; want *= 2)
        status = pm_grow_array((void **)&array, &cap, want, 1);
    assert_int_equal(status, -1);
    assert_in_range(cap, 8 * MIB, 32 * MIB);
    free(array);
}

static void *take_blocks(void *context)
{
    void **block = context;
    for (int k = 0; k < BLOCKS; ++k)
        block[k] = pm_alloc_array(1, MIB / 4);
    return NULL;
}

/* At most one step of each thread is beyond the bound. */
static void test_threads(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    static void *block[THREADS][BLOCKS];
    pthread_t thread[THREADS];
    int count = 0;
    leave(24 * MIB);
    for (int t = 0; t < THREADS; ++t)
        assert_int_equal(pthread_create(&thread[t], NULL, take_blocks, block[t]), 0);
    for (int t = 0; t < THREADS; ++t)
        pthread_join(thread[t], NULL);
    for (int t = 0; t < THREADS; ++t)
        for (int k = 0; k < BLOCKS; ++k) {
            count += block[t][k] != NULL;
            free(block[t][k]);
        }
    assert_in_range(count, 60, 104);
}

/* ---- numbers ---- */

static void test_bits(void **state)
{
    (void)state;
    assert_true(pm_bits_fit(0));
    assert_true(pm_bits_fit(1 << 20));
    assert_false(pm_bits_fit(PM_BITS_MAX + 1));
    leave(8 * MIB);
    assert_true(pm_bits_fit(1 << 20));
    assert_false(pm_bits_fit(INT64_C(1) << 28));
}

/* 2^e */
static pm_dyadic power(int64_t e)
{
    pm_dyadic x = {0};
    pm_dyadic_set_si(&x, 1);
    pm_dyadic_mul_2exp(&x, e);
    return x;
}

static void test_sums(void **state)
{
    (void)state;
    pm_dyadic big = power(1000000000), small = power(-1000000000), sum = {0}, zero = {0};
    leave(32 * MIB);
    pm_dyadic_add(&sum, &big, &small);
    assert_false(pm_dyadic_is_in_range(&sum));
    pm_dyadic_add(&sum, &big, &zero);
    assert_true(pm_dyadic_equal(&sum, &big));
    pm_dyadic_mul(&sum, &big, &small);
    assert_true(pm_dyadic_is_one(&sum));

    pm_dyadic_clear(&small);
    small = power(-(1 << 20));
    pm_dyadic one = power(0);
    pm_dyadic_add(&sum, &one, &small); /* 128 KiB */
    assert_true(pm_dyadic_is_in_range(&sum));
    assert_int_equal(pm_dyadic_bits(&sum), (1 << 20) + 1);
    int64_t bits = 0;
    while (pm_dyadic_is_in_range(&sum)) {
        bits = pm_dyadic_bits(&sum);
        pm_dyadic_mul(&sum, &sum, &sum);
    }
    assert_in_range(bits, 1 << 21, 1 << 28);
    pm_dyadic_mul(&sum, &sum, &zero);
    assert_true(pm_dyadic_is_zero(&sum));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_bound, end),  cmocka_unit_test_teardown(test_small, end),
        cmocka_unit_test_teardown(test_growth, end), cmocka_unit_test_teardown(test_threads, end),
        cmocka_unit_test_teardown(test_bits, end),   cmocka_unit_test_teardown(test_sums, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
