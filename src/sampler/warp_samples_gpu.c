/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/warp_samples_gpu.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

enum {
    SHARED = 48 << 10,    /* bytes of shared memory of a thread block, at most */
    MAX_WARPS = 4,        /* of a thread block */
    MIN_SAMPLES = 1 << 8, /* of a launch: fewer leave multiprocessors idle */
    MAX_SAMPLES = 1 << 18 /* of a launch */
};

_Static_assert(sizeof(pm_wide_product) == sizeof(pm_weight), "kernels write weights");

/* On the device: the matrix, the results. */
typedef struct {
    pm_gpu_array base, weights;
} session_buffers;

typedef struct {
    pm_gpu_sessions sessions;
    session_buffers buffers[PM_GPU_SESSIONS_MAX];
    pm_warp_launch launch;
    int64_t max_samples; /* of a launch */
    int warps;           /* of a thread block */
    int64_t shared;      /* bytes of shared memory of a thread block */
} devices;

int pm_warp_samples_warps(int64_t warp_bytes)
{
    int64_t warps = SHARED / warp_bytes;
    return warps < MAX_WARPS ? (int)warps : MAX_WARPS;
}

pm_status pm_warp_samples_gpu_check_rows(const pm_sampler *s, int32_t rows, pm_error *err)
{
    if (rows <= PM_WARP_SAMPLES_MAX_ROWS)
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "%s runs on a GPU for up to %d rows", s->method->name,
                   PM_WARP_SAMPLES_MAX_ROWS);
}

/* ---- opening ---- */

void pm_warp_samples_gpu_close(void *gpu)
{
    devices *d = gpu;
    pm_gpu_sessions_close(&d->sessions);
    free(d);
}

static pm_status allocate(devices *d, const pm_warp_image *image, pm_error *err)
{
    pm_status status = PM_OK;
    for (int i = 0; i < d->sessions.count && !status; ++i) {
        session_buffers *b = &d->buffers[i];
        pm_gpu_session *session = d->sessions.session[i];
        status = pm_gpu_session_fill(session, image->base, image->bytes, &b->base, err);
        if (!status)
            status = pm_gpu_session_array(session, d->max_samples * (int64_t)sizeof(pm_weight),
                                          &b->weights, err);
    }
    return status;
}

static pm_status load(devices *d, const char *text, const pm_warp_image *image, int gpus,
                      pm_error *err)
{
    pm_status status = pm_gpu_sessions_open(text, gpus, &d->sessions, err);
    return status ? status : allocate(d, image, err);
}

/* Samples that run at the same time on multiprocessors with `shared` bytes of shared memory each.
 * */
static int64_t concurrent_samples(const devices *d, int64_t shared, int multiprocessors)
{
    int64_t blocks = shared > d->shared ? shared / d->shared : 1;
    return blocks * d->warps * multiprocessors;
}

/* Samples of a launch of about PM_WARP_LAUNCH_SECONDS.  A GPU that runs fewer samples at the same
 * time than the nominal one gets fewer. */
static int64_t samples_of_launch(const pm_sampler *s, const devices *d)
{
    pm_gpu_info info;
    int64_t nominal = concurrent_samples(d, PM_GPU_SHARED_BYTES, PM_GPU_MULTIPROCESSORS),
            actual = nominal;
    if (pm_gpu_get_info(0, &info, NULL) == PM_OK)
        actual = concurrent_samples(d, info.shared, info.multiprocessors);
    double wanted = PM_WARP_LAUNCH_SECONDS * PM_GPU_WARP_SAMPLES_CORES / s->seconds
                    * fmin((double)actual / (double)nominal, 1);
    int64_t wave = actual < MIN_SAMPLES ? actual : MIN_SAMPLES,
            least = s->batch > wave ? s->batch : wave;
    return wanted > MAX_SAMPLES ? MAX_SAMPLES : wanted > (double)least ? (int64_t)wanted : least;
}

pm_status pm_warp_samples_gpu_open(const pm_sampler *s, char *text, pm_warp_image *image,
                                   int64_t warp_bytes, int gpus, void **out, pm_error *err)
{
    devices *d = text && image->base ? pm_calloc_array(1, sizeof *d) : NULL;
    pm_status status = d ? PM_OK : pm_fail_memory(err, "a kernel");
    if (!status) {
        d->warps = pm_warp_samples_warps(warp_bytes);
        d->shared = d->warps * warp_bytes;
        d->launch = image->launch;
        d->max_samples = samples_of_launch(s, d);
        status = load(d, text, image, gpus, err);
    }
    free(text);
    free(image->base);
    *image = (pm_warp_image){0};
    if (!status)
        *out = d;
    else if (d)
        pm_warp_samples_gpu_close(d);
    return status;
}

/* ---- drawing ---- */

int64_t pm_warp_samples_gpu_max(const void *gpu)
{
    const devices *d = gpu;
    return d->sessions.count * d->max_samples;
}

static pm_status start(devices *d, int i, uint64_t from, int64_t count, pm_error *err)
{
    const session_buffers *b = &d->buffers[i];
    pm_gpu_array base = b->base, weights = b->weights;
    void *arguments[] = {&d->launch, &base, &from, &count, &weights};
    return pm_gpu_session_launch(d->sessions.session[i], "pm_warp_samples_run",
                                 (count + d->warps - 1) / d->warps, 32 * d->warps, d->shared,
                                 arguments, err);
}

/* Every session draws an equal part of the samples; the first ones draw it when there are few. */
pm_status pm_warp_samples_gpu_draw(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                                   const pm_run *run, pm_weight *out, pm_error *err)
{
    (void)s;
    devices *d = gpu;
    int64_t sessions = d->sessions.count, share = (count + sessions - 1) / sessions;
    pm_status status = pm_run_stopped(run) ? pm_fail(err, PM_ESTOPPED, "stopped") : PM_OK;
    for (int64_t i = 0, first = 0; first < count && !status; ++i, first += share) {
        int64_t part = count - first < share ? count - first : share;
        status = start(d, (int)i, from + (uint64_t)first, part, err);
    }
    for (int64_t i = 0, first = 0; first < count && !status; ++i, first += share) {
        int64_t part = count - first < share ? count - first : share;
        status = pm_gpu_session_get(d->sessions.session[i], out + first, d->buffers[i].weights,
                                    part * (int64_t)sizeof *out, err);
    }
    return status;
}
