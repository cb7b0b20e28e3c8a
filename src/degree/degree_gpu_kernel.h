/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_gpu_kernel.h: texts and data of the kernels of degree/degree_gpu.h.  No device is
 * touched here. */
#ifndef PM_DEGREE_GPU_KERNEL_H
#define PM_DEGREE_GPU_KERNEL_H

#include "degree/degree_model.h"
#include "sampler/warp_samples_gpu.h"

/* ---- a thread a sample: up to 64 rows of ones ---- */

/* Kernel for free(); NULL when memory ends.  m->mask is not NULL. */
char *pm_degree_thread_text(const pm_degree_model *m);
/* Arguments that all launches share. */
pm_thread_launch pm_degree_thread_launch(const pm_sampler *s);

/* ---- a warp a sample: up to PM_WARP_SAMPLES_MAX_ROWS rows, any entries ---- */

/* Kernel for free(); NULL when memory ends. */
char *pm_degree_warp_text(const pm_degree_model *m);
/* Bytes of shared memory that a warp takes. */
int64_t pm_degree_warp_bytes(const pm_degree_model *m);
/* The block as the kernel reads it; free(out->base).  Fails: PM_ENOMEM. */
pm_status pm_degree_warp_image(const pm_sampler *s, pm_warp_image *out, pm_error *err);

#endif
