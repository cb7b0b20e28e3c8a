/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On a machine with a GPU: its kernels against the algorithms of the CPU, on random matrices of
 * every field.  PM_TEST_FEW: a few of them, for tools that slow kernels down; PM_TEST_ONLY: only
 * the test of this name. */
#include "config.h"

#include <string.h>

#include "gpu/gpu.h"
#include "integers/root_primes.h"
#include "necklace/necklace_terms.h"
#include "order/vertex_order.h"
#include "pm/count.h"
#include "process/environment.h"
#include "support/answers.h"
#include "support/cyclic_blocks.h"
#include "support/frontier_shares.h"
#include "support/matrices.h"

static uint64_t rng;
static int devices; /* 0: none */

/* By checkers of memory and races, which take thousands of times as long? */
static bool is_checked(void)
{
    return getenv("PM_TEST_FEW") != NULL;
}

static int rounds(int many, int few)
{
    return is_checked() ? few : test_rounds(many);
}

/* How a matrix is counted; algorithm NULL: as the CPU likes. */
typedef struct {
    const char *algorithm;
    pm_precision precision;
    pm_placement placement;
    int gpus;
    uint64_t modulus; /* 0: none */
} way;

static void count(const pm_matrix *a, pm_backend backend, const way *w, pm_value *v)
{
    pm_error err = {.msg = ""};
    pm_count_options o = pm_count_defaults();
    o.algorithm = w->algorithm;
    o.backend = backend;
    o.gpus = w->gpus;
    o.precision = w->precision;
    o.placement = w->placement;
    o.modulus = w->modulus;
    if (backend == PM_BACKEND_CUDA || w->modulus) /* blocks as large as the matrix */
        o.reduce = (pm_reduce_options){0};
    pm_status rc = pm_count(a, &o, NULL, v, NULL, &err);
    if (rc)
        print_error("%s\n", err.msg);
    assert_int_equal(rc, PM_OK);
}

/* The same number from the GPU, in this way, and from the CPU. */
static void compare_way(const pm_matrix *a, const way *w)
{
    pm_value here, there;
    pm_value_init(&here);
    pm_value_init(&there);
    bool is_quad = w->precision == PM_QUAD;
    const way cpu = {.algorithm = is_quad      ? "ryser"
                                  : w->modulus ? w->algorithm
                                               : NULL,
                     .precision = w->precision,
                     .modulus = w->modulus};
    count(a, PM_BACKEND_CUDA, w, &there);
    count(a, PM_BACKEND_CPU, &cpu, &here);
    if (!values_agree(&here, &there))
        print_error("%s: n = %d, %s, precision %d, placement %d,%d\n", w->algorithm, (int)a->nrows,
                    pm_field_name(a->field), (int)w->precision, (int)w->placement.sums,
                    (int)w->placement.matrix);
    assert_true(values_agree(&here, &there));
    pm_value_clear(&here);
    pm_value_clear(&there);
}

static void compare(const pm_matrix *a, const char *algorithm, pm_precision precision)
{
    compare_way(a, &(way){.algorithm = algorithm, .precision = precision});
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
        assert_int_equal(pm_vertex_order_natural(&a, order, NULL), PM_OK);
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

/* Words of 64 and 32 bits, passes of any width, on all devices, cut at any step; levels spread over
 * all devices. */
static void shared_passes(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(100, 8); ++round)
        check_frontier_shares(&rng, 4 + (int)pm_rng_below(&rng, is_checked() ? 9 : 17), devices);
}

/* A pattern whose residues have room with words of 32 bits, or in one array, only: the same
 * count. */
static void narrow_words(void **state)
{
    int in_place = 0;
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(6, 1); ++round) {
        pm_matrix a;
        pm_value here, there;
        pm_count_report report;
        int32_t order[80];
        int n = is_checked() ? 12 : 20 + (int)pm_rng_below(&rng, 5);
        pm_run run = {0};
        pm_count_options o = pm_count_defaults();
        pm_value_init(&here);
        pm_value_init(&there);
        random_matrix(&rng, PM_PATTERN, n, n, 0.3, &a);
        assert_int_equal(pm_vertex_order_natural(&a, order, NULL), PM_OK);
        o.algorithm = "frontier";
        o.order = order;
        o.order_len = 2 * n;
        assert_int_equal(pm_count(&a, &o, NULL, &here, NULL, NULL), PM_OK);
        o.backend = PM_BACKEND_CUDA;
        o.modulus = (UINT64_C(1) << 62) - 57; /* one residue of 64 bits */
        o.plan_only = true;
        assert_int_equal(pm_count(&a, &o, NULL, &there, &report, NULL), PM_OK);
        double bytes = report.nblocks ? report.blocks[0].memory : 0;
        run.max_memory = (int64_t)bytes - 1;
        pm_count_report_free(&report);
        o.modulus = 0;
        o.plan_only = false;
        if (bytes > 0) { /* a state, at least; else the answer is 0 */
            assert_int_equal(pm_count(&a, &o, &run, &there, &report, NULL), PM_OK);
            const char *words = report.blocks[0].algorithm;
            assert_true(!strcmp(words, "frontier-narrow") || !strcmp(words, "frontier-in-place"));
            in_place += !strcmp(words, "frontier-in-place");
            assert_true(values_agree(&here, &there));
            pm_count_report_free(&report);
        }
        pm_value_clear(&here);
        pm_value_clear(&there);
        pm_matrix_free(&a);
    }
    printf("# %d plans in place\n", in_place);
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
        int sizes = is_checked() ? 2 : round % 4 < 2 ? 13 : 7;
        int n = 28 + (int)pm_rng_below(&rng, sizes);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 4.5 / n, &a);
        compare(&a, "product-tree", PM_KAHAN);
        pm_matrix_free(&a);
    }
}

static const char *const papers[] = {"sparyser", "skipper", "codegen", "hybrid"};
enum { PAPERS = sizeof papers / sizeof *papers };

static void kernels_of_papers(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(160, 16); ++round) {
        pm_matrix a;
        int n = round < 16 ? 1 + round / 4 : 1 + (int)pm_rng_below(&rng, 24);
        double p = 0.1 + (n < 16 ? 0.8 : 0.3) * pm_rng_unit(&rng);
        random_matrix(&rng, (pm_field)(round / 4 % 4), n, n, p, &a);
        compare(&a, papers[round % PAPERS], round % 8 ? PM_KAHAN : PM_DQ);
        pm_matrix_free(&a);
    }
}

/* Where streams have places. */
static void larger_kernels_of_papers(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(32, 4); ++round) {
        pm_matrix a;
        int n = 26 + (int)pm_rng_below(&rng, 6);
        random_matrix(&rng, (pm_field)(round / 4 % 4), n, n, 5.0 / n, &a);
        compare(&a, papers[round % PAPERS], PM_KAHAN);
        pm_matrix_free(&a);
    }
}

static void full_blocks(void **state)
{
    (void)state;
    static const pm_precision precisions[] = {PM_KAHAN, PM_QUAD, PM_DQ, PM_DOUBLE, PM_SINGLE};
    if (!devices)
        skip();
    for (int round = 0; round < rounds(120, 12); ++round) {
        pm_matrix a;
        pm_precision precision = precisions[round / 4 % 5];
        int n = round < 16 ? 1 + round / 4 : 1 + (int)pm_rng_below(&rng, 24);
        random_matrix(&rng, (pm_field)(round % 4), n, n, n < 20 ? 0.6 + 0.4 * pm_rng_unit(&rng) : 1,
                      &a);
        compare(&a, "ryser", precision);
        pm_matrix_free(&a);
    }
}

/* As many copies of random lines as make up to 26 rows; the CPU counts the same, or with the copies
 * written out by another method. */
static void repeated_lines(void **state)
{
    (void)state;
    static const pm_precision precisions[] = {PM_KAHAN, PM_QUAD, PM_DQ, PM_DOUBLE, PM_SINGLE};
    if (!devices)
        skip();
    for (int round = 0; round < rounds(96, 12); ++round) {
        pm_matrix a, b;
        int64_t row[8] = {0}, col[8] = {0};
        int rows = 1 + (int)pm_rng_below(&rng, 8), cols = 1 + (int)pm_rng_below(&rng, 8);
        int n = 8 + (int)pm_rng_below(&rng, 19);
        random_matrix(&rng, (pm_field)(round % 4), rows, cols, 0.7 + 0.3 * pm_rng_unit(&rng), &a);
        for (int i = 0; i < n; ++i) {
            ++row[pm_rng_below(&rng, (uint32_t)rows)];
            ++col[pm_rng_below(&rng, (uint32_t)cols)];
        }
        assert_int_equal(pm_matrix_repeat(&a, row, col, &b, NULL), PM_OK);
        pm_value here, there;
        const way on_gpu = {.algorithm = "repeated", .precision = precisions[round / 4 % 5]};
        const way cpu = {.algorithm = round % 3 || n > 20 ? "repeated" : "ryser",
                         .precision = on_gpu.precision};
        pm_value_init(&here);
        pm_value_init(&there);
        count(&b, PM_BACKEND_CUDA, &on_gpu, &there);
        count(&b, PM_BACKEND_CPU, &cpu, &here);
        if (!values_agree(&here, &there))
            print_error("repeated: n = %d of %d x %d, %s, precision %d\n", n, rows, cols,
                        pm_field_name(a.field), (int)on_gpu.precision);
        assert_true(values_agree(&here, &there));
        pm_value_clear(&here);
        pm_value_clear(&there);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

/* Tiles with inner digits. */
static void larger_repeated_lines(void **state)
{
    (void)state;
    static const struct {
        int lines, copies;
    } sizes[] = {{12, 2}, {14, 2}, {9, 4}, {20, 1}};
    if (!devices)
        skip();
    for (int round = 0; round < rounds(16, 2); ++round) {
        pm_matrix a, b;
        int64_t times[20];
        int lines = sizes[round / 4 % 4].lines;
        for (int i = 0; i < lines; ++i)
            times[i] = sizes[round / 4 % 4].copies + (i == 0);
        random_matrix(&rng, (pm_field)(round % 4), lines, lines, 1, &a);
        assert_int_equal(pm_matrix_repeat(&a, times, times, &b, NULL), PM_OK);
        pm_value here, there;
        const way w = {.algorithm = "repeated"};
        pm_value_init(&here);
        pm_value_init(&there);
        count(&b, PM_BACKEND_CUDA, &w, &there);
        count(&b, PM_BACKEND_CPU, &w, &here);
        assert_true(values_agree(&here, &there));
        pm_value_clear(&here);
        pm_value_clear(&there);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

static void larger_full_blocks(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(8, 1); ++round) {
        pm_matrix a;
        int n = 26 + (int)pm_rng_below(&rng, 4);
        random_matrix(&rng, (pm_field)(round % 4), n, n, 1, &a);
        compare(&a, "ryser", PM_KAHAN);
        pm_matrix_free(&a);
    }
}

static void placed_full_blocks(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(36, 9); ++round) {
        pm_matrix a;
        int n = round < 9 ? 22 : 1 + (int)pm_rng_below(&rng, 24);
        way w = {.algorithm = "ryser",
                 .precision = round / 2 % 2 ? PM_SINGLE : PM_KAHAN,
                 .placement = {PM_IN_REGISTERS + (pm_memory)(round % 3),
                               PM_IN_SHARED + (pm_memory)(round / 3 % 3), round % 2}};
        random_matrix(&rng, round < 9 ? PM_REAL : (pm_field)pm_rng_below(&rng, 4), n, n, 1, &a);
        compare_way(&a, &w);
        pm_matrix_free(&a);
    }
}

/* The last bit is the same again, from the cache, and with all devices. */
static void digits_repeat(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(12, 4); ++round) {
        pm_matrix a;
        pm_value one, again, all;
        static const char *const algorithms[] = {"product-tree", "ryser",   "frontier",
                                                 "repeated",     "skipper", "sparyser"};
        const way w = {.algorithm = algorithms[round % 6]};
        const way on_all = {.algorithm = w.algorithm, .gpus = -1};
        pm_value_init(&one);
        pm_value_init(&again);
        pm_value_init(&all);
        random_matrix(&rng, PM_REAL, 30, 30, round % 6 == 1 ? 1 : round % 6 == 2 ? 0.15 : 0.3, &a);
        count(&a, PM_BACKEND_CUDA, &w, &one);
        count(&a, PM_BACKEND_CUDA, &w, &again);
        count(&a, PM_BACKEND_CUDA, &on_all, &all);
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

/* Blocks with a cyclic symmetry modulo primes of all lengths. */
static void necklaces(void **state)
{
    (void)state;
    if (!devices)
        skip();
    for (int round = 0; round < rounds(12, 2); ++round) {
        pm_matrix a;
        uint64_t residues[PM_NECKLACE_MOST * PM_NECKLACE_MOST];
        const int n = is_checked() ? 9 + 2 * round : 2 + (int)pm_rng_below(&rng, 26);
        const int bits = round % 3 ? 24 + 6 * (int)pm_rng_below(&rng, 7) : 31;
        const uint64_t p = pm_root_prime_below(UINT64_C(1) << bits, n);
        if (round % 4 == 3)
            random_cyclic(&rng, n, p, residues);
        else
            schur_like(&rng, n, p, residues);
        residues_as_matrix(residues, n, &a);
        for (int gpus = 1; gpus <= devices && gpus <= 2; ++gpus)
            compare_way(&a, &(way){.algorithm = "necklace", .gpus = gpus, .modulus = p});
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

/* A kernel that writes where nothing is: this process cannot use the card any more, every
 * call reports the reason, and what is open can be closed.  The last test, therefore. */
static void lost(void **state)
{
    (void)state;
    pm_gpu_session *s;
    pm_gpu_info info;
    pm_error err;
    uint64_t nowhere = 64;
    void *arguments[] = {&nowhere};
    if (!devices || is_checked())
        skip();
    const char *text = "extern \"C\" __global__ void astray(double *p) { *p = 1; }";
    assert_int_equal(pm_gpu_session_open(0, text, &s, &err), PM_OK);
    if (!pm_gpu_session_launch(s, "astray", 1, 32, 0, arguments, &err))
        assert_int_equal(pm_gpu_session_wait(s, &err), PM_ENODEV);
    printf("# %s\n", err.msg);
    assert_int_equal(pm_gpu_get_info(0, &info, &err), PM_ENODEV);
    assert_ptr_equal(strstr(err.msg, "no usable GPU any more: "), err.msg);
    pm_gpu_session_close(s);
    pm_gpu_end();
}

int main(void)
{
    pm_environment_read();
    pm_error err;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),
        cmocka_unit_test(larger_trees),
        cmocka_unit_test(frontiers),
        cmocka_unit_test(shared_passes),
        cmocka_unit_test(narrow_words),
        cmocka_unit_test(same_digits),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(full_blocks),
        cmocka_unit_test(larger_full_blocks),
        cmocka_unit_test(placed_full_blocks),
        cmocka_unit_test(repeated_lines),
        cmocka_unit_test(larger_repeated_lines),
        cmocka_unit_test(kernels_of_papers),
        cmocka_unit_test(larger_kernels_of_papers),
        cmocka_unit_test(digits_repeat),
        cmocka_unit_test(necklaces),
        cmocka_unit_test(too_many_devices),
        cmocka_unit_test(lost),
    };
    rng = test_seed();
    if (getenv("PM_TEST_ONLY"))
        cmocka_set_test_filter(getenv("PM_TEST_ONLY"));
    if (pm_gpu_count(&devices, &err) != PM_OK) {
        printf("# %s\n", err.msg);
        devices = 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
