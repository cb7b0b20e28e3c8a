/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_gpu_kernel.h: texts and arguments of the kernels of degree/degree_gpu.h.  Needs no
 * device. */
#ifndef PM_DEGREE_GPU_KERNEL_H
#define PM_DEGREE_GPU_KERNEL_H

#include "degree/degree_model.h"
#include "sampler/warp_samples_gpu.h"

/* ---- one sample a thread: patterns of up to PM_MASKS_MAX_ROWS rows ---- */

/* Returns the kernel text, which the caller frees with free(); NULL when out of memory.  m->mask must
 * not be NULL. */
char *pm_degree_thread_text(const pm_degree_model *m);
/* The argument of every launch; the threshold is set at each launch. */
pm_thread_launch pm_degree_thread_launch(const pm_sampler *s);

/* ---- one sample a warp: up to PM_WARP_SAMPLES_MAX_ROWS rows, any entries ---- */

/* Returns the kernel text, which the caller frees with free(); NULL when out of memory. */
char *pm_degree_warp_text(const pm_degree_model *m);
/* Bytes of shared memory that a warp needs. */
int64_t pm_degree_warp_bytes(const pm_degree_model *m);
/* *out = the matrix as the kernel reads it.  The caller frees out->base with free().
 * Fails: PM_ENOMEM. */
pm_status pm_degree_warp_image(const pm_sampler *s, pm_warp_image *out, pm_error *err);

#endif
