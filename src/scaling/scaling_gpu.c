/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "scaling/scaling_gpu.h"

#include "scaling/scaling_gpu_kernel.h"

static pm_status open_thread(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                             pm_error *err)
{
    (void)run;
    const pm_thread_launch launch = pm_scaling_thread_launch(s);
    return pm_thread_samples_gpu_open(s, pm_scaling_thread_text(s->model), &launch, gpus, out, err);
}

const pm_sampler_gpu pm_scaling_thread_gpu = {.open = open_thread,
                                              .close = pm_thread_samples_gpu_close,
                                              .sum = pm_thread_samples_gpu_sum,
                                              .is_single_precision = true};

/* Returns PM_OK when the kernel can take the matrix and the options.  Fails: PM_UNABLE. */
static pm_status check_limits(const pm_sampler *s, const pm_scaling_model *m, pm_error *err)
{
    pm_status status = pm_warp_samples_gpu_check_rows(s, m->lists.n, err);
    if (status)
        return status;
    if (pm_scaling_complete(m) > PM_SCALING_WARP_MAX_COMPLETE)
        return pm_fail(err, PM_UNABLE, "%s on a GPU counts up to %d last rows exactly",
                       s->method->name, PM_SCALING_WARP_MAX_COMPLETE);
    if (pm_warp_samples_warps(pm_scaling_warp_bytes(m)) < 1)
        return pm_fail(err, PM_UNABLE, "%s needs more shared memory than a GPU has",
                       s->method->name);
    return PM_OK;
}

static pm_status open_warp(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                           pm_error *err)
{
    (void)run;
    const pm_scaling_model *m = s->model;
    pm_warp_image image = {0};
    pm_status status = check_limits(s, m, err);
    if (!status)
        status = pm_scaling_warp_image(s, &image, err);
    return status ? status
                  : pm_warp_samples_gpu_open(s, pm_scaling_warp_text(m), &image,
                                             pm_scaling_warp_bytes(m), gpus, out, err);
}

const pm_sampler_gpu pm_scaling_warp_gpu = {.open = open_warp,
                                            .close = pm_warp_samples_gpu_close,
                                            .draw = pm_warp_samples_gpu_draw,
                                            .max_samples = pm_warp_samples_gpu_max,
                                            .is_single_precision = true};
