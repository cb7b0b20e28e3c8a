/* SPDX-License-Identifier: GPL-3.0-or-later */
/* necklace/necklace_gpu_kernel.h: the sum of necklace_terms.h on GPUs (cuda/necklace.cuh): the text, and the data for one modulus.  No
 * device is touched here. */
#ifndef PM_NECKLACE_GPU_KERNEL_H
#define PM_NECKLACE_GPU_KERNEL_H

#include "necklace/necklace_terms.h"
#include "sweep/gpu_sweep.h"

enum { PM_NECKLACE_GPU_MOST = 54 }; /* rows */

/* True if residues modulo m are words of 32 bits. */
bool pm_necklace_gpu_is_narrow(uint64_t m);
/* Beads of the prefix of a thread block. */
int pm_necklace_gpu_prefix(const pm_necklace_terms *t);

/* The sweep over the terms, at most PM_NECKLACE_GPU_MOST rows; its problem is a pm_gpu_sweep, whose text is the same for all moduli of one
 * block and of one width.  t: stays with the caller, and is not used later.  prefix: beads, at most 28 less than there are.
 * Fails: PM_ENOMEM. */
pm_status pm_necklace_gpu_prepare(const pm_necklace_terms *t, int prefix, int gpus, pm_sweep *out,
                                  pm_error *err);
/* The sum of the terms, below t->m. */
uint64_t pm_necklace_gpu_residue(const pm_necklace_terms *t, const pm_sum *sum);

/* Fails: PM_UNABLE a thread block needs more shared memory than the devices have. */
pm_status pm_necklace_gpu_fits(const pm_gpu_target *target, const pm_sweep *s, pm_error *err);

/* Multiplications of 32-bit words, or as much work. */
double pm_necklace_gpu_work(const pm_necklace_terms *t);

#endif
