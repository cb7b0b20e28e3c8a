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
    BATCH = 1 << 16, /* thread blocks whose records are in memory at the same time */
    LEAST = 256,     /* thread blocks of the largest launch, at least */
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

uint64_t pm_gpu_sweep_share(int32_t outer, double operations, uint64_t piece)
{
    pm_gpu_sweep g = {.flips = pm_gpu_flips(outer, PM_GPU_SLOW, operations)};
    g.slow = outer - g.flips;
    uint64_t group = PM_GPU_GROUP * pm_gpu_block_indices(&g);
    return group > piece ? group : piece;
}

/* The text and the table define the sums; the choice of a method also describes the device. */
static pm_status identify(const pm_sweep *s, pm_sha256 *hash, pm_error *err)
{
    const pm_gpu_sweep *g = s->problem;
    const uint64_t shape[] = {(uint64_t)g->flips, (uint64_t)g->slow, g->record, g->values_size};
    pm_status status = pm_gpu_sweep_write(s, err);
    if (status)
        return status;
    pm_sha256_add(hash, shape, sizeof shape);
    pm_sha256_add(hash, g->text, strlen(g->text));
    if (g->values)
        pm_sha256_add(hash, g->values, g->values_size);
    return PM_OK;
}

void pm_gpu_sweep_shape(const pm_gpu_sweep *g, pm_sweep *s)
{
    s->count = UINT64_C(1) << (g->flips + g->slow);
    s->grain = s->piece = PM_GPU_GROUP * pm_gpu_block_indices(g);
    s->run = pm_gpu_sweep_run;
    s->identify = identify;
}

void pm_gpu_sweep_shape_segments(uint64_t segments, pm_gpu_sweep *g, pm_sweep *s)
{
    g->flips = g->slow = 0;
    while (UINT64_C(1) << g->slow < segments)
        ++g->slow;
    pm_gpu_sweep_shape(g, s);
    uint64_t block = pm_gpu_block_indices(g);
    s->count = (segments + block - 1) / block * block;
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

/* ---- the thread blocks of a batch ---- */

/* Which thread blocks of a batch were taken by devices. */
typedef struct {
    const pm_gpu_sweep *sweep;
    const char *what;
    const pm_run *run;
    uint64_t first;       /* thread block */
    int64_t count, taken; /* of the batch */
    uint64_t done, all;   /* of the task, for the progress line */
    char *records;
    int64_t most; /* thread blocks of a launch */
    bool is_stopped;
    pm_status status; /* of the first failure */
    pm_error why;
} queue;

/* Takes thread blocks for a launch of one device and returns their number, 0 if none are left.  *first:
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

/* The thread blocks of the launch in a slot. */
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

/* Runs launches until no thread blocks are left.  All slots are in use, so the device never waits for the
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

/* ---- the task ---- */

/* The largest launch: all of the task or a batch. */
static void set_largest_launch(queue *q)
{
    q->most = LEAST;
    while (q->most < BATCH && (uint64_t)q->most < q->all)
        q->most *= 2;
}

/* Adds the records of the batch, group by group; both ends are ends of groups. */
static void fold_batch(const queue *q, const pm_sweep *s, pm_sweep_total *total)
{
    pm_sweep_total_clear(total, s->limbs);
    for (int64_t i = 0; i < q->count; i += PM_GPU_GROUP) {
        pm_sum sum;
        int64_t count = q->count - i < PM_GPU_GROUP ? q->count - i : PM_GPU_GROUP;
        memset(&sum, 0, sizeof sum);
        q->sweep->fold(s->problem, q->records + (size_t)i * q->sweep->record, count, &sum);
        pm_sweep_total_add(total, &sum, s->limbs);
    }
}

/* The batch from thread block q->first on, which ends at thread block `end` or before. */
static pm_status run_one_batch(queue *q, workers *c, uint64_t end, const pm_sweep *s,
                               pm_ledger_task *task, pm_error *err)
{
    pm_sweep_total total;
    uint64_t block = pm_gpu_block_indices(q->sweep), first = q->first * block;
    uint64_t most = BATCH - q->first % PM_GPU_GROUP;
    q->count = (int64_t)(end - q->first < most ? end - q->first : most);
    q->taken = 0;
    run_batch(q, c);
    q->first += (uint64_t)q->count;
    if (q->status || q->is_stopped)
        return PM_OK;
    fold_batch(q, s, &total);
    pm_status status =
        pm_ledger_task_put(task, first, q->first * block, total.limb, total.real, err);
    q->done = pm_ledger_task_done(task) / block; /* by other ranks too */
    return status;
}

static pm_status run_task(queue *q, workers *c, const pm_sweep *s, pm_ledger_task *task,
                          pm_error *err)
{
    pm_range range;
    pm_status status = PM_OK;
    uint64_t block = pm_gpu_block_indices(q->sweep);
    while (!status && !q->status && !q->is_stopped
           && pm_ledger_task_take(task, UINT64_MAX, &range)) {
        q->first = range.first / block;
        while (q->first < range.end / block && !status && !q->status && !q->is_stopped)
            status = run_one_batch(q, c, range.end / block, s, task, err);
    }
    if (q->status && err)
        *err = q->why;
    if (!status && !q->status && pm_run_stopped(q->run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return status ? status : q->status;
}

pm_status pm_gpu_sweep_run(const pm_sweep *s, pm_ledger_task *task, const pm_run *run,
                           pm_error *err)
{
    pm_gpu_sweep *g = s->problem;
    workers *c = NULL;
    double started = pm_clock();
    uint64_t block = pm_gpu_block_indices(g);
    queue q = {.sweep = g, .what = s->what, .run = run};
    q.done = pm_ledger_task_done(task) / block;
    q.all = (task->share.end - task->share.first) / block;
    set_largest_launch(&q);
    q.records = pm_alloc_array(q.all < BATCH ? (int64_t)q.all : BATCH, g->record);
    pm_status status = q.records ? pm_gpu_sweep_write(s, err) : pm_fail_memory(err, "records");
    if (!status)
        status = open_workers(&q, &c, err);
    g->compile_seconds = pm_clock() - started;
    if (!status) {
        started = pm_clock();
        status = run_task(&q, c, s, task, err);
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
