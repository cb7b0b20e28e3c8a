/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_gpu_kernel.h: the sum of repeated_digits.h on GPUs, by a kernel that depends on
 * the multiplicities (cuda/repeated.cuh); the entries are data.  A thread sums a tile.  No device is
 * touched here. */
#ifndef PM_REPEATED_GPU_KERNEL_H
#define PM_REPEATED_GPU_KERNEL_H

#include "pm/value.h"
#include "sweep/gpu_arithmetic.h"
#include "sweep/gpu_sweep.h"

/* Copies of all columns together, at most: their weights are in the table of the kernel. */
enum { PM_REPEATED_GPU_MAX = 1 << 16 };

typedef struct {
    pm_precision precision;
    int gpus;       /* devices 0 .. gpus - 1 */
    int32_t slow;   /* log2 of the least number of tiles: PM_GPU_SLOW; less in tests */
    double rate;    /* operations a second of one device (pm_gpu_info): of doubles or of words */
    bool in_words;  /* integers in words of 32 bits */
    bool as_on_cpu; /* tiles as on the CPU, with the same indices; else those that suit a GPU */
} pm_repeated_gpu_choice;

/* Prepares the sweep over real or complex numbers; its problem is a pm_gpu_sweep.
 * s: with classes; it may have a shape only (pm_square_make_shape), to predict the cost.
 * choice: a pm_repeated_gpu_choice.  The spread is sampled: one term of each tile.
 * Fails: PM_UNABLE as pm_repeated_refuse_rows and pm_repeated_digits_divide, and more than
 * PM_REPEATED_GPU_MAX columns; PM_ENOMEM. */
pm_status pm_repeated_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                  pm_error *err);

/* The same for integers modulo `count` primes, 1 .. PM_GPU_PRIMES, each below PM_GPU_PRIME_MAX;
 * in_words: 1 .. PM_WORD_PRIMES, below PM_WORD_PRIME_MAX and above half of it.
 * Fails: also PM_UNABLE row sums of 2^PM_GPU_BITS or 2^PM_WORD_BITS or more. */
pm_status pm_repeated_gpu_prepare_modular(const pm_square *s, const void *choice,
                                          const uint64_t *prime, int count, pm_sweep *out,
                                          pm_error *err);
/* Fails: PM_UNABLE the sums of integers in some row are too large. */
pm_status pm_repeated_gpu_refuse_rows(const pm_square *s, const pm_repeated_gpu_choice *c,
                                      pm_error *err);
/* 2^shift * sum modulo prime k. */
uint64_t pm_repeated_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

/* Additions and multiplications of the whole sum (a multiplication modulo a prime counts as seven in
 * doubles, five in words), and their predicted seconds on one device. */
double pm_repeated_gpu_operations(const pm_sweep *s);
double pm_repeated_gpu_seconds(const pm_sweep *s);

#endif
