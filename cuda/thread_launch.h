/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/thread_launch.h: the argument of kernels that draw one sample with one thread
 * (cuda/thread_samples.cuh), and the large weights that they return.  The text is C for the CPU and
 * CUDA C++ for kernels (cuda/philox_block.h). */
#ifndef PM_THREAD_LAUNCH_H
#define PM_THREAD_LAUNCH_H

#ifndef PM_KERNEL_TEXT
#include "cuda/sample_sequence.h"
#endif

/* A pattern of at most 64 rows, and the settings of the sampler. */
typedef struct {
    uint64_t row[64], column[64]; /* neighbours as bits */
    uint32_t table[66];           /* T of cuda/degree_masks.h */
    uint32_t block, unused;
    uint64_t seed;
    int64_t exponent;          /* the permanent is 2^exponent times that of the entries */
    pm_wide_product threshold; /* weights above it are returned */
} pm_thread_launch;

/* Head of the list of weights above the threshold; `room` values of type pm_wide_product follow it
 * in memory.  The kernel adds to count for each such weight and writes the first `room` of them. */
typedef struct {
    uint64_t count; /* may exceed room */
    uint64_t room;
} pm_large_weights;

#endif
