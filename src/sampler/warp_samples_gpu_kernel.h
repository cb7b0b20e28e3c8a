/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/warp_samples_gpu_kernel.h: a matrix as kernels that draw one sample with one warp read
 * it: all arrays in one piece of memory (cuda/warp_launch.h).
 *
 * Written in three steps: reserve space for every array, which gives its offset; allocate the
 * memory; fill the arrays. */
#ifndef PM_WARP_SAMPLES_GPU_KERNEL_H
#define PM_WARP_SAMPLES_GPU_KERNEL_H

#include "cuda/warp_launch.h"
#include "sampler/neighbours.h"
#include "sampler/sampler.h"

typedef struct {
    pm_warp_launch launch; /* offsets of the arrays from base */
    char *base;            /* the caller frees it with free() */
    int64_t bytes;
} pm_warp_image;

/* Lists of one side of the matrix, rows or columns: line i has the positions
 * ptr[i] .. ptr[i + 1] - 1.  Nothing is owned. */
typedef struct {
    const int32_t *ptr, *ind;
    const double *value;           /* NULL: all entries are 1 */
    const double *scale;           /* NULL: not needed */
    const uint32_t *integer_entry; /* NULL: not needed (degree/degree_lists.h) */
    int32_t n, max_length;         /* lines; entries of the longest line */
} pm_line_lists;

/* The rows or columns of *l, without scale and integer_entry. */
pm_line_lists pm_line_lists_of_rows(const pm_neighbours *l);
pm_line_lists pm_line_lists_of_columns(const pm_neighbours *l);

/* Reserves space for count objects of `size` bytes.  Returns their offset, a multiple of 8. */
uint64_t pm_warp_image_reserve(pm_warp_image *image, int64_t count, size_t size);
/* Reserves space for the lists of one side; *out = the offsets. */
void pm_warp_image_reserve_lists(const pm_line_lists *s, pm_list_offsets *out,
                                 pm_warp_image *image);
/* Allocates image->base, zeroed, after everything has been reserved.  Fails: PM_ENOMEM. */
pm_status pm_warp_image_alloc(pm_warp_image *image, pm_error *err);
/* Copies the lists of one side to the offsets that were reserved for them. */
void pm_warp_image_fill_lists(const pm_line_lists *s, const pm_list_offsets *to,
                              pm_warp_image *image);

#endif
