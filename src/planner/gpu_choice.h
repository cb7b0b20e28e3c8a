/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planner/gpu_choice.h: what backend auto does when there is no GPU, or it fails. */
#ifndef PM_GPU_CHOICE_H
#define PM_GPU_CHOICE_H

#include "algorithm/algorithm.h"

/* The reason why there is none is a note of level 2. */
bool pm_plan_may_have_gpu(const pm_job *job);
/* A GPU that cannot be used is a note, and PM_OK, or for a part that might get another plan than the others PM_ENODEV;
 * another failure stays, and *err = *why.  is_named: the method is given. */
pm_status pm_plan_without_gpu(const pm_job *job, bool is_named, pm_status status,
                              const pm_error *why, pm_error *err);

#endif
