/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_context.h"

#include <stdbool.h>

#include "gpu/cuda_failure.h"
#include "gpu/gpu.h"

/* NULL: of a device that was not entered.  Of the process, as devices are. */
static CUcontext contexts[PM_GPU_MOST];

/* Started at once by several threads, a device is retained by each and released by all but one. */
static pm_status start_device(const pm_cuda_driver *cu, int device, pm_error *err)
{
    CUcontext made;
    bool is_first;
    pm_status rc =
        pm_cuda_check(cu->cuDevicePrimaryCtxRetain(&made, device), "starting the device", err);
    if (rc)
        return rc;
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

pm_status pm_gpu_enter(const pm_cuda_driver *cu, int device, CUcontext *out, pm_error *err)
{
    pm_status rc = context_of(device) ? PM_OK : start_device(cu, device, err);
    *out = context_of(device);
    return rc ? rc : pm_cuda_check(cu->cuCtxSetCurrent(*out), "starting the device", err);
}

void pm_gpu_leave_all(void)
{
    for (int device = 0; device < PM_GPU_MOST; ++device)
        if (contexts[device]) {
            pm_cuda_driver_get(NULL)->cuDevicePrimaryCtxRelease(device);
            contexts[device] = NULL;
        }
}
