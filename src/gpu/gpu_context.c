/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_context.h"

#include <stdbool.h>

#include "gpu/cuda_failure.h"
#include "gpu/gpu.h"
#include "pm/memory.h"

/* One for each device; NULL: the device was not used so far. */
static CUcontext contexts[PM_GPU_MAX];

/* If several threads start a device at the same time, each retains the context and all but one
 * release it again. */
static pm_status start_device(const pm_cuda_driver *cu, int device, pm_error *err)
{
    CUcontext made;
    bool is_first;
    pm_memory_set_limit(0); /* the driver allocates as much as it likes */
    pm_status status =
        pm_cuda_check(cu->cuDevicePrimaryCtxRetain(&made, device), "starting the device", err);
    if (status)
        return status;
#pragma omp critical(pm_gpu_contexts)
    {
        is_first = !contexts[device];
        contexts[device] = made;
    }
    if (!is_first)
        cu->cuDevicePrimaryCtxRelease(device);
    return PM_OK;
}

static CUcontext context_of(int device)
{
    CUcontext made;
#pragma omp critical(pm_gpu_contexts)
    made = contexts[device];
    return made;
}

pm_status pm_gpu_context_enter(const pm_cuda_driver *cu, int device, CUcontext *out, pm_error *err)
{
    pm_status status = context_of(device) ? PM_OK : start_device(cu, device, err);
    *out = context_of(device);
    return status ? status : pm_cuda_check(cu->cuCtxSetCurrent(*out), "starting the device", err);
}

void pm_gpu_context_release_all(void)
{
    for (int device = 0; device < PM_GPU_MAX; ++device)
        if (contexts[device]) {
            pm_cuda_driver_get(NULL)->cuDevicePrimaryCtxRelease(device);
            contexts[device] = NULL;
        }
}
