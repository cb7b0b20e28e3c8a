/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scaling/scaled_masks_gpu.h: scaling and scaling+ on GPUs, up to 64 rows of ones: a thread a sample,
 * its code written out for the matrix (cuda/scaled_masks.cuh).  Their samples are not those of
 * the CPU, but the same ones on every GPU. */
#ifndef PM_SCALED_MASKS_GPU_H
#define PM_SCALED_MASKS_GPU_H

#include "sampler/mask_gpu.h"
#include "scaling/scaling_model.h"

extern const pm_sampler_gpu pm_scaled_masks_gpu;

/* Of one of these methods, without entries, with at most PM_MASKS_MOST rows? */
bool pm_scaled_masks_has(const pm_scaling_model *m);

/* Kernel for free(); NULL when memory ends. */
char *pm_scaled_masks_text(const pm_scaling_model *m);
/* What all launches are told. */
pm_samples_launch pm_scaled_masks_launch(const pm_sampler *s);

#endif
