/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/cuda_driver.h: the functions of the CUDA driver (libcuda.so.1), opened with dlopen(). */
#ifndef PM_CUDA_DRIVER_H
#define PM_CUDA_DRIVER_H

#include <cuda.h>
#include <stdbool.h>

#include "pm/status.h"

/* The functions used.  Macros of cuda.h rename some of them to newer versions, as members and as
 * symbols. */
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
    X(cuMemcpyPeerAsync)                                                                           \
    X(cuDeviceCanAccessPeer)                                                                       \
    X(cuCtxEnablePeerAccess)                                                                       \
    X(cuMemGetAllocationGranularity)                                                               \
    X(cuMemAddressReserve)                                                                         \
    X(cuMemAddressFree)                                                                            \
    X(cuMemCreate)                                                                                 \
    X(cuMemRelease)                                                                                \
    X(cuMemMap)                                                                                    \
    X(cuMemUnmap)                                                                                  \
    X(cuMemSetAccess)                                                                              \
    X(cuStreamCreate)                                                                              \
    X(cuStreamDestroy)                                                                             \
    X(cuStreamSynchronize)                                                                         \
    X(cuLaunchKernel)

typedef struct {
#define PM_CUDA_MEMBER(call) __typeof__(&call) call;
    PM_CUDA_CALLS(PM_CUDA_MEMBER)
#undef PM_CUDA_MEMBER
} pm_cuda_driver;

/* The driver, started.  Thread-safe: where several threads call it, one starts the driver and the
 * others wait.
 * Returns NULL, with the reason in *err (PM_ENODEV), when there is no driver, it is too old, or it
 * has no device. */
const pm_cuda_driver *pm_cuda_driver_get(pm_error *err);

/* Whether the library of the driver is installed; does not start the driver.  Thread-safe. */
bool pm_cuda_driver_is_there(void);

/* The message of the driver for an error code; static.  The driver must be loaded. */
const char *pm_cuda_error_text(CUresult e);

/* The version of the driver, 13000 for 13.0; 0 if there is none. */
int pm_cuda_driver_version(void);

#endif
