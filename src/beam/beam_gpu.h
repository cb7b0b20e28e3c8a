/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_gpu.h: beams on GPUs: runs side by side on each of them, with the bits of the CPU. */
#ifndef PM_BEAM_GPU_H
#define PM_BEAM_GPU_H

#include "sampler/sampler.h"

/* open fails with PM_UNABLE where keys are too wide for the kernels or the lists for the card; at
 * most run->max_memory bytes of each card are taken, where that is set. */
extern const pm_sampler_gpu pm_beam_on_gpu;

#endif
