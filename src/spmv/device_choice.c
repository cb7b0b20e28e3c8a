/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/device_choice.h"

#include "gpu/gpu.h"
#include "spmv/workspace.h"

/* Starting a device takes as long as some tens of sweeps over so many entries. */
enum { ENTRIES_OF_DEVICE = 1000000 };

pm_status pm_on_device(pm_backend backend, int64_t entries, pm_device_task *task, void *context,
                       const pm_run *run, pm_error *err)
{
    pm_error why;
    int devices;
    if (backend == PM_BACKEND_CUDA)
        return task(context, 0, err);
    if (backend == PM_BACKEND_CPU || entries < ENTRIES_OF_DEVICE || entries > INT32_MAX
        || pm_gpu_count(&devices, &why) != PM_OK)
        return task(context, PM_ON_HOST, err);
    pm_status status = task(context, 0, &why);
    if (!pm_gpu_has_failed(status)) {
        if (status && err)
            *err = why;
        return status;
    }
    pm_run_note(run, 0, "%s; the CPU is used", why.msg);
    return task(context, PM_ON_HOST, err);
}

pm_status pm_device_demand(pm_backend backend, pm_error *err)
{
    int devices;
    return backend == PM_BACKEND_CUDA ? pm_gpu_count(&devices, err) : PM_OK;
}

void pm_device_prepare(pm_backend backend)
{
    if (backend == PM_BACKEND_CUDA)
        pm_gpu_prepare(1);
}

void pm_device_prepared(void)
{
    pm_gpu_prepared(false);
}
