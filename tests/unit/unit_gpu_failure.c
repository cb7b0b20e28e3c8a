/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting on devices that fail, are lost or are stopped, with a double in place of src/gpu:
 * host_gpu.h.  The double does run the kernels, so that answers are answers. */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "pm/count.h"
#include "support/device_works.h"
#include "support/host_frontier.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/testing.h"

static uint64_t rng;

/* ---- failures ---- */

static bool is_called(host_gpu_call call, const work *w)
{
    bool is_session = strcmp(w->algorithm, "frontier") == 0;
    switch (call) {
    case HOST_GPU_COUNT:
    case HOST_GPU_LOOK:
    case HOST_GPU_CAN_COMPILE:
    case HOST_GPU_COMPILE: return true;
    case HOST_GPU_OPEN:
    case HOST_GPU_START:
    case HOST_GPU_FINISH: return !is_session;
    case HOST_GPU_WAIT: return false; /* while long frontier programs run */
    case HOST_GPU_COPY:
    case HOST_GPU_SPREAD: return false; /* one device has room */
    default: return is_session;
    }
}

/* The k-th call of a kind fails. */
static void fail_at(const work *w, const pm_matrix *a, const pm_rates *rates, host_gpu_call call,
                    int k)
{
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_report report;
    listener l = {0};
    pm_run run = {.note = listen_to_notes, .context = &l};
    pm_count_options o = options_of(w, PM_BACKEND_AUTO);
    o.rates = rates;
    pm_value_init(&v);
    host_gpu_reset();
    host_gpu_state.fails_at[call] = k;
    assert_int_equal(pm_count(a, &o, &run, &v, &report, &err), PM_OK);
    assert_int_equal(report.blocks[0].backend, PM_BACKEND_CPU);
    assert_true(report.seconds == report.blocks[0].seconds);
    assert_right(a, &v);
    assert_int_equal(l.notes, call == HOST_GPU_COUNT ? 0 : 1);
    assert_true(call == HOST_GPU_COUNT || strstr(l.note, "CPU"));
    assert_int_equal(host_gpu_state.open, 0);
    pm_count_report_free(&report);

    host_gpu_reset();
    host_gpu_state.fails_at[call] = k;
    o.backend = PM_BACKEND_CUDA;
    assert_int_equal(pm_count(a, &o, &run, &v, NULL, &err), PM_ENODEV);
    assert_true(strlen(err.msg) > 0 && !strchr(err.msg, '\n'));
    assert_int_equal(host_gpu_state.open, 0);
    pm_value_clear(&v);
}

static void any_call_may_fail(void **state)
{
    (void)state;
    for (int i = test_first(&rng, 3); i < WORKS; i += test_step(3)) {
        pm_matrix a;
        pm_rates rates;
        pm_count_options o = options_of(&works[i], PM_BACKEND_AUTO);
        make_matrix(&rng, &works[i], &a);
        slow_rates(&a, &o, &rates);
        for (host_gpu_call call = 0; call < HOST_GPU_CALLS; ++call)
            if (is_called(call, &works[i]))
                fail_at(&works[i], &a, &rates, call, 1);
        /* when part of it is done */
        if (strcmp(works[i].algorithm, "frontier") == 0)
            fail_at(&works[i], &a, &rates, HOST_GPU_LAUNCH, 3);
        pm_matrix_free(&a);
    }
}

/* A device that is there no more when it is asked for again: it is reported all the same, once. */
static void a_device_is_lost(void **state)
{
    (void)state;
    for (int i = 0; i < WORKS; i += 7) {
        pm_matrix a;
        pm_value v;
        pm_rates rates;
        pm_count_options o = options_of(&works[i], PM_BACKEND_AUTO);
        make_matrix(&rng, &works[i], &a);
        slow_rates(&a, &o, &rates);
        o.rates = &rates;
        pm_value_init(&v);
        for (int call = 1; call <= 8; ++call) {
            listener l = {0};
            pm_run run = {.note = listen_to_notes, .context = &l};
            host_gpu_reset();
            host_gpu_state.calls_left = call;
            for (int again = 0; again < 2; ++again) {
                assert_int_equal(pm_count(&a, &o, &run, &v, NULL, NULL), PM_OK);
                assert_int_equal(l.notes, 1);
                assert_right(&a, &v);
            }
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* What the CPU may not take either: the message has both. */
static void too_dear_for_the_cpu(void **state)
{
    (void)state;
    const work w = {"ryser", PM_REAL, 13, 1};
    pm_matrix a;
    pm_value v;
    pm_rates rates;
    pm_error err = {.msg = ""};
    listener l = {0};
    pm_run run = {.note = listen_to_notes, .context = &l, .max_cost = 5, .threads = 1};
    pm_count_options o = options_of(&w, PM_BACKEND_AUTO);
    host_gpu_reset();
    make_matrix(&rng, &w, &a);
    slow_rates(&a, &o, &rates);
    o.rates = &rates;
    host_gpu_state.fails_at[HOST_GPU_START] = 1;
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, &run, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "starting failed"));
    assert_non_null(strstr(err.msg, "allowed are"));
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* Two blocks: the second one does not try again. */
static void one_failure_is_told(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_rates rates;
    pm_count_report report;
    listener l = {0};
    pm_run run = {.note = listen_to_notes, .context = &l};
    pm_count_options o = pm_count_defaults();
    make_two_blocks(&a);
    host_gpu_reset();
    host_gpu_state.fails_at[HOST_GPU_FINISH] = 1;
    o.algorithm = "ryser";
    o.backend = PM_BACKEND_AUTO;
    slow_rates(&a, &o, &rates);
    for (int r = 0; r < PM_RATES; ++r)
        rates.seconds[r] *= 2;
    o.rates = &rates;
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, &run, &v, &report, NULL), PM_OK);
    assert_int_equal(report.nblocks, 2);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(report.blocks[i].backend, PM_BACKEND_CPU);
    assert_int_equal(l.notes, 1);
    assert_int_equal(host_gpu_state.calls[HOST_GPU_OPEN], 1);
    assert_right(&a, &v);
    pm_count_report_free(&report);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* Only there: nothing can take its place. */
static void named_for_a_gpu(void **state)
{
    (void)state;
    const work w = {"codegen", PM_REAL, 10, 0.5};
    pm_matrix a;
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = options_of(&w, PM_BACKEND_AUTO);
    host_gpu_reset();
    host_gpu_state.fails_at[HOST_GPU_OPEN] = 1;
    make_matrix(&rng, &w, &a);
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_ENODEV);
    assert_non_null(strstr(err.msg, "opening failed"));
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* ---- being stopped ---- */

static listener *stopped;

static void stop_now(void)
{
    stopped->stop = SIGINT;
}

/* A signal during the first launch: no more than are under way follow. */
static void a_signal_ends_it(void **state)
{
    (void)state;
    static const work long_works[] = {
        {"ryser", PM_REAL, 18, 1}, {"frontier", PM_PATTERN, 16, 0.4}, {"repeated", PM_REAL, 18, 1}};
    for (int i = test_first(&rng, 3); i < 3; i += test_step(3))
        for (int gpus = 1; gpus <= 2; ++gpus) {
            pm_matrix a;
            pm_value v;
            pm_error err;
            listener l = {0};
            pm_run run = {.stop = &l.stop};
            pm_count_options o = options_of(&long_works[i], PM_BACKEND_CUDA);
            o.gpus = gpus;
            host_gpu_reset();
            host_gpu_state.devices = gpus;
            host_gpu_state.double_rate = 1e6; /* small launches */
            host_gpu_state.on_launch = stop_now;
            stopped = &l;
            make_matrix(&rng, &long_works[i], &a);
            pm_value_init(&v);
            assert_int_equal(pm_count(&a, &o, &run, &v, NULL, &err), PM_ESTOPPED);
            assert_in_range(host_gpu_state.calls[HOST_GPU_START], 0, PM_GPU_SLOTS * gpus);
            assert_in_range(host_gpu_state.calls[HOST_GPU_LAUNCH], 0, gpus);
            assert_int_equal(host_gpu_state.open, 0);
            pm_value_clear(&v);
            pm_matrix_free(&a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_call_may_fail),    cmocka_unit_test(a_device_is_lost),
        cmocka_unit_test(too_dear_for_the_cpu), cmocka_unit_test(one_failure_is_told),
        cmocka_unit_test(named_for_a_gpu),      cmocka_unit_test(a_signal_ends_it),
    };
    rng = test_seed();
    host_gpu_state.launch = host_frontier;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
