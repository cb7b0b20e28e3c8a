/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/chooser.h"

#include <math.h>

#include "algorithm/gpu_plan.h"
#include "core/machine.h"
#include "core/size.h"
#include "count/registry.h"
#include "gpu/gpu.h"
#include "pm/settings.h"

enum { MOST = 24 }; /* algorithms */

/* Inexact answers that cancel have fewer digits than those of the frontier: a method that gives
 * them must win by so many seconds. */
#define FEWER_DIGITS 0.05
/* The second way may take so many times as long as the first, and so many seconds more. */
#define OTHER_TIMES   3
#define OTHER_SECONDS 1

typedef struct {
    pm_job job;
    pm_plan plan[MOST]; /* of pm_algorithms[i]; without an algorithm: none */
    pm_error
        why; /* of the refusal of least memory; else of the first, or the latest that searched */
    bool is_refused;
    double needed; /* memory, of the one in why; INFINITY: that is not its reason */
} candidates;

/* Seconds of one core; while a GPU runs it takes the place of some. */
static double price(const candidates *c, const pm_plan *p)
{
    if (!p->algorithm)
        return INFINITY;
    double seconds = p->seconds + (p->algorithm->cancels && !c->job.nmoduli ? FEWER_DIGITS : 0);
    return p->algorithm->backend == PM_BACKEND_CUDA ? seconds * PM_GPU_PRICE_CORES : seconds;
}

/* The cheapest, `but` left out; -1: there is none. */
static int cheapest(const candidates *c, int but)
{
    int best = -1;
    for (int i = 0; pm_algorithms[i]; ++i)
        if (i != but && c->plan[i].algorithm
            && (best < 0 || price(c, &c->plan[i]) < price(c, &c->plan[best])))
            best = i;
    return best;
}

static double lowest_price(const candidates *c)
{
    int best = cheapest(c, -1);
    return best < 0 ? INFINITY : price(c, &c->plan[best]);
}

/* What a search is weighed against: while it lasts, a GPU waits. */
static double rival_seconds(const candidates *c, const pm_plan *p)
{
    bool is_on_gpu = p->algorithm && p->algorithm->backend == PM_BACKEND_CUDA;
    return is_on_gpu ? p->seconds : price(c, p);
}

/* Of all but the one that searches on this backend. */
static double lowest_rival(const candidates *c, pm_backend backend)
{
    double lowest = INFINITY;
    for (int i = 0; pm_algorithms[i]; ++i) {
        const pm_algorithm *a = pm_algorithms[i];
        if (a->occasion != PM_SEARCHING || a->backend != backend)
            lowest = fmin(lowest, rival_seconds(c, &c->plan[i]));
    }
    return lowest;
}

static pm_status refuse_memory(const pm_job *job, pm_plan *p, pm_error *err)
{
    double seconds = pm_plan_elapsed(p, job->run);
    const char *name = p->algorithm->name;
    pm_size_text needed = pm_size(p->memory), allowed = pm_size((double)job->memory);
    pm_plan_free(p);
    return pm_fail(err, PM_UNABLE,
                   "refused: block of n = %lld with %lld entries: %s would take about %.2g seconds "
                   "and %s; allowed are %s%s",
                   (long long)job->block->n, (long long)pm_matrix_nnz(&job->block->a), name,
                   seconds, needed.s, allowed.s, pm_hint_text(PM_HINT_MEMORY));
}

/* What a plan may take of the machine's memory; of a card's, it asks for no more than there is, and
 * than the user allows. */
static double allowed_memory(const pm_job *job, const pm_algorithm *a)
{
    bool is_said = job->run && job->run->max_memory > 0;
    return a->backend == PM_BACKEND_CPU || is_said ? (double)job->memory : INFINITY;
}

/* *needed: the memory for which the plan is refused; INFINITY if it is not. */
static pm_status ask_needing(const pm_algorithm *a, const pm_job *job, pm_plan *out, double *needed,
                             pm_error *err)
{
    *out = (pm_plan){.algorithm = a};
    *needed = INFINITY;
    pm_status rc = a->plan(job, out, err);
    if (rc)
        *out = (pm_plan){0};
    if (!rc && out->memory > allowed_memory(job, a)) {
        *needed = out->memory;
        rc = refuse_memory(job, out, err);
    }
    return rc;
}

static pm_status ask_for(const pm_algorithm *a, const pm_job *job, pm_plan *out, pm_error *err)
{
    double needed;
    return ask_needing(a, job, out, &needed, err);
}

static void note_refusal(candidates *c, const pm_algorithm *a, double needed, const pm_error *why)
{
    bool is_nearer = needed < c->needed;
    bool is_later = c->needed == INFINITY && a->occasion == PM_SEARCHING;
    if (!c->is_refused || is_nearer || is_later) {
        c->why = *why;
        c->needed = needed;
    }
    c->is_refused = true;
}

static pm_status ask_one(candidates *c, int i, pm_error *err)
{
    const pm_algorithm *a = pm_algorithms[i];
    pm_plan p;
    pm_error why;
    double needed;
    pm_status rc = ask_needing(a, &c->job, &p, &needed, &why);
    if (rc == PM_OK) {
        pm_plan_free(&c->plan[i]);
        c->plan[i] = p;
    } else if (rc == PM_UNABLE) {
        note_refusal(c, a, needed, &why);
        rc = PM_OK;
    } else if (err) {
        *err = why;
    }
    return rc;
}

static pm_status ask_backend(candidates *c, pm_backend backend, pm_occasion occasion, double rival,
                             pm_error *err)
{
    pm_status rc = PM_OK;
    c->job.rival = rival;
    for (int i = 0; pm_algorithms[i] && !rc; ++i)
        if (pm_algorithms[i]->occasion == occasion && pm_algorithms[i]->backend == backend)
            rc = ask_one(c, i, err);
    return rc;
}

static pm_status ask(candidates *c, pm_occasion occasion, double rival, pm_error *err)
{
    return ask_backend(c, PM_BACKEND_CPU, occasion, rival, err);
}

/* Before any long search. */
static pm_status ask_cpu(candidates *c, pm_error *err)
{
    pm_status rc = ask(c, PM_AT_ONCE, 0, err);
    if (!rc && lowest_price(c) > PM_GLANCE_SECONDS)
        rc = ask(c, PM_SEARCHING, 0, err);
    if (!rc && lowest_price(c) > PM_PLANNING_SECONDS)
        rc = ask(c, PM_LATER, lowest_price(c), err);
    return rc;
}

static pm_status ask_sweeps_on_gpu(candidates *c, double rival, pm_error *err)
{
    pm_status rc = ask_backend(c, PM_BACKEND_CUDA, PM_AT_ONCE, rival, err);
    return rc ? rc : ask_backend(c, PM_BACKEND_CUDA, PM_LATER, rival, err);
}

static bool is_on_gpu(const pm_plan *plan)
{
    return plan->algorithm && plan->algorithm->backend == PM_BACKEND_CUDA;
}

static bool has_plan_on_gpu(const candidates *c)
{
    bool has = false;
    for (int i = 0; pm_algorithms[i]; ++i)
        has = has || is_on_gpu(&c->plan[i]);
    return has;
}

static void drop_plans_on_gpu(candidates *c)
{
    for (int i = 0; pm_algorithms[i]; ++i)
        if (is_on_gpu(&c->plan[i]))
            pm_plan_free(&c->plan[i]);
}

/* Sweeps fail where there is no compiler, and the frontier may have kernels without it.  Devices that
 * fail one of them serve none. */
static pm_status ask_gpu(candidates *c, double rival, pm_error *err)
{
    pm_error why;
    pm_status failed = ask_sweeps_on_gpu(c, rival, &why), rc = PM_OK;
    if (!failed || failed == PM_ENODEV)
        rc = ask_backend(c, PM_BACKEND_CUDA, PM_SEARCHING,
                         fmin(rival, lowest_rival(c, PM_BACKEND_CUDA)), err);
    if (failed && (rc || !has_plan_on_gpu(c)))
        rc = pm_fail(err, failed, "%s", why.msg);
    if (rc)
        drop_plans_on_gpu(c);
    return rc;
}

/* If there is none, those who want details are told why. */
static bool is_gpu_there(const pm_job *job)
{
    int count;
    pm_error why;
    if (pm_gpu_count(&count, &why) == PM_OK)
        return true;
    pm_run_note(job->run, 2, "%s", why.msg);
    return false;
}

/* A GPU that is there and cannot be used is worth knowing about, but no failure unless it was asked
 * for. */
static pm_status without_gpu(const pm_job *job, pm_status rc, const pm_error *why, pm_error *err)
{
    if (pm_gpu_has_failed(rc)) {
        pm_run_note(job->run, 0, "%s; planned for the CPU instead", why->msg);
        return PM_OK;
    }
    if (rc && err)
        *err = *why;
    return rc;
}

static pm_status ask_gpu_if_worth(candidates *c, double limit, pm_error *err)
{
    pm_error why;
    double lowest = lowest_price(c);
    if (c->job.backend == PM_BACKEND_CPU || !pm_gpu_is_worthwhile(lowest) || !is_gpu_there(&c->job))
        return PM_OK;
    pm_status rc = ask_gpu(c, fmin(lowest / PM_GPU_PRICE_CORES, limit), &why);
    return without_gpu(&c->job, rc, &why, err);
}

static pm_status ask_all(candidates *c, double limit, pm_error *err)
{
    if (c->job.backend == PM_BACKEND_CUDA)
        return ask_gpu(c, limit, err);
    pm_status rc = ask_cpu(c, err);
    if (!rc)
        rc = ask_gpu_if_worth(c, limit, err);
    if (!rc && lowest_price(c) > PM_PLANNING_SECONDS)
        rc = ask(c, PM_SEARCHING, lowest_rival(c, PM_BACKEND_CPU), err);
    return rc;
}

static bool is_affordable(const candidates *c, const pm_plan *other, const pm_plan *best)
{
    const pm_run *run = c->job.run;
    bool is_allowed = !run || run->max_cost <= 0 || pm_plan_elapsed(other, run) <= run->max_cost;
    return is_allowed && price(c, other) <= OTHER_TIMES * price(c, best) + OTHER_SECONDS;
}

static pm_status take(candidates *c, bool independent, pm_plan *plan, pm_error *err)
{
    int best = cheapest(c, -1), other = best < 0 ? -1 : cheapest(c, best);
    if (best < 0) {
        if (err)
            *err = c->why;
        return PM_UNABLE;
    }
    if (independent && other >= 0 && is_affordable(c, &c->plan[other], &c->plan[best]))
        best = other;
    *plan = c->plan[best];
    c->plan[best] = (pm_plan){0};
    return PM_OK;
}

/* By an algorithm of the GPU; no plan if there is no GPU, or it does not fit. */
static pm_status ask_there(const candidates *c, const pm_algorithm *there, double rival,
                           pm_plan *plan, pm_error *err)
{
    pm_error why;
    pm_job job = c->job;
    job.rival = fmin(job.rival, rival);
    if (!is_gpu_there(&job))
        return PM_OK;
    pm_status rc = ask_for(there, &job, plan, &why);
    return rc == PM_UNABLE ? PM_OK : without_gpu(&job, rc, &why, err);
}

/* By one algorithm, on whatever backend is better.  One that searches has a glance first, a long
 * search last. */
static pm_status ask_either(const candidates *c, const pm_algorithm *here,
                            const pm_algorithm *there, pm_plan *plan, pm_error *err)
{
    pm_job job = c->job;
    pm_plan other = {0};
    bool searches = here->occasion == PM_SEARCHING;
    job.rival = searches ? 0 : c->job.rival;
    pm_status rc = ask_for(here, &job, plan, err);
    if (rc && rc != PM_UNABLE)
        return rc;
    if (pm_gpu_is_worthwhile(price(c, plan))) {
        pm_status failed = ask_there(c, there, price(c, plan) / PM_GPU_PRICE_CORES, &other, err);
        if (failed) {
            pm_plan_free(plan);
            return failed;
        }
    }
    if (searches) {
        pm_plan_free(plan);
        job.rival = fmin(c->job.rival, other.algorithm ? other.seconds : INFINITY);
        rc = ask_for(here, &job, plan, err);
    }
    if (other.algorithm && (rc == PM_UNABLE || (!rc && price(c, &other) < price(c, plan)))) {
        pm_plan_free(plan);
        *plan = other;
        return PM_OK;
    }
    pm_plan_free(&other);
    return rc;
}

static pm_status ask_named(const candidates *c, const char *name, pm_plan *plan, pm_error *err)
{
    const pm_algorithm *here = pm_algorithm_find(name, PM_BACKEND_CPU);
    const pm_algorithm *there = pm_algorithm_find(name, PM_BACKEND_CUDA);
    if (c->job.backend == PM_BACKEND_CUDA || !here)
        return ask_for(there, &c->job, plan, err);
    if (c->job.backend == PM_BACKEND_CPU || !there)
        return ask_for(here, &c->job, plan, err);
    return ask_either(c, here, there, plan, err);
}

pm_status pm_choose_plan(const pm_job *job, const char *name, bool independent, pm_plan *plan,
                         pm_error *err)
{
    pm_status rc;
    candidates c = {.job = *job, .needed = INFINITY};
    const pm_run *run = job->run;
    double limit = run && run->max_cost > 0 ? run->max_cost : INFINITY;
    if (name) {
        c.job.rival = limit * pm_run_threads(run);
        return ask_named(&c, name, plan, err);
    }
    rc = ask_all(&c, limit, err);
    if (!rc)
        rc = take(&c, independent, plan, err);
    for (int i = 0; i < MOST; ++i)
        pm_plan_free(&c.plan[i]);
    return rc;
}
