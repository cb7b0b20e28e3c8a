/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/sampler_place.h"

#include "count/on_gpu.h"
#include "gpu/gpu.h"

static pm_status open_gpu(pm_sampler *s, int wanted, const pm_run *run, pm_error *err)
{
    const pm_job job = {.gpus = wanted, .rates = &pm_rates_nominal};
    pm_gpu_place found;
    pm_status rc = pm_gpu_place_find(&job, PM_GPU_RATES, &found, err);
    if (rc)
        return rc;
    if (!s->on_gpu)
        return pm_fail(err, PM_UNABLE, "%s has no kernel for GPUs", s->method->name);
    rc = s->on_gpu->open(s, found.gpus, run, &s->gpu, err);
    if (!rc)
        pm_run_note(run, 1, "block %u: %s on %d GPU%s", s->block + 1, s->method->name, found.gpus,
                    found.gpus > 1 ? "s" : "");
    return rc;
}

/* Everybody is told of a GPU that is there and fails, or is asked for and does not draw. */
static int note_level(pm_status failure, bool is_demanded, bool is_there)
{
    if (failure == PM_UNABLE)
        return is_demanded ? 0 : 1;
    return is_there ? 0 : 2;
}

/* The CPU draws from now on, unless what failed is neither a GPU nor a limit of its kernels, or
 * GPUs are demanded. */
static pm_status stay(pm_sampler *s, const pm_sampler_place *place, bool is_there,
                      pm_status failure, const pm_error *why, const pm_run *run, pm_error *err)
{
    if (failure != PM_UNABLE && !pm_gpu_has_failed(failure))
        return pm_fail(err, failure, "%s", why->msg);
    if (pm_gpu_has_failed(failure) && place->backend == PM_BACKEND_CUDA)
        return pm_fail(err, PM_ENODEV, "%s", why->msg);
    pm_run_note(run, note_level(failure, place->backend == PM_BACKEND_CUDA, is_there),
                "block %u: %s; the CPU draws", s->block + 1, why->msg);
    s->stays = true;
    return PM_OK;
}

pm_status pm_sampler_place_for(pm_sampler *s, const pm_sampler_place *place, double samples,
                               const pm_run *run, pm_error *err)
{
    pm_error why;
    bool is_demanded = place->backend == PM_BACKEND_CUDA;
    if (s->gpu || s->stays || place->backend == PM_BACKEND_CPU)
        return PM_OK;
    if (!is_demanded && (!s->on_gpu || !pm_gpu_is_worth(samples * s->seconds)))
        return PM_OK;
    bool is_there = pm_gpu_is_there();
    pm_status rc = open_gpu(s, place->gpus, run, &why);
    return rc ? stay(s, place, is_there, rc, &why, run, err) : PM_OK;
}

pm_status pm_sampler_leave_gpu(pm_sampler *s, const pm_sampler_place *place, pm_status failure,
                               const pm_error *why, const pm_run *run, pm_error *err)
{
    if (!s->gpu || !pm_gpu_has_failed(failure))
        return pm_fail(err, failure, "%s", why->msg);
    s->on_gpu->close(s->gpu);
    s->gpu = NULL;
    return stay(s, place, true, failure, why, run, err);
}
