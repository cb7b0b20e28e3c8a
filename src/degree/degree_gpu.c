/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/degree_gpu.h"

#include "degree/degree_gpu_kernel.h"

static pm_status open_masks(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                            pm_error *err)
{
    (void)run;
    const pm_samples_launch launch = pm_degree_gpu_launch(s);
    return pm_mask_gpu_open(s, pm_degree_gpu_text(s->model), &launch, gpus, out, err);
}

const pm_sampler_gpu pm_degree_gpu = {
    .open = open_masks, .close = pm_mask_gpu_close, .sum = pm_mask_gpu_sum};

static pm_status open_lines(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                            pm_error *err)
{
    (void)run;
    const pm_degree_model *m = s->model;
    pm_lines_image image = {0};
    pm_status rc = pm_lines_gpu_refuse(s, m->lists.n, err);
    if (!rc)
        rc = pm_degree_image(s, &image, err);
    return rc ? rc
              : pm_lines_gpu_open(s, pm_degree_lines_text(m), &image, pm_degree_warp_bytes_of(m),
                                  gpus, out, err);
}

const pm_sampler_gpu pm_degree_lines_gpu = {.open = open_lines,
                                            .close = pm_lines_gpu_close,
                                            .draw = pm_lines_gpu_draw,
                                            .max_samples = pm_lines_gpu_most};
