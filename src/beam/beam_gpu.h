/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_gpu.h: the beam on GPUs: several runs at a time on each of them, with the same bits as
 * on the CPU. */
#ifndef PM_BEAM_GPU_H
#define PM_BEAM_GPU_H

#include "sampler/sampler.h"

/* open fails with PM_UNABLE when the keys are too wide or the edges too many for the kernels, or
 * when the lists of one run do not fit into the memory of a GPU or into run->max_memory bytes
 * (where that is set). */
extern const pm_sampler_gpu pm_beam_gpu;

#endif
