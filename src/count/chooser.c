/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/chooser.h"

#include <math.h>

#include "core/size.h"

enum { MOST = 16 }; /* algorithms */

/* Seconds that planning itself may take, for the frontier without a search and for those asked
 * later: a block that some plan counts in less is counted at once. */
#define GLANCE   5e-4
#define PLANNING 5e-3
/* Inexact answers that cancel have fewer digits than those of the frontier: a method that gives
 * them must win by so many seconds. */
#define FEWER_DIGITS 0.05
/* The second way may take so many times as long as the first, and so many seconds more. */
#define OTHER_TIMES   3
#define OTHER_SECONDS 1

typedef struct {
    pm_job job;
    pm_plan plan[MOST]; /* of pm_algorithms[i]; without an algorithm: none */
    pm_error why;       /* of the first refusal, or of the latest one that searched */
    bool is_refused;
} candidates;

static double price(const candidates *c, const pm_plan *p)
{
    if (!p->algorithm)
        return INFINITY;
    return p->seconds + (p->algorithm->cancels && !c->job.nmoduli ? FEWER_DIGITS : 0);
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

/* Of those that do not search. */
static double lowest_rival(const candidates *c)
{
    double lowest = INFINITY;
    for (int i = 0; pm_algorithms[i]; ++i)
        if (pm_algorithms[i]->occasion != PM_SEARCHING)
            lowest = fmin(lowest, price(c, &c->plan[i]));
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
                   "and %s; allowed are %s (--max-memory)",
                   (long long)job->block->n, (long long)pm_matrix_nnz(&job->block->a), name,
                   seconds, needed.s, allowed.s);
}

static pm_status ask_for(const pm_algorithm *a, const pm_job *job, pm_plan *out, pm_error *err)
{
    *out = (pm_plan){.algorithm = a};
    pm_status rc = a->plan(job, out, err);
    if (rc)
        *out = (pm_plan){0};
    if (!rc && out->memory > (double)job->memory)
        rc = refuse_memory(job, out, err);
    return rc;
}

static pm_status ask_one(candidates *c, int i, pm_error *err)
{
    const pm_algorithm *a = pm_algorithms[i];
    pm_plan p;
    pm_error why;
    pm_status rc = ask_for(a, &c->job, &p, &why);
    if (rc == PM_OK) {
        pm_plan_free(&c->plan[i]);
        c->plan[i] = p;
    } else if (rc == PM_UNABLE) {
        if (!c->is_refused || a->occasion == PM_SEARCHING)
            c->why = why;
        c->is_refused = true;
        rc = PM_OK;
    } else if (err) {
        *err = why;
    }
    return rc;
}

static pm_status ask(candidates *c, pm_occasion occasion, double rival, pm_error *err)
{
    pm_status rc = PM_OK;
    c->job.rival = rival;
    for (int i = 0; pm_algorithms[i] && !rc; ++i)
        if (pm_algorithms[i]->occasion == occasion)
            rc = ask_one(c, i, err);
    return rc;
}

static pm_status ask_all(candidates *c, pm_error *err)
{
    pm_status rc = ask(c, PM_AT_ONCE, 0, err);
    if (!rc && lowest_price(c) > GLANCE)
        rc = ask(c, PM_SEARCHING, 0, err);
    if (!rc && lowest_price(c) > PLANNING) {
        rc = ask(c, PM_LATER, lowest_price(c), err);
        if (!rc && lowest_price(c) > PLANNING)
            rc = ask(c, PM_SEARCHING, lowest_rival(c), err);
    }
    return rc;
}

static bool is_affordable(const candidates *c, const pm_plan *other, const pm_plan *best)
{
    const pm_run *run = c->job.run;
    bool is_allowed = !run || run->max_cost <= 0 || pm_plan_elapsed(other, run) <= run->max_cost;
    return is_allowed && price(c, other) <= OTHER_TIMES * price(c, best) + OTHER_SECONDS;
}

static pm_status take(candidates *c, bool other_way, pm_plan *plan, pm_error *err)
{
    int best = cheapest(c, -1), other = best < 0 ? -1 : cheapest(c, best);
    if (best < 0) {
        if (err)
            *err = c->why;
        return PM_UNABLE;
    }
    if (other_way && other >= 0 && is_affordable(c, &c->plan[other], &c->plan[best]))
        best = other;
    *plan = c->plan[best];
    c->plan[best] = (pm_plan){0};
    return PM_OK;
}

pm_status pm_choose_plan(const pm_job *job, const char *name, bool other_way, pm_plan *plan,
                         pm_error *err)
{
    pm_status rc;
    candidates c = {.job = *job};
    if (name) {
        const pm_run *run = job->run;
        bool is_limited = run && run->max_cost > 0;
        c.job.rival = is_limited ? run->max_cost * pm_run_threads(run) : INFINITY;
        return ask_for(pm_algorithm_find(name), &c.job, plan, err);
    }
    rc = ask_all(&c, err);
    if (!rc)
        rc = take(&c, other_way, plan, err);
    for (int i = 0; i < MOST; ++i)
        pm_plan_free(&c.plan[i]);
    return rc;
}
