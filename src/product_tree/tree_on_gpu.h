/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_on_gpu.h: what algorithms that write code for the matrix have in common. */
#ifndef PM_TREE_ON_GPU_H
#define PM_TREE_ON_GPU_H

#include "algorithm/gpu_plan.h"
#include "sweep/square.h"
#include "sweep/sweep.h"

/* A pm_sweep_method's prepare_modular. */
typedef pm_status pm_tree_on_gpu_prepare(const pm_square *s, const void *choice,
                                         const uint64_t *prime, int count, pm_sweep *out,
                                         pm_error *err);

/* What one sweep takes, into plan.  *primes: how many there are, 0 for inexact fields; becomes as many
 * as compiled into one kernel take the least time.  Several share work, a tenth of it or less when
 * entries have weights, but a kernel for four of them may take the compiler as long as it runs. */
pm_status pm_tree_on_gpu_measure(const pm_square *s, const void *choice,
                                 pm_tree_on_gpu_prepare *prepare, const pm_gpu_target *place,
                                 const uint64_t *prime, int *primes, pm_plan *plan, pm_error *err);

#endif
