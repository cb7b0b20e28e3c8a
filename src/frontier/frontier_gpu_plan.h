/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_plan.h: the plan of the frontier method on GPUs: an order, its program laid
 * out for a device, and how its passes are shared. */
#ifndef PM_FRONTIER_GPU_PLAN_H
#define PM_FRONTIER_GPU_PLAN_H

#include "algorithm/gpu_plan.h"
#include "frontier/frontier_gpu_shares.h"

/* The plan and free_plan functions of the algorithm (algorithm/algorithm.h); out->state is a
 * pm_frontier_gpu. */
pm_status pm_frontier_gpu_plan(const pm_job *job, pm_plan *out, pm_error *err);
void pm_frontier_gpu_free_plan(pm_plan *plan);
/* Sets the shares that the run will have, and what follows from them in the plan: the moduli of a pass and
 * their words. */
void pm_frontier_gpu_use(const pm_job *job, const pm_frontier_shares *shares, pm_frontier_gpu *f,
                         pm_plan *plan);

#endif
