/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planner/plan_named.h"

#include <math.h>

#include "algorithm/gpu_plan.h"
#include "core/machine.h"
#include "gpu/gpu.h"
#include "planner/gpu_choice.h"

/* *plan stays empty when there is no GPU, or the block does not fit it. */
static pm_status plan_named_on_gpu(const pm_candidates *c, const pm_algorithm *on_gpu, double rival,
                                   pm_plan *plan, pm_error *err)
{
    pm_error why;
    pm_job job = c->job;
    job.rival = fmin(job.rival, rival);
    pm_gpu_prepare(job.gpus);
    if (!pm_plan_may_have_gpu(&job))
        return PM_OK;
    pm_status status = pm_plan_make(on_gpu, &job, plan, &why);
    return status == PM_UNABLE ? PM_OK : pm_plan_without_gpu(&job, true, status, &why, err);
}

/* The cheaper of its two backends.  An algorithm that searches is planned without a long search
 * first, then for the GPU, and then again with the search. */
static pm_status plan_named_on_either(const pm_candidates *c, const pm_algorithm *on_cpu,
                                      const pm_algorithm *on_gpu, pm_plan *plan, pm_error *err)
{
    pm_job job = c->job;
    pm_plan other = {0};
    bool searches = on_cpu->stage == PM_STAGE_SEARCH;
    job.search_most = searches ? PM_GLANCE_SECONDS : INFINITY;
    pm_status status = pm_plan_make(on_cpu, &job, plan, err);
    job.search_most = INFINITY;
    if (status && status != PM_UNABLE)
        return status;
    double lowest = pm_candidates_price(c, plan);
    if (pm_gpu_is_worthwhile(lowest)) {
        pm_status failed = plan_named_on_gpu(c, on_gpu, lowest / PM_GPU_PRICE_CORES, &other, err);
        if (failed) {
            pm_plan_free(plan);
            return failed;
        }
    }
    if (searches) {
        pm_plan_free(plan);
        job.rival = fmin(c->job.rival, other.algorithm ? other.seconds : INFINITY);
        status = pm_plan_make(on_cpu, &job, plan, err);
    }
    if (other.algorithm
        && (status == PM_UNABLE
            || (!status && pm_candidates_price(c, &other) < pm_candidates_price(c, plan)))) {
        pm_plan_free(plan);
        *plan = other;
        return PM_OK;
    }
    pm_plan_free(&other);
    return status;
}

pm_status pm_plan_named(const pm_candidates *c, const char *name, pm_plan *plan, pm_error *err)
{
    const bool general = c->job.block->general;
    const pm_algorithm *on_cpu = pm_algorithm_find(name, general, PM_BACKEND_CPU);
    const pm_algorithm *on_gpu = pm_algorithm_find(name, general, PM_BACKEND_CUDA);
    if (c->job.backend == PM_BACKEND_CUDA || !on_cpu)
        return pm_plan_make(on_gpu, &c->job, plan, err);
    if (c->job.backend == PM_BACKEND_CPU || !on_gpu)
        return pm_plan_make(on_cpu, &c->job, plan, err);
    return plan_named_on_either(c, on_cpu, on_gpu, plan, err);
}

double pm_plan_named_planning(const pm_plan *p)
{
    switch (p->algorithm->stage) {
    case PM_STAGE_SEARCH: return pm_plan_search_seconds(p->seconds, INFINITY);
    case PM_STAGE_SPECIAL:
    case PM_STAGE_SAMPLED:
    case PM_STAGE_LATER: return PM_PLANNING_SECONDS;
    default: return 0;
    }
}
