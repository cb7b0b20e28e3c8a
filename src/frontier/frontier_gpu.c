/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier method on GPUs: as many residues side by side as the memory of a device permits, all
 * levels in that memory, or in that of several devices, and the passes divided among the devices.
 * The plan is in frontier/frontier_gpu_plan.h, the program in the form of a device in
 * frontier/frontier_gpu_kernel.h, its launches in frontier/frontier_gpu_device.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/size.h"
#include "frontier/frontier_gpu_device.h"
#include "frontier/frontier_gpu_plan.h"
#include "frontier/frontier_handover.h"
#include "frontier/narrow_moduli.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

/* ---- the passes ---- */

typedef struct {
    const pm_job *job;
    const pm_frontier_gpu *f;
    pm_frontier_shares now;
    pm_narrow_moduli narrow; /* if residues have 32 bits */
    const uint64_t *moduli;  /* the job's, or those */
    int nmoduli;
    uint64_t *found; /* the residues */
    pm_value *out;
    pm_frontier_device **device; /* of each GPU */
    pm_gpu_spread *levels;       /* if they are spread over all of them */
    /* [g]: of the level that device g makes for device g + 1 */
    pm_handover *handovers;
} work;

/* The ring of a pass; the last pass is filled up with the first modulus. */
static pm_status ring_of(const work *w, int pass, pm_ring **out, pm_error *err)
{
    uint64_t m[PM_FLAT_LANES_MAX];
    for (int i = 0; i < w->now.width && w->nmoduli; ++i) {
        int k = pass * w->now.width + i;
        m[i] = w->moduli[k < w->nmoduli ? k : 0];
    }
    return pm_frontier_ring(w->job, m, w->now.width, w->now.bits, out, err);
}

static void store_answer(const work *w, int pass, const pm_ring *ring, const void *value)
{
    uint64_t r[PM_FLAT_LANES_MAX];
    int n = w->nmoduli, first = pass * w->now.width;
    ring->finish(ring, value, w->f->setup.program.depth, w->out, r);
    if (n)
        memcpy(w->found + first, r,
               (size_t)(n - first < w->now.width ? n - first : w->now.width) * sizeof *r);
}

/* Of a pass that has ended on device d. */
static pm_status read_answer(const work *w, int pass, const pm_frontier_device *d,
                             const pm_ring *ring, pm_error *err)
{
    uint64_t value[PM_FLAT_LANES_MAX];
    int64_t size = ring->value_bytes;
    pm_status status = pm_gpu_session_get(
        d->session, value, pm_frontier_device_level(d, d->flat->nsteps, size), size, err);
    if (!status)
        store_answer(w, pass, ring, value);
    return status;
}

/* Gives the last level of a piece of device gpu to the next device. */
static pm_status hand_over(const work *w, int gpu, const pm_frontier_piece *piece, pm_error *err)
{
    const pm_frontier_device *d = w->device[gpu], *next = w->device[gpu + 1];
    double bytes = pm_frontier_gpu_waiting(w->job, w->f, &w->now, gpu + 1);
    int64_t size = pm_frontier_gpu_value_bytes(w->job, w->now.bits, w->now.width);
    pm_status status =
        pm_gpu_session_copy(d->session, pm_frontier_device_level(d, piece->last, size),
                            next->session, next->waiting, (int64_t)bytes, err);
    if (!status)
        pm_handover_end(&w->handovers[gpu], PM_OK, NULL);
    return status;
}

static pm_status run_piece(const work *w, int gpu, const pm_frontier_piece *piece,
                           const pm_run *run, pm_frontier_progress *so_far, pm_error *err)
{
    pm_ring *ring;
    pm_frontier_device *d = w->device[gpu];
    int32_t nsteps = w->f->flat.nsteps;
    pm_status status = ring_of(w, piece->pass, &ring, err);
    if (status)
        return status;
    if (piece->first > 0)
        status = pm_handover_wait(&w->handovers[gpu - 1], err);
    if (!status)
        status = pm_frontier_device_run(d, piece, ring, run, so_far, err);
    if (!status && piece->last < nsteps) {
        status = hand_over(w, gpu, piece, err);
    } else if (!status) {
        status = read_answer(w, piece->pass, d, ring, err);
    }
    ring->free(ring);
    return status;
}

/* A pass on all devices, whose levels are spread over them. */
static pm_status run_pass_together(const work *w, int pass, pm_frontier_progress *so_far,
                                   pm_error *err)
{
    pm_ring *ring;
    pm_status status = ring_of(w, pass, &ring, err);
    if (status)
        return status;
    status = pm_frontier_devices_run(w->device, w->now.gpus, ring, w->job->run, so_far, err);
    if (!status)
        status = read_answer(w, pass, w->device[0], ring, err);
    ring->free(ring);
    return status;
}

static pm_status run_together(const work *w, pm_error *err)
{
    pm_status status = PM_OK;
    pm_frontier_progress so_far = {0, 1};
    for (int32_t k = 0; k < w->f->flat.nsteps; ++k)
        so_far.all += (double)w->now.passes * (double)w->f->flat.steps[k].states;
    for (int pass = 0; pass < w->now.passes && !status; ++pass)
        status = run_pass_together(w, pass, &so_far, err);
    return status;
}

/* If less memory is free than was planned with, run more passes of fewer bytes. */
static pm_status fit_to_memory(work *w, pm_error *err)
{
    double allowed;
    const pm_job *job = w->job;
    const pm_frontier_shares *planned = &w->f->planned;
    pm_status status = pm_gpu_allowed(planned->gpus, job->run, &allowed, err);
    if (status)
        return status;
    w->now = *planned;
    if (pm_frontier_gpu_bytes(job, w->f, planned) <= allowed)
        return PM_OK;
    status = pm_gpu_allowed(w->f->gpus, job->run, &allowed, err);
    if (status || pm_frontier_gpu_share(job, w->f, allowed, &w->now))
        return status;
    double wanted = pm_frontier_gpu_bytes(job, w->f, &w->now);
    return pm_fail(err, PM_ENODEV, "GPU: the frontier needs %s of its memory; it may use %s",
                   pm_size(wanted).s, pm_size(allowed).s);
}

static pm_status set_moduli(work *w, pm_error *err)
{
    pm_status status = PM_OK;
    w->moduli = w->job->moduli;
    w->nmoduli = w->job->nmoduli;
    if (w->now.bits == 32) {
        status = pm_narrow_moduli_make(w->job, &w->narrow, err);
        w->moduli = w->narrow.m;
        w->nmoduli = w->narrow.n;
    }
    if (status)
        return status;
    w->found = pm_alloc_array(w->nmoduli, sizeof *w->found);
    return w->found ? PM_OK : pm_fail_memory(err, "residues");
}

/* The answer of the job from that of all passes. */
static void finish(const work *w, uint64_t *residues)
{
    if (w->now.bits == 32)
        pm_narrow_moduli_finish(w->job, &w->narrow, w->found, residues);
    else if (w->nmoduli)
        memcpy(residues, w->found, (size_t)w->nmoduli * sizeof *residues);
}

/* ---- on all devices ---- */

static pm_status open_one(void *context, int gpu, pm_error *err)
{
    work *w = context;
    pm_ring *ring;
    pm_status status = ring_of(w, 0, &ring, err);
    if (status)
        return status;
    double waiting = pm_frontier_gpu_waiting(w->job, w->f, &w->now, gpu);
    pm_gpu_array levels = w->now.is_spread ? pm_gpu_spread_array(w->levels) : 0;
    status = pm_frontier_device_open(gpu, w->f, ring, waiting, levels, &w->device[gpu], err);
    ring->free(ring);
    return status;
}

static pm_status run_pieces(const work *w, int gpu, const pm_frontier_piece *pieces, int n,
                            const pm_run *run, pm_error *err)
{
    pm_status status = PM_OK;
    pm_frontier_progress so_far = {0, 1};
    for (int i = 0; i < n; ++i)
        for (int32_t k = pieces[i].first; k < pieces[i].last; ++k)
            so_far.all += (double)w->f->flat.steps[k].states;
    for (int i = 0; i < n && !status; ++i)
        status = run_piece(w, gpu, &pieces[i], run, &so_far, err);
    return status;
}

/* The next device waits for this one at most: pm_gpu_on_each runs them in this sequence where it has
 * fewer threads than devices. */
static pm_status run_device(void *context, int gpu, pm_error *err)
{
    work *w = context;
    pm_error why = {.msg = ""};
    pm_run quiet = {0};
    pm_frontier_piece *pieces = NULL;
    const pm_run *run = w->job->run;
    if (run && gpu > 0) { /* progress comes from one thread */
        quiet = *run;
        quiet.progress = NULL;
        run = &quiet;
    }
    int n = pm_frontier_gpu_pieces(&w->now, w->f->flat.nsteps, gpu, &pieces);
    pm_status status =
        n < 0 ? pm_fail_memory(&why, "frontier") : run_pieces(w, gpu, pieces, n, run, &why);
    free(pieces);
    if (status)
        pm_handover_end(&w->handovers[gpu], status, &why);
    if (status && err)
        *err = why;
    return status;
}

static pm_status spread_levels(work *w, pm_error *err)
{
    int64_t size = pm_frontier_gpu_value_bytes(w->job, w->now.bits, w->now.width);
    return pm_gpu_spread_open(w->now.gpus, w->f->setup.program.room * size, &w->levels, err);
}

static pm_status run_on_devices(work *w, pm_error *err)
{
    const pm_job *job = w->job;
    double started = pm_clock();
    pm_status status = w->now.is_spread ? spread_levels(w, err) : PM_OK;
    if (!status)
        status = pm_gpu_on_each(w->now.gpus, open_one, w, err);
    double opened = pm_clock();
    if (!status)
        status = w->now.is_spread ? run_together(w, err)
                                  : pm_gpu_on_each(w->now.gpus, run_device, w, err);
    if (status)
        return status;
    if (job->device_seconds)
        *job->device_seconds += pm_clock() - opened;
    pm_run_note(
        job->run, 2,
        "frontier: %.4g seconds on %d GPU%s, %d pass%s of %.3g states of %d x %d bytes, %.2g "
        "to compile and load",
        pm_clock() - opened, w->now.gpus, w->now.gpus > 1 ? "s" : "", w->now.passes,
        w->now.passes > 1 ? "es" : "", (double)w->f->setup.program.max_states, w->now.width,
        pm_frontier_gpu_value_bytes(job, w->now.bits, 1), opened - started);
    return PM_OK;
}

static pm_status make_devices(work *w, pm_error *err)
{
    w->device = pm_calloc_array(w->now.gpus, sizeof *w->device);
    w->handovers = pm_alloc_array(w->now.gpus, sizeof *w->handovers);
    for (int i = 0; i < w->now.gpus && w->handovers; ++i)
        pm_handover_init(&w->handovers[i]);
    return w->device && w->handovers ? PM_OK : pm_fail_memory(err, "devices");
}

static void free_devices(work *w)
{
    for (int i = 0; i < w->now.gpus && w->device; ++i)
        pm_frontier_device_close(w->device[i]);
    pm_gpu_spread_close(w->levels);
    for (int i = 0; i < w->now.gpus && w->handovers; ++i)
        pm_handover_free(&w->handovers[i]);
    free(w->device);
    free(w->handovers);
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const pm_frontier_gpu *f = plan->state;
    work w = {.job = job, .f = f, .out = out};
    if (f->setup.program.is_zero) {
        memset(residues, 0, (size_t)job->nmoduli * sizeof *residues);
        pm_value_set_si(out, 0);
        return PM_OK;
    }
    pm_status status = fit_to_memory(&w, err);
    if (!status)
        status = set_moduli(&w, err);
    if (!status)
        status = make_devices(&w, err);
    if (!status)
        status = run_on_devices(&w, err);
    if (!status)
        finish(&w, residues);
    free_devices(&w);
    free(w.found);
    pm_narrow_moduli_free(&w.narrow);
    return status;
}

const pm_algorithm pm_algorithm_frontier_gpu = {
    .name = "frontier",
    .summary = "the same, level by level in a card's memory",
    .source = "frontier method over rows and columns; src/frontier/README.md",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_SEARCH,
    .plan = pm_frontier_gpu_plan,
    .run = run,
    .free_plan = pm_frontier_gpu_free_plan};
