/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A beam's sampler on devices that are none (host_gpu.h): groups of runs, several devices, limits
 * of memory, failures and stops. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "beam/beam_gpu.h"
#include "beam/beam_gpu_kernel.h"
#include "sampler/moments.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/positive.h"
#include "support/sampled.h"

enum { SAMPLES = 40 };

static uint64_t rng;
static volatile sig_atomic_t stop;
static int launches_left; /* until a stop */

static void launch(void *symbol, const char *name, int64_t blocks, void *shared, void **arguments)
{
    (void)name, (void)shared;
    void (*kernel)(pm_beam_buffers g, int step, int steps, int parity, int blocks, int grid);
    memcpy(&kernel, &symbol, sizeof kernel);
    kernel(*(pm_beam_buffers *)arguments[0], *(int *)arguments[1], *(int *)arguments[2],
           *(int *)arguments[3], *(int *)arguments[4], (int)blocks);
}

/* Keys of one word: there is one library. */
static void make_sampler(pm_matrix *a, pm_sampler *s)
{
    pm_xreal exact;
    positive_matrix(&rng, PM_INTEGER, 11, 0.6, false, a, &exact);
    assert_int_equal(make_beam(a, 6, 3, s), PM_OK);
}

static void free_sampler(pm_matrix *a, pm_sampler *s)
{
    s->method->free_model(s);
    pm_matrix_free(a);
}

static void on_launch(void)
{
    if (--launches_left == 0)
        stop = 1;
}

/* Calls of as many as go at a time. */
static void draw(const pm_sampler *s, void *gpu, uint64_t from, int count, const pm_run *run,
                 pm_weight *out)
{
    int most = (int)s->on_gpu->max_samples(gpu);
    assert_true(most > 0);
    for (int i = 0; i < count; i += most) {
        int part = count - i < most ? count - i : most;
        assert_int_equal(s->on_gpu->draw(s, gpu, from + (uint64_t)i, part, run, out + i, NULL),
                         PM_OK);
    }
}

/* Any range, drawn on any number of devices, in groups of any width. */
static void same_bits(void **state)
{
    pm_matrix a;
    pm_sampler s;
    pm_beam_kernel_data f;
    pm_weight here[SAMPLES], there[SAMPLES];
    (void)state;
    make_sampler(&a, &s);
    assert_int_equal(pm_beam_kernel_data_make(s.model, &f, NULL), PM_OK);
    void *scratch = scratch_of(&s);
    for (int i = 0; i < SAMPLES; ++i)
        here[i] = s.method->draw(&s, scratch, (uint64_t)i);
    for (int round = test_first(&rng, 5); round < 12; round += test_step(5)) {
        int gpus = 1 + round % 4, width = round % 3 ? round : 1000;
        int from = (int)pm_rng_below(&rng, SAMPLES / 2);
        int count = round == 0 ? 0 : 1 + (int)pm_rng_below(&rng, (uint32_t)(SAMPLES - from));
        const pm_run run = {
            .max_memory =
                (int64_t)(pm_beam_kernel_data_bytes(&f) + width * pm_beam_run_bytes(&f)) + 1};
        void *gpu;
        assert_int_equal(s.on_gpu->open(&s, gpus, &run, &gpu, NULL), PM_OK);
        assert_int_equal(host_gpu_state.open, gpus);
        assert_true(round % 3 == 0 || s.on_gpu->max_samples(gpu) == gpus * width);
        draw(&s, gpu, (uint64_t)from, count, &run, there);
        for (int i = 0; i < count; ++i)
            assert_true(there[i].m == here[from + i].m && there[i].e == here[from + i].e);
        s.on_gpu->close(gpu);
        assert_int_equal(host_gpu_state.open, 0);
    }
    free(scratch);
    pm_beam_kernel_data_free(&f);
    free_sampler(&a, &s);
}

/* The moments of an estimate do not tell who drew. */
static void same_moments(void **state)
{
    static pm_moments here, there;
    pm_matrix a;
    pm_sampler s;
    pm_sample_summary x, y;
    const pm_run run = {.threads = 1};
    (void)state;
    make_sampler(&a, &s);
    pm_moments_clear(&here);
    pm_moments_clear(&there);
    assert_int_equal(pm_moments_draw(&s, 0, SAMPLES, &run, &here, NULL), PM_OK);
    assert_int_equal(s.on_gpu->open(&s, 2, &run, &s.gpu, NULL), PM_OK);
    assert_int_equal(pm_moments_draw(&s, 0, SAMPLES, &run, &there, NULL), PM_OK);
    pm_moments_summary(&here, &x);
    pm_moments_summary(&there, &y);
    assert_true(x.count == y.count && x.mean.m == y.mean.m && x.mean.e == y.mean.e);
    assert_true(x.relative_variance == y.relative_variance && x.skewness == y.skewness);
    s.on_gpu->close(s.gpu);
    free_sampler(&a, &s);
}

/* A stop in the middle of a call, wherever: the runs that were done before count, and the next ones
 * go on from there. */
static void stops(void **state)
{
    enum { FEW = SAMPLES / 4 };
    static pm_moments here, there;
    pm_matrix a;
    pm_sampler s;
    pm_beam_kernel_data f;
    pm_status rc = PM_ESTOPPED;
    int64_t seen = 0;
    (void)state;
    make_sampler(&a, &s);
    assert_int_equal(pm_beam_kernel_data_make(s.model, &f, NULL), PM_OK);
    double two = pm_beam_kernel_data_bytes(&f) + 2 * pm_beam_run_bytes(&f);
    const pm_run run = {.threads = 1, .stop = &stop, .max_memory = (int64_t)two + 1};
    pm_moments_clear(&here);
    assert_int_equal(pm_moments_draw(&s, 0, FEW, &run, &here, NULL), PM_OK);
    for (int k = 1; rc; ++k) {
        assert_int_equal(s.on_gpu->open(&s, 1, &run, &s.gpu, NULL), PM_OK);
        pm_moments_clear(&there);
        launches_left = k;
        host_gpu_state.on_launch = on_launch;
        rc = pm_moments_draw(&s, 0, FEW, &run, &there, NULL);
        host_gpu_state.on_launch = NULL;
        assert_true(rc == PM_OK || rc == PM_ESTOPPED);
        assert_true(there.count >= seen && there.count <= seen + 2 && there.count % 2 == 0);
        seen = there.count;
        stop = 0;
        assert_int_equal(pm_moments_draw(&s, (uint64_t)seen, FEW - seen, &run, &there, NULL),
                         PM_OK);
        s.on_gpu->close(s.gpu);
        s.gpu = NULL;
        assert_same_moments(&here, &there);
    }
    assert_int_equal(seen, FEW);
    pm_beam_kernel_data_free(&f);
    free_sampler(&a, &s);
}

static pm_status draw_and_stop(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                               const pm_run *run, pm_weight *out, pm_error *err)
{
    pm_status rc = pm_beam_gpu.draw(s, gpu, from, count, run, out, err);
    stop = 1;
    return rc;
}

/* A stop between the last launch and the sums: what was drawn is added. */
static void stops_late(void **state)
{
    static pm_moments m;
    const pm_run run = {.threads = 2, .stop = &stop};
    pm_sampler_gpu on = pm_beam_gpu;
    pm_matrix a;
    pm_sampler s;
    (void)state;
    make_sampler(&a, &s);
    on.draw = draw_and_stop;
    s.on_gpu = &on;
    assert_int_equal(on.open(&s, 1, &run, &s.gpu, NULL), PM_OK);
    pm_moments_clear(&m);
    assert_int_equal(pm_moments_draw(&s, 0, SAMPLES, &run, &m, NULL), PM_OK);
    assert_int_equal(m.count, SAMPLES);
    assert_int_equal(pm_moments_draw(&s, SAMPLES, 1, &run, &m, NULL), PM_ESTOPPED);
    assert_int_equal(m.count, SAMPLES);
    stop = 0;
    on.close(s.gpu);
    free_sampler(&a, &s);
}

static void little_memory(void **state)
{
    pm_matrix a;
    pm_sampler s;
    pm_error err;
    void *gpu;
    (void)state;
    make_sampler(&a, &s);
    host_gpu_state.memory = (INT64_C(512) << 20) + 100;
    assert_int_equal(s.on_gpu->open(&s, 2, NULL, &gpu, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "beam with 6 states needs"));
    assert_non_null(strstr(err.msg, "on a GPU; allowed are 100 B"));
    host_gpu_state.memory = 0;
    assert_int_equal(s.on_gpu->open(&s, 2, NULL, &gpu, &err), PM_UNABLE);
    host_gpu_state.memory = 1 << 30;
    host_gpu_state.less = (512 << 20) - 200; /* on the last one of four */
    assert_int_equal(s.on_gpu->open(&s, 4, NULL, &gpu, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "allowed are 200 B"));
    assert_int_equal(s.on_gpu->open(&s, 3, NULL, &gpu, &err), PM_OK);
    s.on_gpu->close(gpu);
    host_gpu_state.less = 0;
    const pm_run run = {.max_memory = 100};
    assert_int_equal(s.on_gpu->open(&s, 1, &run, &gpu, &err), PM_UNABLE);
    assert_int_equal(host_gpu_state.open, 0);
    free_sampler(&a, &s);
}

static void failures(void **state)
{
    pm_matrix a;
    pm_sampler s;
    pm_error err;
    pm_weight weight[SAMPLES];
    void *gpu;
    const pm_run stopped = {.stop = &stop};
    (void)state;
    make_sampler(&a, &s);
    const pm_sampler_gpu *on = s.on_gpu;
    pm_status rc = PM_ENOMEM;
    for (int64_t k = 1; rc; ++k) {
        pm_alloc_fail_at(k);
        rc = on->open(&s, 2, NULL, &gpu, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
        assert_true(k > 1 || rc == PM_ENOMEM);
        assert_int_equal(host_gpu_state.open, rc ? 0 : 2);
    }
    for (int call = 0; call < 4; ++call) {
        host_gpu_state.calls_left = call;
        assert_int_equal(on->draw(&s, gpu, 0, SAMPLES, NULL, weight, &err), PM_ENODEV);
        assert_int_equal(strncmp(err.msg, "GPU: ", 5), 0);
        assert_non_null(strstr(err.msg, " failed"));
    }
    host_gpu_state.calls_left = -1;
    stop = 1;
    assert_int_equal(on->draw(&s, gpu, 0, SAMPLES, &stopped, weight, &err), PM_ESTOPPED);
    stop = 0;
    on->close(gpu);
    free_sampler(&a, &s);
}

/* A line without entries: 0 without a launch. */
static void no_matching(void **state)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = 2, .ncols = 2};
    pm_matrix a;
    pm_sampler s;
    pm_weight w[3] = {{0.5, 1}, {0.5, 1}, {0.5, 1}};
    void *gpu;
    (void)state;
    assert_int_equal(pm_triples_add(&t, 0, 0, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_triples_add(&t, 1, 0, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "void", &a, NULL), PM_OK);
    pm_triples_free(&t);
    assert_int_equal(make_beam(&a, 2, 3, &s), PM_OK);
    assert_int_equal(s.on_gpu->open(&s, 1, NULL, &gpu, NULL), PM_OK);
    host_gpu_state.calls_left = 0;
    assert_int_equal(s.on_gpu->draw(&s, gpu, 0, 3, NULL, w, NULL), PM_OK);
    host_gpu_state.calls_left = -1;
    for (int i = 0; i < 3; ++i)
        assert_true(w[i].m == 0);
    s.on_gpu->close(gpu);
    free_sampler(&a, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),   cmocka_unit_test(same_moments),  cmocka_unit_test(stops),
        cmocka_unit_test(stops_late),  cmocka_unit_test(little_memory), cmocka_unit_test(failures),
        cmocka_unit_test(no_matching),
    };
    rng = test_seed();
    host_gpu_reset();
    host_gpu_state.devices = 4;
    host_gpu_state.launch = launch;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
