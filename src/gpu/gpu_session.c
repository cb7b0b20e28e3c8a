/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "gpu/cuda_failure.h"
#include "gpu/gpu_module.h"
#include "pm/alloc.h"

struct pm_gpu_session {
    pm_gpu_module on;
    CUstream stream;
    CUdeviceptr arrays[PM_GPU_ARRAYS];
    int narrays;
};

pm_status pm_gpu_session_open(int device, const char *text, pm_gpu_session **out, pm_error *err)
{
    pm_gpu_session *s = pm_calloc_array(1, sizeof *s);
    if (!s)
        return pm_fail_memory(err, "a device");
    pm_status status = pm_gpu_module_open(device, text, &s->on, err);
    if (!status)
        status = pm_cuda_check(s->on.cu->cuStreamCreate(&s->stream, CU_STREAM_NON_BLOCKING),
                               "a stream", err);
    if (status)
        pm_gpu_session_close(s);
    else
        *out = s;
    return status;
}

void pm_gpu_session_close(pm_gpu_session *s)
{
    if (!s)
        return;
    const pm_cuda_driver *cu = s->on.cu;
    if (s->on.context)
        cu->cuCtxSetCurrent(s->on.context);
    if (s->stream)
        cu->cuStreamSynchronize(s->stream);
    for (int i = 0; i < s->narrays; ++i)
        cu->cuMemFree(s->arrays[i]);
    if (s->stream)
        cu->cuStreamDestroy(s->stream);
    pm_gpu_module_close(&s->on);
    free(s);
}

static pm_status current(const pm_gpu_session *s, pm_error *err)
{
    return pm_cuda_check(s->on.cu->cuCtxSetCurrent(s->on.context), "a device", err);
}

pm_status pm_gpu_session_array(pm_gpu_session *s, int64_t bytes, pm_gpu_array *out, pm_error *err)
{
    pm_status status = current(s, err);
    if (!status && s->narrays == PM_GPU_ARRAYS)
        status = pm_fail_internal(err, "GPU: too many arrays");
    if (!status)
        status = pm_cuda_check(s->on.cu->cuMemAlloc(&s->arrays[s->narrays], (size_t)bytes),
                               "memory", err);
    if (!status)
        *out = s->arrays[s->narrays++];
    return status;
}

pm_status pm_gpu_session_put(pm_gpu_session *s, pm_gpu_array to, const void *from, int64_t bytes,
                             pm_error *err)
{
    pm_status status = current(s, err);
    return status ? status
                  : pm_cuda_check(s->on.cu->cuMemcpyHtoDAsync(to, from, (size_t)bytes, s->stream),
                                  "copying", err);
}

pm_status pm_gpu_session_get(pm_gpu_session *s, void *to, pm_gpu_array from, int64_t bytes,
                             pm_error *err)
{
    pm_status status = pm_gpu_session_wait(s, err);
    return status ? status
                  : pm_cuda_check(s->on.cu->cuMemcpyDtoH(to, from, (size_t)bytes), "copying", err);
}

/* Lets the device of the current context access the memory of another one, if it can.  Without that
 * copies work too, through the host; so no answer is a failure. */
static void access_peer(const pm_gpu_session *s, const pm_gpu_session *peer)
{
    int can = 0;
    const pm_cuda_driver *cu = s->on.cu;
    if (s->on.context != peer->on.context
        && cu->cuDeviceCanAccessPeer(&can, s->on.kept.device, peer->on.kept.device) == CUDA_SUCCESS
        && can)
        cu->cuCtxEnablePeerAccess(peer->on.context, 0); /* or it is enabled already */
}

pm_status pm_gpu_session_copy(pm_gpu_session *from_session, pm_gpu_array from,
                              pm_gpu_session *to_session, pm_gpu_array to, int64_t bytes,
                              pm_error *err)
{
    const pm_gpu_session *s = from_session;
    pm_status status = current(s, err);
    if (status)
        return status;
    access_peer(s, to_session);
    status = pm_cuda_check(s->on.cu->cuMemcpyPeerAsync(to, to_session->on.context, from,
                                                       s->on.context, (size_t)bytes, s->stream),
                           "copying to another device", err);
    return status ? status : pm_gpu_session_wait(from_session, err);
}

pm_status pm_gpu_session_launch(pm_gpu_session *s, const char *kernel, int64_t blocks, int threads,
                                int64_t shared, void **arguments, pm_error *err)
{
    CUfunction function;
    pm_status status = current(s, err);
    if (!status)
        status = pm_cuda_check(s->on.cu->cuModuleGetFunction(&function, s->on.module, kernel),
                               kernel, err);
    if (!status)
        status = pm_cuda_check(s->on.cu->cuLaunchKernel(function, (unsigned)blocks, 1, 1,
                                                        (unsigned)threads, 1, 1, (unsigned)shared,
                                                        s->stream, arguments, NULL),
                               "launching a kernel", err);
    return status;
}

pm_status pm_gpu_session_wait(pm_gpu_session *s, pm_error *err)
{
    pm_status status = current(s, err);
    return status
               ? status
               : pm_cuda_check(s->on.cu->cuStreamSynchronize(s->stream), "running a kernel", err);
}
