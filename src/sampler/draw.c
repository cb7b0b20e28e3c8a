/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples drawn by several threads, or by GPUs, summed as one thread would. */
#include "config.h"

#include <omp.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "sampler/moments.h"

enum { ALIGNMENT = 64 };

/* Samples from .. end - 1, in blocks of a batch: the first and the last may be cut. */
typedef struct {
    uint64_t from, end, batch;
    int64_t blocks;
} range;

static range range_of(const pm_sampler *s, uint64_t from, int64_t count)
{
    range r = {from, from + (uint64_t)count, (uint64_t)s->batch, 0};
    r.blocks = (int64_t)((r.end - 1) / r.batch - from / r.batch) + 1;
    return r;
}

/* Blocks are counted from the one that holds the first sample. */
static uint64_t block_start(const range *r, int64_t i)
{
    uint64_t start = (r->from / r->batch + (uint64_t)i) * r->batch;
    return start < r->from ? r->from : start < r->end ? start : r->end;
}

static int64_t block_size(const range *r, int64_t i)
{
    return (int64_t)(block_start(r, i + 1) - block_start(r, i));
}

static int threads_for(const range *r, const pm_run *run)
{
    int threads = pm_run_threads(run);
    return r->blocks < threads ? (int)r->blocks : threads;
}

/* ---- samples drawn here ---- */

typedef struct {
    const pm_sampler *sampler;
    const pm_run *run;
    range of;
    pm_moments *sum;
    int64_t begun; /* blocks before it are drawn, and will be added */
    bool is_cut;   /* a block is missing, and all that come after it */
} job;

typedef struct {
    pm_weight *weight; /* of a block */
    pm_batch_sums sums;
    void *room, *scratch;
} worker;

static pm_status worker_open(const pm_sampler *s, worker *w, pm_error *err)
{
    w->weight = pm_alloc_array(s->batch, sizeof *w->weight);
    w->room = pm_alloc_array((int64_t)s->scratch + ALIGNMENT, 1);
    if (!w->weight || !w->room)
        return pm_fail_memory(err, "the state of a sample");
    w->scratch = (char *)w->room + (ALIGNMENT - (uintptr_t)w->room % ALIGNMENT);
    return PM_OK;
}

static void worker_close(worker *w)
{
    free(w->weight);
    free(w->room);
}

static void draw_block(const job *j, int64_t i, worker *w)
{
    const pm_sampler *s = j->sampler;
    uint64_t from = block_start(&j->of, i), end = block_start(&j->of, i + 1);
    for (uint64_t k = from; k < end; ++k)
        w->weight[k - from] = s->method->draw(s, w->scratch, k);
    pm_batch_sums_of(from, w->weight, (int64_t)(end - from), &w->sums);
}

static void fold_block(job *j, int64_t i, const worker *w)
{
    pm_moments_add_batch(j->sum, &w->sums);
    pm_moments_keep_largest(j->sum, w->weight, block_size(&j->of, i));
    if (omp_get_thread_num() == 0)
        pm_run_progress(j->run, (double)(i + 1) / (double)j->of.blocks, "sampling");
}

/* A stop holds up what has not begun: blocks that are done count, so those before them must. */
static bool may_begin(job *j, int64_t i)
{
    bool may;
#pragma omp critical(pm_draw)
    {
        may = i < j->begun || !pm_run_stopped(j->run);
        if (may && i >= j->begun)
            j->begun = i + 1;
    }
    return may;
}

static void run_blocks(job *j, worker *all, int threads)
{
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(threads)
    for (int64_t i = 0; i < j->of.blocks; ++i) {
        worker *w = &all[omp_get_thread_num()];
        bool may = may_begin(j, i);
        if (may)
            draw_block(j, i, w);
#pragma omp ordered
        {
            j->is_cut = j->is_cut || !may;
            if (!j->is_cut)
                fold_block(j, i, w);
        }
    }
}

static pm_status draw_range(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                            pm_moments *m, pm_error *err)
{
    if (count <= 0)
        return PM_OK;
    job j = {.sampler = s, .run = run, .of = range_of(s, from, count), .sum = m};
    int threads = threads_for(&j.of, run);
    pm_status status = PM_OK;
    worker *all = pm_calloc_array(threads, sizeof *all);
    if (!all)
        return pm_fail_memory(err, "the threads' states");
    for (int t = 0; t < threads && status == PM_OK; ++t)
        status = worker_open(s, &all[t], err);
    if (status == PM_OK)
        run_blocks(&j, all, threads);
    for (int t = 0; t < threads; ++t)
        worker_close(&all[t]);
    free(all);
    return status == PM_OK && j.is_cut ? pm_fail(err, PM_ESTOPPED, "stopped") : status;
}

/* ---- GPUs ---- */

/* Weights of samples from .. from + count - 1: the same sums as draw_range has. */
static pm_status add_weights(const pm_sampler *s, uint64_t from, int64_t count,
                             const pm_weight *weight, const pm_run *run, pm_moments *m,
                             pm_error *err)
{
    const range r = range_of(s, from, count);
    int threads = threads_for(&r, run);
    pm_batch_sums *sums = pm_alloc_array(r.blocks, sizeof *sums);
    if (!sums)
        return pm_fail_memory(err, "sums of batches");
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < r.blocks; ++i) {
        uint64_t first = block_start(&r, i);
        pm_batch_sums_of(first, weight + (first - from), block_size(&r, i), &sums[i]);
    }
    for (int64_t i = 0; i < r.blocks; ++i)
        pm_moments_add_batch(m, &sums[i]);
    pm_moments_keep_largest(m, weight, count);
    free(sums);
    return PM_OK;
}

/* As many weights at a time as the devices draw side by side, in whole batches: they are added
 * before the next ones begin, so a stop or a failure loses no more. */
static pm_status weigh_on_gpu(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                              pm_moments *m, pm_error *err)
{
    const pm_sampler_gpu *g = s->on_gpu;
    int64_t most = g->max_samples(s->gpu) / s->batch * s->batch;
    pm_status status = PM_OK;
    pm_weight *weight = pm_alloc_array(most, sizeof *weight);
    if (!weight)
        return pm_fail_memory(err, "weights");
    for (int64_t done = 0, part; done < count && status == PM_OK; done += part) {
        int64_t into = (int64_t)((from + (uint64_t)done) % (uint64_t)s->batch);
        part = count - done < most - into ? count - done : most - into;
        status = g->draw(s, s->gpu, from + (uint64_t)done, part, run, weight, err);
        if (status == PM_OK)
            status = add_weights(s, from + (uint64_t)done, part, weight, run, m, err);
        if (status == PM_OK)
            pm_run_progress(run, (double)(done + part) / (double)count, "sampling");
    }
    free(weight);
    return status;
}

/* Whole batches there, the cut ones at either end here. */
static pm_status sum_on_gpu(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                            pm_moments *m, pm_error *err)
{
    uint64_t batch = (uint64_t)s->batch, end = from + (uint64_t)count;
    uint64_t first = (from + batch - 1) / batch * batch, last = end / batch * batch;
    if (first >= last)
        return draw_range(s, from, count, run, m, err);
    pm_status status = draw_range(s, from, (int64_t)(first - from), run, m, err);
    if (status == PM_OK)
        status = s->on_gpu->sum(s, s->gpu, first, (int64_t)(last - first), run, m, err);
    if (status == PM_OK)
        status = draw_range(s, last, (int64_t)(end - last), run, m, err);
    return status;
}

pm_status pm_moments_draw(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                          pm_moments *m, pm_error *err)
{
    if (!s->gpu)
        return draw_range(s, from, count, run, m, err);
    return s->on_gpu->draw ? weigh_on_gpu(s, from, count, run, m, err)
                           : sum_on_gpu(s, from, count, run, m, err);
}
