/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "gpu/cuda_failure.h"
#include "gpu/gpu_module.h"
#include "pm/alloc.h"

/* A launch under way: its CUDA stream, and where its records go. */
typedef struct {
    CUstream stream;
    CUdeviceptr device;
    void *host;
} slot;

struct pm_gpu {
    pm_gpu_module on;
    CUfunction function;
    pm_gpu_kernel kernel;
    int64_t resident; /* thread blocks at the same time */
    slot slots[PM_GPU_SLOTS];
};

/* Goes to `done` when a call fails; needs status and err. */
#define CU(call, what)                                                                             \
    do {                                                                                           \
        if ((status = pm_cuda_check(call, what, err)))                                             \
            goto done;                                                                             \
    } while (0)

static pm_status fill_table(pm_gpu *g, pm_error *err)
{
    pm_status status = PM_OK;
    CUdeviceptr table;
    size_t size;
    const pm_gpu_kernel *k = &g->kernel;
    CU(g->on.cu->cuModuleGetGlobal(&table, &size, g->on.module, k->table), k->table);
    if (size < k->values_size)
        return pm_fail_internal(err, "GPU: %s holds %zu bytes, not %zu", k->table, size,
                                k->values_size);
    CU(g->on.cu->cuMemcpyHtoDAsync(table, k->values, k->values_size, NULL), "filling a table");
    /* the CUDA streams of the launches do not wait for this copy */
    CU(g->on.cu->cuStreamSynchronize(NULL), "filling a table");
done:
    return status;
}

static pm_status find_resident(pm_gpu *g, int device, pm_error *err)
{
    pm_status status = PM_OK;
    int here, multiprocessors;
    CU(g->on.cu->cuOccupancyMaxActiveBlocksPerMultiprocessor(&here, g->function, g->kernel.threads,
                                                             g->kernel.shared),
       "room for blocks");
    CU(g->on.cu->cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                                      device),
       "a device's attribute");
    g->resident = (int64_t)here * multiprocessors;
done:
    return status;
}

static pm_status load(pm_gpu *g, int device, const char *text, pm_error *err)
{
    const pm_gpu_kernel *k = &g->kernel;
    pm_status status = pm_gpu_module_open(device, text, &g->on, err);
    if (status)
        return status;
    CU(g->on.cu->cuModuleGetFunction(&g->function, g->on.module, k->entry), k->entry);
    CU(g->on.cu->cuFuncSetAttribute(g->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    (int)k->shared),
       "shared memory");
    status = find_resident(g, device, err);
    if (!status && k->table)
        status = fill_table(g, err);
done:
    return status;
}

static pm_status make_slot(const pm_gpu *g, slot *s, pm_error *err)
{
    pm_status status = PM_OK;
    size_t size = (size_t)g->kernel.most * g->kernel.record;
    CU(g->on.cu->cuStreamCreate(&s->stream, CU_STREAM_NON_BLOCKING), "a stream");
    CU(g->on.cu->cuMemAlloc(&s->device, size), "memory for records");
    CU(g->on.cu->cuMemHostAlloc(&s->host, size, 0), "memory for records");
done:
    return status;
}

pm_status pm_gpu_open(int device, const char *text, const pm_gpu_kernel *kernel, pm_gpu **out,
                      pm_error *err)
{
    pm_gpu *g = pm_calloc_array(1, sizeof *g);
    if (!g)
        return pm_fail_memory(err, "a device");
    g->kernel = *kernel;
    pm_status status = load(g, device, text, err);
    for (int i = 0; i < PM_GPU_SLOTS && !status; ++i)
        status = make_slot(g, &g->slots[i], err);
    if (status)
        pm_gpu_close(g);
    else
        *out = g;
    return status;
}

void pm_gpu_close(pm_gpu *g)
{
    if (!g)
        return;
    if (g->on.context)
        g->on.cu->cuCtxSetCurrent(g->on.context);
    for (int i = 0; i < PM_GPU_SLOTS; ++i) {
        slot *s = &g->slots[i];
        if (s->stream)
            g->on.cu->cuStreamSynchronize(s->stream);
        if (s->host)
            g->on.cu->cuMemFreeHost(s->host);
        if (s->device)
            g->on.cu->cuMemFree(s->device);
        if (s->stream)
            g->on.cu->cuStreamDestroy(s->stream);
    }
    pm_gpu_module_close(&g->on);
    free(g);
}

int64_t pm_gpu_resident(const pm_gpu *g)
{
    return g->resident > 0 ? g->resident : 1;
}

pm_status pm_gpu_start(pm_gpu *g, int which, uint64_t first, int64_t count, pm_error *err)
{
    pm_status status = PM_OK;
    slot *s = &g->slots[which];
    void *arguments[] = {&first, &s->device};
    CU(g->on.cu->cuCtxSetCurrent(g->on.context), "a device");
    CU(g->on.cu->cuLaunchKernel(g->function, (unsigned)count, 1, 1, (unsigned)g->kernel.threads, 1,
                                1, (unsigned)g->kernel.shared, s->stream, arguments, NULL),
       "launching a kernel");
    CU(g->on.cu->cuMemcpyDtoHAsync(s->host, s->device, (size_t)count * g->kernel.record, s->stream),
       "copying records");
done:
    return status;
}

pm_status pm_gpu_finish(pm_gpu *g, int which, const void **records, pm_error *err)
{
    pm_status status = pm_cuda_check(g->on.cu->cuCtxSetCurrent(g->on.context), "a device", err);
    *records = g->slots[which].host;
    return status ? status
                  : pm_cuda_check(g->on.cu->cuStreamSynchronize(g->slots[which].stream),
                                  "running a kernel", err);
}
