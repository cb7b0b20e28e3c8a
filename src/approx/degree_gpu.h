/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approx/degree_gpu.h: the methods of approx/integer_state.c on GPUs: up to 64 rows of ones, bits
 * and all as the CPU has them.
 *
 * A launch is a run of batches.  It returns the sums of each, and the weights that may be among the
 * largest of all: those above the least that was kept when it began, which can only grow.
 * Launches are so long that there is room for four times as many of them as are to be expected;
 * where there are more even so, it is run again in pieces that must fit. */
#ifndef PM_DEGREE_GPU_H
#define PM_DEGREE_GPU_H

#include "approx/degree_model.h"
#include "approx/sampler.h"
#include "approx/samples_launch.h"

extern const pm_sampler_gpu pm_degree_gpu;

/* Kernel for free(); NULL when memory ends.  m->mask is not NULL. */
char *pm_degree_gpu_text(const pm_degree_model *m);
/* What all launches are told; least is 0. */
pm_samples_launch pm_degree_gpu_launch(const pm_sampler *s);

#endif
