/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/sparse_gpu.h: SpaRyser and SkipPer on GPUs, row sums and matrix in shared memory
 * (cuda/sparse.cuh); pattern and entries are data. */
#ifndef PM_SPARSE_GPU_H
#define PM_SPARSE_GPU_H

#include "sweep/gpu_arithmetic.h"
#include "sweep/gpu_sweep.h"
#include "sweep/term.h"

typedef struct {
    bool skips;      /* SkipPer, with SkipOrder; else SpaRyser, with SortOrder */
    bool keep_order; /* columns as given instead */
    pm_form form;    /* PM_FORM_SIGNS for SpaRyser */
    int gpus;
    int32_t slow; /* log2 of the streams, at least: PM_GPU_SLOW, but for tests */
} pm_sparse_gpu_choice;

/* s: of at most 53 bits, integers PM_GPU_BITS.  choice: a pm_sparse_gpu_choice.  The spread is
 * sampled: one term of each stream.
 * Fails: PM_UNABLE (pm_terms_make), PM_ENOMEM. */
pm_status pm_sparse_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                pm_error *err);
/* Integers modulo primes: as pm_dense_gpu_prepare_modular. */
pm_status pm_sparse_gpu_prepare_modular(const pm_square *s, const void *choice,
                                        const uint64_t *prime, int count, pm_sweep *out,
                                        pm_error *err);
/* 2^shift * sum modulo prime k. */
uint64_t pm_sparse_gpu_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

#endif
