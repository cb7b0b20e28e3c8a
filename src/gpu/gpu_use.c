/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_use.h"

#include <math.h>

#include "core/machine.h"
#include "core/team.h"

#define SMALL 0.25 /* the share of a device's memory that is assumed to be free */

pm_status pm_gpu_on_each(int gpus, pm_gpu_task *what, void *context, pm_error *err)
{
    pm_status status = PM_OK;
    int threads = pm_team(NULL, gpus);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int gpu = 0; gpu < gpus; ++gpu) {
        pm_error why;
        pm_status mine = what(context, gpu, &why);
#pragma omp critical(pm_gpu_on_each)
        if (mine && !status) {
            status = mine;
            if (err)
                *err = why;
        }
    }
    return status;
}

pm_status pm_gpu_session_fill(pm_gpu_session *s, const void *from, int64_t bytes, pm_gpu_array *out,
                              pm_error *err)
{
    pm_status status = pm_gpu_session_array(s, bytes < 8 ? 8 : bytes, out, err);
    return status || !from || bytes == 0 ? status : pm_gpu_session_put(s, *out, from, bytes, err);
}

/* ---- one text on several devices ---- */

typedef struct {
    const char *text;
    int gpus;
    pm_gpu_sessions *sessions;
} opening;

static pm_status open_one(void *context, int gpu, pm_error *err)
{
    const opening *o = context;
    pm_status status = PM_OK;
    for (int i = gpu; i < o->sessions->count && !status; i += o->gpus)
        status = pm_gpu_session_open(gpu, o->text, &o->sessions->session[i], err);
    return status;
}

pm_status pm_gpu_sessions_open(const char *text, int gpus, pm_gpu_sessions *out, pm_error *err)
{
    opening o = {text, gpus, out};
    *out = (pm_gpu_sessions){.count = 2 * gpus};
    return pm_gpu_on_each(gpus, open_one, &o, err);
}

void pm_gpu_sessions_close(pm_gpu_sessions *s)
{
    for (int i = 0; i < s->count; ++i)
        pm_gpu_session_close(s->session[i]);
    *s = (pm_gpu_sessions){0};
}

/* ---- memory ---- */

static double within(int64_t memory, int64_t reserve, const pm_run *run)
{
    double bytes = memory > reserve ? (double)(memory - reserve) : 0;
    return run && run->max_memory > 0 ? fmin(bytes, (double)run->max_memory) : bytes;
}

static pm_status find_least_free(void *context, int gpu, pm_error *err)
{
    int64_t *least = context, available;
    pm_status status = pm_gpu_free_memory(gpu, &available, err);
#pragma omp critical(pm_gpu_find_least)
    if (!status && available < *least)
        *least = available;
    return status;
}

static pm_status find_free(int gpus, int64_t reserve, const pm_run *run, double *out, pm_error *err)
{
    int64_t least = INT64_MAX;
    pm_status status = pm_gpu_on_each(gpus, find_least_free, &least, err);
    if (!status)
        *out = within(least, reserve, run);
    return status;
}

pm_status pm_gpu_allowed(int gpus, const pm_run *run, double *out, pm_error *err)
{
    return find_free(gpus, PM_GPU_RESERVED_BYTES, run, out, err);
}

pm_status pm_gpu_expected(int gpus, double wanted, const pm_run *run, double *out, pm_error *err)
{
    int64_t least = INT64_MAX;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        pm_gpu_info info;
        pm_status status = pm_gpu_get_info(gpu, &info, err);
        if (status)
            return status;
        least = info.memory < least ? info.memory : least;
    }
    double all = within(least, PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES, run);
    if (fmin(wanted, all) > SMALL * (double)least)
        return find_free(gpus, PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES, run, out, err);
    *out = all;
    return PM_OK;
}
