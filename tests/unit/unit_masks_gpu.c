/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier of general graphs on devices that are none (host_gpu.h): the same answers as on the CPU, bit by bit, with
 * little memory, on several devices, and when devices fail. */
#include "config.h"

#include <string.h>

#include "core/machine.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/matrices.h"

static uint64_t rng;

/* A kernel takes what it is given on a device, then the number of thread blocks. */
static void launch(void *symbol, const char *kernel, int64_t blocks, void *shared, void **arguments)
{
    void (*go)(const void *step, const void *constants, void *states, int64_t first, int64_t past,
               int64_t blocks);
    void *pointer[3];
    int64_t first, past;
    (void)kernel, (void)shared;
    memcpy(&go, &symbol, sizeof symbol);
    for (int i = 0; i < 3; ++i)
        memcpy(&pointer[i], arguments[i], sizeof pointer[i]);
    memcpy(&first, arguments[3], sizeof first);
    memcpy(&past, arguments[4], sizeof past);
    go(pointer[0], pointer[1], pointer[2], first, past, blocks);
}

static pm_count_options frontier(pm_backend backend)
{
    pm_count_options o = pm_count_defaults();
    o.general = true;
    o.algorithm = "frontier";
    o.backend = backend;
    o.reduce = (pm_reduce_options){0};
    return o;
}

/* The answer of the CPU with the seed of o. */
static void count_here(const pm_matrix *a, const pm_count_options *like, pm_value *out)
{
    pm_count_options o = *like;
    const pm_run run = {.threads = 1 + (int)pm_rng_below(&rng, 3)};
    o.backend = PM_BACKEND_CPU;
    o.gpus = 0;
    assert_int_equal(pm_count(a, &o, &run, out, NULL, NULL), PM_OK);
}

static void assert_same(const pm_value *v, const pm_value *w)
{
    if (pm_value_is_exact(v)) {
        assert_true(mpq_equal(v->exact, w->exact));
        return;
    }
    assert_memory_equal(&v->re, &w->re, sizeof v->re);
    assert_memory_equal(&v->im, &w->im, sizeof v->im);
    assert_memory_equal(&v->error, &w->error, sizeof v->error);
}

/* A given order: the searches of both backends have other limits. */
static void give_order(const pm_matrix *a, int32_t *order, pm_count_options *o)
{
    random_permutation(&rng, order, (int32_t)a->nrows);
    o->order = order;
    o->order_len = a->nrows;
}

static void same_answers(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_matrix a;
        int32_t order[16];
        pm_value v, w;
        host_gpu_reset();
        host_gpu_state.devices = 1 + (int)pm_rng_below(&rng, 3);
        random_symmetric(&rng, (pm_field)(round % 4), 2 + (int)pm_rng_below(&rng, 14),
                         0.2 + 0.8 * pm_rng_unit(&rng), round % 3 ? 0 : 0.5, &a);
        pm_count_options o = frontier(PM_BACKEND_CUDA);
        o.gpus = host_gpu_state.devices;
        give_order(&a, order, &o);
        pm_value_init(&v);
        pm_value_init(&w);
        count_here(&a, &o, &v);
        assert_int_equal(pm_count(&a, &o, NULL, &w, NULL, NULL), PM_OK);
        assert_same(&v, &w);
        assert_int_equal(host_gpu_state.open, 0);
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
    }
}

/* Large integers need several primes; where not all fit side by side there are more passes. */
static void little_memory(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v, w;
    pm_error err;
    random_symmetric(&rng, PM_PATTERN, 18, 1, 0, &a);
    for (int64_t k = 0; k < 3; ++k) {
        pm_count_options o = frontier(PM_BACKEND_CUDA);
        int32_t order[18];
        give_order(&a, order, &o);
        host_gpu_reset();
        host_gpu_state.memory = PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES + (k ? k << 22 : 1000);
        pm_value_init(&v);
        pm_value_init(&w);
        count_here(&a, &o, &v);
        const pm_status status = pm_count(&a, &o, NULL, &w, NULL, &err);
        assert_int_equal(status, k ? PM_OK : PM_UNABLE);
        if (k)
            assert_same(&v, &w);
        pm_value_clear(&v);
        pm_value_clear(&w);
    }
    pm_matrix_free(&a);
}

/* Whatever fails, a demanded device is told of, and otherwise the CPU counts. */
static void failures(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v, w;
    random_symmetric(&rng, PM_INTEGER, 12, 0.6, 0.3, &a);
    pm_value_init(&v);
    pm_value_init(&w);
    pm_count_options o = frontier(PM_BACKEND_CUDA);
    count_here(&a, &o, &v);
    int failed = 0;
    for (int call = 0; call < HOST_GPU_CALLS; ++call) {
        host_gpu_reset();
        host_gpu_state.fails_at[call] = 1;
        o.backend = PM_BACKEND_CUDA;
        const pm_status status = pm_count(&a, &o, NULL, &w, NULL, NULL);
        assert_true(status == PM_OK || status == PM_ENODEV);
        failed += status == PM_ENODEV;
        if (!status)
            assert_same(&v, &w);
        assert_int_equal(host_gpu_state.open, 0);
        o.backend = PM_BACKEND_AUTO;
        assert_int_equal(pm_count(&a, &o, NULL, &w, NULL, NULL), PM_OK);
        assert_same(&v, &w);
    }
    assert_true(failed >= 6);
    pm_value_clear(&v);
    pm_value_clear(&w);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_answers),
                                       cmocka_unit_test(little_memory), cmocka_unit_test(failures)};
    rng = test_seed();
    host_gpu_state.launch = launch;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kept_texts_end();
    return failed;
}
