/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "algorithm/algorithm.h"
#include "core/machine.h"

const char *pm_backend_name(pm_backend b)
{
    static const char *const names[] = {"cpu", "cuda", "auto"};
    return names[b];
}

void pm_plan_free(pm_plan *plan)
{
    if (plan->algorithm && plan->algorithm->free_plan)
        plan->algorithm->free_plan(plan);
    else
        free(plan->state);
    *plan = (pm_plan){0};
}

double pm_plan_elapsed(const pm_plan *plan, const pm_run *run)
{
    if (plan->is_serial || plan->seconds < PM_THREADS_SECONDS)
        return plan->seconds;
    return plan->seconds / (1 + PM_THREAD_SHARE * (pm_run_threads(run) - 1));
}
