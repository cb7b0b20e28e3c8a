/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/lines_gpu.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "gpu/gpu_sessions.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

enum {
    SHARED = 48 << 10, /* bytes that a block may have */
    WARPS_MOST = 4,
    LEAST = 1 << 8, /* samples of a launch: fewer leave some of many multiprocessors idle */
    MOST = 1 << 18
};

_Static_assert(sizeof(pm_wide_product) == sizeof(pm_weight), "weights are what kernels write");

typedef struct {
    pm_gpu_array base, weights;
} seat;

typedef struct {
    pm_gpu_sessions seats;
    seat seat[PM_GPU_SESSIONS_MOST];
    pm_lines_launch launch;
    int64_t part; /* samples of a launch, at most */
    int warps;
    int64_t shared; /* bytes, of a block */
} devices;

int pm_lines_warps(int64_t warp_bytes)
{
    int64_t warps = SHARED / warp_bytes;
    return warps < WARPS_MOST ? (int)warps : WARPS_MOST;
}

pm_status pm_lines_gpu_refuse(const pm_sampler *s, int32_t rows, pm_error *err)
{
    if (rows <= PM_LINES_MOST)
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "the kernel of %s takes up to %d rows", s->method->name,
                   PM_LINES_MOST);
}

/* ---- opening ---- */

void pm_lines_gpu_close(void *gpu)
{
    devices *d = gpu;
    pm_gpu_sessions_close(&d->seats);
    free(d);
}

static pm_status furnish(devices *d, const pm_lines_image *image, pm_error *err)
{
    pm_status rc = PM_OK;
    for (int i = 0; i < d->seats.count && !rc; ++i) {
        seat *at = &d->seat[i];
        pm_gpu_session *session = d->seats.seat[i];
        rc = pm_gpu_session_fill(session, image->base, image->bytes, &at->base, err);
        if (!rc)
            rc = pm_gpu_session_array(session, d->part * (int64_t)sizeof(pm_weight), &at->weights,
                                      err);
    }
    return rc;
}

static pm_status load(devices *d, const char *text, const pm_lines_image *image, int gpus,
                      pm_error *err)
{
    pm_status rc = pm_gpu_sessions_open(text, gpus, &d->seats, err);
    return rc ? rc : furnish(d, image, err);
}

/* Samples side by side on so many multiprocessors. */
static int64_t side_by_side(const devices *d, int64_t shared, int multiprocessors)
{
    int64_t blocks = shared > d->shared ? shared / d->shared : 1;
    return blocks * d->warps * multiprocessors;
}

/* Where shared memory is small, or multiprocessors few, samples wait for each other. */
static int64_t part_for(const pm_sampler *s, const devices *d)
{
    pm_gpu_info info;
    int64_t usual = side_by_side(d, PM_GPU_SHARED_BYTES, PM_GPU_MULTIPROCESSORS), here = usual;
    if (pm_gpu_look(0, &info, NULL) == PM_OK)
        here = side_by_side(d, info.shared, info.multiprocessors);
    double lasting = PM_LINES_LAUNCH_SECONDS * PM_GPU_LINES_CORES / s->seconds
                     * fmin((double)here / (double)usual, 1);
    int64_t wave = here < LEAST ? here : LEAST, least = s->batch > wave ? s->batch : wave;
    return lasting > MOST ? MOST : lasting > (double)least ? (int64_t)lasting : least;
}

pm_status pm_lines_gpu_open(const pm_sampler *s, char *text, pm_lines_image *image,
                            int64_t warp_bytes, int gpus, void **out, pm_error *err)
{
    devices *d = text && image->base ? pm_calloc_array(1, sizeof *d) : NULL;
    pm_status rc = d ? PM_OK : pm_fail_memory(err, "a kernel");
    if (!rc) {
        d->warps = pm_lines_warps(warp_bytes);
        d->shared = d->warps * warp_bytes;
        d->launch = image->launch;
        d->part = part_for(s, d);
        rc = load(d, text, image, gpus, err);
    }
    free(text);
    free(image->base);
    *image = (pm_lines_image){0};
    if (!rc)
        *out = d;
    else if (d)
        pm_lines_gpu_close(d);
    return rc;
}

/* ---- drawing ---- */

int64_t pm_lines_gpu_most(const void *gpu)
{
    const devices *d = gpu;
    return d->seats.count * d->part;
}

static pm_status start(devices *d, int i, uint64_t from, int64_t count, pm_error *err)
{
    const seat *at = &d->seat[i];
    pm_gpu_array base = at->base, weights = at->weights;
    void *arguments[] = {&d->launch, &base, &from, &count, &weights};
    return pm_gpu_session_launch(d->seats.seat[i], "pm_lines_run",
                                 (count + d->warps - 1) / d->warps, 32 * d->warps, d->shared,
                                 arguments, err);
}

/* The samples in as many equal parts as there are seats. */
pm_status pm_lines_gpu_draw(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                            const pm_run *run, pm_weight *out, pm_error *err)
{
    (void)s;
    devices *d = gpu;
    int64_t seats = d->seats.count, share = (count + seats - 1) / seats;
    pm_status rc = pm_run_stopped(run) ? pm_fail(err, PM_ESTOPPED, "stopped") : PM_OK;
    for (int64_t i = 0, first = 0; first < count && !rc; ++i, first += share) {
        int64_t part = count - first < share ? count - first : share;
        rc = start(d, (int)i, from + (uint64_t)first, part, err);
    }
    for (int64_t i = 0, first = 0; first < count && !rc; ++i, first += share) {
        int64_t part = count - first < share ? count - first : share;
        rc = pm_gpu_session_get(d->seats.seat[i], out + first, d->seat[i].weights,
                                part * (int64_t)sizeof *out, err);
    }
    return rc;
}
