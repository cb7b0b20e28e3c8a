/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/degree_gpu.h"

#include "degree/degree_gpu_kernel.h"

static pm_status open_thread(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                             pm_error *err)
{
    (void)run;
    const pm_thread_launch launch = pm_degree_thread_launch(s);
    return pm_thread_samples_gpu_open(s, pm_degree_thread_text(s->model), &launch, gpus, out, err);
}

const pm_sampler_gpu pm_degree_thread_gpu = {
    .open = open_thread, .close = pm_thread_samples_gpu_close, .sum = pm_thread_samples_gpu_sum};

static pm_status open_warp(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                           pm_error *err)
{
    (void)run;
    const pm_degree_model *m = s->model;
    pm_warp_image image = {0};
    pm_status status = pm_warp_samples_gpu_check_rows(s, m->lists.n, err);
    if (!status)
        status = pm_degree_warp_image(s, &image, err);
    return status ? status
                  : pm_warp_samples_gpu_open(s, pm_degree_warp_text(m), &image,
                                             pm_degree_warp_bytes(m), gpus, out, err);
}

const pm_sampler_gpu pm_degree_warp_gpu = {.open = open_warp,
                                           .close = pm_warp_samples_gpu_close,
                                           .draw = pm_warp_samples_gpu_draw,
                                           .max_samples = pm_warp_samples_gpu_max};
