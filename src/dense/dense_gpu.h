/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_gpu.h: the permanent of a full block on GPUs, by a kernel compiled for its size
 * (cuda/dense.cuh); the entries are data. */
#ifndef PM_DENSE_GPU_H
#define PM_DENSE_GPU_H

#include "pm/backend.h"
#include "pm/value.h"
#include "sweep/gpu_arithmetic.h"
#include "sweep/gpu_sweep.h"

typedef struct {
    pm_precision precision;
    pm_placement placement;
    int gpus;
    int32_t slow;  /* log2 of the streams, at least: PM_GPU_SLOW, but for tests */
    double rate;   /* of one device: see pm_gpu_info, of doubles or words */
    bool in_words; /* integers; not with a placement */
} pm_dense_gpu_choice;

/* choice: a pm_dense_gpu_choice.  Real and complex; the spread is sampled: one term of each stream.
 * Fails: PM_UNABLE a matrix to be placed in constant memory that is too large for it; PM_ENOMEM. */
pm_status pm_dense_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                               pm_error *err);

/* Integers modulo primes, 1 .. PM_GPU_PRIMES of them, below PM_GPU_PRIME_MAX; or their residues modulo
 * one; in words as pm_gpu_arithmetic_modulo has it. */
pm_status pm_dense_gpu_prepare_modular(const pm_square *s, const void *choice,
                                       const uint64_t *prime, int count, pm_sweep *out,
                                       pm_error *err);
/* 2^shift * sum modulo prime k. */
uint64_t pm_dense_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

/* Additions and multiplications of the whole sum, one modulo a prime as seven, and the seconds that
 * they take one device. */
double pm_dense_gpu_operations(const pm_sweep *s);
double pm_dense_gpu_seconds(const pm_sweep *s);

#endif
