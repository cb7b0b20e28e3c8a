/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On a machine with a GPU: samples drawn there against those of the CPU.  Methods with integer
 * state have its moments, and beams its weights, bit by bit; those that scale the weights of their
 * own text compiled as C.
 * PM_TEST_FEW: a few, for tools that slow kernels down; PM_TEST_ONLY: only the test of this name.
 * */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include "beam/beam.h"
#include "degree/degree_gpu.h"
#include "estimate/sampler_registry.h"
#include "gpu/gpu.h"
#include "process/environment.h"
#include "sampler/sampler_backend.h"
#include "scaling/scaling_gpu.h"
#include "scaling/scaling_gpu_kernel.h"
#include "support/device_text.h"
#include "support/graphs.h"
#include "support/sampled.h"
#include "support/testing.h"

static uint64_t rng;
static int gpus; /* 0: none */

static int either(int many, int few)
{
    return getenv("PM_TEST_FEW") ? few : many;
}

static int rounds(int many, int few)
{
    return either(test_rounds(many), few);
}

static void make(const char *method, const pm_matrix *a, uint64_t seed, pm_sampler *s)
{
    const pm_sampler_options o = {.complete = (int)(seed % 12)};
    assert_int_equal(pm_sampler_make(pm_sampler_method_find(method), a, &o, seed, 3, NULL, s, NULL),
                     PM_OK);
}

static void to_gpus(pm_sampler *s, int wanted)
{
    pm_error err = {.msg = ""};
    pm_sampler_backend place = {PM_BACKEND_CUDA, wanted};
    if (pm_sampler_choose_backend(s, &place, 1, NULL, &err) != PM_OK)
        print_error("%s\n", err.msg);
    assert_non_null(s->gpu);
}

/* ---- integer state ---- */

static void compare_moments(const char *method, const pm_matrix *a, int64_t count, int wanted)
{
    pm_sampler here, there;
    uint64_t seed = pm_rng_next(&rng);
    make(method, a, seed, &here);
    make(method, a, seed, &there);
    to_gpus(&there, wanted);
    assert_same_when_cut(&here, &there, count, &rng);
    pm_sampler_free(&here);
    pm_sampler_free(&there);
}

static void integer_state(void **state)
{
    (void)state;
    static const char *const methods[] = {"rasmussen", "rasmussen+", "look+", "hub+"};
    static const int sizes[] = {1, 2, 7, 23, 40, 63, 64};
    if (!gpus)
        skip();
    for (int round = 0; round < rounds(42, 2); ++round) {
        pm_matrix a;
        int n = sizes[round % 7];
        ones_matrix(&rng, n, round % 2 ? 3.0 / n : 0.1 + 0.8 * pm_rng_unit(&rng), &a);
        for (int k = 0; k < 4; ++k)
            compare_moments(methods[k], &a, 9 * PM_MASKS_BATCH + (int64_t)pm_rng_below(&rng, 3000),
                            round % 2 ? -1 : 1);
        pm_matrix_free(&a);
    }
}

/* More rows, and entries. */
static void lists(void **state)
{
    (void)state;
    static const char *const methods[] = {"rasmussen", "rasmussen+", "look+", "hub+"};
    static const int sizes[] = {65, 30, 130, 9, 500, 64};
    if (!gpus)
        skip();
    for (int round = 0; round < rounds(36, 4); ++round) {
        pm_matrix a;
        int n = sizes[round % 6];
        bool has_entries = round % 2;
        double p = round % 4 < 2 ? 4.0 / n : 0.1 + 0.5 * pm_rng_unit(&rng);
        (has_entries ? entries_matrix : ones_matrix)(&rng, n, p, &a);
        int64_t samples = n < 100 ? either(20000, 600) : 500;
        for (int k = 0; k < (has_entries ? 3 : 4); ++k)
            compare_moments(methods[k], &a, samples, round % 3 ? -1 : 1);
        pm_matrix_free(&a);
    }
}

/* Launches of all sizes. */
static void many_samples(void **state)
{
    (void)state;
    if (!gpus)
        skip();
    for (int round = 0; round < rounds(4, 0); ++round) {
        pm_matrix a;
        ones_matrix(&rng, 12, 0.4, &a);
        compare_moments(round % 2 ? "look+" : "rasmussen+", &a, 20000001, round / 2 ? -1 : 1);
        pm_matrix_free(&a);
    }
}

/* ---- scaling ---- */

/* What the kernel's text does, compiled as C. */
static void *function_of(char *text, const char *name, void **library)
{
    assert_non_null(text);
    *library = compile_as_c(text, 1);
    free(text);
    void *symbol = dlsym(*library, name);
    assert_non_null(symbol);
    return symbol;
}

static void compare_weights(const pm_sampler *s, int count)
{
    enum { MOST = 500 };
    pm_weight here[MOST], there[MOST];
    pm_warp_image image;
    void (*run)(const pm_warp_launch *, const char *, uint64_t, int64_t, pm_weight *);
    void *library,
        *symbol = function_of(pm_scaling_warp_text(s->model), "pm_warp_samples_run", &library);
    memcpy(&run, &symbol, sizeof run);
    assert_int_equal(pm_scaling_warp_image(s, &image, NULL), PM_OK);
    run(&image.launch, image.base, 99, count, here);
    assert_int_equal(s->on_gpu->draw(s, s->gpu, 99, count, NULL, there, NULL), PM_OK);
    assert_memory_equal(here, there, (size_t)count * sizeof *here);
    dlclose(library);
    free(image.base);
}

static void compare_batches(const pm_sampler *s)
{
    enum { MOST = 5 };
    const int batches = either(MOST, 1), count = batches * PM_MASKS_BATCH;
    struct {
        pm_large_weights head;
        pm_weight weight[MOST * PM_MASKS_BATCH];
    } *told = pm_calloc_array(1, sizeof *told);
    pm_batch_sums sums[MOST];
    pm_moments *here = new_moments(), *there = new_moments();
    void (*run)(const pm_thread_launch *, uint64_t, int64_t, pm_batch_sums *, pm_large_weights *);
    void *library,
        *symbol = function_of(pm_scaling_thread_text(s->model), "pm_thread_samples_run", &library);
    const pm_thread_launch launch = pm_scaling_thread_launch(s);
    assert_non_null(told);
    told->head.room = (uint64_t)count;
    memcpy(&run, &symbol, sizeof run);
    run(&launch, 0, batches, sums, &told->head);
    for (int i = 0; i < batches; ++i)
        pm_moments_add_batch(here, &sums[i]);
    pm_moments_keep_largest(here, told->weight, (int64_t)told->head.count);
    assert_int_equal(pm_moments_draw(s, 0, count, NULL, there, NULL), PM_OK);
    assert_same_moments(here, there);
    dlclose(library);
    free(told);
    free(here);
    free(there);
}

static void scaling(void **state)
{
    (void)state;
    static const char *const methods[] = {"scaling", "scaling+", "scaling++"};
    const int sizes[] = {1, 9, 40, 64, 65, 130, either(700, 70)};
    if (!gpus || !compiler)
        skip();
    for (int round = 0; round < rounds(63, 9); ++round) {
        pm_matrix a;
        pm_sampler s;
        bool is_any = round / 3 % 3 == 0; /* of up to 64 rows of ones */
        int n = is_any ? 1 + (int)pm_rng_below(&rng, 64) : sizes[round % 7];
        (!is_any && round / 7 % 2 ? entries_matrix : ones_matrix)(
            &rng, n, n < 70 ? 0.1 + 0.8 * pm_rng_unit(&rng) : 4.0 / n, &a);
        make(methods[round % 3], &a, pm_rng_next(&rng), &s);
        to_gpus(&s, round % 2 ? -1 : 1);
        if (s.on_gpu->draw)
            compare_weights(&s, n < 500 ? either(500, 20) : 5);
        else
            compare_batches(&s);
        pm_sampler_free(&s);
        pm_matrix_free(&a);
    }
}

/* ---- beams ---- */

enum { RUNS = 3 };

static void draw_here(const pm_sampler *s, uint64_t from, pm_weight *out)
{
    size_t each = (s->scratch + 63) / 64 * 64;
    char *room = aligned_alloc(64, RUNS * each);
    assert_non_null(room);
#pragma omp parallel for
    for (int i = 0; i < RUNS; ++i)
        out[i] = s->method->draw(s, room + (size_t)i * each, from + (uint64_t)i);
    free(room);
}

/* A few runs here and there. */
static void compare_beams(const pm_matrix *a, int64_t states, int wanted)
{
    const pm_sampler_options o = {.states = states};
    pm_sampler s;
    pm_weight here[RUNS], there[RUNS];
    uint64_t from = pm_rng_below(&rng, 1000);
    assert_int_equal(pm_sampler_make(&pm_sampler_beam, a, &o, pm_rng_next(&rng), 3, NULL, &s, NULL),
                     PM_OK);
    to_gpus(&s, wanted);
    assert_int_equal(s.on_gpu->draw(&s, s.gpu, from, RUNS, NULL, there, NULL), PM_OK);
    draw_here(&s, from, here);
    for (int i = 0; i < RUNS; ++i) {
        bool same = here[i].m == there[i].m && here[i].e == there[i].e;
        if (!same)
            print_error("n %d, %lld states: %a 2^%lld, on the CPU %a 2^%lld\n", (int)a->nrows,
                        (long long)states, there[i].m, (long long)there[i].e, here[i].m,
                        (long long)here[i].e);
        assert_true(same);
    }
    pm_sampler_free(&s);
}

/* Chains of one block; many blocks, from some thousand states on; wide keys, entries. */
static void beam(void **state)
{
    (void)state;
    static const int64_t states_of[] = {1, 30, 3000, 20000, 300000};
    if (!gpus)
        skip();
    for (int round = 0; round < rounds(40, 4); ++round) {
        pm_matrix a;
        int64_t states = states_of[either(round % 4, 1 + round % 2)];
        if (round % 4 == 0)
            grid_graph(either(10 + round, 5), either(20, 6), &a);
        else if (round % 4 == 1)
            (round % 8 == 1 ? entries_matrix : ones_matrix)(&rng, 1 + (int)pm_rng_below(&rng, 40),
                                                            0.3, &a);
        else
            regular_graph(either(20 + 4 * round, 12), 4, pm_rng_next(&rng), &a);
        compare_beams(&a, round < 36 ? states : states_of[4], round % 3 ? 1 : -1);
        pm_matrix_free(&a);
    }
    for (int side = 90; side <= either(200, 0); side += 110) { /* keys of 2 and of 4 words */
        pm_matrix a;
        grid_graph(side, side, &a);
        compare_beams(&a, 200, 1);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    pm_environment_read();
    pm_error err;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_state), cmocka_unit_test(lists), cmocka_unit_test(many_samples),
        cmocka_unit_test(scaling),       cmocka_unit_test(beam),
    };
    rng = test_seed();
    if (getenv("PM_TEST_ONLY"))
        cmocka_set_test_filter(getenv("PM_TEST_ONLY"));
    if (pm_gpu_count(&gpus, &err) != PM_OK) {
        printf("# %s\n", err.msg);
        gpus = 0;
    }
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
