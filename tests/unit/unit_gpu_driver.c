/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device interface over a driver that only counts: what is started and loaded is kept and found
 * again, and all of it is released, whatever fails. */
#include "config.h"

#include <cuda.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_model.h"
#include "gpu/gpu_use.h"
#include "gpu/idle_modules.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "support/counting_driver.h"
#include "support/testing.h"

enum { DEVICES = COUNTING_DRIVER_DEVICES };

static void begin(void **state)
{
    (void)state;
    pm_gpu_end();
    memset(&counting_driver, 0, sizeof counting_driver);
    counting_driver.calls_left = -1;
}

/* Nothing in use; contexts and modules are kept. */
static void assert_idle(void)
{
    assert_int_equal(counting_driver.streams, 0);
    assert_int_equal(counting_driver.memory, 0);
    assert_int_equal(counting_driver.host, 0);
    assert_int_equal(counting_driver.ranges, 0);
    assert_int_equal(counting_driver.blocks, 0);
    assert_int_equal(counting_driver.maps, 0);
    for (int i = 0; i < DEVICES; ++i)
        assert_in_range(counting_driver.contexts[i], 0, 1);
}

static void assert_left(void)
{
    pm_gpu_end();
    assert_idle();
    assert_int_equal(counting_driver.modules, 0);
    for (int i = 0; i < DEVICES; ++i)
        assert_int_equal(counting_driver.contexts[i], 0);
}

static pm_status run_session(int device, pm_error *err)
{
    pm_gpu_session *s = NULL;
    pm_gpu_array a;
    char here[8] = {0};
    pm_status rc = pm_gpu_session_open(device, "session", &s, err);
    if (!rc)
        rc = pm_gpu_session_array(s, 8, &a, err);
    if (!rc)
        rc = pm_gpu_session_put(s, a, here, 8, err);
    if (!rc)
        rc = pm_gpu_session_launch(s, "go", 1, 32, 0, NULL, err);
    if (!rc)
        rc = pm_gpu_session_get(s, here, a, 8, err);
    pm_gpu_session_close(s);
    return rc;
}

static pm_status run_sweep(int device, pm_error *err)
{
    static const char values[COUNTING_DRIVER_TABLE];
    const pm_gpu_kernel kernel = {"go", 32, 0, 8, 4, "table", values, COUNTING_DRIVER_TABLE};
    const void *records;
    pm_gpu *g = NULL;
    pm_status rc = pm_gpu_open(device, "sweep", &kernel, &g, err);
    if (!rc)
        rc = pm_gpu_start(g, 0, 0, 4, err);
    if (!rc)
        rc = pm_gpu_finish(g, 0, &records, err);
    pm_gpu_close(g);
    return rc;
}

static pm_status run_spread(pm_error *err)
{
    pm_gpu_spread *s = NULL;
    pm_status rc = pm_gpu_spread_open(DEVICES, 1, &s, err);
    assert_true(rc || pm_gpu_spread_array(s) != 0);
    pm_gpu_spread_close(s);
    return rc;
}

static pm_status run_all(pm_error *err)
{
    pm_status rc = run_spread(err);
    for (int device = 0; device < DEVICES && !rc; ++device) {
        rc = run_session(device, err);
        if (!rc)
            rc = run_sweep(device, err);
    }
    return rc;
}

/* The k-th call of the driver, or the k-th allocation, fails. */
static void all_is_given_back(void **state)
{
    for (int of_memory = 0; of_memory < 2; ++of_memory) {
        pm_status rc = PM_ENODEV;
        for (int k = 0; rc; ++k) {
            pm_error err = {.msg = ""};
            begin(state);
            if (of_memory)
                pm_alloc_fail_at(k + 1);
            else
                counting_driver.calls_left = k;
            rc = run_all(&err);
            pm_alloc_fail_at(0);
            assert_true(rc == PM_OK || strlen(err.msg) > 0);
            assert_true(rc == PM_OK || (rc == PM_ENOMEM) == of_memory);
            assert_idle();
            assert_left();
        }
    }
    assert_int_equal(counting_driver.loads, 2 * DEVICES);
}

/* ---- failures after which the driver is of no use ---- */

/* Every use of a device reports the first failure, and the driver is not called. */
static void assert_lost(const char *first)
{
    static const pm_gpu_kernel kernel = {"go", 32, 0, 8, 4, NULL, NULL, 0};
    int count, calls = counting_driver.calls;
    int64_t available;
    double allowed;
    pm_gpu_info info;
    pm_gpu *g;
    pm_gpu_session *s;
    const char *what = strchr(first, ' ') + 1; /* without "GPU:" */
    for (int i = 0; i < 7; ++i) {
        pm_error err = {.msg = ""};
        pm_status rc = i == 0   ? pm_gpu_count(&count, &err)
                       : i == 1 ? pm_gpu_get_info(0, &info, &err)
                       : i == 2 ? pm_gpu_free_memory(1, &available, &err)
                       : i == 3 ? pm_gpu_allowed(DEVICES, NULL, &allowed, &err)
                       : i == 4 ? pm_gpu_expected(1, 1, NULL, &allowed, &err)
                       : i == 5 ? pm_gpu_open(0, "sweep", &kernel, &g, &err)
                                : pm_gpu_session_open(1, "session", &s, &err);
        assert_int_equal(rc, PM_ENODEV);
        assert_ptr_equal(strstr(err.msg, "no usable GPU any more: "), err.msg);
        assert_string_equal(strchr(err.msg, ':') + 2, what);
    }
    assert_int_equal(counting_driver.calls, calls);
}

/* In any call; from then on the driver has the same answer to all others, as a real one has. */
static void lost_for_good(void **state)
{
    pm_status rc = PM_ENODEV;
    int lost = 0;
    for (int k = 0; rc; ++k) {
        pm_error err = {.msg = ""};
        begin(state);
        counting_driver.calls_left = k;
        counting_driver.failure = CUDA_ERROR_ILLEGAL_ADDRESS;
        counting_driver.is_final = true;
        rc = run_all(&err);
        assert_idle();
        if (rc == PM_ENODEV) {
            assert_lost(err.msg);
            ++lost;
        }
        assert_left();
        counting_driver.is_final = false; /* as if the process were another one */
        assert_int_equal(run_all(NULL), PM_OK);
        assert_left();
    }
    assert_true(lost > 20 * DEVICES);
}

/* One of two devices in use is lost: the other one ends as it can. */
static void lost_beside_others(void **state)
{
    pm_gpu_session *s[2];
    pm_error err;
    begin(state);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(pm_gpu_session_open(i, "session", &s[i], NULL), PM_OK);
    counting_driver.calls_left = 1; /* after the device is entered */
    counting_driver.failure = CUDA_ERROR_ECC_UNCORRECTABLE;
    assert_int_equal(pm_gpu_session_wait(s[1], &err), PM_ENODEV);
    assert_lost(err.msg);
    assert_int_equal(pm_gpu_session_wait(s[0], NULL), PM_OK);
    pm_gpu_session_close(s[0]);
    pm_gpu_session_close(s[1]);
    assert_lost(err.msg);
    assert_left();
}

static void some_failures_are_final(void **state)
{
    static const CUresult final[] = {CUDA_ERROR_ECC_UNCORRECTABLE,
                                     CUDA_ERROR_NVLINK_UNCORRECTABLE,
                                     CUDA_ERROR_ILLEGAL_ADDRESS,
                                     CUDA_ERROR_LAUNCH_TIMEOUT,
                                     CUDA_ERROR_ASSERT,
                                     CUDA_ERROR_HARDWARE_STACK_ERROR,
                                     CUDA_ERROR_ILLEGAL_INSTRUCTION,
                                     CUDA_ERROR_MISALIGNED_ADDRESS,
                                     CUDA_ERROR_INVALID_ADDRESS_SPACE,
                                     CUDA_ERROR_INVALID_PC,
                                     CUDA_ERROR_LAUNCH_FAILED,
                                     CUDA_ERROR_EXTERNAL_DEVICE,
                                     CUDA_ERROR_MPS_CLIENT_TERMINATED,
                                     226,
                                     721};
    static const CUresult passing[] = {
        CUDA_ERROR_OUT_OF_MEMORY,           CUDA_ERROR_INVALID_VALUE,
        CUDA_ERROR_DEVICE_UNAVAILABLE,      CUDA_ERROR_NO_BINARY_FOR_GPU,
        CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_NOT_FOUND,
        CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_UNKNOWN};
    enum { FINAL = sizeof final / sizeof *final, PASSING = sizeof passing / sizeof *passing };
    for (int i = 0; i < FINAL + PASSING; ++i) {
        pm_error err;
        begin(state);
        counting_driver.calls_left = 1;
        counting_driver.failure = (int)(i < FINAL ? final[i] : passing[i - FINAL]);
        assert_int_equal(run_session(0, &err), PM_ENODEV);
        if (i < FINAL)
            assert_lost(err.msg);
        else
            assert_int_equal(run_session(0, &err), PM_OK);
        assert_left();
    }
}

/* ---- what is kept ---- */

/* Again: nothing is started, compiled or loaded. */
static void kernels_are_found_again(void **state)
{
    begin(state);
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(run_all(NULL), PM_OK);
        assert_int_equal(counting_driver.loads, 2 * DEVICES);
        assert_int_equal(counting_driver.modules, 2 * DEVICES);
        for (int device = 0; device < DEVICES; ++device)
            assert_int_equal(counting_driver.contexts[device], 1);
    }
    assert_left();
    assert_int_equal(run_all(NULL), PM_OK); /* from the beginning */
    assert_int_equal(counting_driver.loads, 4 * DEVICES);
    assert_left();
}

/* What does not compile for one device does not for the next one of its kind. */
static void no_code_for_many(void **state)
{
    pm_gpu_session *s = NULL;
    pm_error err;
    begin(state);
    counting_driver.takes_no_text = true;
    counting_driver.minor[2] = 1;
    for (int i = 0; i < DEVICES; ++i) {
        assert_int_equal(pm_gpu_session_open(i, "text", &s, &err), PM_EINTERNAL);
        assert_string_equal(err.msg, "told to fail");
    }
    assert_int_equal(counting_driver.compiles, 2);
    counting_driver.takes_no_text = false;
    assert_int_equal(pm_gpu_session_open(0, "text", &s, NULL), PM_OK);
    pm_gpu_session_close(s);
    assert_left();
}

/* Compiled once for all devices of a kind; loaded for each user at a time. */
static void one_code_for_many(void **state)
{
    pm_gpu_session *s[4];
    begin(state);
    counting_driver.minor[2] = 1;
    for (int i = 0; i < 4; ++i)
        assert_int_equal(pm_gpu_session_open(i / 2, "text", &s[i], NULL), PM_OK);
    assert_int_equal(counting_driver.compiles, 1);
    assert_int_equal(counting_driver.loads, 4);
    for (int i = 0; i < 4; ++i)
        pm_gpu_session_close(s[i]);
    assert_int_equal(pm_gpu_session_open(2, "text", &s[0], NULL), PM_OK);
    assert_int_equal(pm_gpu_session_open(2, "other", &s[1], NULL), PM_OK);
    assert_int_equal(counting_driver.compiles, 3);
    pm_gpu_session_close(s[0]);
    pm_gpu_session_close(s[1]);
    assert_left();
}

/* Between devices with access to each other, without, and on one device; a failure is reported. */
static void copies_across(void **state)
{
    for (int without = 0; without < 2; ++without) {
        pm_gpu_session *s[3];
        pm_gpu_array a[3];
        begin(state);
        counting_driver.has_no_peers = without;
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(pm_gpu_session_open(i / 2, "text", &s[i], NULL), PM_OK);
            assert_int_equal(pm_gpu_session_array(s[i], 8, &a[i], NULL), PM_OK);
        }
        for (int i = 0; i < 4; ++i)
            assert_int_equal(pm_gpu_session_copy(s[i % 3], a[i % 3], s[2], a[2], 8, NULL), PM_OK);
        assert_int_equal(counting_driver.peers, without ? 0 : 3);
        for (int k = 0; k < 3; ++k) { /* entering the device, copying, waiting */
            pm_error err;
            counting_driver.has_failed = false;
            counting_driver.calls_left = k;
            assert_int_equal(pm_gpu_session_copy(s[0], a[0], s[2], a[2], 8, &err), PM_ENODEV);
            assert_true(counting_driver.has_failed);
        }
        counting_driver.calls_left = -1;
        for (int i = 0; i < 3; ++i)
            pm_gpu_session_close(s[i]);
        assert_left();
    }
}

static void access_to_all(void **state)
{
    begin(state);
    assert_true(pm_gpu_can_spread(1) && pm_gpu_can_spread(2));
    counting_driver.has_no_peers = true;
    assert_true(pm_gpu_can_spread(1) && !pm_gpu_can_spread(2));
    assert_left();
}

/* Only so many of them are kept. */
static void old_kernels_go(void **state)
{
    begin(state);
    for (int i = 0; i < 3 * PM_IDLE_MODULES; ++i) {
        char text[16];
        pm_gpu_session *s;
        snprintf(text, sizeof text, "text %d", i);
        assert_int_equal(pm_gpu_session_open(0, text, &s, NULL), PM_OK);
        pm_gpu_session_close(s);
        assert_in_range(counting_driver.modules, 1, PM_IDLE_MODULES);
    }
    assert_left();
}

static pm_status start_one(void *context, int gpu, pm_error *err)
{
    (void)context;
    return run_session(gpu % DEVICES, err);
}

static void side_by_side(void **state)
{
    begin(state);
    for (int round = 0; round < 20; ++round) {
        assert_int_equal(pm_gpu_on_each(3 * DEVICES, start_one, NULL, NULL), PM_OK);
        assert_idle();
        assert_in_range(counting_driver.modules, DEVICES, 3 * DEVICES);
        assert_left();
    }
}

static pm_status run_own_text(void *context, int gpu, pm_error *err)
{
    char text[16];
    pm_gpu_session *s;
    (void)context;
    snprintf(text, sizeof text, "text %d", gpu);
    pm_status rc = pm_gpu_session_open(gpu, text, &s, err);
    if (!rc)
        pm_gpu_session_close(s);
    return rc;
}

/* What one compiles, or all do, is loaded by all at the same time. */
static void devices_load_side_by_side(void **state)
{
    pm_gpu_task *const tasks[] = {start_one, run_own_text};
    if (omp_get_thread_limit() < DEVICES)
        skip();
    for (int i = 0; i < 2; ++i) {
        begin(state);
        counting_driver.meet = DEVICES;
        assert_int_equal(pm_gpu_on_each(DEVICES, tasks[i], NULL, NULL), PM_OK);
        assert_int_equal(counting_driver.loads, DEVICES);
        assert_int_equal(counting_driver.compiles, i ? DEVICES : 1);
        assert_left();
    }
}

static void what_devices_have(void **state)
{
    int count;
    double allowed;
    const pm_run run = {.max_memory = 1};
    begin(state);
    assert_int_equal(pm_gpu_count(&count, NULL), PM_OK);
    assert_int_equal(count, PM_GPU_MAX);
    for (int gpus = 1; gpus <= DEVICES; ++gpus) { /* the last one has the least */
        assert_int_equal(pm_gpu_allowed(gpus, NULL, &allowed, NULL), PM_OK);
        assert_true(allowed == 0x1p30 - 1000 * gpus - 0x1p29);
    }
    int64_t available;
    assert_int_equal(pm_gpu_free_memory(1, &available, NULL), PM_OK);
    assert_int_equal(available, (1 << 30) - 2000);
    assert_int_equal(pm_gpu_allowed(DEVICES, &run, &allowed, NULL), PM_OK);
    assert_true(allowed == 1);
    assert_left();
}

static int started(void)
{
    int contexts = 0;
    for (int i = 0; i < DEVICES; ++i)
        contexts += counting_driver.contexts[i];
    return contexts;
}

/* ---- devices that start in a thread of their own ---- */

static void devices_start_ahead(void **state)
{
    for (int gpus = 0; gpus <= DEVICES; ++gpus) {
        begin(state);
        pm_gpu_prepared(true); /* nothing was begun */
        assert_true(pm_gpu_prepare(gpus));
        assert_true(pm_gpu_prepare(gpus)); /* the same one */
        pm_gpu_prepared(true);
        assert_int_equal(started(), gpus ? gpus : 1);
        assert_int_equal(run_all(NULL), PM_OK);
        assert_left();
    }
}

/* Used or not wanted while they start: each is started once, and released. */
static void devices_start_beside(void **state)
{
    for (int round = 0; round < 50; ++round) {
        begin(state);
        assert_true(pm_gpu_prepare(DEVICES));
        if (round % 2)
            assert_int_equal(run_all(NULL), PM_OK);
        pm_gpu_prepared(round % 3 == 0);
        assert_idle();
        assert_int_equal(run_all(NULL), PM_OK);
        assert_int_equal(started(), DEVICES);
        assert_left();
    }
}

/* Whoever needs the device reports the failure; after a final one nothing is begun. */
static void devices_fail_to_start(void **state)
{
    for (int k = 0; k < 2 + 2 * DEVICES; ++k) {
        pm_error err = {.msg = ""};
        begin(state);
        counting_driver.calls_left = k;
        counting_driver.failure = k % 2 ? CUDA_ERROR_LAUNCH_FAILED : 0;
        assert_true(pm_gpu_prepare(DEVICES));
        pm_gpu_prepared(true);
        bool has_failed = counting_driver.has_failed;
        assert_true(has_failed == (k < 1 + 2 * DEVICES));
        counting_driver.calls_left = -1;
        assert_true(pm_gpu_prepare(DEVICES) == !(has_failed && k % 2));
        pm_gpu_prepared(true);
        assert_int_equal(run_all(&err), has_failed && k % 2 ? PM_ENODEV : PM_OK);
        assert_true(!(has_failed && k % 2) || strstr(err.msg, "no usable GPU any more"));
        assert_left();
    }
}

/* More than there are: like the first one.  Only that one is started. */
static void plans_for_more_devices(void **state)
{
    int count;
    int64_t available, first;
    pm_gpu_info info;
    pm_settings settings = *pm_settings_get();
    const pm_settings before = settings;
    enum { PLANNED = 192 };
    begin(state);
    settings.planned_gpus = PLANNED;
    pm_settings_set(&settings);
    assert_int_equal(pm_gpu_count(&count, NULL), PM_OK);
    assert_int_equal(count, PLANNED);
    assert_true(pm_gpu_prepare(PLANNED));
    pm_gpu_prepared(true);
    assert_int_equal(started(), 1);
    assert_int_equal(pm_gpu_free_memory(0, &first, NULL), PM_OK);
    assert_int_equal(pm_gpu_free_memory(PLANNED - 1, &available, NULL), PM_OK);
    assert_int_equal(available, first);
    assert_int_equal(pm_gpu_get_info(PLANNED - 1, &info, NULL), PM_OK);
    assert_int_equal(info.memory, 1 << 30);
    settings.planned_gpus = 2; /* fewer than there are */
    pm_settings_set(&settings);
    assert_int_equal(pm_gpu_count(&count, NULL), PM_OK);
    assert_int_equal(count, PM_GPU_MAX);
    pm_settings_set(&before);
    assert_left();
}

/* The driver is not asked. */
static void plans_for_a_model(void **state)
{
    int count;
    int64_t available;
    double expected;
    pm_gpu_info info;
    pm_settings settings = *pm_settings_get();
    const pm_settings before = settings;
    begin(state);
    for (int i = 0; pm_gpu_model_name(i); ++i)
        for (int gpus = 0; gpus < 100; gpus += 33) {
            settings.planned_gpu = pm_gpu_model_name(i);
            settings.planned_gpus = gpus;
            pm_settings_set(&settings);
            assert_int_equal(pm_gpu_count(&count, NULL), PM_OK);
            assert_int_equal(count, gpus ? gpus : 1);
            assert_true(pm_gpu_prepare(count));
            pm_gpu_prepared(true);
            assert_int_equal(pm_gpu_get_info(count - 1, &info, NULL), PM_OK);
            assert_string_equal(info.name, pm_gpu_model_name(i));
            assert_int_equal(pm_gpu_free_memory(count - 1, &available, NULL), PM_OK);
            assert_int_equal(available, info.memory);
            assert_int_equal(pm_gpu_expected(count, 0x1p50, NULL, &expected, NULL), PM_OK);
            assert_true(expected > 0 && expected < (double)available);
            assert_true(pm_gpu_can_spread(8) && !pm_gpu_can_spread(9));
        }
    assert_int_equal(counting_driver.calls, 0);
    assert_int_equal(started(), 0);
    pm_settings_set(&before);
    assert_left();
}

/* Device k has k + 1 GiB. */
static void planning_starts_no_device(void **state)
{
    double expected;
    const double quarter = 0x1p28;
    const pm_run run = {.max_memory = 1 << 28};
    begin(state);
    for (int gpus = 1; gpus <= DEVICES; ++gpus) {
        assert_int_equal(pm_gpu_expected(gpus, quarter, NULL, &expected, NULL), PM_OK);
        assert_true(expected == 0x1p30 - 0x1p29 - 0x1p27);
    }
    assert_int_equal(pm_gpu_expected(DEVICES, 1e300, &run, &expected, NULL), PM_OK);
    assert_true(expected == 0x1p28);
    assert_int_equal(started(), 0);
    assert_int_equal(pm_gpu_expected(DEVICES, quarter + 1, NULL, &expected, NULL), PM_OK);
    assert_true(expected == 0x1p30 - 1000 * DEVICES - 0x1p29 - 0x1p27);
    assert_int_equal(started(), DEVICES);
    assert_left();
}

static void planning_may_fail(void **state)
{
    for (double wanted = 1; wanted < 1e12; wanted *= 1e11) {
        pm_status rc = PM_ENODEV;
        int k = 0;
        while (rc) {
            double expected = -1;
            pm_error err = {.msg = ""};
            begin(state);
            counting_driver.calls_left = k++;
            rc = pm_gpu_expected(DEVICES, wanted, NULL, &expected, &err);
            assert_true(rc ? rc == PM_ENODEV && strlen(err.msg) > 0 && expected == -1
                           : counting_driver.calls_left == 0);
            assert_left();
        }
        assert_true(k > DEVICES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_given_back),
        cmocka_unit_test(lost_for_good),
        cmocka_unit_test(lost_beside_others),
        cmocka_unit_test(some_failures_are_final),
        cmocka_unit_test(kernels_are_found_again),
        cmocka_unit_test(one_code_for_many),
        cmocka_unit_test(copies_across),
        cmocka_unit_test(access_to_all),
        cmocka_unit_test(no_code_for_many),
        cmocka_unit_test(old_kernels_go),
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(devices_load_side_by_side),
        cmocka_unit_test(what_devices_have),
        cmocka_unit_test(devices_start_ahead),
        cmocka_unit_test(devices_start_beside),
        cmocka_unit_test(devices_fail_to_start),
        cmocka_unit_test(plans_for_more_devices),
        cmocka_unit_test(plans_for_a_model),
        cmocka_unit_test(planning_starts_no_device),
        cmocka_unit_test(planning_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
