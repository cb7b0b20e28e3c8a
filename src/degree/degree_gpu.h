/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_gpu.h: the methods of degree/integer_state.c on GPUs.  Weights have the same bits
 * as on the CPU. */
#ifndef PM_DEGREE_GPU_H
#define PM_DEGREE_GPU_H

#include "sampler/sampler.h"

/* Patterns of up to PM_MASKS_MAX_ROWS rows: one sample a thread. */
extern const pm_sampler_gpu pm_degree_thread_gpu;
/* Up to PM_WARP_SAMPLES_MAX_ROWS rows, any entries: one sample a warp. */
extern const pm_sampler_gpu pm_degree_warp_gpu;

#endif
