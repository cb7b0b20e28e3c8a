/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "gpu/cuda_failure.h"
#include "gpu/gpu.h"
#include "gpu/gpu_context.h"
#include "gpu/gpu_model.h"
#include "pm/alloc.h"

struct pm_gpu_spread {
    const pm_cuda_driver *cu;
    CUdeviceptr at; /* of a range of `gpus` parts; 0: none */
    size_t part;    /* bytes of a part */
    int gpus, mapped;
};

bool pm_gpu_can_spread(int gpus)
{
    if (pm_gpu_model_planned())
        return pm_gpu_model_can_spread(gpus);
    const pm_cuda_driver *cu = pm_cuda_driver_use(NULL);
    for (int i = 0; i < gpus && cu; ++i)
        for (int k = 0; k < gpus; ++k) {
            int can = 0;
            if (k != i && (cu->cuDeviceCanAccessPeer(&can, i, k) != CUDA_SUCCESS || !can))
                return false;
        }
    return cu != NULL;
}

static CUmemAllocationProp memory_of(int device)
{
    CUmemAllocationProp p = {.type = CU_MEM_ALLOCATION_TYPE_PINNED};
    p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.location.id = device;
    return p;
}

/* Parts of equal size, a multiple of what every device demands. */
static pm_status reserve(pm_gpu_spread *s, int64_t bytes, pm_error *err)
{
    size_t most = 1, gpus = (size_t)s->gpus;
    for (int i = 0; i < s->gpus; ++i) {
        size_t unit;
        CUmemAllocationProp p = memory_of(i);
        pm_status status = pm_cuda_check(
            s->cu->cuMemGetAllocationGranularity(&unit, &p, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
            "memory of several devices", err);
        if (status)
            return status;
        most = unit > most ? unit : most;
    }
    s->part = (((size_t)bytes + gpus - 1) / gpus + most - 1) / most * most;
    return pm_cuda_check(s->cu->cuMemAddressReserve(&s->at, s->part * gpus, 0, 0, 0),
                         "addresses for several devices", err);
}

static pm_status map_part(pm_gpu_spread *s, int device, pm_error *err)
{
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp p = memory_of(device);
    pm_status status = pm_cuda_check(s->cu->cuMemCreate(&handle, s->part, &p, 0), "memory", err);
    if (status)
        return status;
    status = pm_cuda_check(s->cu->cuMemMap(s->at + (size_t)device * s->part, s->part, 0, handle, 0),
                           "memory of several devices", err);
    s->mapped += !status;
    s->cu->cuMemRelease(handle); /* what is mapped stays until it is unmapped */
    return status;
}

static pm_status give_access(const pm_gpu_spread *s, pm_error *err)
{
    CUmemAccessDesc access[PM_GPU_MAX];
    for (int i = 0; i < s->gpus; ++i) {
        access[i].location = memory_of(i).location;
        access[i].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    return pm_cuda_check(
        s->cu->cuMemSetAccess(s->at, s->part * (size_t)s->gpus, access, (size_t)s->gpus),
        "access to the memory of other devices", err);
}

pm_status pm_gpu_spread_open(int gpus, int64_t bytes, pm_gpu_spread **out, pm_error *err)
{
    CUcontext context;
    pm_gpu_spread *s = pm_calloc_array(1, sizeof *s);
    if (!s)
        return pm_fail_memory(err, "memory of several devices");
    s->gpus = gpus;
    s->cu = pm_cuda_driver_use(err);
    pm_status status = s->cu ? PM_OK : PM_ENODEV;
    for (int i = 0; i < gpus && !status; ++i)
        status = pm_gpu_context_enter(s->cu, i, &context, err);
    if (!status)
        status = reserve(s, bytes, err);
    for (int i = 0; i < gpus && !status; ++i)
        status = map_part(s, i, err);
    if (!status)
        status = give_access(s, err);
    if (status)
        pm_gpu_spread_close(s);
    else
        *out = s;
    return status;
}

pm_gpu_array pm_gpu_spread_array(const pm_gpu_spread *s)
{
    return s ? s->at : 0;
}

void pm_gpu_spread_close(pm_gpu_spread *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->mapped; ++i)
        s->cu->cuMemUnmap(s->at + (size_t)i * s->part, s->part);
    if (s->at)
        s->cu->cuMemAddressFree(s->at, s->part * (size_t)s->gpus);
    free(s);
}
