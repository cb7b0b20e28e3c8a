/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaling_gpu_kernel.h: texts and data of the kernels of scaling/scaling_gpu.h.  No device is
 * touched here. */
#ifndef PM_SCALING_GPU_KERNEL_H
#define PM_SCALING_GPU_KERNEL_H

#include "sampler/lines_gpu.h"
#include "sampler/mask_gpu.h"
#include "scaling/scaling_model.h"

/* ---- a thread a sample, its code written out for the matrix (cuda/scaled_masks.cuh) ---- */

/* Is m of scaling or scaling+, a pattern, with at most PM_MASKS_MOST rows? */
bool pm_scaled_masks_has(const pm_scaling_model *m);
/* Kernel for free(); NULL when memory ends. */
char *pm_scaled_masks_text(const pm_scaling_model *m);
/* Arguments that all launches share. */
pm_samples_launch pm_scaled_masks_launch(const pm_sampler *s);

/* ---- a warp a sample (cuda/scalings.cuh) ---- */

/* Kernel for free(); NULL when memory ends. */
char *pm_scaling_gpu_text(const pm_scaling_model *m);
/* Bytes of shared memory that a warp takes. */
int64_t pm_scaling_warp_bytes_of(const pm_scaling_model *m);
/* The block as the kernel reads it; free(out->base).  Fails: PM_ENOMEM. */
pm_status pm_scaling_image(const pm_sampler *s, pm_lines_image *out, pm_error *err);

#endif
