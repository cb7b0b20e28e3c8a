/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/sampler_place.h"

#include "count/on_gpu.h"

static bool is_worth_a_gpu(const pm_sampler *s, double samples)
{
    return samples * s->seconds > PM_GPU_START_SECONDS * PM_GPU_WORTH_CORES;
}

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

pm_status pm_sampler_place_for(pm_sampler *s, const pm_sampler_place *place, double samples,
                               const pm_run *run, pm_error *err)
{
    pm_error why;
    bool is_demanded = place->backend == PM_BACKEND_CUDA;
    if (s->gpu || s->stays || place->backend == PM_BACKEND_CPU)
        return PM_OK;
    if (!is_demanded && (!s->on_gpu || !is_worth_a_gpu(s, samples)))
        return PM_OK;
    pm_status rc = open_gpu(s, place->gpus, run, &why);
    s->stays = rc != PM_OK;
    if (rc && rc != PM_UNABLE && is_demanded)
        return pm_fail(err, rc, "%s", why.msg);
    if (rc == PM_UNABLE)
        pm_run_note(run, is_demanded ? 0 : 1, "block %u: %s; the CPU draws", s->block + 1, why.msg);
    else if (rc)
        pm_run_note(run, 2, "%s", why.msg);
    return PM_OK;
}
