/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On a machine with a GPU: its kernels against the algorithms of the CPU, on random matrices of
 * every field.  PM_TEST_FEW: a few of them, for tools that slow kernels down. */
#include "config.h"

#include <string.h>

#include "../prop/answers.h"
#include "../prop/matrices.h"
#include "gpu/gpu.h"
#include "order/frontier.h"
#include "pm/count.h"

static uint64_t rng;
static int devices; /* 0: none */

static int rounds(int many, int few)
{
    return getenv("PM_TEST_FEW") ? few : test_rounds(many);
}

static void count(const pm_matrix *a, const char *algorithm, pm_backend backend, int gpus,
                  pm_precision precision, pm_value *v)
{
    pm_error err = {""};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.backend = backend;
    o.gpus = gpus;
    o.precision = precision;
    if (backend == PM_BACKEND_CUDA) /* blocks as large as the matrix */
        o.reduce = (pm_reduce_options){0};
    pm_status rc = pm_count(a, &o, NULL, v, NULL, &err);
    if (rc)
        print_error("%s\n", err.msg);
    assert_int_equal(rc, PM_OK);
}

/* The same number from the GPU, by this algorithm, and from the CPU. */
static void compare(const pm_matrix *a, const char *algorithm, pm_precision precision)
{
    pm_value here, there;
    pm_value_init(&here);
    pm_value_init(&there);
    count(a, algorithm, PM_BACKEND_CUDA, 1, precision, &there);
    count(a, NULL, PM_BACKEND_CPU, 0, PM_KAHAN, &here);
    if (!values_agree(&here, &there))
        print_error("%s: n = %d, %s\n", algorithm, (int)a->nrows, pm_field_name(a->field));
    assert_true(values_agree(&here, &there));
    pm_value_clear(&here);
    pm_value_clear(&there);
}

static void trees(void **state)
{
    (void)state;
    static const pm_precision precisions[] = {PM_KAHAN, PM_DOUBLE, PM_DQ};
    if (!devices)
        skip();
    for (int round = 0; round < rounds(160, 8); ++round) {
        pm_matrix a;
        int n = 1 + (int)pm_rng_below(&rng, 26);
        double p = 0.1 + (n < 16 ? 0.9 : 0.3) * pm_rng_unit(&rng);
        random_matrix(&rng, (pm_field)(round % 4), n, n, p, &a);
        compare(&a, "product-tree", precisions[round / 4 % 3]);
        pm_matrix_free(&a);
    }
}

/* Classes of twins, permutations, several passes; from one state to millions. */
static void frontiers(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(160, 12); ++round) {
        pm_matrix a;
        bool is_large = round % 8 > 5;
        int n = is_large ? 28 + (int)pm_rng_below(&rng, 8) : 1 + (int)pm_rng_below(&rng, 22);
        double p = is_large ? 4.5 / n : 0.1 + 0.4 * pm_rng_unit(&rng);
        random_matrix(&rng, (pm_field)(round % 4), n, n, p, &a);
        compare(&a, "frontier", PM_KAHAN);
        pm_matrix_free(&a);
    }
}

/* The same order on both: the same digits, of inexact values too, and modulo a number. */
static void same_digits(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(20, 5); ++round) {
        pm_matrix a;
        pm_value here, there;
        int32_t order[80];
        pm_count_options o = pm_count_defaults();
        pm_value_init(&here);
        pm_value_init(&there);
        random_matrix(&rng, (pm_field)(round % 4), 20, 20, 0.25, &a);
        assert_int_equal(pm_frontier_natural(&a, order, NULL), PM_OK);
        o.algorithm = "frontier";
        o.order = order;
        o.order_len = 40;
        o.modulus = round % 4 < 2 && round % 3 ? 2 + pm_rng_next(&rng) % 1000000 : 0;
        o.backend = PM_BACKEND_CPU;
        assert_int_equal(pm_count(&a, &o, NULL, &here, NULL, NULL), PM_OK);
        o.backend = PM_BACKEND_CUDA;
        assert_int_equal(pm_count(&a, &o, NULL, &there, NULL, NULL), PM_OK);
        assert_true(values_agree(&here, &there));
        assert_memory_equal(&here.re, &there.re, sizeof here.re);
        assert_memory_equal(&here.im, &there.im, sizeof here.im);
        assert_memory_equal(&here.error, &there.error, sizeof here.error);
        pm_value_clear(&here);
        pm_value_clear(&there);
        pm_matrix_free(&a);
    }
}

/* More memory than allowed, whatever the order. */
static void little_memory(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_error err;
    pm_count_options o = pm_count_defaults();
    pm_run run = {.max_memory = 1 << 16};
    if (!devices)
        skip();
    o.algorithm = "frontier";
    o.backend = PM_BACKEND_CUDA;
    o.reduce = (pm_reduce_options){0};
    pm_value_init(&v);
    random_matrix(&rng, PM_PATTERN, 24, 24, 1, &a);
    assert_int_equal(pm_count(&a, &o, &run, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "--max-memory"));
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* Where streams have places: columns that flip, written out and in the switch. */
static void larger_trees(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(24, 2); ++round) {
        pm_matrix a;
        int n = 28 + (int)pm_rng_below(&rng, round % 4 < 2 ? 13 : 7);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 4.5 / n, &a);
        compare(&a, "product-tree", PM_KAHAN);
        pm_matrix_free(&a);
    }
}

static void full_blocks(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int n = 1; n <= (getenv("PM_TEST_FEW") ? 21 : 30); n += getenv("PM_TEST_FEW") ? 10 : 1) {
        pm_matrix a;
        random_matrix(&rng, PM_REAL, n, n, n < 20 ? 0.6 + 0.4 * pm_rng_unit(&rng) : 1, &a);
        compare(&a, "ryser", n % 2 ? PM_KAHAN : PM_DOUBLE);
        pm_matrix_free(&a);
    }
}

/* The last bit is the same again, from the cache, and with all devices. */
static void digits_repeat(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(9, 3); ++round) {
        pm_matrix a;
        pm_value one, again, all;
        static const char *const names[] = {"product-tree", "ryser", "frontier"};
        const char *algorithm = names[round % 3];
        pm_value_init(&one);
        pm_value_init(&again);
        pm_value_init(&all);
        random_matrix(&rng, PM_REAL, 30, 30, round % 3 == 1 ? 1 : round % 3 ? 0.15 : 0.3, &a);
        count(&a, algorithm, PM_BACKEND_CUDA, 1, PM_KAHAN, &one);
        count(&a, algorithm, PM_BACKEND_CUDA, 1, PM_KAHAN, &again);
        count(&a, algorithm, PM_BACKEND_CUDA, -1, PM_KAHAN, &all);
        assert_memory_equal(&one.re, &again.re, sizeof one.re);
        assert_memory_equal(&one.error, &again.error, sizeof one.error);
        assert_memory_equal(&one.re, &all.re, sizeof one.re);
        assert_memory_equal(&one.error, &all.error, sizeof one.error);
        pm_value_clear(&one);
        pm_value_clear(&again);
        pm_value_clear(&all);
        pm_matrix_free(&a);
    }
}

static void too_many_devices(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_count_options o = pm_count_defaults();
    if (!devices)
        skip();
    o.backend = PM_BACKEND_CUDA;
    o.gpus = devices + 1;
    o.reduce = (pm_reduce_options){0};
    pm_value_init(&v);
    random_matrix(&rng, PM_REAL, 5, 5, 1, &a);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_ENODEV);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

int main(void)
{
    pm_error err;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),         cmocka_unit_test(larger_trees),
        cmocka_unit_test(frontiers),     cmocka_unit_test(same_digits),
        cmocka_unit_test(little_memory), cmocka_unit_test(full_blocks),
        cmocka_unit_test(digits_repeat), cmocka_unit_test(too_many_devices),
    };
    rng = test_seed();
    if (pm_gpu_count(&devices, &err) != PM_OK) {
        printf("# %s\n", err.msg);
        devices = 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
