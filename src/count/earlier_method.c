/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/earlier_method.h"

#include <stdio.h>
#include <string.h>

#include "ledger/state_store.h"
#include "planner/planner.h"
#include "planner/registry.h"
#include "sweep/ryser_driver.h"

#define ON_GPU ":cuda"

void pm_method_name(const pm_algorithm *a, char name[PM_LEDGER_METHOD])
{
    snprintf(name, PM_LEDGER_METHOD, "%s%s", a->name, a->backend == PM_BACKEND_CUDA ? ON_GPU : "");
}

pm_status pm_method_record(const pm_job *job, const pm_plan *plan, pm_error *err)
{
    char name[PM_LEDGER_METHOD];
    pm_method_name(plan->algorithm, name);
    return pm_ledger_put_method(&job->scope, name, err);
}

/* NULL when this version has no such method. */
static const pm_algorithm *find_recorded(const pm_job *job)
{
    char name[PM_LEDGER_METHOD];
    if (!pm_ledger_get_method(&job->scope, name))
        return NULL;
    char *device = strstr(name, ON_GPU);
    if (device)
        *device = '\0';
    return pm_algorithm_find(name, job->block->general, device ? PM_BACKEND_CUDA : PM_BACKEND_CPU);
}

static bool has_state(const pm_ledger_scope *scope)
{
    pm_state_head h;
    int slot = 0;
    return pm_ledger_next_state(scope, &slot, &h);
}

/* The same method, on whatever device: a stored level is of one order of the vertices. */
static bool has_levels_of(const pm_algorithm *before, const pm_algorithm *now)
{
    return strcmp(before->name, now->name) == 0 && before->stage == now->stage;
}

/* Whether `now` can go on with the work of `before`: with residues, or with a stored level. */
static bool shares_work(const pm_job *job, const pm_algorithm *before, const pm_algorithm *now)
{
    if (job->nmoduli)
        return !before->integers && !now->integers;
    return has_levels_of(before, now) && before->stage == PM_STAGE_SEARCH;
}

/* job->backend is that of the options, or the CPU after a failure of the GPU. */
static bool is_permitted(const pm_job *job, const pm_count_options *opt, const pm_algorithm *a)
{
    return (job->backend == PM_BACKEND_AUTO || job->backend == a->backend)
           && (!opt->algorithm || strcmp(opt->algorithm, a->name) == 0);
}

/* Whether the options permit `a` to go on with the sums of `before`. */
static bool may_go_on(const pm_job *job, const pm_count_options *opt, const pm_algorithm *before,
                      const pm_algorithm *a)
{
    bool is_offered = a == before || opt->algorithm || a->stage != PM_STAGE_NAMED;
    return is_offered && is_permitted(job, opt, a)
           && (a == before || pm_ryser_driver_shares(job, before, a));
}

const pm_algorithm *pm_method_on_cpu(const pm_job *job, const pm_algorithm *on_gpu)
{
    const pm_algorithm *a = pm_algorithm_find(on_gpu->name, job->block->general, PM_BACKEND_CPU);
    for (int i = 0; i < PM_NALGORITHMS && !a; ++i) {
        const pm_algorithm *other = pm_algorithm_at(i);
        if (other->backend == PM_BACKEND_CPU && pm_ryser_driver_shares(job, on_gpu, other))
            a = other;
    }
    return a;
}

/* Replaces the plan by one of this algorithm, which is *kept then.  why: the reason where it is not. */
static pm_status keep(const pm_job *job, const pm_count_options *opt, const pm_algorithm *a,
                      bool must_be_faster, pm_plan *plan, bool *is_kept, pm_error *why)
{
    pm_error barred;
    pm_plan again = {0};
    pm_job other = *job;
    other.backend = a->backend;
    pm_status status = pm_plan_find(&other, a->name, opt->independent, &again, &barred, why);
    double left = again.seconds * (1 - pm_ledger_share_done(&job->scope));
    *is_kept = !status && again.algorithm == a;
    if (*is_kept && must_be_faster && left > plan->seconds) {
        pm_fail(why, PM_UNABLE, "the rest of it would take longer");
        *is_kept = false;
    }
    if (*is_kept) {
        pm_plan_free(plan);
        *plan = again;
        return PM_OK;
    }
    pm_plan_free(&again);
    return status == PM_ESTOPPED || status == PM_ENOMEM ? status : PM_OK;
}

/* The plan was made before the scope was known: now the algorithm can see which stored states it goes on with.  Without a
 * recorded order another search may find another one: then the plan stays. */
static pm_status plan_again(const pm_job *job, const pm_count_options *opt, pm_plan *plan,
                            pm_error *err)
{
    pm_error barred, why;
    pm_ledger_plan recorded;
    pm_plan again = {0};
    pm_job other = *job;
    other.backend = plan->algorithm->backend;
    pm_status status =
        pm_plan_find(&other, plan->algorithm->name, opt->independent, &again, &barred, &why);
    const bool is_same =
        !status && again.algorithm == plan->algorithm
        && (again.order_hash == plan->order_hash || pm_ledger_get_plan(&job->scope, &recorded));
    if (is_same) {
        pm_plan_free(plan);
        *plan = again;
        return PM_OK;
    }
    pm_plan_free(&again);
    return status == PM_ESTOPPED || status == PM_ENOMEM
               ? pm_fail_after(&why, err, status, "%s", why.msg)
               : PM_OK;
}

pm_status pm_method_keep(const pm_job *job, const pm_count_options *opt, pm_plan *plan,
                         pm_error *err)
{
    const pm_algorithm *before = find_recorded(job);
    pm_error why = {.msg = "it cannot be used in this run"};
    if (before && has_levels_of(before, plan->algorithm) && has_state(&job->scope))
        return plan_again(job, opt, plan, err);
    if (before == plan->algorithm)
        return PM_OK;
    if (!before || !(pm_ledger_has_work(&job->scope) || has_state(&job->scope))
        || pm_ryser_driver_shares(job, before, plan->algorithm))
        return PM_OK;
    for (int i = -1; i < PM_NALGORITHMS; ++i) { /* first by the method itself */
        const pm_algorithm *a = i < 0 ? before : pm_algorithm_at(i);
        bool is_kept = false;
        if ((i >= 0 && a == before) || !may_go_on(job, opt, before, a))
            continue;
        pm_status status = keep(job, opt, a, i >= 0, plan, &is_kept, &why);
        if (status)
            return pm_fail_after(&why, err, status, "%s", why.msg);
        if (is_kept)
            return PM_OK;
    }
    if (!shares_work(job, before, plan->algorithm))
        pm_run_note(job->run, 0, "the work of the earlier run, by %s%s, is begun anew by %s: %s",
                    before->name, before->backend == PM_BACKEND_CUDA ? " on a GPU" : "",
                    plan->algorithm->name, why.msg);
    return PM_OK;
}
