/* SPDX-License-Identifier: GPL-3.0-or-later */
/* degree/degree_lines_gpu.h: the methods of degree/integer_state.c on GPUs where masks do not do: more
 * rows, up to 1024, or entries; a warp a sample, bits and all as the CPU has them. */
#ifndef PM_DEGREE_LINES_GPU_H
#define PM_DEGREE_LINES_GPU_H

#include "degree/degree_model.h"
#include "sampler/lines_gpu.h"

extern const pm_sampler_gpu pm_degree_lines_gpu;

/* Bytes of shared memory that a warp takes. */
int64_t pm_degree_warp_bytes_of(const pm_degree_model *m);
/* Kernel for free(); NULL when memory ends. */
char *pm_degree_lines_text(const pm_degree_model *m);

#endif
