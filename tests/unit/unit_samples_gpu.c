/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplers with integer state on devices that are none (host_gpu.h): kernels and what drives them,
 * against the CPU, bit by bit. */
#include "config.h"

#include <string.h>

#include "cuda/lanes.h"
#include "cuda/thread_launch.h"
#include "cuda/warp_launch.h"
#include "degree/degree_gpu.h"
#include "degree/degree_gpu_kernel.h"
#include "estimate/sampler_registry.h"
#include "sampler/sampler_backend.h"
#include "support/host_gpu.h"
#include "support/host_samples.h"
#include "support/kept_texts.h"
#include "support/sampled.h"
#include "support/testing.h"

static uint64_t rng;
static volatile sig_atomic_t stop;
static int stop_after;   /* launches; 0: never */
static bool is_overfull; /* every launch but the smallest reports more than there is room for */
static int overfull;     /* launches that did so */

static void run_samples(void *symbol, const char *kernel, int64_t blocks, void *shared,
                        void **arguments)
{
    host_samples(symbol, kernel, blocks, shared, arguments);
    if (strcmp(kernel, "pm_thread_samples_run") != 0)
        return;
    pm_large_weights *head = array_of(arguments[3]);
    bool may_be_many = blocks * PM_MASKS_BATCH > (int64_t)head->room;
    assert_true(head->count <= head->room || may_be_many);
    if (is_overfull && may_be_many) {
        head->count = head->room + 1;
        ++overfull;
    }
    stop = stop_after && host_gpu_state.calls[HOST_GPU_LAUNCH] >= stop_after;
}

static void make(const char *method, const pm_matrix *a, uint64_t seed, pm_sampler *s)
{
    const pm_sampler_options o = {0};
    assert_int_equal(pm_sampler_make(pm_sampler_method_find(method), a, &o, seed, 3, NULL, s, NULL),
                     PM_OK);
}

static void to_gpus(pm_sampler *s, int gpus)
{
    pm_sampler_backend place = {PM_BACKEND_CUDA, gpus};
    host_gpu_state.devices = gpus;
    host_gpu_state.launch = run_samples;
    assert_int_equal(pm_sampler_choose_backend(s, &place, 1, NULL, NULL), PM_OK);
    assert_non_null(s->gpu);
}

/* So many samples at once by the CPU, and in two parts by GPUs. */
static void compare(const char *method, const pm_matrix *a, int64_t count, int gpus)
{
    pm_sampler here, there;
    uint64_t seed = pm_rng_next(&rng);
    make(method, a, seed, &here);
    make(method, a, seed, &there);
    to_gpus(&there, gpus);
    assert_same_when_cut(&here, &there, count, &rng);
    pm_sampler_free(&here);
    pm_sampler_free(&there);
    assert_int_equal(host_gpu_state.open, 0);
}

static const char *const methods[] = {"rasmussen", "rasmussen+", "look+", "hub+"};
enum { METHODS = 4 };

static void test_same_bits(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    static const int sizes[] = {1, 2, 7, 23, 40, 63, 64};
    for (int round = test_rounds(4); round-- > 0;) {
        pm_matrix a;
        int n = sizes[pm_rng_below(&rng, sizeof sizes / sizeof *sizes)];
        ones_matrix(&rng, n, round % 2 ? 3.0 / n : 0.1 + 0.8 * pm_rng_unit(&rng), &a);
        for (int k = 0; k < METHODS; ++k)
            compare(methods[k], &a, 3 * PM_MASKS_BATCH + (int64_t)pm_rng_below(&rng, 3000),
                    1 + (int)pm_rng_below(&rng, 3));
        pm_matrix_free(&a);
    }
}

/* The next block of a kind, and the same one again, find the kernels loaded. */
static void test_kept(void **state)
{
    (void)state;
    pm_matrix a;
    ones_matrix(&rng, 20, 0.5, &a);
    host_gpu_reset();
    for (int round = 0; round < 3; ++round) {
        compare("look+", &a, 3000, 2);
        assert_int_equal(host_gpu_state.loaded, 4); /* two sessions on each */
        assert_int_equal(host_gpu_state.calls[HOST_GPU_COMPILE], 4);
    }
    pm_gpu_end();
    assert_int_equal(host_gpu_state.loaded, 0);
    pm_matrix_free(&a);
}

/* More rows than masks have, and entries: a warp a sample, weights summed by the CPU. */
static void test_lists(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    static const int sizes[] = {65, 20, 90, 64};
    const int first = (int)pm_rng_below(&rng, 4), count = test_rounds(4);
    for (int i = 0; i < 4 && i < count; ++i) {
        pm_matrix a;
        int round = (first + i) % 4, n = sizes[round];
        bool has_entries = round % 2;
        double p = round < 2 ? 4.0 / n : 0.1 + 0.5 * pm_rng_unit(&rng);
        (has_entries ? entries_matrix : ones_matrix)(&rng, n, p, &a);
        for (int k = 0; k < (has_entries ? 3 : 4); ++k)
            compare(methods[k], &a, test_size(3000, 2000), 1 + round % 3);
        pm_matrix_free(&a);
    }
}

/* The host knows how much memory a warp takes. */
static void test_shapes(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    static const int sizes[] = {65, 66, 67, 1024};
    for (int i = 0; i < 4; ++i) {
        pm_matrix a;
        pm_sampler s;
        ones_matrix(&rng, sizes[i], i < 3 ? 0.5 : 1, &a);
        make("look+", &a, 1, &s);
        char *text = pm_degree_warp_text(s.model);
        uint64_t bytes = warp_bytes_of_text(text);
        assert_int_equal(bytes, pm_degree_warp_bytes(s.model));
        assert_true(pm_warp_samples_warps((int64_t)bytes) > 0);
        free(text);
        pm_sampler_free(&s);
        pm_matrix_free(&a);
    }
}

/* For many samples. */
static void few_rows(pm_matrix *a)
{
    ones_matrix(&rng, test_size(4, 3), 0.6, a);
}

/* Launches of all sizes, divided among several devices; the largest weights are the same ones. */
static void test_many_launches(void **state)
{
    (void)state;
    pm_matrix a;
    few_rows(&a);
    host_gpu_state.calls[HOST_GPU_LAUNCH] = 0;
    for (int gpus = 1; gpus <= 3; gpus += 2)
        compare("look+", &a, (gpus == 1 ? 200 : 300) * PM_MASKS_BATCH + 77, gpus);
    assert_true(host_gpu_state.calls[HOST_GPU_LAUNCH] > 8);
    is_overfull = true;
    compare("look+", &a, 300 * PM_MASKS_BATCH, 1);
    is_overfull = false;
    assert_true(overfull > 0);
    pm_matrix_free(&a);
}

/* What was drawn before a stop counts. */
static void test_stop(void **state)
{
    (void)state;
    pm_matrix a;
    pm_sampler here, there;
    pm_moments *one = new_moments(), *two = new_moments();
    pm_run run = {.stop = &stop};
    few_rows(&a);
    make("rasmussen+", &a, 9, &here);
    make("rasmussen+", &a, 9, &there);
    to_gpus(&there, 2);
    host_gpu_state.calls[HOST_GPU_LAUNCH] = 0;
    stop_after = 6;
    assert_int_equal(pm_moments_draw(&there, 0, 1000 * PM_MASKS_BATCH, &run, two, NULL),
                     PM_ESTOPPED);
    assert_true(two->count > 0 && two->count < 1000 * PM_MASKS_BATCH);
    stop = stop_after = 0;
    assert_int_equal(pm_moments_draw(&here, 0, two->count, NULL, one, NULL), PM_OK);
    assert_same_moments(one, two);
    /* and the next ones as if nothing had happened */
    int64_t more = 3 * PM_MASKS_BATCH;
    assert_int_equal(pm_moments_draw(&there, (uint64_t)two->count, more, &run, two, NULL), PM_OK);
    assert_int_equal(pm_moments_draw(&here, (uint64_t)one->count, more, NULL, one, NULL), PM_OK);
    assert_same_moments(one, two);
    pm_sampler_free(&here);
    pm_sampler_free(&there);
    free(one);
    free(two);
    pm_matrix_free(&a);
}

/* Whatever call of a device fails. */
static void test_failures(void **state)
{
    (void)state;
    pm_matrix a;
    pm_sampler s;
    int gap = 1;
    pm_status status = PM_EINTERNAL;
    pm_sampler_backend place = {PM_BACKEND_CUDA, 2};
    few_rows(&a);
    for (int call = 0; status != PM_OK && call < 1000; call += gap) {
        pm_moments *m = new_moments();
        gap = test_gap(call, 9);
        make("rasmussen+", &a, 9, &s);
        host_gpu_reset();
        host_gpu_state.devices = 2;
        host_gpu_state.calls_left = call;
        status = pm_sampler_choose_backend(&s, &place, 1, NULL, NULL);
        assert_int_equal(status, host_gpu_state.failure ? PM_ENODEV : PM_OK);
        if (status == PM_OK)
            status = pm_moments_draw(&s, 0, 140 * PM_MASKS_BATCH, NULL, m, NULL);
        assert_true(status == PM_ENODEV || status == host_gpu_state.failure);
        pm_sampler_free(&s);
        assert_int_equal(host_gpu_state.open, 0);
        free(m);
    }
    assert_int_equal(status, PM_OK);
    assert_true(host_gpu_state.calls_left < gap);
    assert_true(host_gpu_state.calls[HOST_GPU_GET] > 1);
    host_gpu_reset();
    pm_matrix_free(&a);
}

/* ---- who draws ---- */

/* Whatever fails and whenever: the CPU draws on, and the sums are its own. */
static void test_leaving(void **state)
{
    (void)state;
    pm_matrix a;
    pm_sampler here;
    pm_run run = {.threads = 2};
    pm_moments *cpu = new_moments();
    const pm_sampler_backend place = {PM_BACKEND_AUTO, 2}, demanded = {PM_BACKEND_CUDA, 2};
    int64_t count = 70 * PM_MASKS_BATCH;
    bool has_failed = true;
    few_rows(&a);
    make("rasmussen+", &a, 9, &here);
    assert_int_equal(pm_moments_draw(&here, 0, count, &run, cpu, NULL), PM_OK);
    for (int call = 0; has_failed && call < 1000; call += test_gap(call, 11)) {
        pm_sampler s;
        pm_error why;
        pm_moments *m = new_moments();
        make("rasmussen+", &a, 9, &s);
        host_gpu_reset();
        host_gpu_state.devices = 2;
        host_gpu_state.calls_left = call;
        assert_int_equal(pm_sampler_choose_backend(&s, &place, 1e15, &run, NULL), PM_OK);
        pm_status rc = pm_moments_draw(&s, 0, count, &run, m, &why);
        has_failed = rc != PM_OK || s.cpu_only;
        if (rc) {
            assert_int_equal(pm_sampler_fall_back(&s, &demanded, PM_ENOMEM, &why, &run, NULL),
                             PM_ENOMEM);
            assert_int_equal(pm_sampler_fall_back(&s, &place, rc, &why, &run, NULL), PM_OK);
            assert_true(s.cpu_only && !s.gpu);
            int64_t drawn = m->count;
            assert_int_equal(pm_moments_draw(&s, (uint64_t)drawn, count - drawn, &run, m, NULL),
                             PM_OK);
        }
        assert_same_moments(cpu, m);
        pm_sampler_free(&s);
        assert_int_equal(host_gpu_state.open, 0);
        free(m);
    }
    assert_false(has_failed);
    host_gpu_reset();
    pm_sampler_free(&here);
    free(cpu);
    pm_matrix_free(&a);
}

static void listen(void *context, int level, const char *line)
{
    int *seen = context;
    *seen += level == 0 && strstr(line, "compiling failed; its samples are drawn on the CPU");
}

/* A text that does not compile: a note says so, and the CPU draws, unless GPUs are demanded. */
static void test_no_code(void **state)
{
    (void)state;
    static const int sizes[] = {8, 70}; /* masks, lists */
    for (int i = 0; i < 2; ++i) {
        int seen = 0;
        pm_run run = {.note = listen, .context = &seen};
        pm_matrix a;
        pm_sampler s;
        pm_error err;
        pm_sampler_backend place = {PM_BACKEND_CUDA, 1};
        ones_matrix(&rng, sizes[i], 0.5, &a);
        make("look+", &a, 9, &s);
        host_gpu_reset();
        host_gpu_state.fails_at[HOST_GPU_COMPILE] = 1;
        assert_int_equal(pm_sampler_choose_backend(&s, &place, 1e15, &run, &err), PM_ENODEV);
        assert_non_null(strstr(err.msg, "compiling failed"));
        assert_int_equal(seen, 0);
        place.backend = PM_BACKEND_AUTO;
        assert_int_equal(pm_sampler_choose_backend(&s, &place, 1e15, &run, &err), PM_OK);
        assert_true(s.cpu_only && !s.gpu && seen == 1);
        host_gpu_reset();
        pm_sampler_free(&s);
        pm_matrix_free(&a);
    }
}

static void count_fallbacks(void *context, int level, const char *line)
{
    int *seen = context;
    *seen += level == 0 && strstr(line, "drawn on the CPU");
}

/* A device that is there no more when it is asked for again: a note says so all the same, once. */
static void test_lost(void **state)
{
    (void)state;
    pm_matrix a;
    bool is_lost = true;
    const pm_sampler_backend place = {PM_BACKEND_AUTO, 1};
    few_rows(&a);
    for (int call = 1; is_lost; call += test_gap(call, 5)) {
        host_gpu_reset();
        host_gpu_state.calls_left = call;
        for (int block = 0; block < 2 && is_lost; ++block) {
            int seen = 0;
            const pm_run run = {.note = count_fallbacks, .context = &seen};
            pm_sampler s;
            pm_error why;
            pm_moments *m = new_moments();
            make("rasmussen+", &a, 9, &s);
            assert_int_equal(pm_sampler_choose_backend(&s, &place, 1e15, &run, NULL), PM_OK);
            pm_status rc = pm_moments_draw(&s, 0, 40 * PM_MASKS_BATCH, &run, m, &why);
            if (rc)
                assert_int_equal(pm_sampler_fall_back(&s, &place, rc, &why, &run, NULL), PM_OK);
            is_lost = s.cpu_only;
            assert_int_equal(seen, is_lost && block == 0);
            pm_sampler_free(&s);
            free(m);
        }
    }
    host_gpu_reset();
    pm_matrix_free(&a);
}

/* All draw there when it is lost. */
static void test_lost_by_many(void **state)
{
    (void)state;
    enum { MANY = 3 };
    int seen = 0;
    pm_matrix a;
    pm_error why;
    pm_sampler s[MANY];
    const pm_run run = {.note = count_fallbacks, .context = &seen};
    const pm_sampler_backend place = {PM_BACKEND_AUTO, 1};
    pm_moments *m = new_moments();
    ones_matrix(&rng, 8, 0.5, &a);
    host_gpu_reset();
    for (int i = 0; i < MANY; ++i) {
        make("rasmussen+", &a, 9, &s[i]);
        assert_int_equal(pm_sampler_choose_backend(&s[i], &place, 1e15, &run, NULL), PM_OK);
        assert_non_null(s[i].gpu);
    }
    host_gpu_state.calls_left = 1; /* then none */
    pm_status rc = pm_moments_draw(&s[0], 0, 40 * PM_MASKS_BATCH, &run, m, &why);
    assert_int_equal(pm_sampler_fall_back(&s[0], &place, rc, &why, &run, NULL), PM_OK);
    for (int i = 1; i < MANY; ++i) {
        assert_int_equal(pm_sampler_choose_backend(&s[i], &place, 1e15, &run, NULL), PM_OK);
        assert_true(s[i].cpu_only && !s[i].gpu);
    }
    assert_int_equal(seen, 1);
    for (int i = 0; i < MANY; ++i)
        pm_sampler_free(&s[i]);
    free(m);
    host_gpu_reset();
    pm_matrix_free(&a);
}

/* With a GPU asked for by name, a note says that the CPU draws. */
static void check_place(const char *method, const pm_matrix *a, pm_backend backend, double samples,
                        pm_status expected, bool is_on_gpu)
{
    pm_sampler s;
    pm_sampler_backend place = {backend, 0};
    int seen = 0;
    const pm_run run = {.note = count_fallbacks, .context = &seen};
    make(method, a, 1, &s);
    assert_int_equal(pm_sampler_choose_backend(&s, &place, samples, &run, NULL), expected);
    assert_int_equal(s.gpu != NULL, is_on_gpu);
    assert_int_equal(seen, backend == PM_BACKEND_CUDA && expected == PM_OK && !is_on_gpu);
    pm_sampler_free(&s);
}

static void test_place(void **state)
{
    (void)state;
    pm_matrix small, large;
    ones_matrix(&rng, 12, 0.5, &small);
    ones_matrix(&rng, 1025, 0.002, &large);
    host_gpu_state.devices = 1;
    check_place("look+", &small, PM_BACKEND_CPU, 1e15, PM_OK, false);
    check_place("look+", &small, PM_BACKEND_AUTO, 1000, PM_OK, false);
    check_place("look+", &small, PM_BACKEND_AUTO, 1e15, PM_OK, true);
    check_place("look+", &small, PM_BACKEND_CUDA, 1, PM_OK, true);
    check_place("look+", &large, PM_BACKEND_AUTO, 1e15, PM_OK, false);
    check_place("look+", &large, PM_BACKEND_CUDA, 1, PM_OK, false);
    host_gpu_state.devices = 0;
    check_place("look+", &small, PM_BACKEND_AUTO, 1e15, PM_OK, false);
    check_place("look+", &small, PM_BACKEND_CUDA, 1, PM_ENODEV, false);
    check_place("look+", &large, PM_BACKEND_CUDA, 1, PM_ENODEV, false);
    host_gpu_state.devices = 1;
    pm_matrix_free(&small);
    pm_matrix_free(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),    cmocka_unit_test(test_lists),
        cmocka_unit_test(test_shapes),       cmocka_unit_test(test_many_launches),
        cmocka_unit_test(test_kept),         cmocka_unit_test(test_stop),
        cmocka_unit_test(test_failures),     cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_no_code),      cmocka_unit_test(test_lost),
        cmocka_unit_test(test_lost_by_many), cmocka_unit_test(test_place),
    };
    rng = test_seed();
    host_gpu_reset();
    host_gpu_state.launch = run_samples;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
