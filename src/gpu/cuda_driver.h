/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/cuda_driver.h: the CUDA driver, opened at run time. */
#ifndef PM_CUDA_DRIVER_H
#define PM_CUDA_DRIVER_H

#include <cuda.h>

#include "pm/status.h"

/* cuda.h renames some of them to their newer versions, in the member's and the symbol's name. */
#define PM_CUDA_CALLS(X)                                                                           \
    X(cuInit)                                                                                      \
    X(cuDriverGetVersion)                                                                          \
    X(cuGetErrorString)                                                                            \
    X(cuDeviceGetCount)                                                                            \
    X(cuDeviceGet)                                                                                 \
    X(cuDeviceGetName)                                                                             \
    X(cuDeviceTotalMem)                                                                            \
    X(cuDeviceGetAttribute)                                                                        \
    X(cuDevicePrimaryCtxRetain)                                                                    \
    X(cuDevicePrimaryCtxRelease)                                                                   \
    X(cuCtxSetCurrent)                                                                             \
    X(cuModuleLoadData)                                                                            \
    X(cuModuleUnload)                                                                              \
    X(cuModuleGetFunction)                                                                         \
    X(cuModuleGetGlobal)                                                                           \
    X(cuFuncSetAttribute)                                                                          \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                 \
    X(cuMemGetInfo)                                                                                \
    X(cuMemAlloc)                                                                                  \
    X(cuMemFree)                                                                                   \
    X(cuMemHostAlloc)                                                                              \
    X(cuMemFreeHost)                                                                               \
    X(cuMemcpyHtoDAsync)                                                                           \
    X(cuMemcpyDtoH)                                                                                \
    X(cuMemcpyDtoHAsync)                                                                           \
    X(cuStreamCreate)                                                                              \
    X(cuStreamDestroy)                                                                             \
    X(cuStreamSynchronize)                                                                         \
    X(cuLaunchKernel)

typedef struct {
#define PM_CUDA_MEMBER(call) __typeof__(&call) call;
    PM_CUDA_CALLS(PM_CUDA_MEMBER)
#undef PM_CUDA_MEMBER
} pm_cuda_driver;

/* The driver, started; called from one thread first.
 * Fails (NULL): PM_ENODEV, with the reason in *err: there is none, it is too old, or it has no
 * device. */
const pm_cuda_driver *pm_cuda_driver_get(pm_error *err);

/* What a call's answer means, for people; static.  The driver is loaded. */
const char *pm_cuda_text(CUresult e);

/* Version as in 13000 for 13.0; 0: no driver. */
int pm_cuda_driver_version(void);

#endif
