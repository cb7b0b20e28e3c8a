/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/sparse_gpu_kernel.h: the sweeps of SpaRyser and SkipPer on GPUs, with row sums and matrix
 * in shared memory (cuda/sparse.cuh); pattern and entries are data.  No device is touched here. */
#ifndef PM_SPARSE_GPU_KERNEL_H
#define PM_SPARSE_GPU_KERNEL_H

#include "sweep/gpu_arithmetic.h"
#include "sweep/gpu_sweep.h"
#include "sweep/term.h"

typedef struct {
    bool skips;      /* true: SkipPer, columns by SkipOrder; false: SpaRyser, by SortOrder */
    bool keep_order; /* leave the columns in the given order instead */
    pm_form form;    /* PM_FORM_SIGNS for SpaRyser */
    bool has_starts; /* start is set: the argument of pm_terms_make_from */
    uint64_t start[PM_SQUARE_MAX];
    int gpus;     /* devices 0 .. gpus - 1 */
    int32_t slow; /* log2 of the least number of segments: PM_GPU_SLOW; less in tests */
} pm_sparse_gpu_choice;

/* Prepares the sweep; its problem is a pm_gpu_sweep.
 * s: entries of at most 53 bits, integers of at most PM_GPU_BITS.  choice: a pm_sparse_gpu_choice.
 * The spread is sampled: one term of each segment.
 * Fails: PM_UNABLE (pm_terms_make), PM_ENOMEM. */
pm_status pm_sparse_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                pm_error *err);
/* The same for integers modulo primes: see pm_ryser_gpu_prepare_modular; never in words. */
pm_status pm_sparse_gpu_prepare_modular(const pm_square *s, const void *choice,
                                        const uint64_t *prime, int count, pm_sweep *out,
                                        pm_error *err);
/* 2^shift * sum modulo prime k. */
uint64_t pm_sparse_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

#endif
