/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_device.h"

#include <stdlib.h>

#include "gpu/gpu_queue.h"
#include "pm/alloc.h"

/* Nominal, for each byte of a new level, on a device of this rate. */
#define SECONDS_PER_BYTE 4e-12
#define MEMORY_RATE      4.8e12
enum { WAVE = 1024 /* blocks that fill any device */ };

struct pm_frontier_device {
    const pm_frontier_program *program;
    const pm_flat_program *flat;
    pm_gpu_session *session;
    pm_gpu_array steps, items, table, scratch, constants, level[2];
    double byte_seconds; /* SECONDS_PER_BYTE of this device */
    pm_gpu_queue queue;
};

double pm_frontier_device_bytes(const pm_frontier_program *p, const pm_flat_program *f,
                                int64_t value_bytes)
{
    return pm_frontier_program_bytes(p, value_bytes) + pm_flat_bytes(f);
}

/* ---- opening ---- */

static pm_status load(pm_frontier_device *d, int device, const pm_ring *ring, pm_error *err)
{
    pm_gpu_info info = {.memory_rate = MEMORY_RATE};
    char *text = pm_flat_text(ring);
    if (!text)
        return pm_fail_memory(err, "text of a kernel");
    pm_status rc = pm_gpu_look(device, &info, err);
    if (!rc)
        rc = pm_gpu_session_open(device, text, &d->session, err);
    d->queue = (pm_gpu_queue){.session = d->session, .pace = 1};
    d->byte_seconds = SECONDS_PER_BYTE * MEMORY_RATE / info.memory_rate;
    free(text);
    return rc;
}

/* An array of the device, filled unless from is NULL. */
static pm_status array(pm_frontier_device *d, double bytes, const void *from, pm_gpu_array *out,
                       pm_error *err)
{
    int64_t size = bytes < 8 ? 8 : (int64_t)bytes;
    pm_status rc = pm_gpu_session_array(d->session, size, out, err);
    return rc || !from || bytes == 0
               ? rc
               : pm_gpu_session_put(d->session, *out, from, (int64_t)bytes, err);
}

static pm_status fill(pm_frontier_device *d, const pm_ring *ring, pm_error *err)
{
    const pm_frontier_program *p = d->program;
    const pm_flat_program *f = d->flat;
    double size = (double)ring->value_bytes;
    pm_status rc = array(d, (double)f->nsteps * sizeof *f->steps, f->steps, &d->steps, err);
    if (!rc)
        rc = array(d, (double)f->nitems * sizeof *f->items, f->items, &d->items, err);
    if (!rc)
        rc = array(d, (double)f->ntable * sizeof *f->table, f->table, &d->table, err);
    if (!rc)
        rc = array(d, (double)f->scratch * 8, NULL, &d->scratch, err);
    if (!rc)
        rc = array(d, (double)ring->constants_bytes, NULL, &d->constants, err);
    if (!rc)
        rc = array(d, (double)p->even_states * size, NULL, &d->level[0], err);
    if (!rc)
        rc = array(d, (double)p->odd_states * size, NULL, &d->level[1], err);
    return rc;
}

pm_status pm_frontier_device_open(int device, const pm_frontier_program *p,
                                  const pm_flat_program *f, const pm_ring *ring,
                                  pm_frontier_device **out, pm_error *err)
{
    pm_frontier_device *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "a device");
    d->program = p;
    d->flat = f;
    pm_status rc = load(d, device, ring, err);
    if (!rc)
        rc = fill(d, ring, err);
    if (rc)
        pm_frontier_device_close(d);
    else
        *out = d;
    return rc;
}

void pm_frontier_device_close(pm_frontier_device *d)
{
    if (!d)
        return;
    pm_gpu_session_close(d->session);
    free(d);
}

/* ---- running ---- */

static pm_status launch(pm_frontier_device *d, int32_t i, const char *kernel, int64_t shared,
                        uint64_t first, int64_t blocks, pm_error *err)
{
    pm_gpu_array step = d->steps + (uint64_t)i * sizeof *d->flat->steps;
    void *arguments[] = {&step,
                         &d->items,
                         &d->table,
                         &d->scratch,
                         &d->constants,
                         &d->level[i % 2],
                         &d->level[(i + 1) % 2],
                         &first};
    return pm_gpu_session_launch(d->session, kernel, blocks, PM_FLAT_THREADS, shared, arguments,
                                 err);
}

/* Nominal seconds of a block of step s, where all others are busy too. */
static double block_seconds(const pm_frontier_device *d, const pm_frontier_step *s,
                            int64_t value_bytes)
{
    return (double)s->chunk * (double)value_bytes * d->byte_seconds;
}

/* Blocks that fill the queue, but no fewer than go on side by side: fewer end no sooner. */
static int64_t launch_blocks(double seconds)
{
    return seconds * WAVE < PM_GPU_QUEUE_SECONDS ? (int64_t)(PM_GPU_QUEUE_SECONDS / seconds) : WAVE;
}

static pm_status run_step(pm_frontier_device *d, int32_t i, int64_t value_bytes, const pm_run *run,
                          pm_error *err)
{
    const pm_frontier_step *s = &d->flat->steps[i];
    double each = block_seconds(d, s, value_bytes);
    int64_t blocks = pm_flat_blocks(s), most = launch_blocks(each * d->queue.pace);
    pm_status rc = PM_OK;
    if (s->is_sorted)
        rc = launch(d, i, "pm_frontier_tables", 0, 0, pm_flat_table_blocks(s), err);
    for (int64_t first = 0, n; first < blocks && !rc; first += n) {
        n = blocks - first < most ? blocks - first : most;
        rc = launch(d, i, pm_flat_kernel(s), pm_flat_shared(s), (uint64_t)first, n, err);
        if (!rc)
            rc = pm_gpu_queue_add(&d->queue, each * (double)n, run, err);
    }
    return rc;
}

static double all_states(const pm_flat_program *f)
{
    double states = 1;
    for (int32_t i = 0; i < f->nsteps; ++i)
        states += (double)f->steps[i].states;
    return states;
}

pm_status pm_frontier_device_run(pm_frontier_device *d, const pm_ring *ring, const pm_run *run,
                                 double done, double share, void *value, pm_error *err)
{
    double so_far = 0, total = all_states(d->flat);
    pm_status rc = PM_OK;
    ring->one(ring, value);
    if (ring->constants_bytes)
        rc = pm_gpu_session_put(d->session, d->constants, ring->constants, ring->constants_bytes,
                                err);
    if (!rc)
        rc = pm_gpu_session_put(d->session, d->level[0], value, ring->value_bytes, err);
    pm_gpu_queue_begin(&d->queue);
    for (int32_t i = 0; i < d->flat->nsteps && !rc; ++i) {
        rc = run_step(d, i, ring->value_bytes, run, err);
        so_far += (double)d->flat->steps[i].states;
        if (!rc && d->queue.queued == 0)
            pm_run_progress(run, done + share * so_far / total, "frontier");
    }
    return rc ? rc
              : pm_gpu_session_get(d->session, value, d->level[d->flat->nsteps % 2],
                                   ring->value_bytes, err);
}
