/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_plan.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "frontier/frontier_gpu_text.h"
#include "frontier/narrow_moduli.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

/* The search for an order may take this many times the share of the run that it takes for a CPU: it
 * reduces memory too, and starting the device takes longer than the search. */
#define SEARCH_SHARE 3
/* Of a rival, this share at least is no start of a device. */
#define SHORTEST 0.01
/* Words of 32 bits are used where they take less than this share of the time; a compilation too. */
#define NARROW_WORTH 0.9
#define NARROW_NAME  "frontier-narrow" /* in reports */

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

/* ---- seconds and bytes ---- */

/* Residues with words of so many bits, or one inexact number.  0: residues cannot have such
 * words. */
static int values_of(const pm_job *job, int bits)
{
    if (!job->nmoduli)
        return bits == 64 ? 1 : 0;
    return bits == 64 ? job->nmoduli : pm_narrow_moduli_needed(job);
}

int pm_frontier_gpu_value_bytes(const pm_job *job, int bits, int values)
{
    return job->nmoduli ? bits / 8 * values : job->block->a.field == PM_COMPLEX ? 48 : 32;
}

/* Seconds of a transition of one value. */
static double transition_seconds(const pm_job *job, int bits, double weighted)
{
    if (!job->nmoduli)
        return job->block->a.field == PM_COMPLEX ? PM_GPU_COMPLEX_SECONDS : PM_GPU_REAL_SECONDS;
    double unit = bits == 64 ? PM_GPU_UNIT_SECONDS : PM_GPU_NARROW_SECONDS;
    double other = bits == 64 ? PM_GPU_WEIGHTED_SECONDS : PM_GPU_NARROW_WEIGHTED_SECONDS;
    return weighted * other + (1 - weighted) * unit;
}

/* Seconds of a pass.  f->scale: factor of the nominal seconds, but for launches. */
static double pass_seconds(const pm_job *job, const pm_frontier_gpu *f, int bits, int width)
{
    const pm_frontier_program *p = &f->setup.program;
    double words = pm_frontier_gpu_value_bytes(job, bits, width) / 8.0;
    double work = p->transitions * width * transition_seconds(job, bits, p->weighted)
                  + p->spans * PM_GPU_SPAN_SECONDS
                  + p->permuted * (PM_GPU_PERMUTE_SECONDS + words * PM_GPU_COPY_SECONDS);
    return work * f->scale + p->nsteps * PM_GPU_STEP_SECONDS;
}

static double seconds_of(const pm_job *job, const pm_frontier_gpu *f, const pm_frontier_shares *s)
{
    int rounds = (s->passes + s->gpus - 1) / s->gpus;
    return rounds * pass_seconds(job, f, s->bits, s->width);
}

double pm_frontier_gpu_bytes(const pm_job *job, const pm_frontier_gpu *f, int bits, int values)
{
    return pm_frontier_program_bytes(&f->setup.program,
                                     pm_frontier_gpu_value_bytes(job, bits, values))
           + pm_flat_bytes(&f->flat);
}

/* Values of a pass, at most, if memory permits. */
static int widest(const pm_job *job, const pm_frontier_gpu *f, int bits)
{
    int share = (values_of(job, bits) + f->gpus - 1) / f->gpus;
    return share < PM_FLAT_LANES_MAX ? share : PM_FLAT_LANES_MAX;
}

/* ---- passes ---- */

static char *text_for(const pm_job *job, int bits, int values)
{
    return pm_frontier_text(job->nmoduli ? values : 0, job->block->a.field == PM_COMPLEX ? 2 : 1,
                            bits);
}

/* Whether kernels for so many values are precompiled, or a compiler is there. */
static bool is_runnable(const pm_job *job, bool has_compiler, int bits, int values)
{
    if (has_compiler)
        return true;
    char *text = text_for(job, bits, values);
    bool is_ready = text && pm_gpu_is_precompiled(text);
    free(text);
    return is_ready;
}

static bool is_compiled(const pm_job *job, const pm_gpu_target *target, const pm_frontier_shares *s)
{
    char *text = text_for(job, s->bits, s->width);
    bool is_there = text && pm_gpu_is_compiled(text, target->major, target->minor);
    free(text);
    return is_there;
}

/* The fastest passes with words of so many bits.  Returns their seconds, INFINITY if none fits. */
static double fastest(const pm_job *job, const pm_frontier_gpu *f, double allowed, int bits,
                      pm_frontier_shares *out)
{
    double least = INFINITY;
    int n = values_of(job, bits);
    for (int width = 1; width <= (n ? widest(job, f, bits) : 0); ++width) {
        int passes = (n + width - 1) / width, gpus = f->gpus < passes ? f->gpus : passes;
        pm_frontier_shares s = {bits, width, passes, gpus};
        if (pm_frontier_gpu_bytes(job, f, bits, width) > allowed
            || !is_runnable(job, f->has_compiler, bits, width))
            continue;
        double seconds = seconds_of(job, f, &s);
        if (seconds < least) {
            least = seconds;
            *out = s;
        }
    }
    return least;
}

bool pm_frontier_gpu_share(const pm_job *job, const pm_frontier_gpu *f, double allowed,
                           pm_frontier_shares *out)
{
    pm_frontier_shares wide, narrow;
    double of_wide = fastest(job, f, allowed, 64, &wide);
    double of_narrow = fastest(job, f, allowed, 32, &narrow);
    double limit = fmin(NARROW_WORTH * of_wide, of_wide - PM_GPU_FRONTIER_COMPILE_SECONDS);
    bool is_narrow = of_narrow < limit;
    bool can_be_narrow = values_of(job, 32) && is_runnable(job, f->has_compiler, 32, 1);
    if (isfinite(of_wide) || isfinite(of_narrow))
        *out = is_narrow ? narrow : wide;
    else
        *out = (pm_frontier_shares){.bits = can_be_narrow ? 32 : 64, .width = 1};
    return out->passes > 0;
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

/* Make a setup that fits into the memory of a device.
 * *allowed: set to the bytes that may be used. */
static pm_status find_setup_that_fits(const pm_job *job, pm_frontier_gpu *f, double *allowed,
                                      pm_error *err)
{
    double values = fmax(job->nmoduli, 1);
    double seconds = values * transition_seconds(job, 64, 0.5) * f->scale;
    pm_frontier_shares s;
    pm_status status = find_setup(job, SEARCH_SHARE * seconds, f, err);
    if (status || f->setup.program.is_zero)
        return status;
    double wanted = pm_frontier_gpu_bytes(job, f, 64, widest(job, f, 64));
    status = pm_gpu_expected(f->gpus, wanted, job->run, allowed, err);
    if (!status && pm_frontier_gpu_bytes(job, f, 64, 1) > *allowed && !job->order)
        status = find_setup(job, pm_frontier_transition_seconds(job), f, err); /* as if for a CPU */
    if (!status && !f->setup.program.is_zero && !pm_frontier_gpu_share(job, f, *allowed, &s))
        status = pm_frontier_refuse(job, f->setup.order.cost * seconds, "",
                                    pm_frontier_gpu_bytes(job, f, s.bits, s.width), *allowed, err);
    return status;
}

static void set_plan(const pm_job *job, const pm_gpu_target *target, const pm_frontier_gpu *f,
                     pm_plan *plan)
{
    const pm_frontier_program *p = &f->setup.program;
    pm_gpu_target used = *target;
    used.gpus = f->planned.gpus;
    pm_gpu_plan_set(&used, p->transitions * values_of(job, f->planned.bits),
                    seconds_of(job, f, &f->planned) * used.gpus, plan);
    plan->memory = pm_frontier_gpu_bytes(job, f, f->planned.bits, f->planned.width);
    plan->compiling = is_compiled(job, target, &f->planned) ? 0 : PM_GPU_FRONTIER_COMPILE_SECONDS;
    if (f->planned.bits == 32) {
        plan->residues = values_of(job, 32);
        plan->kernel = NARROW_NAME;
    }
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
    if (!status && !is_runnable(job, target.has_compiler, 64, 1))
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
