/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/sampler_backend.h"

#include "algorithm/gpu_plan.h"
#include "gpu/gpu.h"
#include "pm/settings.h"

static pm_status open_gpu(pm_sampler *s, int wanted, const pm_run *run, pm_error *err)
{
    pm_gpu_target found;
    pm_status status = pm_gpu_target_find(wanted, &pm_rates_nominal, PM_GPU_RATES, &found, err);
    if (status)
        return status;
    if (!s->on_gpu)
        return pm_fail(err, PM_UNABLE, "%s does not run on a GPU", s->method->name);
    status = s->on_gpu->open(s, found.gpus, run, &s->gpu, err);
    if (!status)
        pm_run_note(run, 1, "block %u: %s on %d GPU%s", s->block + 1, s->method->name, found.gpus,
                    found.gpus > 1 ? "s" : "");
    return status;
}

static void close_gpu(pm_sampler *s)
{
    if (s->gpu)
        s->on_gpu->close(s->gpu);
    s->gpu = NULL;
}

/* Makes the CPU draw all further samples, and says why in a note of this level. */
static pm_status use_cpu(pm_sampler *s, int level, const pm_error *why, const pm_run *run)
{
    pm_run_note(run, level, "block %u: %s; its samples are drawn on the CPU", s->block + 1,
                why->msg);
    s->cpu_only = true;
    return PM_OK;
}

static pm_status fail_demanded(const pm_error *why, pm_error *err)
{
    return pm_fail(err, PM_ENODEV, "%.900s%s", why->msg, pm_hint_text(PM_HINT_CPU));
}

/* Falls back to the CPU where that is allowed.  The note has level 0, which is always shown, when a
 * GPU failed, or when GPUs are demanded but their kernels cannot take the matrix.  Fails when GPUs
 * are demanded and one failed, or for reasons that are not a GPU's. */
static pm_status handle_failure(pm_sampler *s, bool is_demanded, pm_status failure,
                                const pm_error *why, const pm_run *run, pm_error *err)
{
    if (failure == PM_UNABLE)
        return use_cpu(s, is_demanded ? 0 : 1, why, run);
    if (!pm_gpu_has_failed(failure))
        return pm_fail(err, failure, "%s", why->msg);
    return is_demanded ? fail_demanded(why, err) : use_cpu(s, 0, why, run);
}

pm_status pm_sampler_choose_backend(pm_sampler *s, const pm_sampler_backend *choice, double samples,
                                    const pm_run *run, pm_error *err)
{
    int count;
    pm_error why;
    bool is_demanded = choice->backend == PM_BACKEND_CUDA;
    if (s->cpu_only || choice->backend == PM_BACKEND_CPU)
        return PM_OK;
    if (!s->gpu && !is_demanded && (!s->on_gpu || !pm_gpu_is_worthwhile(samples * s->seconds)))
        return PM_OK;
    if (!is_demanded && pm_gpu_count(&count, &why) != PM_OK) { /* also after an earlier failure */
        close_gpu(s);
        return use_cpu(s, 2, &why, run);
    }
    if (s->gpu)
        return PM_OK;
    pm_status status = open_gpu(s, choice->gpus, run, &why);
    return status ? handle_failure(s, is_demanded, status, &why, run, err) : PM_OK;
}

pm_status pm_sampler_fall_back(pm_sampler *s, const pm_sampler_backend *choice, pm_status failure,
                               const pm_error *why, const pm_run *run, pm_error *err)
{
    if (!s->gpu || !pm_gpu_has_failed(failure))
        return pm_fail(err, failure, "%s", why->msg);
    close_gpu(s);
    return handle_failure(s, choice->backend == PM_BACKEND_CUDA, failure, why, run, err);
}
