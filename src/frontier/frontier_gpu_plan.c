/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_plan.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "frontier/frontier_state.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

/* The search for an order may take this many times the share of the run that it takes for a CPU: it
 * reduces memory too, and starting the device takes longer than the search. */
#define SEARCH_SHARE 3
/* Of a rival, this share at least is no start of a device. */
#define SHORTEST 0.01
/* In reports: words of 32 bits; levels that are spread over several devices, with any words. */
#define NARROW_NAME "frontier-narrow"
#define SPREAD_NAME "frontier-spread"

static void free_state(pm_frontier_gpu *f)
{
    pm_flat_free(&f->flat);
    pm_frontier_setup_free(&f->setup);
    free(f);
}

void pm_frontier_gpu_free_plan(pm_plan *plan)
{
    if (plan->state)
        free_state(plan->state);
    plan->state = NULL;
}

/* ---- the setup ---- */

static pm_status find_setup(const pm_job *job, double seconds, pm_frontier_gpu *f, pm_error *err)
{
    pm_flat_free(&f->flat);
    pm_frontier_setup_free(&f->setup);
    pm_status status = pm_frontier_setup_make(job, seconds, &f->setup, err);
    if (!status && !f->setup.program.is_zero)
        status = pm_flat_make(&f->setup.program, &f->flat, err);
    return status;
}

/* The job with the time that the rival takes beside the start of a device, which both need. */
static pm_job without_start(const pm_job *job, double start)
{
    pm_job other = *job;
    other.rival = fmax(job->rival - start, SHORTEST * job->rival);
    return other;
}

/* Seconds from which both programs are compiled where either fits. */
#define IN_PLACE_FROM 0.1

/* Takes the program in place if that is faster, or if nothing else fits; but the program that has made the level that is
 * stored. */
static pm_status choose_program(const pm_job *job, double allowed, pm_frontier_gpu *f,
                                pm_error *err)
{
    pm_frontier_shares s, t;
    pm_frontier_gpu other = *f;
    other.flat = (pm_flat_program){0};
    const bool has_room = pm_frontier_gpu_wanted(job, f) <= allowed;
    const bool was_possible = job->nmoduli && pm_frontier_gpu_share(job, f, allowed, &s);
    if (!job->nmoduli
        || (has_room && was_possible && pm_frontier_gpu_seconds(job, f, &s) < IN_PLACE_FROM
            && !pm_frontier_other_is_stored(job, &f->setup.program))
        || (was_possible && pm_frontier_is_stored(job, &f->setup.program)))
        return PM_OK;
    pm_status status = pm_frontier_setup_in_place(job, &f->setup, &other.setup.program, err);
    if (status)
        return status;
    if (other.setup.program.is_zero) { /* its order of the vertices may show that earlier */
        pm_flat_free(&f->flat);
        pm_frontier_program_free(&f->setup.program);
        *f = other;
        return PM_OK;
    }
    status = pm_flat_make(&other.setup.program, &other.flat, err);
    bool is_possible = !status && pm_frontier_gpu_share(job, &other, allowed, &t);
    if (is_possible
        && (!was_possible || pm_frontier_is_stored(job, &other.setup.program)
            || pm_frontier_gpu_seconds(job, &other, &t) < pm_frontier_gpu_seconds(job, f, &s))) {
        pm_flat_free(&f->flat);
        pm_frontier_program_free(&f->setup.program);
        *f = other;
    } else {
        pm_flat_free(&other.flat);
        pm_frontier_program_free(&other.setup.program);
    }
    return status;
}

/* Make a setup that fits into the memory of a device: with an order of a short search, or else of a
 * search as for a CPU.
 * *allowed: set to the bytes that may be used. */
static pm_status find_setup_that_fits(const pm_job *job, pm_frontier_gpu *f, double *allowed,
                                      pm_error *err)
{
    double values = fmax(job->nmoduli, 1);
    double seconds = values * pm_frontier_gpu_transition(job, 64, 0.5) * f->scale;
    const double searches[] = {SEARCH_SHARE * seconds, pm_frontier_transition_seconds(job)};
    pm_frontier_shares s;
    pm_status status = PM_OK;
    for (int i = 0; i < (job->order ? 1 : 2); ++i) {
        status = find_setup(job, searches[i], f, err);
        if (status || f->setup.program.is_zero)
            return status;
        status = pm_gpu_expected(f->gpus, pm_frontier_gpu_wanted(job, f), job->run, allowed, err);
        if (!status)
            status = choose_program(job, *allowed, f, err);
        if (status || f->setup.program.is_zero || pm_frontier_gpu_share(job, f, *allowed, &s))
            return status;
    }
    return pm_frontier_refuse(job, f->setup.order.cost * seconds, "",
                              pm_frontier_gpu_bytes(job, f, &s), *allowed, err);
}

static bool is_compiled(const pm_job *job, const pm_gpu_target *target, const pm_frontier_shares *s)
{
    char *text = pm_frontier_gpu_text(job, s->bits, s->width);
    bool is_there = text && pm_gpu_is_compiled(text, target->major, target->minor);
    free(text);
    return is_there;
}

/* Where passes of several devices are cut, all moduli are taken at once; else at least so many seconds
 * of them, since devices are opened for each run. */
#define TAKE_SECONDS 10.0

/* Moduli that a run takes at a time; 0: all. */
static int moduli_at_a_time(const pm_job *job, const pm_frontier_gpu *f)
{
    const pm_frontier_shares *s = &f->planned;
    int round = s->width * (s->is_spread ? 1 : s->gpus);
    double seconds =
        pm_frontier_gpu_seconds(job, f, s) * round / pm_frontier_gpu_values(job, s->bits);
    double rounds = ceil(TAKE_SECONDS / fmax(seconds, 1e-6));
    double values = rounds * round;
    return s->is_cut || values >= pm_frontier_gpu_values(job, s->bits) ? 0 : (int)values;
}

void pm_frontier_gpu_use(const pm_job *job, const pm_frontier_shares *shares, pm_frontier_gpu *f,
                         pm_plan *plan)
{
    f->planned = *shares;
    plan->pass = job->nmoduli ? moduli_at_a_time(job, f) : 0;
    plan->are_narrow = job->nmoduli && shares->bits == 32;
}

static void set_plan(const pm_job *job, const pm_gpu_target *target, pm_frontier_gpu *f,
                     pm_plan *plan)
{
    const pm_frontier_program *p = &f->setup.program;
    pm_gpu_target used = *target;
    used.gpus = f->planned.gpus;
    pm_gpu_plan_set(&used, p->transitions * pm_frontier_gpu_values(job, f->planned.bits),
                    pm_frontier_gpu_seconds(job, f, &f->planned) * used.gpus, plan);
    plan->memory = pm_frontier_gpu_bytes(job, f, &f->planned);
    plan->compiling = is_compiled(job, target, &f->planned) ? 0 : PM_GPU_FRONTIER_COMPILE_SECONDS;
    pm_frontier_gpu_use(job, &f->planned, f, plan);
    if (f->planned.bits == 32) {
        plan->residues = pm_frontier_gpu_values(job, 32);
        plan->kernel = NARROW_NAME;
    }
    if (f->planned.is_spread)
        plan->kernel = SPREAD_NAME;
    if (p->in_place)
        plan->kernel = PM_FRONTIER_IN_PLACE_NAME;
    plan->states = (double)p->max_states;
    plan->order_hash = pm_vertex_order_hash(&f->setup.order);
}

static pm_gpu_rate family_of(const pm_job *job)
{
    return job->nmoduli ? PM_GPU_RATE_FRONTIER_EXACT : PM_GPU_RATE_FRONTIER;
}

pm_status pm_frontier_gpu_plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    pm_gpu_target target;
    double allowed;
    if (pm_matrix_nnz(&job->block->a) > INT32_MAX)
        return pm_fail(err, PM_UNABLE, "too many entries for the frontier on a GPU");
    pm_status status = pm_gpu_target_find(job->gpus, job->rates, family_of(job), &target, err);
    if (!status && !pm_frontier_gpu_is_runnable(job, target.has_compiler, 64, 1))
        status = pm_fail(err, PM_ENODEV,
                         "GPU: the run-time compiler of CUDA (libnvrtc.so) is not installed, and "
                         "no compiled kernel fits this GPU");
    if (status)
        return status;
    pm_frontier_gpu *f = pm_calloc_array(1, sizeof *f);
    if (!f)
        return pm_fail_memory(err, "frontier");
    f->gpus = target.gpus;
    f->has_compiler = target.has_compiler;
    f->can_spread = target.gpus > 1 && pm_gpu_can_spread(target.gpus);
    f->scale = PM_GPU_MEMORY_RATE / target.memory_rate;
    const pm_job other = without_start(job, target.start);
    status = find_setup_that_fits(&other, f, &allowed, err);
    if (status) {
        free_state(f);
        return status;
    }
    if (!f->setup.program.is_zero) {
        pm_frontier_gpu_share(job, f, allowed, &f->planned); /* it fits, see there */
        set_plan(job, &target, f, out);
    }
    out->state = f;
    return PM_OK;
}
