/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/dense_gpu.h: the permanent of a full real block on GPUs, by a kernel compiled for its size
 * (cuda/dense.cuh); the entries are data. */
#ifndef PM_DENSE_GPU_H
#define PM_DENSE_GPU_H

#include "pm/value.h"
#include "sweep/gpu_sweep.h"

typedef struct {
    pm_precision precision; /* not PM_QUAD */
    int gpus;
    int32_t slow;       /* log2 of the streams, at least: PM_GPU_SLOW, but for tests */
    double double_rate; /* of one device: see pm_gpu_info */
} pm_dense_gpu_choice;

/* s: real.  choice: a pm_dense_gpu_choice.  The spread is sampled: one term of each stream.
 * Fails: PM_ENOMEM. */
pm_status pm_dense_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                               pm_error *err);

/* Seconds on one device. */
double pm_dense_gpu_seconds(int32_t n, double double_rate);

#endif
