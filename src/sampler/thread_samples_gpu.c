/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/thread_samples_gpu.h"

#include <stdlib.h>

#include "core/machine.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"
#include "sampler/batch_sink.h"

enum {
    MAX_LARGE = 1 << 17,                       /* large weights that a launch can return */
    SAFE_BATCHES = MAX_LARGE / PM_MASKS_BATCH, /* batches whose weights all fit */
    MARGIN = 4,                                /* room for this multiple of the expected number */
    MIN_EXPECTED = 64,                         /* added to the number of weights kept so far */
    MAX_BATCHES = 1 << 14                      /* of a launch */
};

_Static_assert(sizeof(pm_wide_product) == sizeof(pm_weight), "kernels write weights");

typedef struct {
    pm_gpu_array sums, large; /* on the device: sums of batches, large weights */
    pm_batch_sums *sum;       /* on the host: sums of batches */
    int64_t first, count;     /* batches of the unfinished launch; count 0: there is none */
} session_buffers;

typedef struct {
    pm_gpu_sessions sessions;
    session_buffers buffers[PM_GPU_SESSIONS_MAX];
    int64_t max_batches; /* of a launch */
    pm_thread_launch launch;
    struct {
        pm_large_weights head;
        pm_weight weight[MAX_LARGE];
    } * large;
} devices;

/* ---- opening ---- */

void pm_thread_samples_gpu_close(void *gpu)
{
    devices *d = gpu;
    for (int i = 0; i < d->sessions.count; ++i)
        free(d->buffers[i].sum);
    pm_gpu_sessions_close(&d->sessions);
    free(d->large);
    free(d);
}

static pm_status allocate(devices *d, pm_error *err)
{
    pm_status status = PM_OK;
    int64_t sums = d->max_batches * (int64_t)sizeof(pm_batch_sums);
    d->large = pm_alloc_array(1, sizeof *d->large);
    if (!d->large)
        return pm_fail_memory(err, "weights");
    for (int i = 0; i < d->sessions.count && !status; ++i) {
        session_buffers *b = &d->buffers[i];
        status = pm_gpu_session_array(d->sessions.session[i], sums, &b->sums, err);
        if (!status)
            status = pm_gpu_session_array(d->sessions.session[i], sizeof *d->large, &b->large, err);
        b->sum = pm_alloc_array(d->max_batches, sizeof *b->sum);
        if (!status && !b->sum)
            status = pm_fail_memory(err, "sums of batches");
    }
    return status;
}

static pm_status load(devices *d, const char *text, int gpus, pm_error *err)
{
    pm_status status = pm_gpu_sessions_open(text, gpus, &d->sessions, err);
    return status ? status : allocate(d, err);
}

pm_status pm_thread_samples_gpu_open(const pm_sampler *s, char *text,
                                     const pm_thread_launch *launch, int gpus, void **out,
                                     pm_error *err)
{
    devices *d = text ? pm_calloc_array(1, sizeof *d) : NULL;
    if (!d) {
        free(text);
        return pm_fail_memory(err, "a kernel");
    }
    double wanted = PM_LAUNCH_SECONDS * PM_GPU_THREAD_SAMPLES_CORES / s->seconds / s->batch;
    d->max_batches = wanted > MAX_BATCHES    ? MAX_BATCHES
                     : wanted > SAFE_BATCHES ? (int64_t)wanted
                                             : SAFE_BATCHES;
    d->launch = *launch;
    pm_status status = load(d, text, gpus, err);
    free(text);
    if (status)
        pm_thread_samples_gpu_close(d);
    else
        *out = d;
    return status;
}

/* ---- launches ---- */

/* A range of batches.  Launches are started in order, in the sessions in turn, and their results
 * are added in the same order. */
typedef struct {
    const pm_sampler *sampler;
    devices *d;
    pm_batch_sink *sink;
    int64_t next, end; /* batches that are not started */
} work;

/* Batches of the next launch.  If it had as many samples as were drawn so far, it would be expected
 * to return at most as many large weights as were kept so far. */
static int64_t launch_batches(const work *w)
{
    int64_t left = w->end - w->next, sessions = w->d->sessions.count;
    int64_t equal_share = (left + sessions - 1) / sessions;
    int64_t before = w->sink->largest->count / w->sampler->batch + w->sink->added;
    int64_t expected_to_fit =
        MAX_LARGE / MARGIN * before / (w->sink->largest->ntail + MIN_EXPECTED);
    int64_t count = equal_share < expected_to_fit ? equal_share : expected_to_fit;
    count = count < w->d->max_batches ? count : w->d->max_batches;
    count = count > SAFE_BATCHES ? count : SAFE_BATCHES;
    return count < left ? count : left;
}

static pm_status start(work *w, int i, int64_t first, int64_t count, pm_error *err)
{
    session_buffers *b = &w->d->buffers[i];
    pm_gpu_session *session = w->d->sessions.session[i];
    pm_large_weights head = {0, MAX_LARGE};
    uint64_t batch = (uint64_t)first;
    void *arguments[] = {&w->d->launch, &batch, &b->sums, &b->large};
    w->d->launch.threshold = (pm_wide_product){0, INT64_MIN};
    const pm_moments *kept = w->sink->largest;
    if (kept->ntail == PM_MOMENTS_TAIL)
        w->d->launch.threshold = (pm_wide_product){kept->tail[0].m, kept->tail[0].e};
    pm_status status = pm_gpu_session_put(session, b->large, &head, sizeof head, err);
    if (!status)
        status = pm_gpu_session_launch(session, "pm_thread_samples_run", count, PM_SUM_LANES, 0,
                                       arguments, err);
    b->first = first;
    b->count = status ? 0 : count;
    return status;
}

/* Waits for the launch of session i and adds its results.  *all_fit: all large weights were
 * returned; otherwise nothing has been added. */
static pm_status finish(work *w, int i, bool *all_fit, pm_error *err)
{
    session_buffers *b = &w->d->buffers[i];
    pm_gpu_session *session = w->d->sessions.session[i];
    int64_t count = b->count;
    pm_large_weights *head = &w->d->large->head;
    b->count = 0;
    pm_status status = pm_gpu_session_get(session, head, b->large, sizeof *head, err);
    *all_fit = !status && head->count <= MAX_LARGE;
    if (!*all_fit)
        return status;
    int64_t large = (int64_t)head->count;
    status = pm_gpu_session_get(session, w->d->large, b->large,
                                (int64_t)sizeof *head + large * (int64_t)sizeof(pm_weight), err);
    if (!status)
        status = pm_gpu_session_get(session, b->sum, b->sums, count * (int64_t)sizeof *b->sum, err);
    if (status)
        return status;
    for (int64_t k = 0; k < count; ++k)
        pm_batch_sink_add(w->sink, &b->sum[k]);
    pm_moments_keep_largest(w->sink->largest, w->d->large->weight, large);
    return PM_OK;
}

/* Repeats a launch in parts whose weights all fit, one after the other. */
static pm_status repeat_in_parts(work *w, int i, int64_t first, int64_t count, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t end = first + count, part; first < end && !status; first += part) {
        bool all_fit;
        part = end - first < SAFE_BATCHES ? end - first : SAFE_BATCHES;
        status = start(w, i, first, part, err);
        if (!status)
            status = finish(w, i, &all_fit, err);
    }
    return status;
}

static pm_status start_next(work *w, int i, pm_error *err)
{
    int64_t count = launch_batches(w), first = w->next;
    w->next += count;
    return count > 0 ? start(w, i, first, count, err) : PM_OK;
}

/* Finishes the launch of session i, which is the oldest one, and starts another one there. */
static pm_status finish_and_start_next(work *w, int i, pm_error *err)
{
    int64_t first = w->d->buffers[i].first, count = w->d->buffers[i].count;
    bool all_fit;
    pm_status status = finish(w, i, &all_fit, err);
    if (!status && !all_fit)
        status = repeat_in_parts(w, i, first, count, err);
    return status ? status : start_next(w, i, err);
}

pm_status pm_thread_samples_gpu_sum(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                                    const pm_run *run, pm_batch_sink *sink, pm_error *err)
{
    int64_t first = (int64_t)(from / (uint64_t)s->batch), batches = count / s->batch;
    work w = {s, gpu, sink, first, first + batches};
    int sessions = w.d->sessions.count;
    pm_status status = PM_OK;
    for (int i = 0; i < sessions; ++i)
        w.d->buffers[i].count = 0;
    for (int i = 0; i < sessions && !status; ++i)
        status = start_next(&w, i, err);
    for (int i = 0; !status && w.d->buffers[i].count > 0; i = (i + 1) % sessions) {
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped");
        double done = (double)(w.d->buffers[i].first - first);
        pm_run_progress(run, done / (double)batches, "sampling on a GPU");
        status = finish_and_start_next(&w, i, err);
    }
    return status;
}
