/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_run.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "frontier/frontier_gpu_device.h"
#include "frontier/frontier_handover.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

typedef struct {
    const pm_frontier_passes *all;
    const pm_job *job;
    const pm_frontier_gpu *f;
    const pm_frontier_shares *now;
    pm_frontier_device **device; /* of each GPU */
    pm_gpu_spread *levels;       /* if they are spread over all of them */
    /* [g]: of the level that device g makes for device g + 1 */
    pm_handover *handovers;
} work;

/* ---- one pass ---- */

static pm_status ring_of(const work *w, int pass, pm_ring **out, pm_error *err)
{
    return pm_frontier_ring(w->job, w->all->lane + (int64_t)pass * w->now->width, w->now->width,
                            w->now->bits, out, err);
}

static pm_status store_answer(const work *w, int pass, const pm_ring *ring, const void *value,
                              pm_error *err)
{
    const pm_frontier_passes *all = w->all;
    const pm_frontier_place *place = &all->place[pass];
    uint64_t r[PM_FLAT_LANES_MAX];
    ring->finish(ring, value, w->f->setup.program.depth, all->out, r);
    if (!w->job->nmoduli)
        return PM_OK;
    memcpy(all->found + (int64_t)pass * w->now->width, r, (size_t)w->now->width * sizeof *r);
    return all->tells && w->job->found
               ? w->job->found(w->job->found_context, place->first, place->count, r, err)
               : PM_OK;
}

/* Of a pass that has ended on device d. */
static pm_status read_answer(const work *w, int pass, const pm_frontier_device *d,
                             const pm_ring *ring, pm_error *err)
{
    uint64_t value[PM_FLAT_LANES_MAX];
    int64_t size = ring->value_bytes;
    pm_status status = pm_gpu_session_get(
        d->session, value, pm_frontier_device_level(d, d->flat->nsteps, size), size, err);
    return status ? status : store_answer(w, pass, ring, value, err);
}

/* Gives the last level of a piece of device gpu to the next device. */
static pm_status hand_over(const work *w, int gpu, const pm_frontier_piece *piece, pm_error *err)
{
    const pm_frontier_device *d = w->device[gpu], *next = w->device[gpu + 1];
    double bytes = pm_frontier_gpu_waiting(w->job, w->f, w->now, gpu + 1);
    int64_t size = pm_frontier_gpu_value_bytes(w->job, w->now->bits, w->now->width);
    pm_status status =
        pm_gpu_session_copy(d->session, pm_frontier_device_level(d, piece->last, size),
                            next->session, next->waiting, (int64_t)bytes, err);
    if (!status)
        pm_handover_end(&w->handovers[gpu], PM_OK, NULL);
    return status;
}

/* The slot of a piece: of the device, or of the pass that two devices share. */
static int slot_of(const work *w, int gpu, const pm_frontier_piece *piece)
{
    if (piece->first > 0)
        return w->now->gpus + gpu - 1;
    return piece->last < w->f->flat.nsteps ? w->now->gpus + gpu : gpu;
}

static pm_status run_piece(const work *w, int gpu, const pm_frontier_piece *piece,
                           const pm_run *run, pm_frontier_progress *so_far, pm_error *err)
{
    pm_ring *ring;
    pm_frontier_device *d = w->device[gpu];
    pm_frontier_pass *pass = &w->all->pass[piece->pass];
    int32_t nsteps = w->f->flat.nsteps;
    pm_status status = ring_of(w, piece->pass, &ring, err);
    if (status)
        return status;
    if (piece->first > 0)
        status = pm_handover_wait(&w->handovers[gpu - 1], err);
    if (pass->stored.step == 0)
        pass->slot = slot_of(w, gpu, piece);
    if (!status)
        status = pm_frontier_device_run(d, piece, ring, pass, run, so_far, err);
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
    status = pm_frontier_devices_run(w->device, w->now->gpus, ring, &w->all->pass[pass],
                                     w->job->run, so_far, err);
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
        so_far.all += (double)w->now->passes * (double)w->f->flat.steps[k].states;
    for (int pass = 0; pass < w->now->passes && !status; ++pass)
        status = run_pass_together(w, pass, &so_far, err);
    return status;
}

/* ---- on all devices ---- */

static pm_status open_one(void *context, int gpu, pm_error *err)
{
    work *w = context;
    pm_ring *ring;
    pm_status status = ring_of(w, 0, &ring, err);
    if (status)
        return status;
    double waiting = pm_frontier_gpu_waiting(w->job, w->f, w->now, gpu);
    pm_gpu_array levels = w->now->is_spread ? pm_gpu_spread_array(w->levels) : 0;
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
    int n = pm_frontier_gpu_pieces(w->now, w->f->flat.nsteps, gpu, &pieces);
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
    int64_t size = pm_frontier_gpu_value_bytes(w->job, w->now->bits, w->now->width);
    return pm_gpu_spread_open(w->now->gpus, w->f->setup.program.room * size, &w->levels, err);
}

static pm_status run_on_devices(work *w, pm_error *err)
{
    const pm_job *job = w->job;
    double started = pm_clock();
    pm_status status = w->now->is_spread ? spread_levels(w, err) : PM_OK;
    if (!status)
        status = pm_gpu_on_each(w->now->gpus, open_one, w, err);
    double opened = pm_clock();
    if (!status)
        status = w->now->is_spread ? run_together(w, err)
                                   : pm_gpu_on_each(w->now->gpus, run_device, w, err);
    if (status)
        return status;
    if (job->device_seconds)
        *job->device_seconds += pm_clock() - opened;
    pm_run_note(
        job->run, 2,
        "frontier: %.4g seconds on %d GPU%s, %d pass%s of %.3g states of %d x %d bytes, %.2g "
        "to compile and load",
        pm_clock() - opened, w->now->gpus, w->now->gpus > 1 ? "s" : "", w->now->passes,
        w->now->passes > 1 ? "es" : "", (double)w->f->setup.program.max_states, w->now->width,
        pm_frontier_gpu_value_bytes(job, w->now->bits, 1), opened - started);
    return PM_OK;
}

static pm_status make_devices(work *w, pm_error *err)
{
    w->device = pm_calloc_array(w->now->gpus, sizeof *w->device);
    w->handovers = pm_alloc_array(w->now->gpus, sizeof *w->handovers);
    for (int i = 0; i < w->now->gpus && w->handovers; ++i)
        pm_handover_init(&w->handovers[i]);
    return w->device && w->handovers ? PM_OK : pm_fail_memory(err, "devices");
}

static void free_devices(work *w)
{
    for (int i = 0; i < w->now->gpus && w->device; ++i)
        pm_frontier_device_close(w->device[i]);
    pm_gpu_spread_close(w->levels);
    for (int i = 0; i < w->now->gpus && w->handovers; ++i)
        pm_handover_free(&w->handovers[i]);
    free(w->device);
    free(w->handovers);
}

pm_status pm_frontier_gpu_run(const pm_frontier_passes *passes, pm_error *err)
{
    work w = {.all = passes, .job = passes->job, .f = passes->f, .now = &passes->now};
    pm_status status = make_devices(&w, err);
    if (!status)
        status = run_on_devices(&w, err);
    free_devices(&w);
    return status;
}
