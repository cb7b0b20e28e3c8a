/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "counting_driver.h"

#include <stdint.h>
#include <string.h>

#include "gpu/cuda_driver.h"
#include "gpu/gpu.h"
#include "pm/alloc.h"
#include "testing.h"

struct counting_driver counting_driver;

static char context_of[COUNTING_DRIVER_DEVICES]; /* addresses are handles */
static _Thread_local int current_device;

static CUresult answer(void)
{
    return atomic_fetch_sub(&counting_driver.calls_left, 1) == 0 ? CUDA_ERROR_UNKNOWN
                                                                 : CUDA_SUCCESS;
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
    *out = what == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? counting_driver.minor[device] : 9;
    return answer();
}

static CUresult retain(CUcontext *out, CUdevice device)
{
    CUresult e = answer();
    if (e == CUDA_SUCCESS) {
        ++counting_driver.contexts[device];
        *out = (CUcontext)&context_of[device];
    }
    return e;
}

static CUresult release(CUdevice device)
{
    return take(&counting_driver.contexts[device]);
}

static CUresult set_current(CUcontext context)
{
    assert_non_null(context);
    current_device = (int)((const char *)context - context_of);
    return answer();
}

static CUresult load_module(CUmodule *out, const void *image)
{
    void *handle;
    assert_string_equal(image, "image");
    CUresult e = give(&counting_driver.modules, &handle);
    if (e == CUDA_SUCCESS) {
        ++counting_driver.loads;
        *out = handle;
    }
    return e;
}

static CUresult unload_module(CUmodule m)
{
    assert_non_null(m);
    return take(&counting_driver.modules);
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
    *out = (CUdeviceptr)(uintptr_t)counting_driver.table;
    *size = COUNTING_DRIVER_TABLE;
    return answer();
}

static CUresult set_attribute(CUfunction f, CUfunction_attribute what, int value)
{
    (void)f, (void)what, (void)value;
    return answer();
}

/* Devices are entered before. */
static CUresult memory_info(size_t *available, size_t *total)
{
    *total = 1 << 20;
    *available = (size_t)(7000 - 1000 * current_device);
    return answer();
}

static CUresult allocate(CUdeviceptr *out, size_t size)
{
    void *place;
    assert_true(size > 0);
    CUresult e = give(&counting_driver.memory, &place);
    if (e == CUDA_SUCCESS)
        *out = (CUdeviceptr)(uintptr_t)place;
    return e;
}

static CUresult release_memory(CUdeviceptr p)
{
    assert_true(p != 0);
    return take(&counting_driver.memory);
}

static CUresult allocate_host(void **out, size_t size, unsigned flags)
{
    (void)size, (void)flags;
    return give(&counting_driver.host, out);
}

static CUresult release_host(void *p)
{
    assert_non_null(p);
    return take(&counting_driver.host);
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
    CUresult e = give(&counting_driver.streams, &handle);
    *out = handle;
    return e;
}

static CUresult destroy_stream(CUstream s)
{
    assert_non_null(s);
    return take(&counting_driver.streams);
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

/* ---- in place of src/gpu/cuda_driver.c and src/gpu/gpu_compile.c ---- */

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
    ++counting_driver.compiles;
    if (answer() != CUDA_SUCCESS)
        return pm_fail(err, PM_EINTERNAL, "told to fail");
    *out = (pm_gpu_image){pm_alloc_array(sizeof image, 1), sizeof image};
    if (!out->data)
        return pm_fail_memory(err, "an image");
    memcpy(out->data, image, sizeof image);
    return PM_OK;
}
