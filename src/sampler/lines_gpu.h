/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/lines_gpu.h: samples on GPUs, a warp a sample, up to 1024 rows: what the methods that do so
 * have in common (cuda/warps.cuh).  The weights go to the CPU. */
#ifndef PM_LINES_GPU_H
#define PM_LINES_GPU_H

#include "sampler/lines_gpu_kernel.h"

enum { PM_LINES_MOST = 1024 };

/* Warps of a block that take so many bytes of shared memory each; 0: one takes too many. */
int pm_lines_warps(int64_t warp_bytes);

/* Fails: PM_UNABLE the block has more than PM_LINES_MOST rows. */
pm_status pm_lines_gpu_refuse(const pm_sampler *s, int32_t rows, pm_error *err);

/* The members of a pm_sampler_gpu.  text: of a kernel with so many warps; it and the image's
 * memory are freed; either is NULL where memory has ended. */
pm_status pm_lines_gpu_open(const pm_sampler *s, char *text, pm_lines_image *image,
                            int64_t warp_bytes, int gpus, void **out, pm_error *err);
void pm_lines_gpu_close(void *gpu);
pm_status pm_lines_gpu_draw(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                            const pm_run *run, pm_weight *out, pm_error *err);
int64_t pm_lines_gpu_most(const void *gpu);

#endif
