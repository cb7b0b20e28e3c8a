/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaling_gpu_kernel.h: texts and data of the kernels of scaling/scaling_gpu.h.  No device is
 * touched here. */
#ifndef PM_SCALING_GPU_KERNEL_H
#define PM_SCALING_GPU_KERNEL_H

#include "sampler/thread_samples_gpu.h"
#include "sampler/warp_samples_gpu.h"
#include "scaling/scaling_model.h"

/* ---- a thread a sample, its code written out for the matrix (cuda/scaling_thread.cuh) ---- */

/* Is m of scaling or scaling+, a pattern, with at most PM_MASKS_MAX_ROWS rows? */
bool pm_scaling_thread_applies(const pm_scaling_model *m);
/* Kernel for free(); NULL when memory ends. */
char *pm_scaling_thread_text(const pm_scaling_model *m);
/* Arguments that all launches share. */
pm_thread_launch pm_scaling_thread_launch(const pm_sampler *s);

/* ---- a warp a sample (cuda/scaling_warp.cuh) ---- */

/* Kernel for free(); NULL when memory ends. */
char *pm_scaling_warp_text(const pm_scaling_model *m);
/* Bytes of shared memory that a warp takes. */
int64_t pm_scaling_warp_bytes(const pm_scaling_model *m);
/* The block as the kernel reads it; free(out->base).  Fails: PM_ENOMEM. */
pm_status pm_scaling_warp_image(const pm_sampler *s, pm_warp_image *out, pm_error *err);

#endif
