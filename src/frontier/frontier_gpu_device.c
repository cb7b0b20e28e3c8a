/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_gpu_device.h"

#include <stdlib.h>

#include "core/machine.h"
#include "frontier/frontier_rounds.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

enum { WAVE = 1024 /* blocks that fill any pm_frontier_device */ };

/* ---- opening a device ---- */

static pm_status load(pm_frontier_device *d, int gpu, const pm_ring *ring, pm_error *err)
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

static pm_status make_arrays(pm_frontier_device *d, const pm_ring *ring, double waiting,
                             pm_gpu_array levels, pm_error *err)
{
    const pm_frontier_program *p = d->program;
    const pm_flat_program *f = d->flat;
    double size = (double)ring->value_bytes;
    const struct {
        const void *from;
        double bytes;
        pm_gpu_array *to;
        bool is_there;
    } arrays[] = {
        {f->steps, (double)f->nsteps * sizeof *f->steps, &d->steps, true},
        {f->digits, (double)f->ndigits * sizeof *f->digits, &d->digits, true},
        {f->table, (double)f->ntable * sizeof *f->table, &d->table, true},
        {NULL, (double)f->scratch * 8, &d->scratch, true},
        {NULL, (double)ring->constants_bytes, &d->constants, true},
        {NULL, (double)p->room * size, &d->levels, !levels},
        {NULL, waiting, &d->waiting, waiting > 0},
    };
    pm_status status = PM_OK;
    d->levels = levels;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !status; ++i)
        if (arrays[i].is_there)
            status = pm_gpu_session_fill(d->session, arrays[i].from, (int64_t)arrays[i].bytes,
                                         arrays[i].to, err);
    return status;
}

void pm_frontier_device_close(pm_frontier_device *d)
{
    if (!d)
        return;
    pm_gpu_session_close(d->session);
    free(d);
}

pm_status pm_frontier_device_open(int gpu, const pm_frontier_gpu *f, const pm_ring *ring,
                                  double waiting, pm_gpu_array levels, pm_frontier_device **out,
                                  pm_error *err)
{
    pm_frontier_device *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "a device");
    d->program = &f->setup.program;
    d->flat = &f->flat;
    pm_status status = load(d, gpu, ring, err);
    if (!status)
        status = make_arrays(d, ring, waiting, levels, err);
    if (status)
        pm_frontier_device_close(d);
    else
        *out = d;
    return status;
}

/* ---- one piece of a pass on one device ---- */

pm_gpu_array pm_frontier_device_level(const pm_frontier_device *d, int32_t i, int64_t value_bytes)
{
    return d->levels + (uint64_t)(d->program->levels[i].offset * value_bytes);
}

/* A part of step i. */
typedef struct {
    int32_t i;
    int64_t value_bytes;
    int64_t first, past; /* new states first .. past - 1 */
} part;

static pm_status launch(pm_frontier_device *d, const part *p, const char *kernel, int64_t shared,
                        int64_t blocks, pm_error *err)
{
    pm_gpu_array step = d->steps + (uint64_t)p->i * sizeof *d->flat->steps;
    pm_gpu_array old = pm_frontier_device_level(d, p->i, p->value_bytes);
    pm_gpu_array out = pm_frontier_device_level(d, p->i + 1, p->value_bytes);
    int64_t first = p->first, past = p->past;
    void *arguments[] = {&step, &d->digits, &d->table, &d->scratch, &d->constants,
                         &old,  &out,       &first,    &past};
    return pm_gpu_session_launch(d->session, kernel, blocks, PM_FLAT_THREADS, shared, arguments,
                                 err);
}

static pm_status launch_step(pm_frontier_device *d, const part *p, int64_t blocks, pm_error *err)
{
    const pm_dev_frontier_step *s = &d->flat->steps[p->i];
    return launch(d, p, pm_flat_kernel(s), pm_flat_shared(s), blocks, err);
}

/* The tables of a permutation. */
static pm_status launch_tables(pm_frontier_device *d, int32_t i, int64_t value_bytes, pm_error *err)
{
    const pm_dev_frontier_step *s = &d->flat->steps[i];
    const part p = {i, value_bytes, 0, 0};
    return s->is_permutation ? launch(d, &p, "pm_frontier_tables", 0, pm_flat_table_blocks(s), err)
                             : PM_OK;
}

/* Nominal seconds of a thread block of step s when all multiprocessors are busy. */
static double block_seconds(const pm_frontier_device *d, const pm_dev_frontier_step *s,
                            int64_t value_bytes)
{
    return (double)s->chunk * (double)value_bytes * d->byte_seconds;
}

/* Thread blocks of a launch: as long as the queue allows, but at least WAVE, which run at the same
 * time. */
static int64_t launch_blocks(double seconds)
{
    return seconds * WAVE < PM_LAUNCH_SECONDS ? (int64_t)(PM_LAUNCH_SECONDS / seconds) : WAVE;
}

static pm_status run_step(pm_frontier_device *d, int32_t i, int64_t value_bytes, const pm_run *run,
                          pm_error *err)
{
    const pm_dev_frontier_step *s = &d->flat->steps[i];
    double each = block_seconds(d, s, value_bytes);
    int64_t most = launch_blocks(each * d->queue.pace), begin, end;
    pm_frontier_rounds rounds = pm_frontier_rounds_of(d->program, i);
    pm_status status = launch_tables(d, i, value_bytes, err);
    while (!status && pm_frontier_rounds_next(&rounds, &begin, &end))
        for (int64_t n; begin < end && !status; begin += n * s->chunk) {
            const part p = {i, value_bytes, begin, end};
            n = pm_flat_blocks(s, end - begin);
            n = n < most ? n : most;
            status = launch_step(d, &p, n, err);
            if (!status)
                status = pm_gpu_queue_add(&d->queue, each * (double)n, run, err);
        }
    return status;
}

static pm_status put_constants(pm_frontier_device *d, const pm_ring *ring, pm_error *err)
{
    return ring->constants_bytes ? pm_gpu_session_put(d->session, d->constants, ring->constants,
                                                      ring->constants_bytes, err)
                                 : PM_OK;
}

/* The level of one state, before the first step. */
static pm_status put_one(pm_frontier_device *d, const pm_ring *ring, pm_error *err)
{
    uint64_t one[PM_FLAT_LANES_MAX];
    ring->one(ring, one);
    return pm_gpu_session_put(d->session, pm_frontier_device_level(d, 0, ring->value_bytes), one,
                              ring->value_bytes, err);
}

static void count_step(const pm_frontier_device *d, int32_t i, const pm_run *run,
                       pm_frontier_progress *so_far)
{
    so_far->done += (double)d->flat->steps[i].states;
    if (d->queue.queued == 0)
        pm_run_progress(run, so_far->done / so_far->all, "frontier");
}

/* ---- stored levels ---- */

/* A level on a device. */
typedef struct {
    pm_gpu_session *session;
    pm_gpu_array at;
} device_level;

static pm_status give_bytes(void *engine, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    const device_level *l = engine;
    return pm_gpu_session_get(l->session, buffer, l->at + at, (int64_t)count, err);
}

static pm_status take_bytes(void *engine, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    const device_level *l = engine;
    return pm_gpu_session_put(l->session, l->at + at, buffer, (int64_t)count, err);
}

/* The level that a whole pass begins with; *first: the step that follows. */
static pm_status begin(pm_frontier_device *d, const pm_ring *ring, pm_frontier_pass *pass,
                       int32_t *first, pm_error *err)
{
    int64_t size = ring->value_bytes, step = pass->stored.step;
    pm_status status = PM_OK;
    *first = 0;
    if (step > 0 && step < d->flat->nsteps) {
        device_level l = {d->session, pm_frontier_device_level(d, (int32_t)step, size)};
        const int64_t bytes =
            d->program->levels[step].states * pm_frontier_pass_stored_bytes(pass, size);
        status = pm_frontier_pass_load(pass, bytes, take_bytes, &l, first, err);
    }
    return status || *first > 0 ? status : put_one(d, ring, err);
}

/* Level i, which is complete.  `get` waits for what this session has under way. */
static pm_status store(const pm_frontier_device *d, int32_t i, int64_t value_bytes,
                       pm_frontier_pass *pass, bool stops, pm_error *err)
{
    device_level l = {d->session, pm_frontier_device_level(d, i, value_bytes)};
    double bytes = (double)(d->program->levels[i].states * value_bytes);
    return pm_frontier_pass_store(pass, i, bytes, stops, give_bytes, &l, err);
}

/* After step i, or a stop in it: then its old level is still there unless it is in place. */
static pm_status after_step(const pm_frontier_device *d, int32_t i, int64_t value_bytes,
                            pm_frontier_pass *pass, pm_status status, pm_error *err)
{
    if (!status)
        return store(d, i + 1, value_bytes, pass, false, err);
    if (status != PM_ESTOPPED || d->program->steps[i].in_place)
        return status;
    pm_status stored = store(d, i, value_bytes, pass, true, err);
    return stored ? stored : pm_fail(err, PM_ESTOPPED, "stopped");
}

pm_status pm_frontier_device_run(pm_frontier_device *d, const pm_frontier_piece *piece,
                                 const pm_ring *ring, pm_frontier_pass *pass, const pm_run *run,
                                 pm_frontier_progress *so_far, pm_error *err)
{
    int64_t size = ring->value_bytes;
    int32_t first = piece->first;
    pm_status status = put_constants(d, ring, err);
    if (!status && piece->first == 0)
        status = begin(d, ring, pass, &first, err);
    else if (!status)
        status = pm_gpu_session_copy(d->session, d->waiting, d->session,
                                     pm_frontier_device_level(d, piece->first, size),
                                     d->program->levels[piece->first].states * size, err);
    pm_gpu_queue_begin(&d->queue);
    for (int32_t i = 0; i < first; ++i)
        so_far->done += i < piece->first ? 0 : (double)d->flat->steps[i].states;
    for (int32_t i = first; i < piece->last && !status; ++i) {
        status = run_step(d, i, size, run, err);
        if (!status)
            count_step(d, i, run, so_far);
        status = after_step(d, i, size, pass, status, err);
    }
    return status;
}

/* ---- a pass on several devices ---- */

static pm_status wait_for_all(pm_frontier_device *const *d, int gpus, pm_error *err)
{
    pm_status status = PM_OK;
    for (int g = 0; g < gpus && !status; ++g)
        status = pm_gpu_session_wait(d[g]->session, err);
    return status;
}

/* New states first .. past - 1 of step i: an equal part for each device. */
static pm_status run_round_together(pm_frontier_device *const *d, int gpus, const part *round,
                                    const pm_run *run, pm_error *err)
{
    const pm_dev_frontier_step *s = &d[0]->flat->steps[round->i];
    double each = block_seconds(d[0], s, round->value_bytes);
    int64_t blocks = pm_flat_blocks(s, round->past - round->first);
    int64_t share = (blocks + gpus - 1) / gpus, most = launch_blocks(each * d[0]->queue.pace);
    pm_status status = PM_OK;
    for (int64_t done = 0; done < share && !status; done += most) {
        int64_t all = share - done < most ? share - done : most;
        for (int g = 0; g < gpus && !status; ++g) {
            int64_t first = g * share + done, left = blocks - first, n = left < all ? left : all;
            part p = *round;
            p.first += first * s->chunk;
            if (n > 0)
                status = launch_step(d[g], &p, n, err);
        }
        if (!status)
            status = pm_gpu_queue_add(&d[0]->queue, each * (double)all, run, err);
        if (!status)
            status = wait_for_all(d, gpus, err);
    }
    return status;
}

/* Every device has tables of its own.  No device begins a step, or a round of it, before all have
 * ended the one before, since it reads what they have written. */
static pm_status run_step_together(pm_frontier_device *const *d, int gpus, int32_t i,
                                   int64_t value_bytes, const pm_run *run, pm_error *err)
{
    part p = {.i = i, .value_bytes = value_bytes};
    pm_frontier_rounds rounds = pm_frontier_rounds_of(d[0]->program, i);
    pm_status status = PM_OK;
    for (int g = 0; g < gpus && !status; ++g)
        status = launch_tables(d[g], i, value_bytes, err);
    while (!status && pm_frontier_rounds_next(&rounds, &p.first, &p.past))
        status = run_round_together(d, gpus, &p, run, err);
    return status;
}

pm_status pm_frontier_devices_run(pm_frontier_device *const *d, int gpus, const pm_ring *ring,
                                  pm_frontier_pass *pass, const pm_run *run,
                                  pm_frontier_progress *so_far, pm_error *err)
{
    pm_status status = PM_OK;
    int32_t first = 0;
    for (int g = 0; g < gpus && !status; ++g)
        status = put_constants(d[g], ring, err);
    if (!status)
        status = begin(d[0], ring, pass, &first, err);
    if (!status)
        status = wait_for_all(d, gpus, err);
    pm_gpu_queue_begin(&d[0]->queue);
    for (int32_t i = 0; i < first; ++i)
        so_far->done += (double)d[0]->flat->steps[i].states;
    for (int32_t i = first; i < d[0]->flat->nsteps && !status; ++i) {
        status = run_step_together(d, gpus, i, ring->value_bytes, run, err);
        if (!status)
            count_step(d[0], i, run, so_far);
        else if (status == PM_ESTOPPED) /* the other devices may still read and write */
            status = wait_for_all(d, gpus, err) ? PM_ENODEV : PM_ESTOPPED;
        status = after_step(d[0], i, ring->value_bytes, pass, status, err);
    }
    return status;
}
