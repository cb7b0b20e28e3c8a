/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_gpu.h: the methods of degree/integer_state.c on GPUs: up to 64 rows of ones, bits
 * and all as the CPU has them. */
#ifndef PM_DEGREE_GPU_H
#define PM_DEGREE_GPU_H

#include "degree/degree_model.h"

extern const pm_sampler_gpu pm_degree_gpu;

/* Kernel for free(); NULL when memory ends.  m->mask is not NULL. */
char *pm_degree_gpu_text(const pm_degree_model *m);
/* What all launches are told. */
pm_samples_launch pm_degree_gpu_launch(const pm_sampler *s);

#endif
