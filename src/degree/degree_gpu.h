/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_gpu.h: the methods of degree/integer_state.c on GPUs, with the bits of the CPU. */
#ifndef PM_DEGREE_GPU_H
#define PM_DEGREE_GPU_H

#include "sampler/sampler.h"

/* Up to 64 rows of ones: a thread a sample. */
extern const pm_sampler_gpu pm_degree_thread_gpu;
/* More rows, up to PM_WARP_SAMPLES_MAX_ROWS, or other entries: a warp a sample. */
extern const pm_sampler_gpu pm_degree_warp_gpu;

#endif
