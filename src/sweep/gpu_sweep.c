/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/gpu_sweep.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/machine.h"
#include "core/team.h"
#include "gpu/gpu_pace.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

enum {
    BATCH = 1 << 16, /* pieces whose records are folded together: a constant, for equal digits */
    LEAST = 256,     /* pieces of the largest launch, at least */
    FLIPS = 12,
    MORE_SLOW = 3
};

int32_t pm_gpu_flips(int32_t outer, int32_t slow, double operations)
{
    int32_t flips = outer > slow ? outer - slow : 0;
    if (flips > FLIPS) /* more segments, so that the last ones wait less for each other */
        flips = flips - MORE_SLOW > FLIPS ? flips - MORE_SLOW : FLIPS;
    while (flips > FLIPS && ldexp(operations, flips) > PM_GPU_SEGMENT_WORK)
        --flips;
    return flips;
}

void pm_gpu_sweep_shape(const pm_gpu_sweep *g, pm_sweep *s)
{
    s->count = UINT64_C(1) << (g->flips + g->slow);
    s->grain = s->piece = (uint64_t)pm_gpu_block_threads(g) << g->flips;
    s->run = pm_gpu_sweep_range;
}

void pm_gpu_sweep_shape_segments(uint64_t segments, pm_gpu_sweep *g, pm_sweep *s)
{
    g->flips = g->slow = 0;
    while (UINT64_C(1) << g->slow < segments)
        ++g->slow;
    pm_gpu_sweep_shape(g, s);
    s->count = (segments + s->piece - 1) / s->piece * s->piece;
}

pm_status pm_gpu_sweep_write(const pm_sweep *s, pm_error *err)
{
    const pm_gpu_sweep *g = s->problem;
    return g->text ? PM_OK : g->write(s->problem, err);
}

pm_status pm_gpu_sweep_compiling(const pm_gpu_target *target, const pm_sweep *s, double seconds,
                                 double *out, pm_error *err)
{
    const pm_gpu_sweep *g = s->problem;
    pm_status status = pm_gpu_sweep_write(s, err);
    if (!status)
        *out = pm_gpu_is_compiled(g->text, target->major, target->minor) ? 0 : seconds;
    return status;
}

double pm_gpu_sweep_seconds(const pm_sweep *s)
{
    return ((const pm_gpu_sweep *)s->problem)->run_seconds;
}

/* ---- the pieces of a batch ---- */

/* Which pieces of a batch were taken by devices. */
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
    pm_status status; /* of the first failure */
    pm_error why;
} queue;

/* Takes pieces for a launch of one device and returns their number, 0 if none are left.  *first:
 * the first of them, in the batch.  Towards the end of the batch launches get smaller, so that all
 * devices end at the same time, as long as the launches in all slots of a device together fill
 * it. */
static int64_t take(queue *q, const pm_gpu_pace *pace, int64_t *first)
{
    int64_t count = pace->wanted;
#pragma omp critical(pm_gpu_queue)
    {
        int64_t left = q->status || q->is_stopped ? 0 : q->count - q->taken;
        int64_t share = q->sweep->gpus > 1 ? left / (PM_GPU_SLOTS * q->sweep->gpus) : left;
        while (count > 1 && PM_GPU_SLOTS * count > pace->least && count > share)
            count /= 2;
        count = count < left ? count : left;
        *first = q->taken;
        q->taken += count;
    }
    return count;
}

static void fail(queue *q, pm_status status, const pm_error *why)
{
#pragma omp critical(pm_gpu_queue)
    if (!q->status) {
        q->status = status;
        q->why = *why;
    }
}

static void report_progress(queue *q, int64_t count)
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
    double ended; /* the time when the previous launch ended */
} worker;

/* The pieces of the launch in a slot. */
typedef struct {
    int64_t first, count; /* count 0: no launch */
} launch;

static pm_status start(queue *q, worker *w, int slot, launch *l, pm_error *err)
{
    l->count = take(q, &w->pace, &l->first);
    return l->count ? pm_gpu_start(w->gpu, slot, q->first + (uint64_t)l->first, l->count, err)
                    : PM_OK;
}

static void update_pace(worker *w, int64_t count)
{
    double now = pm_clock();
    pm_gpu_pace_update(&w->pace, count, now - w->ended);
    w->ended = now;
}

static pm_status finish(queue *q, worker *w, int slot, const launch *l, pm_error *err)
{
    const void *records;
    size_t size = q->sweep->record;
    pm_status status = pm_gpu_finish(w->gpu, slot, &records, err);
    if (status)
        return status;
    memcpy(q->records + (size_t)l->first * size, records, (size_t)l->count * size);
    update_pace(w, l->count);
    report_progress(q, l->count);
    return PM_OK;
}

/* Runs launches until no pieces are left.  All slots are in use, so the device never waits for the
 * host. */
static void run_worker(queue *q, worker *w)
{
    launch l[PM_GPU_SLOTS] = {{0}};
    pm_error why;
    pm_status status = PM_OK;
    w->ended = pm_clock();
    for (int i = 0; i < PM_GPU_SLOTS && !status; ++i)
        status = start(q, w, i, &l[i], &why);
    for (int i = 0; !status && l[i].count; i = (i + 1) % PM_GPU_SLOTS) {
        status = finish(q, w, i, &l[i], &why);
        if (!status)
            status = start(q, w, i, &l[i], &why);
    }
    if (status)
        fail(q, status, &why);
}

/* ---- all devices ---- */

typedef struct {
    worker worker[PM_GPU_MAX];
} workers;

static void close_workers(workers *c)
{
    for (int i = 0; i < PM_GPU_MAX; ++i)
        pm_gpu_close(c->worker[i].gpu);
    free(c);
}

typedef struct {
    workers *workers;
    const char *text;
    pm_gpu_kernel kernel;
} opening;

static pm_status open_worker(void *context, int gpu, pm_error *err)
{
    const opening *o = context;
    worker *w = &o->workers->worker[gpu];
    pm_status status = pm_gpu_open(gpu, o->text, &o->kernel, &w->gpu, err);
    if (!status)
        w->pace = pm_gpu_pace_begin(pm_gpu_resident(w->gpu), o->kernel.most);
    return status;
}

static pm_status open_workers(const queue *q, workers **out, pm_error *err)
{
    const pm_gpu_sweep *g = q->sweep;
    int count;
    pm_status status = pm_gpu_count(&count, err);
    if (status)
        return status;
    if (g->gpus > count)
        return pm_fail(err, PM_ENODEV, "expected %d GPUs, found %d", g->gpus, count);
    workers *c = pm_calloc_array(1, sizeof *c);
    if (!c)
        return pm_fail_memory(err, "devices");
    opening o = {c,
                 g->text,
                 {"pm_block_sweep", pm_gpu_block_threads(g), g->shared, g->record, q->most,
                  g->table, g->values, g->values_size}};
    status = pm_gpu_on_each(g->gpus, open_worker, &o, err);
    if (status)
        close_workers(c);
    else
        *out = c;
    return status;
}

/* One thread for each device. */
static void run_batch(queue *q, workers *c)
{
    int threads = pm_team(NULL, q->sweep->gpus);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int i = 0; i < q->sweep->gpus; ++i)
        run_worker(q, &c->worker[i]);
}

/* ---- a range ---- */

/* The largest launch: the whole range or a batch. */
static void set_largest_launch(queue *q)
{
    q->most = LEAST;
    while (q->most < BATCH && (uint64_t)q->most < q->all)
        q->most *= 2;
}

static pm_status run_range(queue *q, workers *c, const void *problem, pm_sum *out, pm_error *err)
{
    uint64_t end = q->first + q->all;
    while (q->first < end && !q->status && !q->is_stopped) {
        q->count = end - q->first < BATCH ? (int64_t)(end - q->first) : BATCH;
        q->taken = 0;
        run_batch(q, c);
        if (!q->status && !q->is_stopped)
            q->sweep->fold(problem, q->records, q->count, out);
        q->first += (uint64_t)q->count;
    }
    if (q->status && err)
        *err = q->why;
    if (!q->status && pm_run_stopped(q->run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return q->status;
}

pm_status pm_gpu_sweep_range(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                             pm_sum *out, pm_error *err)
{
    pm_gpu_sweep *g = s->problem;
    workers *c = NULL;
    double started = pm_clock();
    queue q = {.sweep = g, .what = s->what, .run = run, .first = first / s->piece};
    q.all = (end - first) / s->piece;
    set_largest_launch(&q);
    memset(out, 0, sizeof *out);
    q.records = pm_alloc_array(q.all < BATCH ? (int64_t)q.all : BATCH, g->record);
    pm_status status = q.records ? pm_gpu_sweep_write(s, err) : pm_fail_memory(err, "records");
    if (!status)
        status = open_workers(&q, &c, err);
    g->compile_seconds = pm_clock() - started;
    if (!status) {
        started = pm_clock();
        status = run_range(&q, c, s->problem, out, err);
        g->run_seconds = pm_clock() - started;
        pm_run_note(run, 2, "%s: %.4g seconds on %d GPU%s, %.2g to compile and load", s->what,
                    g->run_seconds, g->gpus, g->gpus > 1 ? "s" : "", g->compile_seconds);
        close_workers(c);
    }
    free(q.records);
    return status;
}

pm_status pm_gpu_sweep_fits(const pm_gpu_target *target, const pm_sweep *s, pm_error *err)
{
    const pm_gpu_sweep *g = s->problem;
    size_t wanted = g->shared + pm_gpu_fixed_shared(g);
    if (wanted <= (size_t)target->shared)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "%s: a thread block needs %zu bytes of shared memory, the GPU has %lld", s->what,
                   wanted, (long long)target->shared);
}
