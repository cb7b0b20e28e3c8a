/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/mask_gpu.h"

#include <stdlib.h>

#include "core/machine.h"
#include "gpu/gpu_sessions.h"
#include "pm/alloc.h"
#include "sampler/moments.h"

enum {
    ROOM = 1 << 17,               /* weights that a launch may tell */
    SURE = ROOM / PM_MASKS_BATCH, /* batches that cannot have more */
    SPARE = 4,
    FEW = 64,      /* more of them than were kept may always come */
    MOST = 1 << 14 /* batches of a launch */
};

_Static_assert(sizeof(pm_wide_product) == sizeof(pm_weight), "weights told are weights");

typedef struct {
    pm_gpu_array sums, told;
    pm_batch_sums *sum;   /* what has been read */
    int64_t first, count; /* batches under way; 0: none */
} seat;

typedef struct {
    pm_gpu_sessions seats;
    seat seat[PM_GPU_SESSIONS_MOST];
    int64_t most; /* batches of a launch */
    pm_samples_launch launch;
    struct {
        pm_samples_told head;
        pm_weight weight[ROOM];
    } * told;
} devices;

/* ---- opening ---- */

void pm_mask_gpu_close(void *gpu)
{
    devices *d = gpu;
    for (int i = 0; i < d->seats.count; ++i)
        free(d->seat[i].sum);
    pm_gpu_sessions_close(&d->seats);
    free(d->told);
    free(d);
}

static pm_status furnish(devices *d, pm_error *err)
{
    pm_status rc = PM_OK;
    int64_t sums = d->most * (int64_t)sizeof(pm_batch_sums);
    d->told = pm_alloc_array(1, sizeof *d->told);
    if (!d->told)
        return pm_fail_memory(err, "weights");
    for (int i = 0; i < d->seats.count && !rc; ++i) {
        seat *at = &d->seat[i];
        rc = pm_gpu_session_array(d->seats.seat[i], sums, &at->sums, err);
        if (!rc)
            rc = pm_gpu_session_array(d->seats.seat[i], sizeof *d->told, &at->told, err);
        at->sum = pm_alloc_array(d->most, sizeof *at->sum);
        if (!rc && !at->sum)
            rc = pm_fail_memory(err, "sums of batches");
    }
    return rc;
}

static pm_status load(devices *d, const char *text, int gpus, pm_error *err)
{
    pm_status rc = pm_gpu_sessions_open(text, gpus, &d->seats, err);
    return rc ? rc : furnish(d, err);
}

pm_status pm_mask_gpu_open(const pm_sampler *s, char *text, const pm_samples_launch *launch,
                           int gpus, void **out, pm_error *err)
{
    devices *d = text ? pm_calloc_array(1, sizeof *d) : NULL;
    if (!d) {
        free(text);
        return pm_fail_memory(err, "a kernel");
    }
    double lasting = PM_LAUNCH_SECONDS * PM_GPU_MASK_CORES / s->seconds / s->batch;
    d->most = lasting > MOST ? MOST : lasting > SURE ? (int64_t)lasting : SURE;
    d->launch = *launch;
    pm_status rc = load(d, text, gpus, err);
    free(text);
    if (rc)
        pm_mask_gpu_close(d);
    else
        *out = d;
    return rc;
}

/* ---- launches ---- */

/* One range of batches, dealt out and read in its sequence. */
typedef struct {
    const pm_sampler *sampler;
    devices *d;
    pm_moments *m;
    int64_t next, end; /* batches that no seat has yet */
} work;

/* Batches of a launch, so that the weights that it tells have room, as far as can be known: those
 * kept so far are as many as would be told of so many samples more. */
static int64_t launch_batches(const work *w)
{
    int64_t left = w->end - w->next, seats = w->d->seats.count;
    int64_t fair = (left + seats - 1) / seats;
    int64_t safe = ROOM / SPARE * (w->m->count / w->sampler->batch) / (w->m->ntail + FEW);
    int64_t count = fair < safe ? fair : safe;
    count = count < w->d->most ? count : w->d->most;
    count = count > SURE ? count : SURE;
    return count < left ? count : left;
}

static pm_status start(work *w, int i, int64_t first, int64_t count, pm_error *err)
{
    seat *at = &w->d->seat[i];
    pm_gpu_session *session = w->d->seats.seat[i];
    pm_samples_told head = {0, ROOM};
    uint64_t batch = (uint64_t)first;
    void *arguments[] = {&w->d->launch, &batch, &at->sums, &at->told};
    w->d->launch.least = (pm_wide_product){0, INT64_MIN};
    if (w->m->ntail == PM_MOMENTS_TAIL)
        w->d->launch.least = (pm_wide_product){w->m->tail[0].m, w->m->tail[0].e};
    pm_status rc = pm_gpu_session_put(session, at->told, &head, sizeof head, err);
    if (!rc)
        rc = pm_gpu_session_launch(session, "pm_samples_run", count, PM_SUM_LANES, 0, arguments,
                                   err);
    at->first = first;
    at->count = rc ? 0 : count;
    return rc;
}

/* *is_whole: all weights that were to be told had room; else nothing has been added. */
static pm_status finish(work *w, int i, bool *is_whole, pm_error *err)
{
    seat *at = &w->d->seat[i];
    pm_gpu_session *session = w->d->seats.seat[i];
    int64_t count = at->count;
    pm_samples_told *head = &w->d->told->head;
    at->count = 0;
    pm_status rc = pm_gpu_session_get(session, head, at->told, sizeof *head, err);
    *is_whole = !rc && head->count <= ROOM;
    if (!*is_whole)
        return rc;
    int64_t told = (int64_t)head->count;
    rc = pm_gpu_session_get(session, w->d->told, at->told,
                            (int64_t)sizeof *head + told * (int64_t)sizeof(pm_weight), err);
    if (!rc)
        rc = pm_gpu_session_get(session, at->sum, at->sums, count * (int64_t)sizeof *at->sum, err);
    if (rc)
        return rc;
    for (int64_t k = 0; k < count; ++k)
        pm_moments_add_batch(w->m, &at->sum[k]);
    pm_moments_keep_largest(w->m, w->d->told->weight, told);
    return PM_OK;
}

/* In pieces, one after the other. */
static pm_status run_again(work *w, int i, int64_t first, int64_t count, pm_error *err)
{
    pm_status rc = PM_OK;
    for (int64_t end = first + count, piece; first < end && !rc; first += piece) {
        bool is_whole;
        piece = end - first < SURE ? end - first : SURE;
        rc = start(w, i, first, piece, err);
        if (!rc)
            rc = finish(w, i, &is_whole, err);
    }
    return rc;
}

static pm_status deal(work *w, int i, pm_error *err)
{
    int64_t count = launch_batches(w), first = w->next;
    w->next += count;
    return count > 0 ? start(w, i, first, count, err) : PM_OK;
}

/* The next launch that was dealt out, and another one for its seat. */
static pm_status serve(work *w, int i, pm_error *err)
{
    int64_t first = w->d->seat[i].first, count = w->d->seat[i].count;
    bool is_whole;
    pm_status rc = finish(w, i, &is_whole, err);
    if (!rc && !is_whole)
        rc = run_again(w, i, first, count, err);
    return rc ? rc : deal(w, i, err);
}

pm_status pm_mask_gpu_sum(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                          const pm_run *run, pm_moments *m, pm_error *err)
{
    int64_t first = (int64_t)(from / (uint64_t)s->batch), batches = count / s->batch;
    work w = {s, gpu, m, first, first + batches};
    int seats = w.d->seats.count;
    pm_status rc = PM_OK;
    for (int i = 0; i < seats; ++i)
        w.d->seat[i].count = 0;
    for (int i = 0; i < seats && !rc; ++i)
        rc = deal(&w, i, err);
    for (int i = 0; !rc && w.d->seat[i].count > 0; i = (i + 1) % seats) {
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped");
        double done = (double)(w.d->seat[i].first - first);
        pm_run_progress(run, done / (double)batches, "sampling on a GPU");
        rc = serve(&w, i, err);
    }
    return rc;
}
