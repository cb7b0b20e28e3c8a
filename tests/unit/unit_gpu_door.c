/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The door to CUDA over a driver that only counts: what is started and loaded is kept and found
 * again, and all of it is given back, whatever fails. */
#include "config.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_module.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"
#include "testing.h"

enum { DEVICES = 3, BYTES = 64 };

/* What the driver has given and not got back, and what it was asked for in all. */
static struct {
    atomic_int contexts[DEVICES], modules, streams, memory, host;
    atomic_int loads, compiles;
    atomic_int calls_left; /* until one fails; below 0: none does */
    int minor[DEVICES];    /* of the capability */
    char table[BYTES];
} fake;

static CUresult answer(void)
{
    return atomic_fetch_sub(&fake.calls_left, 1) == 0 ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}

/* Counts what is given: handles are places that nobody reads. */
static CUresult give(atomic_int *count, void **out)
{
    static char place;
    CUresult e = answer();
    if (e == CUDA_SUCCESS) {
        ++*count;
        *out = &place;
    }
    return e;
}

/* Taking back never fails. */
static CUresult take(atomic_int *count)
{
    --*count;
    return CUDA_SUCCESS;
}

static CUresult get_error_string(CUresult e, const char **out)
{
    *out = e == CUDA_SUCCESS ? "none" : "told to fail";
    return CUDA_SUCCESS;
}

static CUresult get_count(int *out)
{
    *out = 100; /* more than are used */
    return answer();
}

static CUresult get_name(char *out, int size, CUdevice device)
{
    snprintf(out, (size_t)size, "%d", device);
    return answer();
}

static CUresult total_memory(size_t *out, CUdevice device)
{
    *out = (size_t)(device + 1) << 30;
    return answer();
}

static CUresult get_attribute(int *out, CUdevice_attribute what, CUdevice device)
{
    *out = what == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? fake.minor[device] : 9;
    return answer();
}

static CUresult retain(CUcontext *out, CUdevice device)
{
    static char place[DEVICES];
    CUresult e = answer();
    if (e == CUDA_SUCCESS) {
        ++fake.contexts[device];
        *out = (CUcontext)&place[device];
    }
    return e;
}

static CUresult release(CUdevice device)
{
    return take(&fake.contexts[device]);
}

static CUresult set_current(CUcontext context)
{
    assert_non_null(context);
    return answer();
}

static CUresult load_module(CUmodule *out, const void *image)
{
    void *handle;
    assert_string_equal(image, "image");
    CUresult e = give(&fake.modules, &handle);
    if (e == CUDA_SUCCESS) {
        ++fake.loads;
        *out = handle;
    }
    return e;
}

static CUresult unload_module(CUmodule m)
{
    assert_non_null(m);
    return take(&fake.modules);
}

static CUresult get_function(CUfunction *out, CUmodule m, const char *name)
{
    assert_non_null(m);
    assert_string_equal(name, "go");
    *out = NULL;
    return answer();
}

static CUresult get_global(CUdeviceptr *out, size_t *size, CUmodule m, const char *name)
{
    assert_non_null(m);
    assert_string_equal(name, "table");
    *out = (CUdeviceptr)(uintptr_t)fake.table;
    *size = BYTES;
    return answer();
}

static CUresult set_attribute(CUfunction f, CUfunction_attribute what, int value)
{
    (void)f, (void)what, (void)value;
    return answer();
}

/* The second of three devices has the least. */
static CUresult memory_info(size_t *available, size_t *total)
{
    static const size_t free_bytes[] = {7000, 5000, 6000};
    static int asked;
    *total = 1 << 20;
    *available = free_bytes[asked++ % DEVICES];
    return answer();
}

static CUresult allocate(CUdeviceptr *out, size_t size)
{
    void *place;
    assert_true(size > 0);
    CUresult e = give(&fake.memory, &place);
    if (e == CUDA_SUCCESS)
        *out = (CUdeviceptr)(uintptr_t)place;
    return e;
}

static CUresult release_memory(CUdeviceptr p)
{
    assert_true(p != 0);
    return take(&fake.memory);
}

static CUresult allocate_host(void **out, size_t size, unsigned flags)
{
    (void)size, (void)flags;
    return give(&fake.host, out);
}

static CUresult release_host(void *p)
{
    assert_non_null(p);
    return take(&fake.host);
}

static CUresult copy_there(CUdeviceptr to, const void *from, size_t size, CUstream stream)
{
    (void)to, (void)from, (void)size, (void)stream;
    return answer();
}

static CUresult copy_here(void *to, CUdeviceptr from, size_t size)
{
    (void)to, (void)from, (void)size;
    return answer();
}

static CUresult copy_here_later(void *to, CUdeviceptr from, size_t size, CUstream stream)
{
    (void)to, (void)from, (void)size, (void)stream;
    return answer();
}

static CUresult create_stream(CUstream *out, unsigned flags)
{
    void *handle = NULL;
    (void)flags;
    CUresult e = give(&fake.streams, &handle);
    *out = handle;
    return e;
}

static CUresult destroy_stream(CUstream s)
{
    assert_non_null(s);
    return take(&fake.streams);
}

static CUresult synchronize(CUstream s)
{
    (void)s;
    return answer();
}

static CUresult launch(CUfunction f, unsigned x, unsigned y, unsigned z, unsigned a, unsigned b,
                       unsigned c, unsigned shared, CUstream s, void **arguments, void **extra)
{
    (void)f, (void)shared, (void)arguments, (void)extra;
    assert_true(x && y && z && a && b && c && s);
    return answer();
}

/* ---- in place of the driver and the compiler ---- */

const pm_cuda_driver *pm_cuda_driver_get(pm_error *err)
{
    static const pm_cuda_driver driver = {
        .cuGetErrorString = get_error_string,
        .cuDeviceGetCount = get_count,
        .cuDeviceGetName = get_name,
        .cuDeviceTotalMem = total_memory,
        .cuDeviceGetAttribute = get_attribute,
        .cuDevicePrimaryCtxRetain = retain,
        .cuDevicePrimaryCtxRelease = release,
        .cuCtxSetCurrent = set_current,
        .cuModuleLoadData = load_module,
        .cuModuleUnload = unload_module,
        .cuModuleGetFunction = get_function,
        .cuModuleGetGlobal = get_global,
        .cuFuncSetAttribute = set_attribute,
        .cuMemGetInfo = memory_info,
        .cuMemAlloc = allocate,
        .cuMemFree = release_memory,
        .cuMemHostAlloc = allocate_host,
        .cuMemFreeHost = release_host,
        .cuMemcpyHtoDAsync = copy_there,
        .cuMemcpyDtoH = copy_here,
        .cuMemcpyDtoHAsync = copy_here_later,
        .cuStreamCreate = create_stream,
        .cuStreamDestroy = destroy_stream,
        .cuStreamSynchronize = synchronize,
        .cuLaunchKernel = launch,
    };
    (void)err;
    return &driver;
}

int pm_cuda_driver_version(void)
{
    return 13000;
}

pm_status pm_cuda_check(CUresult e, const char *what, pm_error *err)
{
    return e == CUDA_SUCCESS ? PM_OK : pm_fail(err, PM_ENODEV, "GPU: %s: told to fail", what);
}

pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err)
{
    static const char image[] = "image";
    (void)text, (void)major, (void)minor;
    ++fake.compiles;
    if (answer() != CUDA_SUCCESS)
        return pm_fail(err, PM_EINTERNAL, "told to fail");
    *out = (pm_gpu_image){pm_alloc_array(sizeof image, 1), sizeof image};
    if (!out->data)
        return pm_fail_memory(err, "an image");
    memcpy(out->data, image, sizeof image);
    return PM_OK;
}

/* ---- what is checked ---- */

static void begin(void **state)
{
    (void)state;
    pm_gpu_end();
    memset(&fake, 0, sizeof fake);
    fake.calls_left = -1;
}

/* Nothing in use; contexts and modules are kept. */
static void assert_idle(void)
{
    assert_int_equal(fake.streams, 0);
    assert_int_equal(fake.memory, 0);
    assert_int_equal(fake.host, 0);
    for (int i = 0; i < DEVICES; ++i)
        assert_in_range(fake.contexts[i], 0, 1);
}

static void assert_left(void)
{
    pm_gpu_end();
    assert_idle();
    assert_int_equal(fake.modules, 0);
    for (int i = 0; i < DEVICES; ++i)
        assert_int_equal(fake.contexts[i], 0);
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
    static const char values[BYTES];
    const pm_gpu_kernel kernel = {"go", 32, 0, 8, 4, "table", values, BYTES};
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

static pm_status run_all(pm_error *err)
{
    pm_status rc = PM_OK;
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
            pm_error err = {""};
            begin(state);
            if (of_memory)
                pm_alloc_fail_at(k + 1);
            else
                fake.calls_left = k;
            rc = run_all(&err);
            pm_alloc_fail_at(0);
            assert_true(rc == PM_OK || strlen(err.msg) > 0);
            assert_true(rc == PM_OK || (rc == PM_ENOMEM) == of_memory);
            assert_idle();
            assert_left();
        }
    }
    assert_int_equal(fake.loads, 2 * DEVICES);
}

/* Again: nothing is started, compiled or loaded. */
static void kernels_are_found_again(void **state)
{
    begin(state);
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(run_all(NULL), PM_OK);
        assert_int_equal(fake.loads, 2 * DEVICES);
        assert_int_equal(fake.modules, 2 * DEVICES);
        for (int device = 0; device < DEVICES; ++device)
            assert_int_equal(fake.contexts[device], 1);
    }
    assert_left();
    assert_int_equal(run_all(NULL), PM_OK); /* from the beginning */
    assert_int_equal(fake.loads, 4 * DEVICES);
    assert_left();
}

/* Compiled once for all devices of a kind; loaded for each user at a time. */
static void one_code_for_many(void **state)
{
    pm_gpu_session *s[4];
    begin(state);
    fake.minor[2] = 1;
    for (int i = 0; i < 4; ++i)
        assert_int_equal(pm_gpu_session_open(i / 2, "text", &s[i], NULL), PM_OK);
    assert_int_equal(fake.compiles, 1);
    assert_int_equal(fake.loads, 4);
    for (int i = 0; i < 4; ++i)
        pm_gpu_session_close(s[i]);
    assert_int_equal(pm_gpu_session_open(2, "text", &s[0], NULL), PM_OK);
    assert_int_equal(pm_gpu_session_open(2, "other", &s[1], NULL), PM_OK);
    assert_int_equal(fake.compiles, 3);
    pm_gpu_session_close(s[0]);
    pm_gpu_session_close(s[1]);
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
        assert_in_range(fake.modules, 1, PM_IDLE_MODULES);
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
        assert_in_range(fake.modules, DEVICES, 3 * DEVICES);
        assert_left();
    }
}

static void what_devices_have(void **state)
{
    int count;
    int64_t available;
    double allowed;
    const pm_run run = {.max_memory = 1};
    begin(state);
    assert_int_equal(pm_gpu_count(&count, NULL), PM_OK);
    assert_int_equal(count, PM_GPU_MOST);
    assert_int_equal(pm_gpu_free_memory(DEVICES, &available, NULL), PM_OK);
    assert_int_equal(available, 5000);
    assert_int_equal(pm_gpu_allowed(DEVICES, NULL, &allowed, NULL), PM_OK);
    assert_true(allowed < 5000);
    assert_int_equal(pm_gpu_allowed(DEVICES, &run, &allowed, NULL), PM_OK);
    assert_true(allowed <= 1);
    assert_left();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_given_back), cmocka_unit_test(kernels_are_found_again),
        cmocka_unit_test(one_code_for_many), cmocka_unit_test(old_kernels_go),
        cmocka_unit_test(side_by_side),      cmocka_unit_test(what_devices_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
