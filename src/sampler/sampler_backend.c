/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/sampler_backend.h"

#include "algorithm/gpu_plan.h"
#include "gpu/gpu.h"

static pm_status open_gpu(pm_sampler *s, int wanted, const pm_run *run, pm_error *err)
{
    pm_gpu_target found;
    pm_status rc = pm_gpu_target_find(wanted, &pm_rates_nominal, PM_GPU_RATES, &found, err);
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

static void leave(pm_sampler *s)
{
    if (s->gpu)
        s->on_gpu->close(s->gpu);
    s->gpu = NULL;
}

/* The CPU draws from now on.  level: of the note that says why. */
static pm_status stay(pm_sampler *s, int level, const pm_error *why, const pm_run *run)
{
    pm_run_note(run, level, "block %u: %s; the CPU draws", s->block + 1, why->msg);
    s->cpu_only = true;
    return PM_OK;
}

/* Everybody is told of a GPU that fails, or is asked for and does not draw.  What is neither a GPU's
 * failure nor a limit of its kernels is a failure, and so is a GPU's where GPUs are demanded. */
static pm_status do_without(pm_sampler *s, bool is_demanded, pm_status failure, const pm_error *why,
                            const pm_run *run, pm_error *err)
{
    if (failure == PM_UNABLE)
        return stay(s, is_demanded ? 0 : 1, why, run);
    if (!pm_gpu_has_failed(failure))
        return pm_fail(err, failure, "%s", why->msg);
    return is_demanded ? pm_fail(err, PM_ENODEV, "%s", why->msg) : stay(s, 0, why, run);
}

pm_status pm_sampler_choose_backend(pm_sampler *s, const pm_sampler_backend *place, double samples,
                                    const pm_run *run, pm_error *err)
{
    int count;
    pm_error why;
    bool is_demanded = place->backend == PM_BACKEND_CUDA;
    if (s->cpu_only || place->backend == PM_BACKEND_CPU)
        return PM_OK;
    if (!s->gpu && !is_demanded && (!s->on_gpu || !pm_gpu_is_worth(samples * s->seconds)))
        return PM_OK;
    if (!is_demanded && pm_gpu_count(&count, &why) != PM_OK) { /* or no more, as was told */
        leave(s);
        return stay(s, 2, &why, run);
    }
    if (s->gpu)
        return PM_OK;
    pm_status rc = open_gpu(s, place->gpus, run, &why);
    return rc ? do_without(s, is_demanded, rc, &why, run, err) : PM_OK;
}

pm_status pm_sampler_fall_back(pm_sampler *s, const pm_sampler_backend *place, pm_status failure,
                               const pm_error *why, const pm_run *run, pm_error *err)
{
    if (!s->gpu || !pm_gpu_has_failed(failure))
        return pm_fail(err, failure, "%s", why->msg);
    leave(s);
    return do_without(s, place->backend == PM_BACKEND_CUDA, failure, why, run, err);
}
