/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaling_gpu.h: the methods of scaling/scaling.c on GPUs.  Their samples are not those of the
 * CPU, but the same ones on every GPU. */
#ifndef PM_SCALING_GPU_H
#define PM_SCALING_GPU_H

#include "sampler/sampler.h"

enum { PM_SCALING_WARP_MAX_COMPLETE = 12 /* rows that are counted at the end, at most */ };

/* scaling and scaling+, up to 64 rows of ones: a thread a sample. */
extern const pm_sampler_gpu pm_scaling_thread_gpu;
/* All others, up to PM_WARP_SAMPLES_MAX_ROWS rows: a warp a sample. */
extern const pm_sampler_gpu pm_scaling_warp_gpu;

#endif
