/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaling_gpu_kernel.h: texts and arguments of the kernels of scaling/scaling_gpu.h.  Needs
 * no device. */
#ifndef PM_SCALING_GPU_KERNEL_H
#define PM_SCALING_GPU_KERNEL_H

#include "sampler/thread_samples_gpu.h"
#include "sampler/warp_samples_gpu.h"
#include "scaling/scaling_model.h"

/* ---- one sample a thread, sums written out for the matrix (cuda/scaling_thread.cuh) ---- */

/* Returns true if the kernel can draw for this model: scaling or scaling+, a pattern, at most
 * PM_MASKS_MAX_ROWS rows. */
bool pm_scaling_thread_applies(const pm_scaling_model *m);
/* The kernel.  The caller frees it with free().  Returns NULL when out of memory. */
char *pm_scaling_thread_text(const pm_scaling_model *m);
/* The argument of all launches, but for the threshold. */
pm_thread_launch pm_scaling_thread_launch(const pm_sampler *s);

/* ---- one sample a warp (cuda/scaling_warp.cuh) ---- */

/* The kernel.  The caller frees it with free().  Returns NULL when out of memory. */
char *pm_scaling_warp_text(const pm_scaling_model *m);
/* Bytes of shared memory that a warp needs. */
int64_t pm_scaling_warp_bytes(const pm_scaling_model *m);
/* *out = the matrix as the kernel reads it.  The caller frees out->base with free().
 * Fails: PM_ENOMEM. */
pm_status pm_scaling_warp_image(const pm_sampler *s, pm_warp_image *out, pm_error *err);

#endif
