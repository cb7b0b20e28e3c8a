/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/mask_gpu.h: samples of up to 64 rows of ones on GPUs, a thread a sample, summed there: what
 * the methods that do so have in common (cuda/samples.cuh).
 *
 * A launch is a run of batches.  It returns the sums of each, and the weights that may be among the
 * largest of all: those above the least that was kept when it began, which can only grow.
 * Launches are so long that there is room for four times as many of them as are to be expected;
 * where there are more even so, it is run again in pieces that must fit. */
#ifndef PM_MASK_GPU_H
#define PM_MASK_GPU_H

#include "cuda/samples_launch.h"
#include "sampler/sampler.h"

/* Rows at most; samples of a batch: s->batch of those who sample so. */
enum { PM_MASKS_MOST = 64, PM_MASKS_BATCH = 2048 };

/* The members of a pm_sampler_gpu.  text: of the kernel, freed here, or NULL where memory has ended;
 * launch: what all launches are told. */
pm_status pm_mask_gpu_open(const pm_sampler *s, char *text, const pm_samples_launch *launch,
                           int gpus, void **out, pm_error *err);
void pm_mask_gpu_close(void *gpu);
pm_status pm_mask_gpu_sum(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                          const pm_run *run, struct pm_moments *m, pm_error *err);

#endif
