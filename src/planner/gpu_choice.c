/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planner/gpu_choice.h"

#include "gpu/gpu.h"

bool pm_plan_may_have_gpu(const pm_job *job)
{
    int count;
    pm_error why;
    if (pm_gpu_count(&count, &why) == PM_OK)
        return true;
    pm_run_note(job->run, 2, "%s", why.msg);
    return false;
}

/* Only sums of integers by a method that is named have the same plan with and without a GPU. */
static bool may_differ(const pm_job *job, bool is_named)
{
    return job->is_part && !(is_named && job->block->a.field <= PM_INTEGER);
}

pm_status pm_plan_without_gpu(const pm_job *job, bool is_named, pm_status status,
                              const pm_error *why, pm_error *err)
{
    if (pm_gpu_has_failed(status) && may_differ(job, is_named))
        return pm_fail(
            err, PM_ENODEV,
            "%.400s; planned without this GPU the part would not fit together with those "
            "that have one",
            why->msg);
    if (pm_gpu_has_failed(status)) {
        pm_run_note(job->run, 0, "%s; planned for the CPU instead", why->msg);
        return PM_OK;
    }
    if (status && err)
        *err = *why;
    return status;
}
