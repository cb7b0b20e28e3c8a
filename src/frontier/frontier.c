/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier algorithms as the chooser sees them: search an order, compile it, take a kernel,
 * and as many residues at a time as memory holds. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/frontier_hash.h"
#include "frontier/frontier_plan.h"
#include "frontier/frontier_rank.h"
#include "pm/alloc.h"

#define HASH_NAME "frontier-hash" /* of the algorithm, and of the kernel in a report */

enum { SMALL_LEVEL = 100000 }; /* states: up to here one pass more costs more than a residue */

typedef struct {
    pm_frontier_way way;
    bool use_hash;
    int widest; /* residues at a time, at most */
} frontier;

static void free_state(frontier *f)
{
    pm_frontier_way_free(&f->way);
    free(f);
}

static void free_plan(pm_plan *plan)
{
    if (plan->state)
        free_state(plan->state);
    plan->state = NULL;
}

/* ---- residues at a time ---- */

/* Of `left` residues, how many in the next pass. */
static int pass_width(const frontier *f, int left)
{
    int n = 1;
    while (2 * n <= left && 2 * n <= f->widest)
        n *= 2;
    /* 3 of 4 or 7 of 8 for small levels: one pass less */
    if (n < f->widest && left == 2 * n - 1 && left > 1 && f->way.program.max_states < SMALL_LEVEL)
        n *= 2;
    return n;
}

static int widest_pass(const frontier *f, const pm_job *job)
{
    int n = 32;
    while (n > 1
           && (pm_frontier_program_bytes(&f->way.program, 8 * n) > (double)job->memory
               || (n > 8 && f->way.program.max_states > SMALL_LEVEL)))
        n /= 2;
    return n;
}

/* ---- planning ---- */

static pm_status refuse_memory(const pm_job *job, const frontier *f, double bytes, pm_error *err)
{
    pm_plan p = {.seconds = f->way.order.cost * pm_frontier_transition_seconds(job)};
    return pm_frontier_way_refuse(job, pm_plan_elapsed(&p, job->run), "", bytes,
                                  (double)job->memory, err);
}

/* One run of the rank kernel with `width` residues or one inexact value. */
static double rank_seconds(const pm_job *job, const frontier *f, int64_t value_bytes, int width)
{
    bool exact = job->nmoduli > 0, is_complex = job->block->a.field == PM_COMPLEX;
    pm_rate id = exact ? PM_RATE_RANK_UNIT : is_complex ? PM_RATE_RANK_COMPLEX : PM_RATE_RANK_REAL;
    double unit = job->rates->seconds[id], scale = unit / pm_rates_nominal.seconds[id];
    double weighted = exact ? job->rates->seconds[PM_RATE_RANK_WEIGHTED] : 1.5 * unit;
    int values = exact ? width : 1;
    return pm_frontier_program_seconds(&f->way.program, value_bytes, values * unit,
                                       values * weighted, scale);
}

/* Figures of the plan from the compiled programme. */
static pm_status predict(const pm_job *job, frontier *f, pm_plan *plan, pm_error *err)
{
    pm_status rc;
    pm_ring *ring;
    uint64_t m[32];
    int passes = 0, width = 0;
    for (int left = job->nmoduli, n; left > 0; left -= n, ++passes) {
        n = pass_width(f, left);
        width = n > width ? n : width;
    }
    for (int i = 0; i < width; ++i)
        m[i] = job->moduli[0];
    if ((rc = pm_frontier_ring(job, m, width, &ring, err)))
        return rc;
    double seconds = rank_seconds(job, f, ring->value_bytes, width);
    /* what the hash kernel will reach is not known; its limit is */
    plan->memory =
        f->use_hash ? fmin(pm_hash_bytes(&f->way.program, ring->value_bytes), (double)job->memory)
                    : pm_frontier_program_bytes(&f->way.program, ring->value_bytes);
    ring->free(ring);
    if (passes)
        seconds *= (double)job->nmoduli / width;
    if (f->use_hash)
        seconds = (passes ? passes : 1)
                  * pm_hash_seconds(&f->way.program, passes ? width : 4,
                                    job->rates->seconds[PM_RATE_HASH]);
    plan->seconds = seconds;
    plan->is_serial = f->way.program.max_states <= 4096;
    plan->operations = f->way.program.transitions * (job->nmoduli ? job->nmoduli : 1);
    plan->states = (double)f->way.program.max_states;
    plan->order_hash = pm_frontier_order_hash(&f->way.order);
    plan->kernel = f->use_hash ? HASH_NAME : NULL;
    return PM_OK;
}

typedef enum { KERNEL_AUTO, KERNEL_RANK, KERNEL_HASH } kernel;

static pm_status plan_kernel(const pm_job *job, kernel which, pm_plan *plan, pm_error *err)
{
    pm_status rc;
    frontier *f = pm_calloc_array(1, sizeof *f);
    if (!f)
        return pm_fail_memory(err, "frontier");
    if ((rc = pm_frontier_way_find(job, pm_frontier_transition_seconds(job), &f->way, err)))
        goto done;
    if (f->way.program.empty) {
        plan->state = f;
        return PM_OK;
    }
    f->widest = widest_pass(f, job);
    double least =
        pm_frontier_program_bytes(&f->way.program, job->nmoduli ? 8 : pm_frontier_value_bytes(job));
    bool fits = least <= (double)job->memory;
    f->use_hash = which == KERNEL_HASH;
    if (!fits && which == KERNEL_RANK) {
        rc = refuse_memory(job, f, least, err);
        goto done;
    }
    /* states that are never reached cost the hash kernel nothing: it may still fit */
    if (!fits && which == KERNEL_AUTO)
        f->use_hash = true;
    if (f->use_hash && (rc = pm_hash_fits(&f->way.graph, &f->way.order, err))) {
        if (rc == PM_UNABLE && !fits)
            rc = refuse_memory(job, f, least, err);
        goto done;
    }
    if ((rc = predict(job, f, plan, err)))
        goto done;
    plan->state = f;
    f = NULL;
done:
    if (f)
        free_state(f);
    return rc;
}

static pm_status plan_auto(const pm_job *job, pm_plan *plan, pm_error *err)
{
    return plan_kernel(job, KERNEL_AUTO, plan, err);
}

static pm_status plan_rank(const pm_job *job, pm_plan *plan, pm_error *err)
{
    return plan_kernel(job, KERNEL_RANK, plan, err);
}

static pm_status plan_hash(const pm_job *job, pm_plan *plan, pm_error *err)
{
    return plan_kernel(job, KERNEL_HASH, plan, err);
}

/* ---- running ---- */

static pm_status one_pass(const pm_job *job, const frontier *f, const uint64_t *moduli, int n,
                          double done, double share, uint64_t *residues, pm_value *out,
                          pm_error *err)
{
    pm_status rc;
    pm_ring *ring;
    if ((rc = pm_frontier_ring(job, moduli, n, &ring, err)))
        return rc;
    void *value = pm_alloc_array(1, (size_t)ring->value_bytes);
    if (!value)
        rc = pm_fail_memory(err, "frontier value");
    else if (f->use_hash)
        rc = pm_frontier_hash_run(&f->way.graph, &f->way.order, ring, job->run, job->memory, done,
                                  share, value, err);
    else
        rc = pm_frontier_rank_run(&f->way.program, ring, job->run, done, share, value, err);
    if (!rc)
        ring->finish(ring, value, f->way.program.depth, out, residues);
    free(value);
    ring->free(ring);
    return rc;
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const frontier *f = plan->state;
    if (f->way.program.empty) {
        memset(residues, 0, (size_t)job->nmoduli * sizeof *residues);
        pm_value_set_si(out, 0);
        return PM_OK;
    }
    if (!job->nmoduli)
        return one_pass(job, f, NULL, 0, 0, 1, NULL, out, err);
    for (int done = 0; done < job->nmoduli;) {
        uint64_t m[32], r[32];
        int left = job->nmoduli - done, n = pass_width(f, left);
        for (int i = 0; i < n; ++i)
            m[i] = job->moduli[done + (i < left ? i : 0)];
        int wanted = n < left ? n : left;
        pm_status rc = one_pass(job, f, m, n, (double)done / job->nmoduli,
                                (double)wanted / job->nmoduli, r, out, err);
        if (rc)
            return rc;
        memcpy(residues + done, r, (size_t)wanted * sizeof *r);
        done += wanted;
    }
    return PM_OK;
}

#define OURS "transfer matrix over rows and columns; src/frontier/README.md"

const pm_algorithm pm_algorithm_frontier = {
    .name = "frontier",
    .summary = "dynamic programme over a frontier of rows and columns; takes the kernel that fits",
    .source = OURS,
    .occasion = PM_SEARCHING,
    .plan = plan_auto,
    .run = run,
    .free_plan = free_plan};
const pm_algorithm pm_algorithm_frontier_rank = {
    .name = "frontier-rank",
    .summary = "the same over arrays indexed by the rank of a state",
    .source = OURS,
    .plan = plan_rank,
    .run = run,
    .free_plan = free_plan};
const pm_algorithm pm_algorithm_frontier_hash = {
    .name = HASH_NAME,
    .summary = "the same over hash tables of the states that are reached",
    .source = OURS,
    .plan = plan_hash,
    .run = run,
    .free_plan = free_plan};
