/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/warp_samples_gpu.h: the CUDA backend of methods that draw one sample with one warp
 * (cuda/warp_samples.cuh): up to 1024 rows, any entries.  The CPU sums the weights. */
#ifndef PM_WARP_SAMPLES_GPU_H
#define PM_WARP_SAMPLES_GPU_H

#include "sampler/warp_samples_gpu_kernel.h"

enum { PM_WARP_SAMPLES_MAX_ROWS = 1024 };

/* Warps of a thread block when each needs warp_bytes bytes of shared memory, 1 .. 4; 0 when there
 * is not enough shared memory for one. */
int pm_warp_samples_warps(int64_t warp_bytes);

/* Returns PM_OK when the kernels take this number of rows.  Fails: PM_UNABLE. */
pm_status pm_warp_samples_gpu_check_rows(const pm_sampler *s, int32_t rows, pm_error *err);

/* The functions of a pm_sampler_gpu.  Further arguments of open:
 * text:       kernel for pm_warp_samples_warps(warp_bytes) warps; NULL: out of memory (then
 *             PM_ENOMEM).  Freed, also on failure.
 * image:      the matrix; base NULL: out of memory (then PM_ENOMEM).  Freed, also on failure.
 * warp_bytes: bytes of shared memory of a warp. */
pm_status pm_warp_samples_gpu_open(const pm_sampler *s, char *text, pm_warp_image *image,
                                   int64_t warp_bytes, int gpus, void **out, pm_error *err);
void pm_warp_samples_gpu_close(void *gpu);
pm_status pm_warp_samples_gpu_draw(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                                   const pm_run *run, pm_weight *out, pm_error *err);
int64_t pm_warp_samples_gpu_max(const void *gpu);

#endif
