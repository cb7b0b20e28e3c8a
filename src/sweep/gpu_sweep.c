/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/gpu_sweep.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/machine.h"
#include "gpu/gpu_pace.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

enum {
    BATCH = 1 << 16, /* pieces whose records are folded together: a function of nothing */
    LEAST = 256,     /* pieces that a launch has room for, at least */
    FLIPS = 12,
    MORE_SLOW = 3
};

int32_t pm_gpu_flips(int32_t outer, int32_t slow, double operations)
{
    int32_t flips = outer > slow ? outer - slow : 0;
    if (flips > FLIPS) /* more streams, so that the last ones wait less for each other */
        flips = flips - MORE_SLOW > FLIPS ? flips - MORE_SLOW : FLIPS;
    while (flips > FLIPS && ldexp(operations, flips) > PM_GPU_SEGMENT_WORK)
        --flips;
    return flips;
}

void pm_gpu_sweep_shape(const pm_gpu_sweep *g, pm_sweep *s)
{
    s->count = UINT64_C(1) << (g->flips + g->slow);
    s->grain = s->piece = (uint64_t)pm_gpu_block(g) << g->flips;
    s->run = pm_gpu_sweep_range;
}

pm_status pm_gpu_sweep_write(const pm_sweep *s, pm_error *err)
{
    const pm_gpu_sweep *g = s->problem;
    return g->text ? PM_OK : g->write(s->problem, err);
}

double pm_gpu_sweep_seconds(const pm_sweep *s)
{
    return ((const pm_gpu_sweep *)s->problem)->run_seconds;
}

/* ---- the queue ---- */

/* Pieces of a batch, and who has them. */
typedef struct {
    const pm_gpu_sweep *sweep;
    const char *what;
    const pm_run *run;
    uint64_t first;       /* piece */
    int64_t count, taken; /* of the batch */
    uint64_t done, all;   /* of the range, for the progress line */
    char *records;
    int64_t most; /* pieces of a launch */
    bool is_stopped;
    pm_status rc; /* of the first failure */
    pm_error why;
} queue;

/* Pieces for a device; devices share evenly towards the end, as long as its slots together fill
 * each.  *first: in the batch.  0: none are left. */
static int64_t take(queue *q, const pm_gpu_pace *pace, int64_t *first)
{
    int64_t count = pace->wanted;
#pragma omp critical(pm_gpu_queue)
    {
        int64_t left = q->rc || q->is_stopped ? 0 : q->count - q->taken;
        int64_t share = q->sweep->gpus > 1 ? left / (PM_GPU_SLOTS * q->sweep->gpus) : left;
        while (count > 1 && PM_GPU_SLOTS * count > pace->least && count > share)
            count /= 2;
        count = count < left ? count : left;
        *first = q->taken;
        q->taken += count;
    }
    return count;
}

static void fail(queue *q, pm_status rc, const pm_error *why)
{
#pragma omp critical(pm_gpu_queue)
    if (!q->rc) {
        q->rc = rc;
        q->why = *why;
    }
}

static void tell(queue *q, int64_t count)
{
    uint64_t done;
#pragma omp critical(pm_gpu_queue)
    {
        done = q->done += (uint64_t)count;
        q->is_stopped |= pm_run_stopped(q->run) != 0;
    }
    if (omp_get_thread_num() == 0)
        pm_run_progress(q->run, (double)done / (double)q->all, q->what);
}

/* ---- one device ---- */

typedef struct {
    pm_gpu *gpu;
    pm_gpu_pace pace;
    double looked; /* when the launch before ended */
} worker;

/* What lies in a slot. */
typedef struct {
    int64_t first, count; /* 0: nothing */
} launch;

static pm_status start(queue *q, worker *w, int slot, launch *l, pm_error *err)
{
    l->count = take(q, &w->pace, &l->first);
    return l->count ? pm_gpu_start(w->gpu, slot, q->first + (uint64_t)l->first, l->count, err)
                    : PM_OK;
}

static void keep_pace(worker *w, int64_t count)
{
    double now = pm_clock();
    pm_gpu_pace_keep(&w->pace, count, now - w->looked);
    w->looked = now;
}

static pm_status finish(queue *q, worker *w, int slot, const launch *l, pm_error *err)
{
    const void *records;
    size_t size = q->sweep->record;
    pm_status rc = pm_gpu_finish(w->gpu, slot, &records, err);
    if (rc)
        return rc;
    memcpy(q->records + (size_t)l->first * size, records, (size_t)l->count * size);
    keep_pace(w, l->count);
    tell(q, l->count);
    return PM_OK;
}

/* Launches one after the other, so that the device never waits for us. */
static void drain(queue *q, worker *w)
{
    launch l[PM_GPU_SLOTS] = {{0}};
    pm_error why;
    pm_status rc = PM_OK;
    w->looked = pm_clock();
    for (int i = 0; i < PM_GPU_SLOTS && !rc; ++i)
        rc = start(q, w, i, &l[i], &why);
    for (int i = 0; !rc && l[i].count; i = (i + 1) % PM_GPU_SLOTS) {
        rc = finish(q, w, i, &l[i], &why);
        if (!rc)
            rc = start(q, w, i, &l[i], &why);
    }
    if (rc)
        fail(q, rc, &why);
}

/* ---- all devices ---- */

typedef struct {
    worker worker[PM_GPU_MOST];
} crew;

static void dismiss(crew *c)
{
    for (int i = 0; i < PM_GPU_MOST; ++i)
        pm_gpu_close(c->worker[i].gpu);
    free(c);
}

/* Opening them. */
typedef struct {
    crew *crew;
    const char *text;
    pm_gpu_kernel kernel;
} hiring;

static pm_status hire(void *context, int gpu, pm_error *err)
{
    const hiring *h = context;
    worker *w = &h->crew->worker[gpu];
    pm_status rc = pm_gpu_open(gpu, h->text, &h->kernel, &w->gpu, err);
    if (!rc)
        w->pace = pm_gpu_pace_begin(pm_gpu_resident(w->gpu), h->kernel.most);
    return rc;
}

static pm_status gather(const queue *q, crew **out, pm_error *err)
{
    const pm_gpu_sweep *g = q->sweep;
    int count;
    pm_status rc = pm_gpu_count(&count, err);
    if (rc)
        return rc;
    if (g->gpus > count)
        return pm_fail(err, PM_ENODEV, "%d GPUs are asked for, there are %d", g->gpus, count);
    crew *c = pm_calloc_array(1, sizeof *c);
    if (!c)
        return pm_fail_memory(err, "devices");
    hiring h = {c,
                g->text,
                {"pm_sweep", pm_gpu_block(g), g->shared, g->record, q->most, g->table, g->values,
                 g->values_size}};
    rc = pm_gpu_on_each(g->gpus, hire, &h, err);
    if (rc)
        dismiss(c);
    else
        *out = c;
    return rc;
}

/* A thread a device. */
static void run_batch(queue *q, crew *c)
{
#pragma omp parallel for num_threads(q->sweep->gpus) schedule(static, 1)
    for (int i = 0; i < q->sweep->gpus; ++i)
        drain(q, &c->worker[i]);
}

/* ---- a range ---- */

/* Room for what a device may prove to be able to. */
static void make_room(queue *q)
{
    q->most = LEAST;
    while (q->most < BATCH && (uint64_t)q->most < q->all)
        q->most *= 2;
}

static pm_status run_range(queue *q, crew *c, const void *problem, pm_sum *out, pm_error *err)
{
    uint64_t end = q->first + q->all;
    while (q->first < end && !q->rc && !q->is_stopped) {
        q->count = end - q->first < BATCH ? (int64_t)(end - q->first) : BATCH;
        q->taken = 0;
        run_batch(q, c);
        if (!q->rc && !q->is_stopped)
            q->sweep->fold(problem, q->records, q->count, out);
        q->first += (uint64_t)q->count;
    }
    if (q->rc && err)
        *err = q->why;
    if (!q->rc && pm_run_stopped(q->run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return q->rc;
}

pm_status pm_gpu_sweep_range(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                             pm_sum *out, pm_error *err)
{
    pm_gpu_sweep *g = s->problem;
    crew *c = NULL;
    double started = pm_clock();
    queue q = {.sweep = g, .what = s->what, .run = run, .first = first / s->piece};
    q.all = (end - first) / s->piece;
    make_room(&q);
    memset(out, 0, sizeof *out);
    q.records = pm_alloc_array(q.all < BATCH ? (int64_t)q.all : BATCH, g->record);
    pm_status rc = q.records ? pm_gpu_sweep_write(s, err) : pm_fail_memory(err, "records");
    if (!rc)
        rc = gather(&q, &c, err);
    g->compile_seconds = pm_clock() - started;
    if (!rc) {
        started = pm_clock();
        rc = run_range(&q, c, s->problem, out, err);
        g->run_seconds = pm_clock() - started;
        pm_run_note(run, 2, "%s: %.4g seconds on %d GPU%s, %.2g to compile and load", s->what,
                    g->run_seconds, g->gpus, g->gpus > 1 ? "s" : "", g->compile_seconds);
        dismiss(c);
    }
    free(q.records);
    return rc;
}

pm_status pm_gpu_sweep_fits(const pm_gpu_target *place, const pm_sweep *s, pm_error *err)
{
    const pm_gpu_sweep *g = s->problem;
    size_t wanted = g->shared + pm_gpu_fixed_shared(g);
    if (wanted <= (size_t)place->shared)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "%s: its blocks take %zu bytes of shared memory, the GPU has %lld", s->what,
                   wanted, (long long)place->shared);
}
