/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/thread_samples_gpu.h: the CUDA backend of methods that draw one sample with one thread
 * (cuda/thread_samples.cuh): patterns of up to 64 rows.  The GPU sums the weights.
 *
 * A launch draws a range of batches.  It returns the sums of each batch and all weights that may be
 * among the largest ones of the sampler: those above a threshold, the smallest weight that was kept
 * when the launch began (it can only grow).  The number of batches of a launch is chosen so that
 * the buffer holds four times the expected number of such weights.  If there are more nevertheless,
 * the launch is repeated in parts that are so small that all their weights fit. */
#ifndef PM_THREAD_SAMPLES_GPU_H
#define PM_THREAD_SAMPLES_GPU_H

#include "cuda/thread_launch.h"
#include "sampler/sampler.h"

enum {
    PM_MASKS_MAX_ROWS = 64,
    PM_MASKS_BATCH = 2048 /* samples of a batch: s->batch of the methods with this backend */
};

/* The functions of a pm_sampler_gpu.  Further arguments of open:
 * text:   the kernel; NULL: out of memory (then PM_ENOMEM).  Freed, also on failure.
 * launch: argument of all launches, but for the threshold. */
pm_status pm_thread_samples_gpu_open(const pm_sampler *s, char *text,
                                     const pm_thread_launch *launch, int gpus, void **out,
                                     pm_error *err);
void pm_thread_samples_gpu_close(void *gpu);
pm_status pm_thread_samples_gpu_sum(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                                    const pm_run *run, struct pm_batch_sink *sink, pm_error *err);

#endif
