/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planner: plans of several algorithms for one block, of which the cheapest is taken.
 *
 * Planning takes time itself, so it goes in stages (pm_stage), and a stage is left out when all
 * planning would take more than a tenth of the best plan: small blocks are counted at once.  Only
 * nominal or calibrated rates decide, never a clock, so the same input, options and rates give the same
 * plan. */
#include "config.h"

#include "planner/planner.h"

#include <math.h>

#include "algorithm/gpu_plan.h"
#include "core/machine.h"
#include "gpu/gpu.h"
#include "planner/candidates.h"
#include "planner/gpu_choice.h"
#include "planner/plan_named.h"

/* Methods that were planned with little time are planned again where there is so many times more. */
#define LONGER 2

/* ---- stages ---- */

/* Whether all planning is short beside the best plan so far, when it goes on for so many seconds. */
static bool is_worth(const pm_candidates *c, double seconds)
{
    return c->planning + seconds < PM_PLANNING_SHARE * pm_candidates_shortest(c);
}

/* The same for one algorithm.  Searches follow the samples: half of the share is left for them.  A method for blocks of
 * a special form is asked whenever it needs a small part of the share, even if earlier stages have used it up: on large
 * blocks the first order of a frontier takes longer than such a look. */
static bool is_worth_planning(const pm_candidates *c, const pm_algorithm *a, double seconds)
{
    double share = a->stage == PM_STAGE_SAMPLED ? PM_PLANNING_SHARE / 2 : PM_PLANNING_SHARE;
    double shortest = pm_candidates_shortest(c);
    return a->stage == PM_STAGE_FIRST || c->planning + seconds < share * shortest
           || (a->stage == PM_STAGE_SPECIAL && seconds < PM_PLANNING_SHARE / 4 * shortest);
}

/* Of the stages on the CPU that look at samples or search with them. */
static bool is_late(const pm_algorithm *a)
{
    return a->backend == PM_BACKEND_CPU
           && (a->stage == PM_STAGE_SAMPLED || a->stage == PM_STAGE_LATER);
}

/* Seconds that the algorithm takes for a plan, without its searches. */
static double planning_seconds(const pm_candidates *c, const pm_algorithm *a)
{
    return a->planning_entry * (double)pm_matrix_nnz(&c->job.block->a);
}

/* A verification may want the second best plan. */
static bool cannot_win(const pm_candidates *c, const pm_algorithm *a)
{
    return a->least_seconds && !c->job.independent
           && a->least_seconds(&c->job) >= pm_candidates_to_beat(c, a);
}

/* The algorithms of a stage for the block, in *at.  In the first stage those that may be the shortest come first: their
 * plans often show that the others cannot be. */
static int list_stage(const pm_candidates *c, pm_backend backend, pm_stage stage,
                      int at[PM_NALGORITHMS])
{
    double least[PM_NALGORITHMS];
    int count = 0;
    for (int i = 0; i < PM_NALGORITHMS; ++i) {
        const pm_algorithm *a = pm_algorithm_at(i);
        if (a->stage != stage || a->backend != backend || a->general != c->job.block->general)
            continue;
        double seconds =
            stage == PM_STAGE_FIRST && a->least_seconds ? a->least_seconds(&c->job) : 0;
        int k = count++;
        for (; k > 0 && least[k - 1] > seconds; --k) {
            least[k] = least[k - 1];
            at[k] = at[k - 1];
        }
        least[k] = seconds;
        at[k] = i;
    }
    return count;
}

static pm_status plan_stage(pm_candidates *c, pm_backend backend, pm_stage stage, double rival,
                            pm_error *err)
{
    int at[PM_NALGORITHMS], count = list_stage(c, backend, stage, at);
    pm_status status = PM_OK;
    for (int k = 0; k < count && !status; ++k) {
        const int i = at[k];
        const pm_algorithm *a = pm_algorithm_at(i);
        double seconds = planning_seconds(c, a);
        if (seconds > 0 && backend == PM_BACKEND_CPU && !is_worth_planning(c, a, seconds))
            continue;
        if (cannot_win(c, a))
            continue;
        c->job.rival = is_late(a) ? fmin(rival, pm_candidates_to_beat(c, a)) : rival;
        c->planning += seconds;
        c->job.shortest = fmin(pm_candidates_shortest(c), c->sums);
        c->job.planned = c->planning;
        c->job.searched = &c->planning;
        status = pm_candidates_plan(c, i, err);
    }
    return status;
}

/* The shortest search for a frontier order: a few orders, each of them greedy. */
static double glance_seconds(const pm_candidates *c)
{
    return PM_GLANCE_ENTRY_SECONDS * (double)pm_matrix_nnz(&c->job.block->a);
}

static pm_status glance(pm_candidates *c, pm_error *err)
{
    c->job.search_most = PM_GLANCE_SECONDS;
    pm_status status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_SEARCH,
                                  fmin(pm_candidates_lowest_price(c), c->sums), err);
    c->job.search_most = INFINITY;
    return status;
}

/* Seconds on one core that all plans of the first stage take at least; 0: not known. */
static double least_of_sums(const pm_candidates *c)
{
    double least = INFINITY;
    for (int i = 0; i < PM_NALGORITHMS; ++i) {
        const pm_algorithm *a = pm_algorithm_at(i);
        if (a->stage == PM_STAGE_FIRST && a->backend == PM_BACKEND_CPU
            && a->general == c->job.block->general)
            least = fmin(least, a->least_seconds ? a->least_seconds(&c->job) : 0);
    }
    return least;
}

/* Where the sums of the first stage take so many times as long as a first search, it comes before them: its plan often
 * shows that they need none. */
#define SUMS_LONG 50

/* *found: seconds of the order that was found; 0: there was no search. */
static pm_status glance_before_sums(pm_candidates *c, double *found, pm_error *err)
{
    double least = least_of_sums(c);
    *found = 0;
    if (least < SUMS_LONG * PM_GLANCE_SECONDS || c->job.independent)
        return PM_OK;
    c->sums = least;
    pm_status status = glance(c, err);
    c->sums = INFINITY;
    double price = pm_candidates_lowest_price(c);
    *found = price < INFINITY ? price : c->refusal.predicted_seconds;
    return status;
}

/* Whether a first search may still find a plan. */
static bool is_worth_glance(const pm_candidates *c, double found)
{
    return found < pm_candidates_lowest_price(c) && is_worth(c, glance_seconds(c));
}

/* The stages on the CPU before a GPU is started. */
static pm_status plan_first(pm_candidates *c, pm_error *err)
{
    double found = 0;
    pm_status status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_AT_ONCE, 0, err);
    if (!status && pm_candidates_lowest_price(c) == INFINITY)
        status = glance_before_sums(c, &found, err);
    if (!status && is_worth(c, PM_FIRST_SECONDS))
        status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_FIRST, 0, err);
    if (!status && is_worth_glance(c, found))
        status = glance(c, err);
    if (!status)
        status =
            plan_stage(c, PM_BACKEND_CPU, PM_STAGE_SPECIAL, pm_candidates_lowest_price(c), err);
    return status;
}

/* ---- GPUs ---- */

/* The Ryser family on a GPU. */
static pm_status plan_sums_on_gpu(pm_candidates *c, double rival, pm_error *err)
{
    pm_status status = plan_stage(c, PM_BACKEND_CUDA, PM_STAGE_FIRST, rival, err);
    return status ? status
                  : plan_stage(c, PM_BACKEND_CUDA, PM_STAGE_LATER,
                               fmin(rival, pm_candidates_shortest(c)), err);
}

/* Where there is no run-time compiler, the Ryser family fails (PM_ENODEV), but the frontier may
 * have kernels compiled before.  Any other failure of a device drops all its plans. */
static pm_status plan_on_gpu(pm_candidates *c, double rival, pm_error *err)
{
    pm_error why;
    pm_status failed = plan_sums_on_gpu(c, rival, &why), status = PM_OK;
    if (!failed || failed == PM_ENODEV)
        status = plan_stage(c, PM_BACKEND_CUDA, PM_STAGE_SEARCH,
                            fmin(rival, pm_candidates_rival(c, PM_BACKEND_CUDA)), err);
    if (failed && (status || !pm_candidates_have_gpu(c)))
        status = pm_fail_after(&why, err, failed, "%s", why.msg);
    if (status)
        pm_candidates_drop_gpu(c);
    return status;
}

static bool may_use_gpu(const pm_candidates *c)
{
    return c->job.backend != PM_BACKEND_CPU && pm_gpu_is_worthwhile(pm_candidates_lowest_price(c));
}

static pm_status plan_on_gpu_if_worth(pm_candidates *c, pm_error *err)
{
    pm_error why;
    double lowest = pm_candidates_lowest_price(c);
    if (!may_use_gpu(c) || !pm_plan_may_have_gpu(&c->job))
        return PM_OK;
    pm_status status = plan_on_gpu(c, fmin(lowest / PM_GPU_PRICE_CORES, c->limit), &why);
    return pm_plan_without_gpu(&c->job, false, status, &why, err);
}

/* ---- the automatic choice ---- */

/* The best plan after samples bounds the searches that follow. */
static pm_status plan_late(pm_candidates *c, double rival, pm_error *err)
{
    pm_status status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_SAMPLED, rival, err);
    return status ? status : plan_stage(c, PM_BACKEND_CPU, PM_STAGE_LATER, rival, err);
}

/* The later stages on both backends.  While a GPU starts, plans for the CPU are made that take about
 * as long as a GPU takes to start; longer ones only if there is no GPU, or it takes longer, too. */
static pm_status plan_later(pm_candidates *c, pm_error *err)
{
    double most = INFINITY, rival;
    pm_status status = PM_OK;
    if (may_use_gpu(c) && pm_gpu_prepare(c->job.gpus)) {
        most = PM_GPU_WORTH_SECONDS;
        status = plan_late(c, most, err);
        if (!status)
            status = plan_on_gpu_if_worth(c, err);
    }
    rival = pm_candidates_have_gpu(c) ? pm_candidates_shortest(c) : pm_candidates_lowest_price(c);
    if (!status && (most == INFINITY || rival > LONGER * most))
        status = plan_late(c, rival, err);
    return status;
}

static pm_status plan_all(pm_candidates *c, pm_error *err)
{
    if (c->job.backend == PM_BACKEND_CUDA)
        return plan_on_gpu(c, c->limit, err);
    pm_status status = plan_first(c, err);
    if (!status)
        status = plan_later(c, err);
    if (!status && is_worth(c, PM_LONG_SEARCH_SECONDS))
        status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_SEARCH,
                            pm_candidates_rival(c, PM_BACKEND_CPU), err);
    return status;
}

pm_status pm_plan_find(const pm_job *job, const char *name, bool independent, pm_plan *plan,
                       pm_error *barred, pm_error *err)
{
    pm_status status;
    const pm_run *run = job->run;
    double limit = run && run->max_cost > 0 ? run->max_cost : INFINITY;
    pm_candidates c = {.job = *job,
                       .needed = INFINITY,
                       .limit = limit,
                       .barred_needed = INFINITY,
                       .sums = INFINITY};
    c.job.search_most = INFINITY;
    *barred = (pm_error){.predicted_seconds = 0};
    if (job->backend == PM_BACKEND_CUDA)
        pm_gpu_prepare(job->gpus);
    if (name) {
        c.job.rival = limit * pm_run_threads(run);
        status = pm_plan_named(&c, name, plan, err);
        if (!status)
            plan->planning = pm_plan_named_planning(plan);
        pm_gpu_prepared(!status && pm_plan_is_on_gpu(plan));
        return status;
    }
    status = plan_all(&c, err);
    if (!status)
        status = pm_candidates_take(&c, independent, plan, err);
    pm_gpu_prepared(!status && pm_plan_is_on_gpu(plan));
    *barred = c.barred;
    pm_candidates_free(&c);
    return status;
}

bool pm_plan_at_once(const pm_job *job, double limit, pm_plan *plan)
{
    for (int i = 0; i < PM_NALGORITHMS; ++i) {
        const pm_algorithm *a = pm_algorithm_at(i);
        *plan = (pm_plan){.algorithm = a};
        if (a->stage != PM_STAGE_AT_ONCE || a->general != job->block->general
            || a->plan(job, plan, NULL) != PM_OK)
            continue;
        if (plan->seconds <= limit)
            return true;
        pm_plan_free(plan);
    }
    *plan = (pm_plan){0};
    return false;
}
