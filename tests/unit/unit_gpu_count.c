/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting on one device and on several, with little memory, or without a compiler, with a double in
 * place of src/gpu: host_gpu.h.  The double does run the kernels, so that answers are answers. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/machine.h"
#include "pm/count.h"
#include "pm/settings.h"
#include "support/answers.h"
#include "support/device_works.h"
#include "support/host_frontier.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/matrices.h"
#include "support/testing.h"
#include "sweep/gpu_arithmetic.h"

static uint64_t rng;

static void devices_count(void **state)
{
    (void)state;
    for (int i = test_first(&rng, 3); i < WORKS; i += test_step(3)) {
        pm_matrix a;
        pm_value v;
        pm_rates rates;
        pm_count_report report;
        listener l = {0};
        pm_run run = {.note = listen_to_notes, .context = &l};
        pm_count_options o = options_of(&works[i], PM_BACKEND_AUTO);
        host_gpu_reset();
        make_matrix(&rng, &works[i], &a);
        slow_rates(&a, &o, &rates);
        o.rates = &rates;
        pm_value_init(&v);
        assert_int_equal(pm_count(&a, &o, &run, &v, &report, NULL), PM_OK);
        assert_int_equal(report.blocks[0].backend, PM_BACKEND_CUDA);
        assert_int_equal(l.notes, 0);
        assert_int_equal(host_gpu_state.open, 0);
        assert_right(&a, &v);
        pm_count_report_free(&report);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Integers in words where a device is slow with doubles, or that is said; otherwise in doubles; and
 * large ones too. */
static void words_for_slow_devices(void **state)
{
    (void)state;
    static const char *const said[] = {NULL, "words", "doubles"};
    for (int i = 0; i < 12; i += test_step(5)) {
        pm_matrix a;
        pm_value v;
        pm_count_options o = options_of(&works[i % 4 / 2 * 2], PM_BACKEND_CUDA);
        const work w = {o.algorithm, i % 2 ? PM_INTEGER : PM_PATTERN, 12, 0.5};
        host_gpu_reset();
        host_gpu_state.double_rate /= i % 4 == 3 ? 1 : 64;
        make_matrix(&rng, &w, &a);
        pm_settings_set(&(pm_settings){.gpu_integers = said[i / 4]});
        pm_value_init(&v);
        assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
        assert_right(&a, &v);
        bool in_words = strstr(kept_text_last(), "#define PM_KIND 7")
                        || strstr(kept_text_last(), "#define PM_CELL int");
        bool is_fast = i % 4 == 3, is_large = w.field == PM_INTEGER;
        assert_true(in_words == (said[i / 4] ? i / 4 == 1 : !is_fast) || is_large);
        pm_settings_set(&(pm_settings){0});
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Full, of integers of 14 bits: the compiler takes longest, the fewer primes a kernel has the
 * better. */
static void fewer_primes_compile_sooner(void **state)
{
    (void)state;
    enum { N = 21 }; /* so that places flip */
    if (test_step(2) > 1)
        skip();
    pm_triples t = {.field = PM_INTEGER, .nrows = N, .ncols = N};
    pm_matrix a;
    pm_value v;
    pm_count_options o = options_of(&works[2], PM_BACKEND_CUDA);
    for (int k = 0; k < N * N; ++k) {
        pm_dyadic entry = {0};
        pm_dyadic_set_si(&entry, 1 + (int64_t)(pm_rng_next(&rng) >> 50));
        assert_int_equal(pm_triples_add(&t, k / N, k % N, 0, &entry, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    host_gpu_reset();
    pm_settings_set(&(pm_settings){.gpu_integers = "words"});
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_right(&a, &v);
    double primes = log2(mpz_get_d(mpq_numref(v.exact))) / log2(PM_WORD_PRIME_MAX);
    assert_true(host_gpu_state.calls[HOST_GPU_OPEN] > primes);
    pm_settings_set(&(pm_settings){0});
    pm_value_clear(&v);
    pm_matrix_free(&a);
    pm_triples_free(&t);
}

/* A full complex matrix in pairs of doubles, in constant memory: up to n = 44. */
static void little_constant_memory(void **state)
{
    (void)state;
    for (int n = 44; n <= 46; n += 2) {
        pm_matrix a;
        pm_value v;
        pm_error err;
        pm_count_options o = pm_count_defaults();
        o.algorithm = "ryser";
        o.backend = PM_BACKEND_CUDA;
        o.precision = PM_QUAD;
        o.placement = (pm_placement){PM_IN_SHARED, PM_IN_CONSTANT, false};
        o.plan_only = true;
        o.reduce = (pm_reduce_options){0};
        host_gpu_reset();
        random_matrix(&rng, PM_COMPLEX, n, n, 1, &a);
        pm_value_init(&v);
        pm_status rc = pm_count(&a, &o, NULL, &v, NULL, &err);
        assert_int_equal(rc, n == 44 ? PM_OK : PM_UNABLE);
        assert_true(rc == PM_OK || strstr(err.msg, "bytes of constant memory, a GPU has 65536"));
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Row sums that do not fit where a block has little shared memory are refused before anything runs;
 * trees make do with what there is. */
static void little_shared_memory(void **state)
{
    (void)state;
    static const work wanting = {"skipper", PM_COMPLEX, 16, 0.4};
    static const work frugal = {"product-tree", PM_REAL, 17, 0.5};
    pm_matrix a;
    pm_value v;
    pm_error err;
    pm_count_options o = options_of(&wanting, PM_BACKEND_CUDA);
    host_gpu_reset();
    make_matrix(&rng, &wanting, &a);
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    host_gpu_state.shared = 12 << 10;
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "shared memory"));
    pm_matrix_free(&a);
    make_matrix(&rng, &frugal, &a);
    o = options_of(&frugal, PM_BACKEND_CUDA);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_right(&a, &v);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

static bool has_lanes(const char *text)
{
    return strstr(text, "#define PM_LANES 1\n") || strstr(text, "#define PM_LANES 4\n");
}

static bool has_two_lanes(const char *text)
{
    return strstr(text, "#define PM_LANES 2\n");
}

/* Without a compiler the frontier makes do with kernels that are ready, and nothing else goes
 * there. */
static void kernels_ahead_of_time(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    const work exact = {"frontier", PM_INTEGER, 12, 0.3}, full = {"ryser", PM_REAL, 10, 1};
    pm_count_options o = options_of(&exact, PM_BACKEND_CUDA);
    host_gpu_reset();
    host_gpu_state.lacks_compiler = true;
    make_matrix(&rng, &exact, &a); /* any number of moduli */
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_ENODEV);
    host_gpu_state.is_ready = has_two_lanes; /* one is the least that must be there */
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_ENODEV);
    host_gpu_state.is_ready = has_lanes;
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_true(has_lanes(kept_text_last()));
    assert_right(&a, &v);
    o.algorithm = NULL; /* others that have no kernel do not stand in its way */
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_right(&a, &v);
    pm_matrix_free(&a);
    make_matrix(&rng, &full, &a);
    o = options_of(&full, PM_BACKEND_CUDA);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_ENODEV);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* The second block finds what the first one loaded, on each device, and so does the next graph. */
static void kernels_stay(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"ryser", "frontier"};
    for (int i = 0; i < 2; ++i)
        for (int gpus = 1; gpus <= 2; ++gpus) {
            pm_matrix a;
            pm_value v;
            pm_count_report report;
            pm_count_options o = pm_count_defaults();
            o.algorithm = algorithms[i];
            o.backend = PM_BACKEND_CUDA;
            o.gpus = gpus;
            host_gpu_reset();
            host_gpu_state.devices = gpus;
            make_two_blocks(&a);
            pm_value_init(&v);
            for (int again = 0; again < 2; ++again) {
                assert_int_equal(pm_count(&a, &o, NULL, &v, &report, NULL), PM_OK);
                assert_int_equal(report.nblocks, 2);
                assert_right(&a, &v);
                pm_count_report_free(&report);
                int used = i ? 1 : gpus; /* one residue: one device */
                assert_int_equal(host_gpu_state.calls[HOST_GPU_COMPILE], used);
                assert_int_equal(host_gpu_state.loaded, used);
                assert_int_equal(host_gpu_state.open, 0);
            }
            pm_gpu_end();
            assert_int_equal(host_gpu_state.loaded, 0);
            assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL),
                             PM_OK); /* from the beginning */
            assert_right(&a, &v);
            pm_value_clear(&v);
            pm_matrix_free(&a);
        }
}

/* ---- several devices ---- */

/* Same digits, whatever is launched where. */
static void devices_share(void **state)
{
    (void)state;
    static const work shared[] = {{"ryser", PM_REAL, 17, 1},
                                  {"product-tree", PM_REAL, 18, 0.5},
                                  {"frontier", PM_PATTERN, 14, 0.4},
                                  {"repeated", PM_REAL, 16, 1}};
    for (int i = test_first(&rng, 4); i < 4; i += test_step(4)) {
        pm_matrix a;
        pm_value one, many;
        work w = shared[i];
        pm_count_options o = options_of(&w, PM_BACKEND_CUDA);
        host_gpu_reset();
        w.n -= test_size(0, 3);
        make_matrix(&rng, &w, &a);
        pm_value_init(&one);
        pm_value_init(&many);
        assert_int_equal(pm_count(&a, &o, NULL, &one, NULL, NULL), PM_OK);
        host_gpu_state.devices = 3;
        host_gpu_state.double_rate = 1e6;
        o.gpus = -1;
        for (int resident = 1; resident <= 64; resident *= 4 * test_step(4)) {
            host_gpu_state.resident = resident;
            assert_int_equal(pm_count(&a, &o, NULL, &many, NULL, NULL), PM_OK);
            assert_memory_equal(&one.re, &many.re, sizeof one.re);
            assert_memory_equal(&one.error, &many.error, sizeof one.error);
            assert_true(values_agree(&one, &many));
        }
        o.gpus = 4;
        assert_int_equal(pm_count(&a, &o, NULL, &many, NULL, NULL), PM_ENODEV);
        pm_value_clear(&one);
        pm_value_clear(&many);
        pm_matrix_free(&a);
    }
}

/* ---- memory that others use ---- */

/* What the frontier takes must fit each device that is used; if it is found out late, the CPU
 * counts. */
static void one_device_is_small(void **state)
{
    (void)state;
    const work w = {"frontier", PM_PATTERN, 12, 0.3};
    pm_matrix a;
    pm_value v;
    pm_error err;
    pm_rates rates;
    pm_count_options o = options_of(&w, PM_BACKEND_CUDA), either = options_of(&w, PM_BACKEND_AUTO);
    host_gpu_reset();
    make_matrix(&rng, &w, &a);
    slow_rates(&a, &either, &rates);
    either.rates = &rates;
    host_gpu_state.devices = 2;
    host_gpu_state.less = host_gpu_state.memory - PM_GPU_RESERVED_BYTES - 100;
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    host_gpu_state.devices = 1;
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_ENODEV);
    assert_non_null(strstr(err.msg, "100 B"));
    listener l = {0};
    pm_run run = {.note = listen_to_notes, .context = &l};
    assert_int_equal(pm_count(&a, &either, &run, &v, NULL, NULL), PM_OK);
    assert_non_null(strstr(l.note, "100 B; counted on the CPU instead"));
    assert_right(&a, &v);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* Bytes of the plan for the frontier. */
static double planned_bytes(const pm_matrix *a)
{
    pm_value v;
    pm_count_report report;
    pm_count_options o = pm_count_defaults();
    o.algorithm = "frontier";
    o.backend = PM_BACKEND_CUDA;
    o.plan_only = true;
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, &report, NULL), PM_OK);
    double bytes = report.blocks[0].memory;
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return bytes;
}

/* Devices are asked what they have free, and started for that, if a plan takes a quarter of
 * them. */
static void small_plans_start_nothing(void **state)
{
    (void)state;
    pm_matrix a;
    random_matrix(&rng, PM_REAL, 27, 27, 0.6, &a);
    host_gpu_reset();
    double bytes = planned_bytes(&a);
    assert_true(bytes > (double)PM_GPU_RESERVED_BYTES / 2
                && bytes < (double)host_gpu_state.memory / 4);
    assert_int_equal(host_gpu_state.calls[HOST_GPU_FREE_MEMORY], 0);
    host_gpu_state.memory = PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES + (int64_t)bytes;
    assert_true(planned_bytes(&a) == bytes);
    assert_int_equal(host_gpu_state.calls[HOST_GPU_FREE_MEMORY], 1);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_count),
        cmocka_unit_test(words_for_slow_devices),
        cmocka_unit_test(fewer_primes_compile_sooner),
        cmocka_unit_test(little_constant_memory),
        cmocka_unit_test(little_shared_memory),
        cmocka_unit_test(kernels_ahead_of_time),
        cmocka_unit_test(kernels_stay),
        cmocka_unit_test(devices_share),
        cmocka_unit_test(one_device_is_small),
        cmocka_unit_test(small_plans_start_nothing),
    };
    rng = test_seed();
    host_gpu_state.launch = host_frontier;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
