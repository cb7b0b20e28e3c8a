/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hafnians on devices that are none (host_gpu.h): the answers of the CPU, on several devices, modulo numbers of all kinds, with little
 * memory, and when devices fail. */
#include "config.h"

#include <string.h>

#include "core/machine.h"
#include "cuda/hafnian_task.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/matrices.h"

static uint64_t rng;

/* A kernel takes its task, two numbers and, here, the number of thread blocks. */
static void launch(void *symbol, const char *kernel, int64_t blocks, void *shared, void **arguments)
{
    void (*go)(pm_hafnian_task task, int64_t first, int64_t past, int64_t blocks);
    pm_hafnian_task task;
    int64_t first, past;
    (void)kernel, (void)shared;
    memcpy(&go, &symbol, sizeof symbol);
    memcpy(&task, arguments[0], sizeof task);
    memcpy(&first, arguments[1], sizeof first);
    memcpy(&past, arguments[2], sizeof past);
    go(task, first, past, blocks);
}

static pm_count_options hafnian(pm_backend backend)
{
    pm_count_options o = pm_count_defaults();
    o.general = true;
    o.algorithm = "hafnian";
    o.backend = backend;
    o.reduce = (pm_reduce_options){0};
    return o;
}

static void count_here(const pm_matrix *a, const pm_count_options *like, pm_value *out)
{
    pm_count_options o = *like;
    o.backend = PM_BACKEND_CPU;
    o.gpus = 0;
    assert_int_equal(pm_count(a, &o, NULL, out, NULL, NULL), PM_OK);
}

/* Random graphs, also complete ones, modulo nothing, primes, powers of two and other numbers. */
static void same_answers(void **state)
{
    static const uint64_t moduli[] = {0, 0, 0, 2, 7, 1000, 1000003, UINT64_C(1) << 40, 2147483647};
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_matrix a;
        pm_value v, w;
        host_gpu_reset();
        host_gpu_state.devices = 1 + (int)pm_rng_below(&rng, 3);
        random_symmetric(&rng, round % 2 ? PM_INTEGER : PM_PATTERN,
                         4 + 2 * (int)pm_rng_below(&rng, (uint32_t)test_size(7, 5)),
                         round % 5 ? 0.3 + 0.7 * pm_rng_unit(&rng) : 1, 0, &a);
        pm_count_options o = hafnian(PM_BACKEND_CUDA);
        o.gpus = host_gpu_state.devices;
        o.modulus = moduli[pm_rng_below(&rng, sizeof moduli / sizeof *moduli)];
        pm_value_init(&v);
        pm_value_init(&w);
        count_here(&a, &o, &v);
        assert_int_equal(pm_count(&a, &o, NULL, &w, NULL, NULL), PM_OK);
        assert_true(mpq_equal(v.exact, w.exact));
        assert_int_equal(host_gpu_state.open, 0);
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

static void refused(pm_field field, int n, double loops, const char *why)
{
    pm_matrix a;
    pm_value v;
    pm_error err;
    host_gpu_reset();
    random_symmetric(&rng, field, n, 1, loops, &a);
    const pm_count_options o = hafnian(PM_BACKEND_CUDA);
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, why));
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

static void refusals(void **state)
{
    (void)state;
    refused(PM_REAL, 10, 0, "no real or complex entries");
    refused(PM_COMPLEX, 10, 0, "no real or complex entries");
    refused(PM_PATTERN, 10, 1, "no loops");
    refused(PM_PATTERN, 2, 0, "4 to 60 vertices");
    refused(PM_PATTERN, 62, 0, "4 to 60 vertices");
}

static void little_memory(void **state)
{
    pm_matrix a;
    pm_value v, w;
    pm_count_options o = hafnian(PM_BACKEND_CUDA);
    (void)state;
    random_symmetric(&rng, PM_PATTERN, 16, 1, 0, &a);
    pm_value_init(&v);
    pm_value_init(&w);
    count_here(&a, &o, &v);
    host_gpu_reset();
    host_gpu_state.memory = PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES + 1000;
    assert_int_equal(pm_count(&a, &o, NULL, &w, NULL, NULL), PM_UNABLE);
    host_gpu_state.memory = PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES + (1 << 22);
    assert_int_equal(pm_count(&a, &o, NULL, &w, NULL, NULL), PM_OK);
    assert_true(mpq_equal(v.exact, w.exact));
    pm_value_clear(&v);
    pm_value_clear(&w);
    pm_matrix_free(&a);
}

/* Whatever fails, a demanded device is told of, and otherwise the CPU counts. */
static void failures(void **state)
{
    pm_matrix a;
    pm_value v, w;
    pm_count_options o = hafnian(PM_BACKEND_CUDA);
    int failed = 0;
    (void)state;
    random_symmetric(&rng, PM_INTEGER, 12, 1, 0, &a);
    pm_value_init(&v);
    pm_value_init(&w);
    count_here(&a, &o, &v);
    for (int call = 0; call < HOST_GPU_CALLS; ++call) {
        host_gpu_reset();
        host_gpu_state.fails_at[call] = 1;
        o.backend = PM_BACKEND_CUDA;
        const pm_status status = pm_count(&a, &o, NULL, &w, NULL, NULL);
        assert_true(status == PM_OK || status == PM_ENODEV);
        failed += status == PM_ENODEV;
        if (!status)
            assert_true(mpq_equal(v.exact, w.exact));
        assert_int_equal(host_gpu_state.open, 0);
        o.backend = PM_BACKEND_AUTO;
        assert_int_equal(pm_count(&a, &o, NULL, &w, NULL, NULL), PM_OK);
        assert_true(mpq_equal(v.exact, w.exact));
    }
    assert_true(failed >= 6);
    pm_value_clear(&v);
    pm_value_clear(&w);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_answers), cmocka_unit_test(refusals),
                                       cmocka_unit_test(little_memory), cmocka_unit_test(failures)};
    rng = test_seed();
    host_gpu_state.launch = launch;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kept_texts_end();
    return failed;
}
