/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_plan.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "frontier/frontier_gpu_text.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

/* The search for an order may take this many times the share of the run that it takes for a CPU: it
 * reduces memory too, and starting the device takes longer than the search. */
#define SEARCH_SHARE 3
/* Of a rival, this share at least is no start of a device. */
#define SHORTEST 0.01

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

/* ---- planning ---- */

/* Residues, or one inexact number. */
static int values_of(const pm_job *job)
{
    return job->nmoduli ? job->nmoduli : 1;
}

static int value_bytes_of(const pm_job *job, int values)
{
    return job->nmoduli ? 8 * values : job->block->a.field == PM_COMPLEX ? 48 : 32;
}

/* Seconds of a transition with all its residues. */
static double transition_seconds(const pm_job *job, double weighted)
{
    if (!job->nmoduli)
        return job->block->a.field == PM_COMPLEX ? PM_GPU_COMPLEX_SECONDS : PM_GPU_REAL_SECONDS;
    return job->nmoduli
           * (weighted * PM_GPU_WEIGHTED_SECONDS + (1 - weighted) * PM_GPU_UNIT_SECONDS);
}

/* Seconds of all passes on one device.  scale: factor of the nominal seconds, but for launches. */
static double run_seconds(const pm_job *job, const pm_frontier_gpu *f, double scale)
{
    const pm_frontier_program *p = &f->setup.program;
    const pm_frontier_shares s = f->planned;
    double words = value_bytes_of(job, s.width) / 8.0;
    double per_pass = p->spans * PM_GPU_SPAN_SECONDS
                      + p->permuted * (PM_GPU_PERMUTE_SECONDS + words * PM_GPU_COPY_SECONDS);
    double work = p->transitions * transition_seconds(job, p->weighted) + s.passes * per_pass;
    return work * scale + s.passes * (p->nsteps * PM_GPU_STEP_SECONDS);
}

double pm_frontier_gpu_bytes(const pm_job *job, const pm_frontier_gpu *f, int values)
{
    return pm_frontier_program_bytes(&f->setup.program, value_bytes_of(job, values))
           + pm_flat_bytes(&f->flat);
}

/* Values of a pass, at most, if memory permits. */
static int widest(const pm_job *job, const pm_frontier_gpu *f)
{
    int share = (values_of(job) + f->gpus - 1) / f->gpus;
    return share < PM_FLAT_LANES_MAX ? share : PM_FLAT_LANES_MAX;
}

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

/* Make a setup that fits into the memory of a device.  scale: factor of the nominal seconds.
 * *allowed: set to the bytes that may be used. */
static pm_status find_setup_that_fits(const pm_job *job, double scale, pm_frontier_gpu *f,
                                      double *allowed, pm_error *err)
{
    double seconds = transition_seconds(job, 0.5) * scale;
    pm_status status = find_setup(job, SEARCH_SHARE * seconds, f, err);
    if (status || f->setup.program.is_zero)
        return status;
    status = pm_gpu_expected(f->gpus, pm_frontier_gpu_bytes(job, f, widest(job, f)), job->run,
                             allowed, err);
    if (!status && pm_frontier_gpu_bytes(job, f, 1) > *allowed && !job->order)
        status = find_setup(job, pm_frontier_transition_seconds(job), f, err); /* as if for a CPU */
    if (!status && !f->setup.program.is_zero && pm_frontier_gpu_bytes(job, f, 1) > *allowed)
        status = pm_frontier_refuse(job, f->setup.order.cost * seconds, "",
                                    pm_frontier_gpu_bytes(job, f, 1), *allowed, err);
    return status;
}

static char *text_for(const pm_job *job, int residues)
{
    return pm_frontier_text(job->nmoduli ? residues : 0, job->block->a.field == PM_COMPLEX ? 2 : 1);
}

/* Whether kernels for this number of residues are precompiled, or a compiler is there. */
static bool is_runnable(const pm_job *job, bool has_compiler, int residues)
{
    if (has_compiler)
        return true;
    char *text = text_for(job, residues);
    bool is_ready = text && pm_gpu_is_precompiled(text);
    free(text);
    return is_ready;
}

static bool is_compiled(const pm_job *job, const pm_gpu_target *target, int residues)
{
    char *text = text_for(job, residues);
    bool is_there = text && pm_gpu_is_compiled(text, target->major, target->minor);
    free(text);
    return is_there;
}

/* As few rounds as memory permits, with all devices at work in each, and passes of equal width. */
pm_frontier_shares pm_frontier_gpu_share(const pm_job *job, const pm_frontier_gpu *f,
                                         double allowed)
{
    int n = values_of(job), width = widest(job, f), gpus = f->gpus;
    while (width > 1
           && (pm_frontier_gpu_bytes(job, f, width) > allowed
               || !is_runnable(job, f->has_compiler, width)))
        --width;
    int rounds = (n + width * gpus - 1) / (width * gpus);
    width = (n + rounds * gpus - 1) / (rounds * gpus);
    while (!is_runnable(job, f->has_compiler, width))
        ++width;
    int passes = (n + width - 1) / width;
    return (pm_frontier_shares){width, passes, gpus < passes ? gpus : passes};
}

static void set_plan(const pm_job *job, const pm_gpu_target *target, const pm_frontier_gpu *f,
                     pm_plan *plan)
{
    const pm_frontier_program *p = &f->setup.program;
    pm_gpu_target used = *target;
    used.gpus = f->planned.gpus;
    pm_gpu_plan_set(&used, p->transitions * values_of(job),
                    run_seconds(job, f, PM_GPU_MEMORY_RATE / target->memory_rate), plan);
    plan->memory = pm_frontier_gpu_bytes(job, f, f->planned.width);
    plan->compiling =
        is_compiled(job, target, f->planned.width) ? 0 : PM_GPU_FRONTIER_COMPILE_SECONDS;
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
    if (!status && !is_runnable(job, target.has_compiler, 1))
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
    const pm_job other = without_start(job, target.start);
    status =
        find_setup_that_fits(&other, PM_GPU_MEMORY_RATE / target.memory_rate, f, &allowed, err);
    if (status) {
        free_state(f);
        return status;
    }
    if (!f->setup.program.is_zero) {
        f->planned = pm_frontier_gpu_share(job, f, allowed);
        set_plan(job, &target, f, out);
    }
    out->state = f;
    return PM_OK;
}
