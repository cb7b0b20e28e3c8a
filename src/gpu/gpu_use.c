/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_use.h"

#define RESERVE (INT64_C(512) << 20) /* bytes left to the driver and to other programs */

pm_status pm_gpu_on_each(int gpus, pm_gpu_task *what, void *context, pm_error *err)
{
    pm_status rc = PM_OK;
#pragma omp parallel for num_threads(gpus) schedule(static, 1)
    for (int gpu = 0; gpu < gpus; ++gpu) {
        pm_error why;
        pm_status mine = what(context, gpu, &why);
#pragma omp critical(pm_gpu_on_each)
        if (mine && !rc) {
            rc = mine;
            if (err)
                *err = why;
        }
    }
    return rc;
}

static pm_status find_least(void *context, int gpu, pm_error *err)
{
    int64_t *least = context, available;
    pm_status rc = pm_gpu_free_memory(gpu, &available, err);
#pragma omp critical(pm_gpu_find_least)
    if (!rc && available < *least)
        *least = available;
    return rc;
}

pm_status pm_gpu_allowed(int gpus, const pm_run *run, double *out, pm_error *err)
{
    int64_t least = INT64_MAX;
    pm_status rc = pm_gpu_on_each(gpus, find_least, &least, err);
    if (rc)
        return rc;
    *out = (double)(least - RESERVE);
    if (run && run->max_memory > 0 && *out > (double)run->max_memory)
        *out = (double)run->max_memory;
    return PM_OK;
}
