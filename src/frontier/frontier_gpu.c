/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier method on GPUs: as many residues side by side as the memory of a device permits, all
 * levels in that memory, and the passes divided among the devices.  The plan is in
 * frontier/frontier_gpu_plan.h, the program in the form of a device in
 * frontier/frontier_gpu_kernel.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/machine.h"
#include "core/size.h"
#include "frontier/frontier_gpu_plan.h"
#include "frontier/frontier_handover.h"
#include "frontier/narrow_moduli.h"
#include "gpu/gpu_queue.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

enum { WAVE = 1024 /* blocks that fill any device */ };

typedef struct {
    const pm_frontier_program *program;
    const pm_flat_program *flat;
    pm_gpu_session *session;
    pm_gpu_array steps, digits, table, scratch, constants, level[2];
    pm_gpu_array waiting; /* a level that another device has made; not there if it has no bytes */
    double byte_seconds;  /* PM_GPU_LEVEL_BYTE_SECONDS of this device */
    pm_gpu_queue queue;
} device;

/* ---- opening a device ---- */

static pm_status load(device *d, int gpu, const pm_ring *ring, pm_error *err)
{
    pm_gpu_info info = {.memory_rate = PM_GPU_MEMORY_RATE};
    char *text = pm_flat_text(ring);
    if (!text)
        return pm_fail_memory(err, "text of a kernel");
    pm_status status = pm_gpu_get_info(gpu, &info, err);
    if (!status)
        status = pm_gpu_session_open(gpu, text, &d->session, err);
    d->queue = (pm_gpu_queue){.session = d->session, .pace = 1};
    d->byte_seconds = PM_GPU_LEVEL_BYTE_SECONDS * PM_GPU_MEMORY_RATE / info.memory_rate;
    free(text);
    return status;
}

static pm_status make_arrays(device *d, const pm_ring *ring, double waiting, pm_error *err)
{
    const pm_frontier_program *p = d->program;
    const pm_flat_program *f = d->flat;
    double size = (double)ring->value_bytes;
    const struct {
        const void *from;
        double bytes;
        pm_gpu_array *to;
    } arrays[] = {
        {f->steps, (double)f->nsteps * sizeof *f->steps, &d->steps},
        {f->digits, (double)f->ndigits * sizeof *f->digits, &d->digits},
        {f->table, (double)f->ntable * sizeof *f->table, &d->table},
        {NULL, (double)f->scratch * 8, &d->scratch},
        {NULL, (double)ring->constants_bytes, &d->constants},
        {NULL, (double)p->even_states * size, &d->level[0]},
        {NULL, (double)p->odd_states * size, &d->level[1]},
        {NULL, waiting, &d->waiting},
    };
    size_t count = sizeof arrays / sizeof *arrays - (waiting == 0);
    pm_status status = PM_OK;
    for (size_t i = 0; i < count && !status; ++i)
        status = pm_gpu_session_fill(d->session, arrays[i].from, (int64_t)arrays[i].bytes,
                                     arrays[i].to, err);
    return status;
}

static void close_device(device *d)
{
    if (!d)
        return;
    pm_gpu_session_close(d->session);
    free(d);
}

/* Loads the program and makes room for its levels, for values of rings like this one (equal lanes
 * or parts, with weights or without), and for a level of `waiting` bytes.  p and f outlive *out. */
static pm_status open_device(int gpu, const pm_frontier_program *p, const pm_flat_program *f,
                             const pm_ring *ring, double waiting, device **out, pm_error *err)
{
    device *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "a device");
    d->program = p;
    d->flat = f;
    pm_status status = load(d, gpu, ring, err);
    if (!status)
        status = make_arrays(d, ring, waiting, err);
    if (status)
        close_device(d);
    else
        *out = d;
    return status;
}

/* ---- one piece of a pass on one device ---- */

/* old: the level before step i. */
static pm_status launch(device *d, int32_t i, pm_gpu_array old, const char *kernel, int64_t shared,
                        uint64_t first, int64_t blocks, pm_error *err)
{
    pm_gpu_array step = d->steps + (uint64_t)i * sizeof *d->flat->steps;
    void *arguments[] = {
        &step, &d->digits, &d->table, &d->scratch, &d->constants, &old, &d->level[(i + 1) % 2],
        &first};
    return pm_gpu_session_launch(d->session, kernel, blocks, PM_FLAT_THREADS, shared, arguments,
                                 err);
}

/* Nominal seconds of a thread block of step s when all multiprocessors are busy. */
static double block_seconds(const device *d, const pm_dev_frontier_step *s, int64_t value_bytes)
{
    return (double)s->chunk * (double)value_bytes * d->byte_seconds;
}

/* Thread blocks of a launch: as long as the queue allows, but at least WAVE, which run at the same
 * time. */
static int64_t launch_blocks(double seconds)
{
    return seconds * WAVE < PM_LAUNCH_SECONDS ? (int64_t)(PM_LAUNCH_SECONDS / seconds) : WAVE;
}

static pm_status run_step(device *d, int32_t i, pm_gpu_array old, int64_t value_bytes,
                          const pm_run *run, pm_error *err)
{
    const pm_dev_frontier_step *s = &d->flat->steps[i];
    double each = block_seconds(d, s, value_bytes);
    int64_t blocks = pm_flat_blocks(s), most = launch_blocks(each * d->queue.pace);
    pm_status status = PM_OK;
    if (s->is_permutation)
        status = launch(d, i, old, "pm_frontier_tables", 0, 0, pm_flat_table_blocks(s), err);
    for (int64_t first = 0, n; first < blocks && !status; first += n) {
        n = blocks - first < most ? blocks - first : most;
        status = launch(d, i, old, pm_flat_kernel(s), pm_flat_shared(s), (uint64_t)first, n, err);
        if (!status)
            status = pm_gpu_queue_add(&d->queue, each * (double)n, run, err);
    }
    return status;
}

/* Progress of a device: states so far, and of all its pieces. */
typedef struct {
    double done, all;
} progress;

/* Of the steps, as pm_frontier_rank_run does them, and with the same digits.  The level before the
 * first one is that of one state, or the one that waits. */
static pm_status run_steps(device *d, const pm_frontier_piece *piece, const pm_ring *ring,
                           const pm_run *run, progress *so_far, pm_error *err)
{
    uint64_t one[PM_FLAT_LANES_MAX];
    pm_status status = PM_OK;
    if (ring->constants_bytes)
        status = pm_gpu_session_put(d->session, d->constants, ring->constants,
                                    ring->constants_bytes, err);
    ring->one(ring, one);
    if (!status && piece->first == 0)
        status = pm_gpu_session_put(d->session, d->level[0], one, ring->value_bytes, err);
    pm_gpu_queue_begin(&d->queue);
    for (int32_t i = piece->first; i < piece->last && !status; ++i) {
        bool is_waiting = i > 0 && i == piece->first;
        status =
            run_step(d, i, is_waiting ? d->waiting : d->level[i % 2], ring->value_bytes, run, err);
        so_far->done += (double)d->flat->steps[i].states;
        if (!status && d->queue.queued == 0)
            pm_run_progress(run, so_far->done / so_far->all, "frontier");
    }
    return status;
}

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
    device **device; /* of each GPU */
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

/* Gives the last level of a piece of device gpu to the next device. */
static pm_status hand_over(const work *w, int gpu, const pm_frontier_piece *piece, pm_error *err)
{
    const device *d = w->device[gpu], *next = w->device[gpu + 1];
    double bytes = pm_frontier_gpu_waiting(w->job, w->f, &w->now, gpu + 1);
    pm_status status = pm_gpu_session_copy(d->session, d->level[piece->last % 2], next->session,
                                           next->waiting, (int64_t)bytes, err);
    if (!status)
        pm_handover_end(&w->handovers[gpu], PM_OK, NULL);
    return status;
}

static pm_status run_piece(const work *w, int gpu, const pm_frontier_piece *piece,
                           const pm_run *run, progress *so_far, pm_error *err)
{
    pm_ring *ring;
    device *d = w->device[gpu];
    uint64_t value[PM_FLAT_LANES_MAX];
    int32_t nsteps = w->f->flat.nsteps;
    pm_status status = ring_of(w, piece->pass, &ring, err);
    if (status)
        return status;
    if (piece->first > 0)
        status = pm_handover_wait(&w->handovers[gpu - 1], err);
    if (!status)
        status = run_steps(d, piece, ring, run, so_far, err);
    if (!status && piece->last < nsteps) {
        status = hand_over(w, gpu, piece, err);
    } else if (!status) {
        status =
            pm_gpu_session_get(d->session, value, d->level[nsteps % 2], ring->value_bytes, err);
        if (!status)
            store_answer(w, piece->pass, ring, value);
    }
    ring->free(ring);
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
    status =
        open_device(gpu, &w->f->setup.program, &w->f->flat, ring, waiting, &w->device[gpu], err);
    ring->free(ring);
    return status;
}

static pm_status run_pieces(const work *w, int gpu, const pm_frontier_piece *pieces, int n,
                            const pm_run *run, pm_error *err)
{
    pm_status status = PM_OK;
    progress so_far = {0, 1};
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

static pm_status run_on_devices(work *w, pm_error *err)
{
    const pm_job *job = w->job;
    double started = pm_clock();
    pm_status status = pm_gpu_on_each(w->now.gpus, open_one, w, err);
    double opened = pm_clock();
    if (!status)
        status = pm_gpu_on_each(w->now.gpus, run_device, w, err);
    if (status)
        return status;
    if (job->device_seconds)
        *job->device_seconds += pm_clock() - opened;
    pm_run_note(job->run, 2,
                "frontier: %.4g seconds on %d GPU%s, %d pass%s of %.3g states of %d bytes, %.2g to "
                "compile and load",
                pm_clock() - opened, w->now.gpus, w->now.gpus > 1 ? "s" : "", w->now.passes,
                w->now.passes > 1 ? "es" : "", (double)w->f->setup.program.max_states,
                pm_frontier_gpu_value_bytes(job, w->now.bits, w->now.width), opened - started);
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
        close_device(w->device[i]);
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
