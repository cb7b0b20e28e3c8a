/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier on GPUs: as many residues side by side as a card holds, the passes shared among the
 * cards. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/on_gpu.h"
#include "core/clock.h"
#include "core/size.h"
#include "frontier/frontier_device.h"
#include "frontier/frontier_plan.h"
#include "frontier/frontier_text.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

/* Nominal seconds, measured on a device that moves MEMORY_RATE bytes a second. */
#define MEMORY_RATE    4.8e12
#define PER_TRANSITION 2.8e-12 /* a residue of weight 1 */
#define PER_WEIGHTED   4e-12
#define PER_REAL       15e-12
#define PER_COMPLEX    24e-12
#define PER_RUN        240e-12
#define PER_PERMUTED   16e-12 /* a state, and for each word of its value: */
#define PER_WORD       8e-12
#define PER_STEP       20e-6
/* The search may take so many times the share of the run that it takes elsewhere: it also brings
 * down memory, and starting the device takes longer than it. */
#define SEARCH_SHARE 3

typedef struct {
    int width; /* values of a pass */
    int passes, gpus;
} sharing;

typedef struct {
    pm_frontier_way way;
    pm_flat_program flat;
    sharing planned;
    int gpus; /* that may be used */
    bool has_compiler;
} gpu_frontier;

static void free_state(gpu_frontier *f)
{
    pm_flat_free(&f->flat);
    pm_frontier_way_free(&f->way);
    free(f);
}

static void free_plan(pm_plan *plan)
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

/* A transition with all its residues. */
static double transition_seconds(const pm_job *job, double weighted)
{
    if (!job->nmoduli)
        return job->block->a.field == PM_COMPLEX ? PER_COMPLEX : PER_REAL;
    return job->nmoduli * (weighted * PER_WEIGHTED + (1 - weighted) * PER_TRANSITION);
}

/* Of all passes, on one device; scale: of the nominal seconds, but for those of launches. */
static double run_seconds(const pm_job *job, const gpu_frontier *f, double scale)
{
    const pm_frontier_program *p = &f->way.program;
    const sharing s = f->planned;
    double words = value_bytes_of(job, s.width) / 8.0;
    double per_pass = p->runs * PER_RUN + p->permuted * (PER_PERMUTED + words * PER_WORD);
    double work = p->transitions * transition_seconds(job, p->weighted) + s.passes * per_pass;
    return work * scale + s.passes * (p->nsteps * PER_STEP);
}

static double bytes_of(const pm_job *job, const gpu_frontier *f, int values)
{
    return pm_frontier_device_bytes(&f->way.program, &f->flat, value_bytes_of(job, values));
}

/* Values of a pass where there is room for them. */
static int widest(const pm_job *job, const gpu_frontier *f)
{
    int share = (values_of(job) + f->gpus - 1) / f->gpus;
    return share < PM_FLAT_LANES_MOST ? share : PM_FLAT_LANES_MOST;
}

static pm_status find_way(const pm_job *job, double seconds, gpu_frontier *f, pm_error *err)
{
    pm_flat_free(&f->flat);
    pm_frontier_way_free(&f->way);
    pm_status rc = pm_frontier_way_find(job, seconds, &f->way, err);
    if (!rc && !f->way.program.empty)
        rc = pm_flat_make(&f->way.program, &f->flat, err);
    return rc;
}

/* scale: of the nominal seconds on this device; allowed: what it may take there. */
static pm_status find_way_that_fits(const pm_job *job, double scale, gpu_frontier *f,
                                    double *allowed, pm_error *err)
{
    double seconds = transition_seconds(job, 0.5) * scale;
    pm_status rc = find_way(job, SEARCH_SHARE * seconds, f, err);
    if (rc || f->way.program.empty)
        return rc;
    rc = pm_gpu_expected(f->gpus, bytes_of(job, f, widest(job, f)), job->run, allowed, err);
    if (!rc && bytes_of(job, f, 1) > *allowed && !job->order)
        rc = find_way(job, pm_frontier_transition_seconds(job), f, err); /* as if for a CPU */
    if (!rc && !f->way.program.empty && bytes_of(job, f, 1) > *allowed)
        rc = pm_frontier_way_refuse(job, f->way.order.cost * seconds, "", bytes_of(job, f, 1),
                                    *allowed, err);
    return rc;
}

/* Is there code for values of so many residues, or a compiler to make it? */
static bool is_runnable(const pm_job *job, bool has_compiler, int residues)
{
    if (has_compiler)
        return true;
    char *text =
        pm_frontier_text(job->nmoduli ? residues : 0, job->block->a.field == PM_COMPLEX ? 2 : 1);
    bool is_ready = text && pm_gpu_is_ready(text);
    free(text);
    return is_ready;
}

/* As few rounds as memory allows, in each of which all devices work, and equal passes. */
static sharing share_out(const pm_job *job, const gpu_frontier *f, double allowed)
{
    int n = values_of(job), width = widest(job, f), gpus = f->gpus;
    while (width > 1
           && (bytes_of(job, f, width) > allowed || !is_runnable(job, f->has_compiler, width)))
        --width;
    int rounds = (n + width * gpus - 1) / (width * gpus);
    width = (n + rounds * gpus - 1) / (rounds * gpus);
    while (!is_runnable(job, f->has_compiler, width))
        ++width;
    int passes = (n + width - 1) / width;
    return (sharing){width, passes, gpus < passes ? gpus : passes};
}

static void set_plan(const pm_job *job, const pm_gpu_place *place, const gpu_frontier *f,
                     pm_plan *plan)
{
    const pm_frontier_program *p = &f->way.program;
    pm_gpu_place used = *place;
    used.gpus = f->planned.gpus;
    pm_gpu_plan_set(&used, p->transitions * values_of(job),
                    run_seconds(job, f, MEMORY_RATE / place->memory_rate), plan);
    plan->memory = bytes_of(job, f, f->planned.width);
    plan->states = (double)p->max_states;
    plan->order_hash = pm_frontier_order_hash(&f->way.order);
}

static pm_gpu_rate family_of(const pm_job *job)
{
    return job->nmoduli ? PM_GPU_RATE_FRONTIER_EXACT : PM_GPU_RATE_FRONTIER;
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    pm_gpu_place place;
    double allowed;
    if (pm_matrix_nnz(&job->block->a) > INT32_MAX)
        return pm_fail(err, PM_UNABLE, "too many entries for the frontier on a GPU");
    pm_status rc = pm_gpu_place_find(job, family_of(job), &place, err);
    if (!rc && !is_runnable(job, place.has_compiler, 1))
        rc = pm_fail(
            err, PM_ENODEV,
            "GPU: the run-time compiler of CUDA (libnvrtc.so) is not installed, and there is "
            "no kernel without it");
    if (rc)
        return rc;
    gpu_frontier *f = pm_calloc_array(1, sizeof *f);
    if (!f)
        return pm_fail_memory(err, "frontier");
    f->gpus = place.gpus;
    f->has_compiler = place.has_compiler;
    rc = find_way_that_fits(job, MEMORY_RATE / place.memory_rate, f, &allowed, err);
    if (rc) {
        free_state(f);
        return rc;
    }
    if (!f->way.program.empty) {
        f->planned = share_out(job, f, allowed);
        set_plan(job, &place, f, out);
    }
    out->state = f;
    return PM_OK;
}

/* ---- running ---- */

typedef struct {
    const pm_job *job;
    const gpu_frontier *f;
    sharing now;
    uint64_t *residues;
    pm_value *out;
    pm_frontier_device **device; /* of each GPU */
} work;

/* The ring of a pass; what the last one lacks is filled up with a modulus again. */
static pm_status ring_of(const work *w, int pass, pm_ring **out, pm_error *err)
{
    uint64_t m[PM_FLAT_LANES_MOST];
    const pm_job *job = w->job;
    for (int i = 0; i < w->now.width && job->nmoduli; ++i) {
        int k = pass * w->now.width + i;
        m[i] = job->moduli[k < job->nmoduli ? k : 0];
    }
    return pm_frontier_ring(job, m, w->now.width, out, err);
}

static void keep_answer(const work *w, int pass, const pm_ring *ring, const void *value)
{
    uint64_t r[PM_FLAT_LANES_MOST];
    int n = w->job->nmoduli, first = pass * w->now.width;
    ring->finish(ring, value, w->f->way.program.depth, w->out, r);
    if (n)
        memcpy(w->residues + first, r,
               (size_t)(n - first < w->now.width ? n - first : w->now.width) * sizeof *r);
}

static pm_status run_pass(const work *w, int pass, pm_frontier_device *d, const pm_run *run,
                          pm_error *err)
{
    pm_ring *ring;
    uint64_t value[PM_FLAT_LANES_MOST];
    double share = 1.0 / w->now.passes;
    pm_status rc = ring_of(w, pass, &ring, err);
    if (rc)
        return rc;
    rc = pm_frontier_device_run(d, ring, run, pass * share, share * w->now.gpus, value, err);
    if (!rc)
        keep_answer(w, pass, ring, value);
    ring->free(ring);
    return rc;
}

/* Others may have left less than was planned with: then there are fewer values in more passes. */
static pm_status make_do(work *w, pm_error *err)
{
    double allowed;
    const pm_job *job = w->job;
    pm_status rc = pm_gpu_allowed(w->f->planned.gpus, job->run, &allowed, err);
    if (rc)
        return rc;
    w->now = w->f->planned;
    if (bytes_of(job, w->f, w->now.width) > allowed) {
        rc = pm_gpu_allowed(w->f->gpus, job->run, &allowed, err);
        if (rc)
            return rc;
        w->now = share_out(job, w->f, allowed);
    }
    double wanted = bytes_of(job, w->f, w->now.width);
    return wanted <= allowed ? PM_OK
                             : pm_fail(err, PM_ENODEV,
                                       "GPU: the frontier needs %s; allowed of what is free are %s",
                                       pm_size(wanted).s, pm_size(allowed).s);
}

/* ---- on all devices ---- */

static pm_status open_one(void *context, int gpu, pm_error *err)
{
    work *w = context;
    pm_ring *ring;
    pm_status rc = ring_of(w, 0, &ring, err);
    if (rc)
        return rc;
    rc = pm_frontier_device_open(gpu, &w->f->way.program, &w->f->flat, ring, &w->device[gpu], err);
    ring->free(ring);
    return rc;
}

/* Every so many passes are one device's. */
static pm_status run_one(void *context, int gpu, pm_error *err)
{
    work *w = context;
    pm_status rc = PM_OK;
    pm_run quiet = {0};
    const pm_run *run = w->job->run;
    if (run && gpu > 0) { /* progress comes from one thread */
        quiet = *run;
        quiet.progress = NULL;
        run = &quiet;
    }
    for (int pass = gpu; pass < w->now.passes && !rc; pass += w->now.gpus)
        rc = run_pass(w, pass, w->device[gpu], run, err);
    return rc;
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const gpu_frontier *f = plan->state;
    work w = {.job = job, .f = f, .residues = residues, .out = out};
    if (f->way.program.empty) {
        memset(residues, 0, (size_t)job->nmoduli * sizeof *residues);
        pm_value_set_si(out, 0);
        return PM_OK;
    }
    pm_status rc = make_do(&w, err);
    if (rc)
        return rc;
    w.device = pm_calloc_array(w.now.gpus, sizeof *w.device);
    if (!w.device)
        return pm_fail_memory(err, "devices");
    double started = pm_clock();
    rc = pm_gpu_on_each(w.now.gpus, open_one, &w, err);
    double opened = pm_clock();
    if (!rc)
        rc = pm_gpu_on_each(w.now.gpus, run_one, &w, err);
    if (!rc && job->device_seconds)
        *job->device_seconds += pm_clock() - opened;
    if (!rc)
        pm_run_note(job->run, 2,
                    "frontier: %.4g seconds on %d GPU%s, %d pass%s of %.3g states, %.2g to compile "
                    "and load",
                    pm_clock() - opened, w.now.gpus, w.now.gpus > 1 ? "s" : "", w.now.passes,
                    w.now.passes > 1 ? "es" : "", (double)f->way.program.max_states,
                    opened - started);
    for (int i = 0; i < w.now.gpus; ++i)
        pm_frontier_device_close(w.device[i]);
    free(w.device);
    return rc;
}

const pm_algorithm pm_algorithm_frontier_gpu = {
    .name = "frontier",
    .summary = "the same, level by level in a card's memory",
    .source = "transfer matrix over rows and columns; src/frontier/README.md",
    .backend = PM_BACKEND_CUDA,
    .occasion = PM_SEARCHING,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
