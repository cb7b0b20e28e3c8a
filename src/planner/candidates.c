/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planner/candidates.h"

#include <math.h>

#include "core/machine.h"
#include "core/size.h"
#include "pm/settings.h"
#include "repeated/repeated_float_entries.h"

/* What is added to the price of an algorithm whose inexact answers lose digits to cancellation: its own
 * seconds so many times, but at most so many seconds.  The frontier, which does not cancel, is preferred
 * to it unless it takes this much longer.  Where all digits may be lost it is always the second. */
#define CANCELLATION_TIMES   2
#define CANCELLATION_SECONDS 0.1
/* An independent verification takes the second cheapest plan where it costs at most this many times
 * the cheapest one and this many seconds. */
#define SECOND_TIMES   3
#define SECOND_SECONDS 1

bool pm_plan_is_on_gpu(const pm_plan *p)
{
    return p->algorithm && p->algorithm->backend == PM_BACKEND_CUDA;
}

/* ---- prices ---- */

static bool loses_digits(const pm_candidates *c, const pm_algorithm *a)
{
    return a->cancels && !c->job.nmoduli;
}

/* Short sums with classes may stand for so many rows that few digits are left. */
static bool may_lose_all(const pm_candidates *c)
{
    return c->job.block->n > PM_REPEATED_PRECISE_MAX;
}

double pm_candidates_price(const pm_candidates *c, const pm_plan *p)
{
    if (!p->algorithm)
        return INFINITY;
    double lost = may_lose_all(c) ? CANCELLATION_SECONDS
                                  : fmin(CANCELLATION_TIMES * p->seconds, CANCELLATION_SECONDS);
    double seconds = p->seconds + (loses_digits(c, p->algorithm) && !p->is_precise ? lost : 0);
    return pm_plan_is_on_gpu(p) ? seconds * PM_GPU_PRICE_CORES : seconds;
}

static int cheapest(const pm_candidates *c, int except)
{
    int best = -1;
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        if (i != except && c->plan[i].algorithm
            && (best < 0
                || pm_candidates_price(c, &c->plan[i]) < pm_candidates_price(c, &c->plan[best])))
            best = i;
    return best;
}

double pm_candidates_lowest_price(const pm_candidates *c)
{
    int best = cheapest(c, -1);
    return best < 0 ? INFINITY : pm_candidates_price(c, &c->plan[best]);
}

/* A GPU counts with its own seconds here, since it is idle while the CPU plans. */
double pm_candidates_shortest(const pm_candidates *c)
{
    int best = cheapest(c, -1);
    double shortest = best < 0          ? INFINITY
                      : may_lose_all(c) ? pm_candidates_price(c, &c->plan[best])
                                        : c->plan[best].seconds;
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        if (pm_plan_is_on_gpu(&c->plan[i]))
            shortest = fmin(shortest, c->plan[i].seconds);
    return shortest;
}

/* Sums with classes may be precise. */
double pm_candidates_to_beat(const pm_candidates *c, const pm_algorithm *a)
{
    double lowest = pm_candidates_lowest_price(c);
    return loses_digits(c, a) && !a->classes
               ? fmax(lowest / (1 + CANCELLATION_TIMES), lowest - CANCELLATION_SECONDS)
               : lowest;
}

double pm_candidates_rival(const pm_candidates *c, pm_backend backend)
{
    double lowest = INFINITY;
    for (int i = 0; i < PM_NALGORITHMS; ++i) {
        const pm_algorithm *a = pm_algorithm_at(i);
        if (a->stage != PM_STAGE_SEARCH || a->backend != backend)
            lowest =
                fmin(lowest, pm_plan_is_on_gpu(&c->plan[i]) ? c->plan[i].seconds
                                                            : pm_candidates_price(c, &c->plan[i]));
    }
    return lowest;
}

double pm_plan_search_seconds(double rival, double most)
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

pm_status pm_plan_make(const pm_algorithm *a, const pm_job *job, pm_plan *out, pm_error *err)
{
    double needed;
    return try_plan(a, job, out, &needed, err);
}

/* ---- all plans ---- */

static void note_refusal(pm_candidates *c, const pm_algorithm *a, double needed,
                         const pm_error *why)
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

pm_status pm_candidates_plan(pm_candidates *c, int i, pm_error *err)
{
    const pm_algorithm *a = pm_algorithm_at(i);
    pm_plan p;
    pm_error why;
    double needed;
    if (c->job.keeps_digits && a->cancels)
        return PM_OK;
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

bool pm_candidates_have_gpu(const pm_candidates *c)
{
    bool has = false;
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        has = has || pm_plan_is_on_gpu(&c->plan[i]);
    return has;
}

void pm_candidates_drop_gpu(pm_candidates *c)
{
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        if (pm_plan_is_on_gpu(&c->plan[i]))
            pm_plan_free(&c->plan[i]);
}

static bool is_second_affordable(const pm_candidates *c, const pm_plan *second, const pm_plan *best)
{
    const pm_run *run = c->job.run;
    bool is_allowed = !run || run->max_cost <= 0 || pm_plan_elapsed(second, run) <= run->max_cost;
    return is_allowed
           && pm_candidates_price(c, second)
                  <= SECOND_TIMES * pm_candidates_price(c, best) + SECOND_SECONDS;
}

pm_status pm_candidates_take(pm_candidates *c, bool independent, pm_plan *plan, pm_error *err)
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

void pm_candidates_free(pm_candidates *c)
{
    for (int i = 0; i < PM_NALGORITHMS; ++i)
        pm_plan_free(&c->plan[i]);
}
