/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/warp_launch.h: the argument of kernels that draw one sample with one warp
 * (cuda/warp_samples.cuh).  The matrix lies in one buffer of the device; the argument holds the
 * byte offsets of its arrays in that buffer.  The text is C for the CPU and CUDA C++ for kernels
 * (cuda/philox_block.h). */
#ifndef PM_WARP_LAUNCH_H
#define PM_WARP_LAUNCH_H

#ifndef PM_KERNEL_TEXT
#include "cuda/sample_sequence.h"
#endif

/* Byte offsets of the arrays of one side, rows or columns; n lines on each side.
 * Arrays of entries are transposed so that threads with consecutive lines read consecutive
 * addresses: what belongs to neighbour t of line i is at index t n + i. */
typedef struct {
    uint64_t length;       /* int32_t[n]: number of neighbours */
    uint64_t neighbour;    /* uint16_t[]: the neighbours */
    uint64_t single_value; /* float[]: the entries, for scaling; only where not all are 1 */
    uint64_t
        integer_entry; /* uint32_t[]: degree/degree_lists.h; only where not all entries are 1 */
    uint64_t value;    /* double[]: the entries; only where not all are 1 */
    uint64_t scale;    /* float[n]: the scaling of the whole matrix */
    uint64_t mask;     /* uint64_t[n]: neighbours as bits; only for n <= 64, all entries 1 */
} pm_list_offsets;

typedef struct {
    pm_list_offsets row, column;
    uint64_t sets;    /* offset of uint16_t[]: the nonempty subsets of the last rows, by size */
    uint64_t table;   /* offset of uint32_t[]: T of cuda/degree_masks.h */
    uint64_t seed;    /* of the sampler */
    int64_t exponent; /* the permanent is 2^exponent times that of the entries */
    uint32_t block;   /* of the sampler */
    uint32_t unused;
} pm_warp_launch;

#endif
