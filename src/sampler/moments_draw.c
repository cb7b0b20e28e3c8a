/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples drawn by several threads or by GPUs, with the sums that one thread would compute. */
#include "config.h"

#include <omp.h>
#include <stdlib.h>

#include "core/team.h"
#include "pm/alloc.h"
#include "sampler/batch_sink.h"

enum { ALIGNMENT = 64 };

/* Samples from .. end - 1 and the nbatches batches that they belong to.  The first and the last
 * batch may lie only partly in the range. */
typedef struct {
    uint64_t from, end, batch_size;
    int64_t nbatches;
} sample_range;

static sample_range range_of(const pm_sampler *s, uint64_t from, int64_t count)
{
    sample_range r = {from, from + (uint64_t)count, (uint64_t)s->batch, 0};
    r.nbatches = (int64_t)((r.end - 1) / r.batch_size - from / r.batch_size) + 1;
    return r;
}

/* First sample of batch i of the range; r->end for i = r->nbatches. */
static uint64_t batch_start(const sample_range *r, int64_t i)
{
    uint64_t start = (r->from / r->batch_size + (uint64_t)i) * r->batch_size;
    return start < r->from ? r->from : start < r->end ? start : r->end;
}

static int64_t batch_length(const sample_range *r, int64_t i)
{
    return (int64_t)(batch_start(r, i + 1) - batch_start(r, i));
}

static int threads_for(const sample_range *r, const pm_run *run)
{
    int threads = pm_run_threads(run);
    return pm_team(run, r->nbatches < threads ? (int)r->nbatches : threads);
}

/* ---- samples drawn by the CPU ---- */

typedef struct {
    const pm_sampler *sampler;
    const pm_run *run;
    sample_range range;
    pm_batch_sink *sink;
    int64_t started; /* batches before this one are drawn and added in any case */
    bool is_cut;     /* a batch was not drawn; it and all later ones are not added */
} job;

/* Buffers of one thread. */
typedef struct {
    pm_weight *weight; /* of one batch */
    pm_batch_sums sums;
    void *memory, *scratch; /* as allocated; aligned */
} buffers;

static pm_status buffers_alloc(const pm_sampler *s, buffers *w, pm_error *err)
{
    w->weight = pm_alloc_array(s->batch, sizeof *w->weight);
    w->memory = pm_alloc_array((int64_t)s->scratch + ALIGNMENT, 1);
    if (!w->weight || !w->memory)
        return pm_fail_memory(err, "the state of a sample");
    w->scratch = (char *)w->memory + (ALIGNMENT - (uintptr_t)w->memory % ALIGNMENT);
    return PM_OK;
}

static void buffers_free(buffers *w)
{
    free(w->weight);
    free(w->memory);
}

static void draw_batch(const job *j, int64_t i, buffers *w)
{
    const pm_sampler *s = j->sampler;
    uint64_t from = batch_start(&j->range, i), end = batch_start(&j->range, i + 1);
    for (uint64_t k = from; k < end; ++k)
        w->weight[k - from] = s->method->draw(s, w->scratch, k);
    pm_batch_sums_of(from, w->weight, (int64_t)(end - from), &w->sums);
}

static void add_batch(job *j, int64_t i, const buffers *w)
{
    pm_batch_sink_add(j->sink, &w->sums);
    pm_moments_keep_largest(j->sink->largest, w->weight, batch_length(&j->range, i));
    if (j->sink->settle)
        j->sink->settle(j->sink);
    if (omp_get_thread_num() == 0)
        pm_run_progress(j->run, (double)(i + 1) / (double)j->range.nbatches, "sampling");
}

/* After a stop only batches before one that another thread has started may still start: the batches
 * that are added must be a range without gaps. */
static bool may_start(job *j, int64_t i)
{
    bool may;
#pragma omp critical(pm_draw)
    {
        may = i < j->started || !pm_run_stopped(j->run);
        if (may && i >= j->started)
            j->started = i + 1;
    }
    return may;
}

static void run_batches(job *j, buffers *thread, int threads)
{
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(threads)
    for (int64_t i = 0; i < j->range.nbatches; ++i) {
        buffers *w = &thread[omp_get_thread_num()];
        bool may = may_start(j, i);
        if (may)
            draw_batch(j, i, w);
#pragma omp ordered
        {
            j->is_cut = j->is_cut || !may;
            if (!j->is_cut)
                add_batch(j, i, w);
        }
    }
}

static pm_status draw_range(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                            pm_batch_sink *sink, pm_error *err)
{
    if (count <= 0)
        return PM_OK;
    job j = {.sampler = s, .run = run, .range = range_of(s, from, count), .sink = sink};
    int threads = threads_for(&j.range, run);
    pm_status status = PM_OK;
    buffers *thread = pm_calloc_array(threads, sizeof *thread);
    if (!thread)
        return pm_fail_memory(err, "the threads' states");
    for (int t = 0; t < threads && !status; ++t)
        status = buffers_alloc(s, &thread[t], err);
    if (!status)
        run_batches(&j, thread, threads);
    for (int t = 0; t < threads; ++t)
        buffers_free(&thread[t]);
    free(thread);
    return !status && j.is_cut ? pm_fail(err, PM_ESTOPPED, "stopped") : status;
}

/* ---- samples drawn by GPUs ---- */

/* Adds the weights of samples from .. from + count - 1, with the same sums as draw_range. */
static pm_status add_weights(const pm_sampler *s, uint64_t from, int64_t count,
                             const pm_weight *weight, const pm_run *run, pm_batch_sink *sink,
                             pm_error *err)
{
    const sample_range r = range_of(s, from, count);
    int threads = threads_for(&r, run);
    pm_batch_sums *sums = pm_alloc_array(r.nbatches, sizeof *sums);
    if (!sums)
        return pm_fail_memory(err, "sums of batches");
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t i = 0; i < r.nbatches; ++i) {
        uint64_t first = batch_start(&r, i);
        pm_batch_sums_of(first, weight + (first - from), batch_length(&r, i), &sums[i]);
    }
    for (int64_t i = 0; i < r.nbatches; ++i)
        pm_batch_sink_add(sink, &sums[i]);
    pm_moments_keep_largest(sink->largest, weight, count);
    free(sums);
    return PM_OK;
}

/* Each call of draw asks for the largest number of whole batches that the devices draw at a time.
 * Their weights are added before the next call, so a stop or a failure loses the weights of one
 * call only. */
static pm_status draw_weights_on_gpu(const pm_sampler *s, uint64_t from, int64_t count,
                                     const pm_run *run, pm_batch_sink *sink, pm_error *err)
{
    const pm_sampler_gpu *g = s->on_gpu;
    int64_t limit = g->max_samples(s->gpu) / s->batch * s->batch;
    pm_status status = PM_OK;
    pm_weight *weight = pm_alloc_array(limit, sizeof *weight);
    if (!weight)
        return pm_fail_memory(err, "weights");
    for (int64_t done = 0, part; done < count && !status; done += part) {
        int64_t offset = (int64_t)((from + (uint64_t)done) % (uint64_t)s->batch);
        part = count - done < limit - offset ? count - done : limit - offset;
        status = g->draw(s, s->gpu, from + (uint64_t)done, part, run, weight, err);
        if (!status)
            status = add_weights(s, from + (uint64_t)done, part, weight, run, sink, err);
        if (!status)
            pm_run_progress(run, (double)(done + part) / (double)count, "sampling");
    }
    free(weight);
    return status;
}

/* The GPUs draw the whole batches, the CPU the cut ones at both ends. */
static pm_status sum_on_gpu(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                            pm_batch_sink *sink, pm_error *err)
{
    uint64_t batch = (uint64_t)s->batch, end = from + (uint64_t)count;
    uint64_t first = (from + batch - 1) / batch * batch, last = end / batch * batch;
    if (first >= last)
        return draw_range(s, from, count, run, sink, err);
    pm_status status = draw_range(s, from, (int64_t)(first - from), run, sink, err);
    if (!status)
        status = s->on_gpu->sum(s, s->gpu, first, (int64_t)(last - first), run, sink, err);
    if (!status)
        status = draw_range(s, last, (int64_t)(end - last), run, sink, err);
    return status;
}

pm_status pm_batches_draw(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                          pm_batch_sink *sink, pm_error *err)
{
    if (!s->gpu)
        return draw_range(s, from, count, run, sink, err);
    return s->on_gpu->draw ? draw_weights_on_gpu(s, from, count, run, sink, err)
                           : sum_on_gpu(s, from, count, run, sink, err);
}
