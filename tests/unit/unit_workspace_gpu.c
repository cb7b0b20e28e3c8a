/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations on devices that are none (host_gpu.h) against the CPU (support/iterations.h); failures. */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include "bounds/bounds.h"
#include "estimate/item_bounds.h"
#include "pm/alloc.h"
#include "spmv/device_choice.h"
#include "spmv/workspace_gpu.h"
#include "support/host_gpu.h"
#include "support/iterations.h"
#include "support/kept_texts.h"
#include "support/testing.h"
#include "support/total_support.h"

#define CALL(type)                                                                                 \
    do {                                                                                           \
        void (*kernel)(type);                                                                      \
        type *a = arguments[0];                                                                    \
        assert_int_equal(a->blocks, blocks);                                                       \
        memcpy(&kernel, &symbol, sizeof kernel);                                                   \
        kernel(*a);                                                                                \
    } while (0)

static void launch(void *symbol, const char *name, int64_t blocks, void *shared, void **arguments)
{
    (void)shared;
    if (strncmp(name, "pm_spmv", 7) == 0)
        CALL(pm_spmv_arrays);
    else if (strncmp(name, "pm_vector", 9) == 0)
        CALL(pm_vector_arrays);
    else if (strncmp(name, "pm_entries", 10) == 0)
        CALL(pm_entry_arrays);
    else
        CALL(pm_message_arrays);
}

static void operations(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    iterations_operations();
}

static void not_numbers(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    iterations_not_numbers();
}

static void ranges(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    iterations_ranges();
}

static void scalings(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    iterations_scalings();
}

static void linear_steps(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    iterations_linear_steps();
}

static void messages(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    iterations_messages();
}

static void leaving(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    iterations_leaving();
}

static void bounds(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    iterations_bounds();
}

/* ---- failures ---- */

static void failures(void **state)
{
    (void)state;
    pm_error err;
    pm_bounds b;
    pm_matrix a;
    pm_status rc = PM_ENODEV;
    if (!getenv("CC"))
        skip();
    mycielskian(5, &a);
    for (int calls = 0; rc; calls += 1 + calls / 8) {
        assert_true(calls < 100000);
        host_gpu_state.calls_left = calls;
        rc = pm_bounds_make(&a, PM_BACKEND_CUDA, NULL, &b, &err);
        assert_true(rc == PM_OK || (pm_gpu_has_failed(rc) && strstr(err.msg, " failed")));
        assert_int_equal(host_gpu_state.open, 0);
    }
    host_gpu_state.calls_left = -1;
    rc = PM_ENOMEM;
    for (int64_t k = 1; rc; ++k) {
        assert_true(k < 1000);
        pm_alloc_fail_at(k);
        rc = pm_bounds_make(&a, PM_BACKEND_CUDA, NULL, &b, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || rc == PM_ENOMEM);
        assert_true(k > 1 || rc == PM_ENOMEM);
        assert_int_equal(host_gpu_state.open, 0);
    }
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    assert_int_equal(pm_bounds_make(&a, PM_BACKEND_CUDA, &run, &b, &err), PM_ESTOPPED);
    pm_matrix_free(&a);
}

typedef struct {
    pm_status on_device;
    int devices, hosts;
} attempts;

static pm_status attempt(void *context, int device, pm_error *err)
{
    attempts *a = context;
    ++*(device == PM_ON_HOST ? &a->hosts : &a->devices);
    return device == PM_ON_HOST || !a->on_device ? PM_OK : pm_fail(err, a->on_device, "it failed");
}

static void count_notes(void *context, int level, const char *line)
{
    assert_int_equal(level, 0);
    assert_string_equal(line, "it failed; the CPU is used");
    ++*(int *)context;
}

/* One row: what is asked for, and what is done. */
static void expect(pm_backend backend, int64_t entries, pm_status on_device, pm_status result,
                   int devices, int hosts, int notes)
{
    int noted = 0;
    attempts a = {.on_device = on_device};
    const pm_run run = {.note = count_notes, .context = &noted};
    pm_error err;
    assert_int_equal(pm_on_device(backend, entries, attempt, &a, &run, &err), result);
    assert_int_equal(a.devices, devices);
    assert_int_equal(a.hosts, hosts);
    assert_int_equal(noted, notes);
    if (result)
        assert_string_equal(err.msg, "it failed");
}

static void choices(void **state)
{
    (void)state;
    const int64_t few = 100, many = 100000000, too_many = INT64_C(1) << 32;
    expect(PM_BACKEND_CPU, many, PM_OK, PM_OK, 0, 1, 0);
    expect(PM_BACKEND_CUDA, few, PM_OK, PM_OK, 1, 0, 0);
    expect(PM_BACKEND_CUDA, many, PM_ENODEV, PM_ENODEV, 1, 0, 0);
    expect(PM_BACKEND_AUTO, few, PM_OK, PM_OK, 0, 1, 0);
    expect(PM_BACKEND_AUTO, many, PM_OK, PM_OK, 1, 0, 0);
    expect(PM_BACKEND_AUTO, too_many, PM_OK, PM_OK, 0, 1, 0);
    expect(PM_BACKEND_AUTO, many, PM_ENODEV, PM_OK, 1, 1, 1);
    expect(PM_BACKEND_AUTO, many, PM_EINTERNAL, PM_OK, 1, 1, 1);
    expect(PM_BACKEND_AUTO, many, PM_ESTOPPED, PM_ESTOPPED, 1, 0, 0);
    expect(PM_BACKEND_AUTO, many, PM_ENOMEM, PM_ENOMEM, 1, 0, 0);
    host_gpu_state.devices = 0;
    expect(PM_BACKEND_AUTO, many, PM_OK, PM_OK, 0, 1, 0);
    host_gpu_state.devices = 1;
}

/* One item, with a matrix: its bounds with this backend. */
static pm_status bounds_of_item(pm_matrix *a, pm_backend backend, pm_bounds *out)
{
    pm_expression x = {0};
    pm_expression_build build = {.x = &x};
    pm_walk walk = pm_walk_make(&pm_expression_builder, &build);
    pm_node e;
    pm_node_init(&e);
    e.kind = PM_NODE_MATRIX;
    e.matrix = *a;
    *a = (pm_matrix){0};
    assert_int_equal(pm_walk_put(&walk, &e, NULL), PM_OK);
    pm_walk_free(&walk);
    pm_node_clear(&e);
    const pm_status status = pm_item_bounds_make(&x, backend, NULL, out, NULL);
    pm_expression_free(&x);
    return status;
}

/* Small blocks are for the CPU, but a device must be there; larger ones are for the device. */
static void blocks(void **state)
{
    (void)state;
    enum { SMALL = 20000, FEW = 5, MANY = 10 };
    if (!getenv("CC") || test_is_very_short())
        skip();
    for (int k = FEW; k <= MANY; k += MANY - FEW) {
        pm_matrix a;
        pm_bounds b[2];
        mycielskian(k, &a);
        const bool is_small = pm_matrix_nnz(&a) < SMALL;
        assert_int_equal(is_small, k == FEW);
        pm_matrix_free(&a);
        const int before = host_gpu_state.calls[HOST_GPU_SESSION_OPEN];
        for (int side = 0; side < 2; ++side) {
            mycielskian(k, &a);
            assert_int_equal(bounds_of_item(&a, side ? PM_BACKEND_CUDA : PM_BACKEND_CPU, &b[side]),
                             PM_OK);
        }
        assert_int_equal(host_gpu_state.calls[HOST_GPU_SESSION_OPEN] > before, !is_small);
        assert_true(!is_small || memcmp(&b[0], &b[1], sizeof b[0]) == 0);
    }
    pm_matrix a;
    pm_bounds b;
    host_gpu_state.devices = 0;
    mycielskian(FEW, &a);
    assert_int_equal(bounds_of_item(&a, PM_BACKEND_CUDA, &b), PM_ENODEV);
    host_gpu_state.devices = 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations), cmocka_unit_test(not_numbers),  cmocka_unit_test(ranges),
        cmocka_unit_test(scalings),   cmocka_unit_test(linear_steps), cmocka_unit_test(messages),
        cmocka_unit_test(leaving),    cmocka_unit_test(bounds),       cmocka_unit_test(failures),
        cmocka_unit_test(choices),    cmocka_unit_test(blocks),
    };
    iterations_begin();
    host_gpu_reset();
    host_gpu_state.launch = launch;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
