/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaling_gpu.h: the methods of scaling/scaling.c on GPUs.  Samples are the same on every
 * GPU, but not those of the CPU. */
#ifndef PM_SCALING_GPU_H
#define PM_SCALING_GPU_H

#include "sampler/sampler.h"

enum { PM_SCALING_WARP_MAX_COMPLETE = 12 /* most last rows that the kernel counts exactly */ };

/* scaling and scaling+ on patterns of up to PM_MASKS_MAX_ROWS rows: one sample a thread. */
extern const pm_sampler_gpu pm_scaling_thread_gpu;
/* All three methods on up to PM_WARP_SAMPLES_MAX_ROWS rows: one sample a warp. */
extern const pm_sampler_gpu pm_scaling_warp_gpu;

#endif
