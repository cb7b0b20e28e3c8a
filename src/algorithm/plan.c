/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
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

double pm_job_rival(const pm_job *job)
{
    return job->rival > 0 ? job->rival : INFINITY;
}

double pm_job_best(const pm_job *job)
{
    return job->shortest > 0 ? pm_job_rival(job) : INFINITY;
}

void pm_job_searched(const pm_job *job, double seconds)
{
    if (job->searched)
        *job->searched += seconds;
}

double pm_job_search_seconds(const pm_job *job)
{
    return job->shortest > 0 ? fmax(PM_PLANNING_SHARE * job->shortest - job->planned, 0) : INFINITY;
}
