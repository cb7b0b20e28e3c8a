/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_gpu_kernel.h: the sweep of a product tree by a kernel generated for the matrix
 * (product_tree/tree_gpu_text.h): its text, its values and its records.  No device is touched
 * here. */
#ifndef PM_TREE_GPU_KERNEL_H
#define PM_TREE_GPU_KERNEL_H

#include "pm/value.h"
#include "product_tree/tree_plan.h"
#include "sweep/gpu_sweep.h"

typedef struct {
    const char *name;         /* for messages; static */
    const pm_tree_plan *plan; /* copied; the last of its columns that flip may become slow ones */
    const uint64_t *prime;    /* integers: the moduli, see pm_tree_program_make */
    int32_t nprimes;          /* inexact: 0 */
    pm_precision precision;   /* not PM_QUAD */
    int gpus;                 /* devices 0 .. gpus - 1 */
    int32_t slow;             /* log2 of the least number of segments: PM_GPU_SLOW; less in tests */
    double rate;              /* operations a second of one device: see pm_gpu_info */
    int32_t inner;            /* columns whose flips may be written out, 1 or more */
    int64_t shared;           /* bytes of shared memory that a thread block can have; 0: no limit */
    bool in_turn;             /* factors are multiplied one after another, not in pairs */
    bool in_words;            /* integers in words: see sweep/gpu_arithmetic.h for the bounds */
} pm_tree_gpu_choice;

/* Prepares the sweep; its problem is a pm_gpu_sweep.  choice: a pm_tree_gpu_choice.
 * Sums modulo primes and inexact sums are those of pm_tree_prepare.  `absolute` and `spread` are
 * summed over all terms up to 2^PM_GPU_SLOW terms; beyond that one term of some segments is
 * sampled.
 * Fails: PM_ENOMEM. */
pm_status pm_tree_gpu_sweep(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);

/* 2^shift * sum modulo prime k. */
uint64_t pm_tree_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

/* Additions and multiplications of the whole sum, and their predicted seconds on one device. */
double pm_tree_gpu_operations(const pm_sweep *s);
double pm_tree_gpu_seconds(const pm_sweep *s);

/* Predicted seconds to compile the kernel. */
double pm_tree_gpu_compile_seconds(const pm_sweep *s);

#endif
