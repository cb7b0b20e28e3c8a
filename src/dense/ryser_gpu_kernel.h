/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/ryser_gpu_kernel.h: the sweep of a full block on GPUs, by a kernel that depends on the size
 * of the block (cuda/dense.cuh); the entries are data.  No device is touched here. */
#ifndef PM_RYSER_GPU_KERNEL_H
#define PM_RYSER_GPU_KERNEL_H

#include "pm/backend.h"
#include "pm/value.h"
#include "sweep/gpu_arithmetic.h"
#include "sweep/gpu_sweep.h"

typedef struct {
    pm_precision precision;
    pm_placement placement;
    int gpus;      /* devices 0 .. gpus - 1 */
    int32_t slow;  /* log2 of the least number of segments: PM_GPU_SLOW; less in tests */
    double rate;   /* operations a second of one device (pm_gpu_info): of doubles or of words */
    bool in_words; /* integers in words of 32 bits; not together with a placement */
    /* integers: the columns in the given order; else in that of the CPU (dense/dense_exact_plan.h) */
    bool keep_order;
    /* integers: the columns in this order, which the CPU has for the entries themselves; else as above */
    bool has_columns;
    int32_t column[PM_SQUARE_MAX];
} pm_ryser_gpu_choice;

/* Prepares the sweep over real or complex numbers; its problem is a pm_gpu_sweep.
 * choice: a pm_ryser_gpu_choice.  The spread is sampled: one term of each segment.
 * Fails: PM_UNABLE the matrix is to be placed in constant memory and is too large for it;
 * PM_ENOMEM. */
pm_status pm_ryser_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                               pm_error *err);

/* The same for integers modulo `count` primes, 1 .. PM_GPU_PRIMES, each below PM_GPU_PRIME_MAX.
 * With one prime the square may hold residues instead of the integers.  in_words: the bounds of
 * pm_gpu_arithmetic_modulo hold instead. */
pm_status pm_ryser_gpu_prepare_modular(const pm_square *s, const void *choice,
                                       const uint64_t *prime, int count, pm_sweep *out,
                                       pm_error *err);
/* 2^shift * sum modulo prime k. */
uint64_t pm_ryser_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

/* pm_gpu_sweep_share of a sum over real or complex numbers. */
uint64_t pm_ryser_gpu_share(int32_t n, pm_dense_kind kind, pm_precision precision, uint64_t piece);

/* Additions and multiplications of the whole sum (a multiplication modulo a prime counts as seven in
 * doubles, five in words), and their predicted seconds on one device. */
double pm_ryser_gpu_operations(const pm_sweep *s);
double pm_ryser_gpu_seconds(const pm_sweep *s);

/* Seconds to compile the kernel, predicted. */
double pm_ryser_gpu_compiling(const pm_sweep *s);

#endif
