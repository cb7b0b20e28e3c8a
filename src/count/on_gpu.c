/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/on_gpu.h"

#include "gpu/gpu.h"

#define MEMORY 64e6 /* bytes: records, text and the driver's own */

pm_status pm_gpu_place_find(const pm_job *job, pm_gpu_place *out, pm_error *err)
{
    int count;
    pm_gpu_info info;
    pm_status rc = pm_gpu_count(&count, err);
    if (!rc && job->gpus > count)
        rc = pm_fail(err, PM_ENODEV, "%d GPUs are asked for, there are %d", job->gpus, count);
    if (!rc)
        rc = pm_gpu_look(0, &info, err);
    if (!rc)
        rc = pm_gpu_can_compile(info.major, info.minor, err);
    if (!rc)
        *out = (pm_gpu_place){job->gpus > 0 ? job->gpus
                              : job->gpus   ? count
                                            : 1,
                              info.double_rate, info.memory_rate};
    return rc;
}

void pm_gpu_plan_set(const pm_gpu_place *place, double operations, double seconds, pm_plan *plan)
{
    plan->operations = operations;
    plan->seconds = seconds / place->gpus + PM_GPU_START_SECONDS;
    plan->memory = MEMORY;
    plan->is_serial = true;
}
