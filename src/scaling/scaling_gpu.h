/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaling_gpu.h: the methods of scaling/scaling.c on GPUs, up to 1024 rows: a warp a sample,
 * cuda/scalings.cuh.  Their samples are not those of the CPU, but the same ones on every GPU. */
#ifndef PM_SCALING_GPU_H
#define PM_SCALING_GPU_H

#include "sampler/lines_gpu.h"
#include "scaling/scaling_model.h"

enum { PM_SCALING_GPU_COMPLETE = 12 /* rows that are counted at the end, at most */ };

extern const pm_sampler_gpu pm_scaling_gpu;

/* What the kernel has of the block.  Fails: PM_ENOMEM. */
pm_status pm_scaling_image(const pm_sampler *s, pm_lines_image *out, pm_error *err);
/* Bytes of shared memory that a warp takes. */
int64_t pm_scaling_warp_bytes_of(const pm_scaling_model *m);
/* Kernel for free(); NULL when memory ends. */
char *pm_scaling_gpu_text(const pm_scaling_model *m);

#endif
