/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/counting_driver.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "gpu/cuda_driver.h"
#include "gpu/gpu.h"
#include "pm/alloc.h"
#include "support/testing.h"

enum { MOMENTS = 10000 /* milliseconds */ };

struct counting_driver counting_driver;

/* Addresses are handles: they tell what they are of and on which device. */
typedef enum { MODULE, FUNCTION, STREAM, MEMORY, HOST, KINDS } kind;
static char handle_of[KINDS][COUNTING_DRIVER_DEVICES], context_of[COUNTING_DRIVER_DEVICES];
static _Thread_local int current_device = -1;

static char *own(kind of)
{
    assert_in_range(current_device, 0, COUNTING_DRIVER_DEVICES - 1);
    return &handle_of[of][current_device];
}

/* Of this kind, and of the device that this thread has entered. */
static void check(const void *handle, kind of)
{
    assert_ptr_equal(handle, own(of));
}

static void check_memory(CUdeviceptr p)
{
    own(MEMORY);
    if (p != (CUdeviceptr)(uintptr_t)counting_driver.table)
        check((const void *)(uintptr_t)p, MEMORY);
}

static CUresult failure(void)
{
    return counting_driver.failure ? (CUresult)counting_driver.failure : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult answer(void)
{
    ++counting_driver.calls;
    if (atomic_fetch_sub(&counting_driver.calls_left, 1) == 0) {
        counting_driver.has_failed = true;
        return failure();
    }
    return counting_driver.has_failed && counting_driver.is_final ? failure() : CUDA_SUCCESS;
}

/* Counts what is given. */
static CUresult give(atomic_int *count, kind of, void **out)
{
    char *handle = own(of);
    CUresult e = answer();
    if (e == CUDA_SUCCESS) {
        ++*count;
        *out = handle;
    }
    return e;
}

/* Taken back all the same. */
static CUresult take(atomic_int *count)
{
    --*count;
    return counting_driver.has_failed && counting_driver.is_final ? failure() : CUDA_SUCCESS;
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

/* All that are to meet are loading at the same time. */
static bool have_met(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    ++counting_driver.arrived;
    for (int i = 0; counting_driver.arrived < counting_driver.meet; ++i) {
        if (i == MOMENTS)
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

static CUresult load_module(CUmodule *out, const void *image)
{
    void *handle;
    if (!have_met())
        return CUDA_ERROR_TIMEOUT;
    assert_string_equal(image, "image");
    CUresult e = give(&counting_driver.modules, MODULE, &handle);
    if (e == CUDA_SUCCESS) {
        ++counting_driver.loads;
        *out = handle;
    }
    return e;
}

static CUresult unload_module(CUmodule m)
{
    check(m, MODULE);
    return take(&counting_driver.modules);
}

static CUresult get_function(CUfunction *out, CUmodule m, const char *name)
{
    check(m, MODULE);
    assert_string_equal(name, "go");
    *out = (CUfunction)(void *)own(FUNCTION);
    return answer();
}

static CUresult get_global(CUdeviceptr *out, size_t *size, CUmodule m, const char *name)
{
    check(m, MODULE);
    assert_string_equal(name, "table");
    *out = (CUdeviceptr)(uintptr_t)counting_driver.table;
    *size = COUNTING_DRIVER_TABLE;
    return answer();
}

static CUresult set_attribute(CUfunction f, CUfunction_attribute what, int value)
{
    (void)what, (void)value;
    check(f, FUNCTION);
    return answer();
}

static CUresult memory_info(size_t *available, size_t *total)
{
    own(MEMORY);
    *total = 1 << 20;
    *available = ((size_t)1 << 30) - 1000 * (size_t)(current_device + 1);
    return answer();
}

static CUresult allocate(CUdeviceptr *out, size_t size)
{
    void *place;
    assert_true(size > 0);
    CUresult e = give(&counting_driver.memory, MEMORY, &place);
    if (e == CUDA_SUCCESS)
        *out = (CUdeviceptr)(uintptr_t)place;
    return e;
}

static CUresult release_memory(CUdeviceptr p)
{
    check((const void *)(uintptr_t)p, MEMORY);
    return take(&counting_driver.memory);
}

static CUresult allocate_host(void **out, size_t size, unsigned flags)
{
    (void)size, (void)flags;
    return give(&counting_driver.host, HOST, out);
}

static CUresult release_host(void *p)
{
    check(p, HOST);
    return take(&counting_driver.host);
}

static CUresult copy_there(CUdeviceptr to, const void *from, size_t size, CUstream stream)
{
    (void)from, (void)size;
    check_memory(to);
    if (stream)
        check(stream, STREAM);
    return answer();
}

static CUresult copy_here(void *to, CUdeviceptr from, size_t size)
{
    (void)to, (void)size;
    check_memory(from);
    return answer();
}

static CUresult copy_here_later(void *to, CUdeviceptr from, size_t size, CUstream stream)
{
    (void)to, (void)size;
    check_memory(from);
    check(stream, STREAM);
    return answer();
}

static CUresult copy_across(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here,
                            size_t size, CUstream stream)
{
    (void)size;
    assert_ptr_equal(here, &context_of[current_device]);
    assert_ptr_equal((void *)(uintptr_t)to,
                     &handle_of[MEMORY][(const char *)(void *)there - context_of]);
    check_memory(from);
    check(stream, STREAM);
    return answer();
}

static CUresult can_access_peer(int *out, CUdevice device, CUdevice peer)
{
    assert_int_not_equal(device, peer);
    *out = !counting_driver.has_no_peers;
    return CUDA_SUCCESS;
}

/* Enabled once; later calls get the driver's answer to that. */
static CUresult enable_peer(CUcontext peer, unsigned flags)
{
    assert_int_equal(flags, 0);
    assert_false(counting_driver.has_no_peers);
    assert_ptr_not_equal(peer, &context_of[current_device]);
    return counting_driver.peers++ ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED : CUDA_SUCCESS;
}

/* ---- memory at addresses that several devices share ---- */

enum { UNIT = 1 << 21 };
static char range[1]; /* its address stands for a range of addresses, which nobody reads */

static CUresult granularity(size_t *out, const CUmemAllocationProp *p,
                            CUmemAllocationGranularity_flags what)
{
    (void)what;
    assert_int_equal(p->location.type, CU_MEM_LOCATION_TYPE_DEVICE);
    assert_in_range(p->location.id, 0, COUNTING_DRIVER_DEVICES - 1);
    *out = UNIT;
    return answer();
}

static CUresult reserve_addresses(CUdeviceptr *out, size_t size, size_t alignment, CUdeviceptr at,
                                  unsigned long long flags)
{
    assert_true(size > 0 && size % UNIT == 0 && !alignment && !at && !flags);
    CUresult e = answer();
    if (e == CUDA_SUCCESS) {
        ++counting_driver.ranges;
        *out = (CUdeviceptr)(uintptr_t)range;
    }
    return e;
}

static CUresult free_addresses(CUdeviceptr p, size_t size)
{
    assert_true(size > 0 && p == (CUdeviceptr)(uintptr_t)range);
    return take(&counting_driver.ranges);
}

static CUresult create_memory(CUmemGenericAllocationHandle *out, size_t size,
                              const CUmemAllocationProp *p, unsigned long long flags)
{
    assert_true(size > 0 && size % UNIT == 0 && !flags);
    CUresult e = answer();
    if (e == CUDA_SUCCESS) {
        ++counting_driver.blocks;
        *out = (CUmemGenericAllocationHandle)p->location.id + 1;
    }
    return e;
}

static CUresult release_block(CUmemGenericAllocationHandle handle)
{
    assert_in_range(handle, 1, COUNTING_DRIVER_DEVICES);
    return take(&counting_driver.blocks);
}

/* Part k of the range is of device k. */
static CUresult map_memory(CUdeviceptr at, size_t size, size_t offset,
                           CUmemGenericAllocationHandle handle, unsigned long long flags)
{
    assert_true(offset == 0 && flags == 0);
    assert_int_equal(at, (CUdeviceptr)(uintptr_t)range + (handle - 1) * size);
    CUresult e = answer();
    counting_driver.maps += e == CUDA_SUCCESS;
    return e;
}

static CUresult unmap_memory(CUdeviceptr at, size_t size)
{
    assert_int_equal((at - (CUdeviceptr)(uintptr_t)range) % size, 0);
    return take(&counting_driver.maps);
}

static CUresult set_access(CUdeviceptr at, size_t size, const CUmemAccessDesc *access, size_t count)
{
    assert_true(at == (CUdeviceptr)(uintptr_t)range && size % (count * UNIT) == 0);
    assert_int_equal(count, counting_driver.maps);
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(access[i].location.id, i);
        assert_int_equal(access[i].flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    }
    return answer();
}

static CUresult create_stream(CUstream *out, unsigned flags)
{
    void *handle = NULL;
    (void)flags;
    CUresult e = give(&counting_driver.streams, STREAM, &handle);
    *out = handle;
    return e;
}

static CUresult destroy_stream(CUstream s)
{
    check(s, STREAM);
    return take(&counting_driver.streams);
}

static CUresult synchronize(CUstream s)
{
    own(STREAM);
    if (s)
        check(s, STREAM);
    return answer();
}

static CUresult find_room(int *out, CUfunction f, int threads, size_t shared)
{
    check(f, FUNCTION);
    assert_true(threads > 0);
    *out = shared > 0 ? 2 : 4;
    return answer();
}

static CUresult launch(CUfunction f, unsigned x, unsigned y, unsigned z, unsigned a, unsigned b,
                       unsigned c, unsigned shared, CUstream s, void **arguments, void **extra)
{
    (void)shared, (void)arguments, (void)extra;
    check(f, FUNCTION);
    check(s, STREAM);
    assert_true(x && y && z && a && b && c);
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
        .cuOccupancyMaxActiveBlocksPerMultiprocessor = find_room,
        .cuMemGetInfo = memory_info,
        .cuMemAlloc = allocate,
        .cuMemFree = release_memory,
        .cuMemHostAlloc = allocate_host,
        .cuMemFreeHost = release_host,
        .cuMemcpyHtoDAsync = copy_there,
        .cuMemcpyDtoH = copy_here,
        .cuMemcpyDtoHAsync = copy_here_later,
        .cuMemcpyPeerAsync = copy_across,
        .cuDeviceCanAccessPeer = can_access_peer,
        .cuCtxEnablePeerAccess = enable_peer,
        .cuMemGetAllocationGranularity = granularity,
        .cuMemAddressReserve = reserve_addresses,
        .cuMemAddressFree = free_addresses,
        .cuMemCreate = create_memory,
        .cuMemRelease = release_block,
        .cuMemMap = map_memory,
        .cuMemUnmap = unmap_memory,
        .cuMemSetAccess = set_access,
        .cuStreamCreate = create_stream,
        .cuStreamDestroy = destroy_stream,
        .cuStreamSynchronize = synchronize,
        .cuLaunchKernel = launch,
    };
    (void)err;
    return &driver;
}

bool pm_cuda_driver_is_there(void)
{
    return true;
}

const char *pm_cuda_error_text(CUresult e)
{
    const char *text = NULL;
    get_error_string(e, &text);
    return text;
}

int pm_cuda_driver_version(void)
{
    return 13000;
}

pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err)
{
    static const char image[] = "image";
    (void)text, (void)major, (void)minor;
    ++counting_driver.compiles;
    if (answer() != CUDA_SUCCESS || counting_driver.takes_no_text)
        return pm_fail(err, PM_EINTERNAL, "told to fail");
    *out = (pm_gpu_image){pm_alloc_array(sizeof image, 1), sizeof image};
    if (!out->data)
        return pm_fail_memory(err, "an image");
    memcpy(out->data, image, sizeof image);
    return PM_OK;
}
