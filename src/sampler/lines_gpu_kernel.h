/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/lines_gpu_kernel.h: writing a block for cuda/lines_launch.h. */
#ifndef PM_LINES_GPU_KERNEL_H
#define PM_LINES_GPU_KERNEL_H

#include "cuda/lines_launch.h"
#include "sampler/neighbours.h"
#include "sampler/sampler.h"

/* A block in one piece of memory. */
typedef struct {
    pm_lines_launch launch;
    char *base; /* for free() */
    int64_t bytes;
} pm_lines_image;

/* One side of the whole matrix: line i has the places ptr[i] .. ptr[i + 1] - 1. */
typedef struct {
    const int32_t *ptr, *ind;
    const double *value;  /* NULL: all entries are 1 */
    const double *scale;  /* NULL: none */
    const uint32_t *part; /* NULL: none */
    int32_t n, most;      /* lines; entries of one at most */
} pm_lines;

pm_lines pm_lines_of_rows(const pm_neighbours *l);
pm_lines pm_lines_of_columns(const pm_neighbours *l);

/* Room for `count` things of a size; where it begins. */
uint64_t pm_lines_carve(pm_lines_image *image, int64_t count, size_t size);
void pm_lines_lay(const pm_lines *s, pm_lines_side *out, pm_lines_image *image);
/* All has been laid out.  Fails: PM_ENOMEM. */
pm_status pm_lines_alloc(pm_lines_image *image, pm_error *err);
void pm_lines_fill(const pm_lines *s, const pm_lines_side *to, pm_lines_image *image);

#endif
