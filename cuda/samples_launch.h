/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/samples_launch.h: what a launch of cuda/samples.cuh is told, and what it tells beside the
 * sums of its batches.  The text is CUDA C++ too (cuda/philox_block.h). */
#ifndef PM_SAMPLES_LAUNCH_H
#define PM_SAMPLES_LAUNCH_H

#ifndef PM_KERNEL_TEXT
#include "cuda/sample_sequence.h"
#endif

typedef struct {
    uint64_t row[64], column[64];
    uint32_t table[66]; /* pm_degree_masks: T */
    uint32_t block, unused;
    uint64_t seed;
    int64_t exponent; /* of the permanent: sampler/neighbours.h */
    /* Weights above it are told: the largest of all samples are among them. */
    pm_wide_product least;
} pm_samples_launch;

/* Followed by the weights. */
typedef struct {
    uint64_t count; /* may be more than there is room for */
    uint64_t room;
} pm_samples_told;

#endif
