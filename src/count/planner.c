/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planner: plans of several algorithms for one block, of which the cheapest is taken.
 *
 * Planning takes time itself, so it goes in stages (pm_stage), and a stage is left out when all
 * planning would take more than a tenth of the best plan: small blocks are counted at once.  Only
 * nominal or calibrated rates decide, never a clock, so the same input and options give the same
 * plan. */
#include "config.h"

#include "count/planner.h"

#include <math.h>

#include "algorithm/gpu_plan.h"
#include "core/machine.h"
#include "core/size.h"
#include "count/registry.h"
#include "gpu/gpu.h"
#include "pm/settings.h"

/* Seconds that are added to the price of an algorithm whose inexact answers lose digits to
 * cancellation: the frontier, which does not cancel, is preferred to it unless it takes this much
 * longer. */
#define CANCELLATION_SECONDS 0.05
/* Where rows or columns are repeated, a sum with classes has fewer terms than with twins written out,
 * and cancels less than a sum of its time would without them: at most this many times its own
 * seconds. */
#define CANCELLATION_TIMES 2
/* An independent verification takes the second cheapest plan where it costs at most this many times
 * the cheapest one and this many seconds. */
#define SECOND_TIMES   3
#define SECOND_SECONDS 1
/* Methods that were planned with little time are planned again where there is so many times more. */
#define LONGER 2

typedef struct {
    pm_job job;
    pm_plan
        plan[PM_NALGORITHMS]; /* by pm_algorithm_at(i); .algorithm is NULL where there is no plan */
    double planning;          /* predicted seconds of planning so far */
    /* The refusal to report when no algorithm has a plan and none is barred: the one that needs the
     * least memory; where memory is no reason, the first one, or the latest of an algorithm that searches. */
    pm_error refusal;
    bool is_refused;
    double needed;        /* bytes, of that refusal; INFINITY: memory is not its reason */
    double limit;         /* seconds that the run may take; INFINITY: no limit */
    pm_error barred;      /* as in pm_plan_find */
    double barred_needed; /* bytes */
} candidates;

static bool is_on_gpu(const pm_plan *p)
{
    return p->algorithm && p->algorithm->backend == PM_BACKEND_CUDA;
}

/* ---- prices ---- */

/* Whether the method has fewer terms here than a sum without classes. */
static bool joins_terms(const candidates *c, const pm_algorithm *a)
{
    const pm_block *b = c->job.block;
    return a->classes && (b->a.nrows < b->n || b->a.ncols < b->n);
}

/* What plans are compared by: seconds of one core; a second of a GPU counts as many. */
static double price(const candidates *c, const pm_plan *p)
{
    if (!p->algorithm)
        return INFINITY;
    bool loses_digits = p->algorithm->cancels && !p->is_precise && !c->job.nmoduli;
    double lost = joins_terms(c, p->algorithm)
                      ? fmin(CANCELLATION_SECONDS, CANCELLATION_TIMES * p->seconds)
                      : CANCELLATION_SECONDS;
    double seconds = p->seconds + (loses_digits ? lost : 0);
    return is_on_gpu(p) ? seconds * PM_GPU_PRICE_CORES : seconds;
}

/* Index of the cheapest plan other than `except`; -1: there is none. */
static int cheapest(const candidates *c, int except)
{
    int best = -1;
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        if (i != except && c->plan[i].algorithm
            && (best < 0 || price(c, &c->plan[i]) < price(c, &c->plan[best])))
            best = i;
    return best;
}

static double lowest_price(const candidates *c)
{
    int best = cheapest(c, -1);
    return best < 0 ? INFINITY : price(c, &c->plan[best]);
}

/* What planning is compared with.  A GPU counts with its own seconds here, since it is idle while
 * the CPU plans. */
static double whole(const candidates *c, const pm_plan *p)
{
    return is_on_gpu(p) ? p->seconds : price(c, p);
}

static double shortest_whole(const candidates *c)
{
    double shortest = INFINITY;
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        shortest = fmin(shortest, whole(c, &c->plan[i]));
    return shortest;
}

/* pm_job.rival of a search: the shortest plan of the algorithms that do not search on this
 * backend. */
static double lowest_rival(const candidates *c, pm_backend backend)
{
    double lowest = INFINITY;
    for (int i = 0; i < PM_NALGORITHMS; ++i) {
        const pm_algorithm *a = pm_algorithm_at(i);
        if (a->stage != PM_STAGE_SEARCH || a->backend != backend)
            lowest = fmin(lowest, whole(c, &c->plan[i]));
    }
    return lowest;
}

/* Predicted seconds of a search for an order, where the cheapest plan so far takes `rival` seconds.
 * */
static double search_seconds(double rival, double most)
{
    return fmin(PM_ORDER_SEARCH_SHARE * rival, fmin(most, PM_ORDER_SEARCH_MOST_SECONDS));
}

/* ---- one plan ---- */

static pm_status refuse_memory(const pm_job *job, pm_plan *p, pm_error *err)
{
    double seconds = pm_plan_elapsed(p, job->run);
    const char *name = p->algorithm->name;
    pm_size_text needed = pm_size(p->memory), allowed = pm_size((double)job->memory);
    pm_plan_free(p);
    return pm_fail_cost(
        err, seconds,
        "refused: block of n = %lld with %lld entries: %s would take about %.2g seconds "
        "and %s; allowed are %s%s",
        (long long)job->block->n, (long long)pm_matrix_nnz(&job->block->a), name, seconds, needed.s,
        allowed.s, pm_hint_text(PM_HINT_MEMORY));
}

/* Bytes of the host that a plan may use.  On a GPU only the limit of the user counts: a plan uses
 * no more than the device has. */
static double allowed_memory(const pm_job *job, const pm_algorithm *a)
{
    bool has_limit = job->run && job->run->max_memory > 0;
    return a->backend == PM_BACKEND_CPU || has_limit ? (double)job->memory : INFINITY;
}

/* *needed: bytes, where the plan is refused for its memory; else INFINITY. */
static pm_status try_plan(const pm_algorithm *a, const pm_job *job, pm_plan *out, double *needed,
                          pm_error *err)
{
    *out = (pm_plan){.algorithm = a};
    *needed = INFINITY;
    pm_status status = a->plan(job, out, err);
    if (status)
        *out = (pm_plan){0};
    if (!status && out->memory > allowed_memory(job, a)) {
        *needed = out->memory;
        status = refuse_memory(job, out, err);
    }
    return status;
}

static pm_status make_plan(const pm_algorithm *a, const pm_job *job, pm_plan *out, pm_error *err)
{
    double needed;
    return try_plan(a, job, out, &needed, err);
}

/* ---- stages ---- */

static void note_refusal(candidates *c, const pm_algorithm *a, double needed, const pm_error *why)
{
    bool needs_less = needed < c->needed;
    bool searches = c->needed == INFINITY && a->stage == PM_STAGE_SEARCH;
    if (!c->is_refused || needs_less || searches) {
        c->refusal = *why;
        c->needed = needed;
    }
    c->is_refused = true;
    if (needed < c->barred_needed && why->predicted_seconds <= c->limit) {
        c->barred = *why;
        c->barred_needed = needed;
    }
}

/* A new plan replaces an earlier one of the same algorithm; a refusal leaves that as it is. */
static pm_status plan_with(candidates *c, int i, pm_error *err)
{
    const pm_algorithm *a = pm_algorithm_at(i);
    pm_plan p;
    pm_error why;
    double needed;
    pm_status status = try_plan(a, &c->job, &p, &needed, &why);
    if (!status) {
        pm_plan_free(&c->plan[i]);
        c->plan[i] = p;
    } else if (status == PM_UNABLE) {
        note_refusal(c, a, needed, &why);
        status = PM_OK;
    } else if (err) {
        *err = why;
    }
    return status;
}

/* Whether all planning is short beside the best plan so far, when it goes on for so many seconds. */
static bool is_worth(const candidates *c, double seconds)
{
    return c->planning + seconds < PM_PLANNING_SHARE * shortest_whole(c);
}

/* The same for one algorithm.  One that loses digits itself can only be faster. */
static bool is_worth_planning(const candidates *c, const pm_algorithm *a, double seconds)
{
    int best = cheapest(c, -1);
    double most = best >= 0 && a->cancels ? fmin(c->plan[best].seconds, shortest_whole(c))
                                          : shortest_whole(c);
    return c->planning + seconds < PM_PLANNING_SHARE * most;
}

/* Seconds that the algorithm takes for a plan. */
static double planning_seconds(const candidates *c, const pm_algorithm *a)
{
    if (a->stage != PM_STAGE_SPECIAL && a->stage != PM_STAGE_LATER)
        return 0;
    return a->planning_entry > 0 ? a->planning_entry * (double)pm_matrix_nnz(&c->job.block->a)
                                 : PM_PLANNING_SECONDS;
}

static pm_status plan_stage(candidates *c, pm_backend backend, pm_stage stage, double rival,
                            pm_error *err)
{
    pm_status status = PM_OK;
    double longest = 0;
    c->job.rival = rival;
    for (int i = 0; i < PM_NALGORITHMS && !status; ++i) {
        const pm_algorithm *a = pm_algorithm_at(i);
        if (a->stage != stage || a->backend != backend)
            continue;
        double seconds = planning_seconds(c, a);
        if (seconds > 0 && backend == PM_BACKEND_CPU && !is_worth_planning(c, a, seconds))
            continue;
        longest = fmax(longest, seconds);
        status = plan_with(c, i, err);
    }
    if (stage == PM_STAGE_SEARCH && c->job.search_most == INFINITY)
        longest = search_seconds(fmin(rival, shortest_whole(c)), INFINITY);
    else if (stage == PM_STAGE_SEARCH)
        longest = search_seconds(rival, c->job.search_most);
    c->planning += longest;
    return status;
}

/* The shortest search for a frontier order: a few orders, each of them greedy. */
static double glance_seconds(const candidates *c)
{
    return PM_GLANCE_ENTRY_SECONDS * (double)pm_matrix_nnz(&c->job.block->a);
}

static pm_status glance(candidates *c, pm_error *err)
{
    c->job.search_most = PM_GLANCE_SECONDS;
    pm_status status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_SEARCH, lowest_price(c), err);
    c->job.search_most = INFINITY;
    return status;
}

/* The stages on the CPU before a GPU is started. */
static pm_status plan_first(candidates *c, pm_error *err)
{
    pm_status status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_AT_ONCE, 0, err);
    if (!status && is_worth(c, PM_FIRST_SECONDS))
        status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_FIRST, 0, err);
    if (!status && is_worth(c, glance_seconds(c)))
        status = glance(c, err);
    if (!status)
        status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_SPECIAL, lowest_price(c), err);
    return status;
}

/* ---- GPUs ---- */

static bool has_gpu_plan(const candidates *c)
{
    bool has = false;
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        has = has || is_on_gpu(&c->plan[i]);
    return has;
}

static void drop_gpu_plans(candidates *c)
{
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        if (is_on_gpu(&c->plan[i]))
            pm_plan_free(&c->plan[i]);
}

/* The Ryser family on a GPU. */
static pm_status plan_sums_on_gpu(candidates *c, double rival, pm_error *err)
{
    pm_status status = plan_stage(c, PM_BACKEND_CUDA, PM_STAGE_FIRST, rival, err);
    return status ? status
                  : plan_stage(c, PM_BACKEND_CUDA, PM_STAGE_LATER, fmin(rival, shortest_whole(c)),
                               err);
}

/* Where there is no run-time compiler, the Ryser family fails (PM_ENODEV), but the frontier may
 * have kernels compiled before.  Any other failure of a device drops all its plans. */
static pm_status plan_on_gpu(candidates *c, double rival, pm_error *err)
{
    pm_error why;
    pm_status failed = plan_sums_on_gpu(c, rival, &why), status = PM_OK;
    if (!failed || failed == PM_ENODEV)
        status = plan_stage(c, PM_BACKEND_CUDA, PM_STAGE_SEARCH,
                            fmin(rival, lowest_rival(c, PM_BACKEND_CUDA)), err);
    if (failed && (status || !has_gpu_plan(c)))
        status = pm_fail_after(&why, err, failed, "%s", why.msg);
    if (status)
        drop_gpu_plans(c);
    return status;
}

/* The reason why there is none is a note of level 2. */
static bool has_gpu(const pm_job *job)
{
    int count;
    pm_error why;
    if (pm_gpu_count(&count, &why) == PM_OK)
        return true;
    pm_run_note(job->run, 2, "%s", why.msg);
    return false;
}

/* For backend auto: a GPU that cannot be used is a note, and planning goes on; other failures stay.
 * */
static pm_status continue_without_gpu(const pm_job *job, pm_status status, const pm_error *why,
                                      pm_error *err)
{
    if (pm_gpu_has_failed(status)) {
        pm_run_note(job->run, 0, "%s; planned for the CPU instead", why->msg);
        return PM_OK;
    }
    if (status && err)
        *err = *why;
    return status;
}

static bool may_use_gpu(const candidates *c)
{
    return c->job.backend != PM_BACKEND_CPU && pm_gpu_is_worthwhile(lowest_price(c));
}

static pm_status plan_on_gpu_if_worth(candidates *c, pm_error *err)
{
    pm_error why;
    double lowest = lowest_price(c);
    if (!may_use_gpu(c) || !has_gpu(&c->job))
        return PM_OK;
    pm_status status = plan_on_gpu(c, fmin(lowest / PM_GPU_PRICE_CORES, c->limit), &why);
    return continue_without_gpu(&c->job, status, &why, err);
}

/* ---- the automatic choice ---- */

/* The later stages on both backends.  While a GPU starts, plans for the CPU are made that take about
 * as long as a GPU takes to start; longer ones only if there is no GPU, or it takes longer, too. */
static pm_status plan_later(candidates *c, pm_error *err)
{
    double most = INFINITY, rival;
    pm_status status = PM_OK;
    if (may_use_gpu(c) && pm_gpu_prepare(c->job.gpus)) {
        most = PM_GPU_WORTH_SECONDS;
        status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_LATER, most, err);
        if (!status)
            status = plan_on_gpu_if_worth(c, err);
    }
    rival = has_gpu_plan(c) ? shortest_whole(c) : lowest_price(c);
    if (!status && (most == INFINITY || rival > LONGER * most))
        status = plan_stage(c, PM_BACKEND_CPU, PM_STAGE_LATER, rival, err);
    return status;
}

static pm_status plan_all(candidates *c, pm_error *err)
{
    if (c->job.backend == PM_BACKEND_CUDA)
        return plan_on_gpu(c, c->limit, err);
    pm_status status = plan_first(c, err);
    if (!status)
        status = plan_later(c, err);
    if (!status && is_worth(c, PM_PLANNING_SECONDS))
        status =
            plan_stage(c, PM_BACKEND_CPU, PM_STAGE_SEARCH, lowest_rival(c, PM_BACKEND_CPU), err);
    return status;
}

static bool is_second_affordable(const candidates *c, const pm_plan *second, const pm_plan *best)
{
    const pm_run *run = c->job.run;
    bool is_allowed = !run || run->max_cost <= 0 || pm_plan_elapsed(second, run) <= run->max_cost;
    return is_allowed && price(c, second) <= SECOND_TIMES * price(c, best) + SECOND_SECONDS;
}

/* Moves the cheapest plan to *plan, or the second cheapest one. */
static pm_status take_cheapest(candidates *c, bool independent, pm_plan *plan, pm_error *err)
{
    int best = cheapest(c, -1), second = best < 0 ? -1 : cheapest(c, best);
    if (best < 0) {
        if (err)
            *err = c->barred_needed < INFINITY ? c->barred : c->refusal;
        return PM_UNABLE;
    }
    if (independent && second >= 0 && is_second_affordable(c, &c->plan[second], &c->plan[best]))
        best = second;
    *plan = c->plan[best];
    plan->planning = c->planning;
    c->plan[best] = (pm_plan){0};
    return PM_OK;
}

/* ---- an algorithm that is named ---- */

/* *plan stays empty when there is no GPU, or the block does not fit it. */
static pm_status plan_named_on_gpu(const candidates *c, const pm_algorithm *on_gpu, double rival,
                                   pm_plan *plan, pm_error *err)
{
    pm_error why;
    pm_job job = c->job;
    job.rival = fmin(job.rival, rival);
    pm_gpu_prepare(job.gpus);
    if (!has_gpu(&job))
        return PM_OK;
    pm_status status = make_plan(on_gpu, &job, plan, &why);
    return status == PM_UNABLE ? PM_OK : continue_without_gpu(&job, status, &why, err);
}

/* The cheaper of its two backends.  An algorithm that searches is planned without a long search
 * first, then for the GPU, and then again with the search. */
static pm_status plan_named_on_either(const candidates *c, const pm_algorithm *on_cpu,
                                      const pm_algorithm *on_gpu, pm_plan *plan, pm_error *err)
{
    pm_job job = c->job;
    pm_plan other = {0};
    bool searches = on_cpu->stage == PM_STAGE_SEARCH;
    job.search_most = searches ? PM_GLANCE_SECONDS : INFINITY;
    pm_status status = make_plan(on_cpu, &job, plan, err);
    job.search_most = INFINITY;
    if (status && status != PM_UNABLE)
        return status;
    double lowest = price(c, plan);
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
        status = make_plan(on_cpu, &job, plan, err);
    }
    if (other.algorithm
        && (status == PM_UNABLE || (!status && price(c, &other) < price(c, plan)))) {
        pm_plan_free(plan);
        *plan = other;
        return PM_OK;
    }
    pm_plan_free(&other);
    return status;
}

static pm_status plan_named(const candidates *c, const char *name, pm_plan *plan, pm_error *err)
{
    const pm_algorithm *on_cpu = pm_algorithm_find(name, PM_BACKEND_CPU);
    const pm_algorithm *on_gpu = pm_algorithm_find(name, PM_BACKEND_CUDA);
    if (c->job.backend == PM_BACKEND_CUDA || !on_cpu)
        return make_plan(on_gpu, &c->job, plan, err);
    if (c->job.backend == PM_BACKEND_CPU || !on_gpu)
        return make_plan(on_cpu, &c->job, plan, err);
    return plan_named_on_either(c, on_cpu, on_gpu, plan, err);
}

static double planning_of_named(const pm_plan *p)
{
    switch (p->algorithm->stage) {
    case PM_STAGE_SEARCH: return search_seconds(p->seconds, INFINITY);
    case PM_STAGE_SPECIAL:
    case PM_STAGE_LATER: return PM_PLANNING_SECONDS;
    default: return 0;
    }
}

pm_status pm_plan_find(const pm_job *job, const char *name, bool independent, pm_plan *plan,
                       pm_error *barred, pm_error *err)
{
    pm_status status;
    const pm_run *run = job->run;
    double limit = run && run->max_cost > 0 ? run->max_cost : INFINITY;
    candidates c = {.job = *job, .needed = INFINITY, .limit = limit, .barred_needed = INFINITY};
    c.job.search_most = INFINITY;
    *barred = (pm_error){.predicted_seconds = 0};
    if (job->backend == PM_BACKEND_CUDA)
        pm_gpu_prepare(job->gpus);
    if (name) {
        c.job.rival = limit * pm_run_threads(run);
        status = plan_named(&c, name, plan, err);
        if (!status)
            plan->planning = planning_of_named(plan);
        pm_gpu_prepared(!status && is_on_gpu(plan));
        return status;
    }
    status = plan_all(&c, err);
    if (!status)
        status = take_cheapest(&c, independent, plan, err);
    pm_gpu_prepared(!status && is_on_gpu(plan));
    *barred = c.barred;
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        pm_plan_free(&c.plan[i]);
    return status;
}

bool pm_plan_at_once(const pm_job *job, double limit, pm_plan *plan)
{
    for (int i = 0; i < PM_NALGORITHMS; ++i) {
        const pm_algorithm *a = pm_algorithm_at(i);
        *plan = (pm_plan){.algorithm = a};
        if (a->stage != PM_STAGE_AT_ONCE || a->plan(job, plan, NULL) != PM_OK)
            continue;
        if (plan->seconds <= limit)
            return true;
        pm_plan_free(plan);
    }
    *plan = (pm_plan){0};
    return false;
}
