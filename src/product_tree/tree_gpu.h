/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_gpu.h: the sweep of a tree of products on GPUs, by code written for the matrix. */
#ifndef PM_TREE_GPU_H
#define PM_TREE_GPU_H

#include "pm/value.h"
#include "product_tree/tree_plan.h"
#include "sweep/gpu_sweep.h"

typedef struct {
    const char *name;         /* for people; static */
    const pm_tree_plan *plan; /* copied; of its columns that flip, the last may become slow ones */
    const uint64_t *prime;    /* integers: moduli, see pm_tree_program_make */
    int32_t nprimes;          /* inexact: 0 */
    pm_precision precision;   /* not PM_QUAD */
    int gpus;
    int32_t slow;   /* log2 of the streams, at least: PM_GPU_SLOW, but for tests */
    double rate;    /* of one device: see pm_gpu_info, of doubles or words */
    int32_t inner;  /* columns that may be written out, 1 or more */
    int64_t shared; /* bytes of shared memory that a block can have; 0: any number */
    bool in_turn;   /* factors are multiplied one after another, not in pairs */
    bool in_words;  /* integers: see gpu_arithmetic.h for the bounds of rows and primes */
} pm_tree_gpu_choice;

/* choice: a pm_tree_gpu_choice.  Sums modulo primes and inexact sums as pm_tree_prepare's; absolute
 * and spread are summed in full up to 2^PM_GPU_SLOW terms, beyond that one term in each of some
 * streams is sampled.  The problem is a pm_gpu_sweep.
 * Fails: PM_ENOMEM. */
pm_status pm_tree_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);

/* 2^shift * sum modulo prime k. */
uint64_t pm_tree_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

/* Additions and multiplications of the whole sum, and the seconds that they take one device. */
double pm_tree_gpu_operations(const pm_sweep *s);
double pm_tree_gpu_seconds(const pm_sweep *s);

/* Seconds that its kernel takes the compiler, about. */
double pm_tree_gpu_compile_seconds(const pm_sweep *s);

#endif
