/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/scaling_gpu.h"

#include <stdio.h>
#include <stdlib.h>

#include "approx/gpu_seats.h"
#include "pm/alloc.h"
#include "sweep/kernel_text.h"

enum {
    SHARED = 48 << 10, /* bytes that a block may have */
    WARPS_MOST = 4,
    WEIGHTS = 1 << 18 /* of a call */
};

_Static_assert(sizeof(pm_running) == sizeof(pm_weight), "weights are what kernels write");

typedef struct {
    pm_gpu_array base, weights;
} seat;

/* One seat of each device is enough: weights are few bytes for their work. */
typedef struct {
    pm_gpu_seats seats;
    seat seat[PM_GPU_SEATS_MOST];
    pm_scaling_launch launch;
    int warps;
    int64_t shared; /* bytes, of a block */
} devices;

/* ---- text ---- */

static bool has_masks(const pm_scaling_model *m)
{
    return m->lists.n <= 64 && !m->lists.rowval;
}

/* sizeof pm_warp in cuda/scalings.cuh */
int64_t pm_scaling_warp_bytes_of(const pm_scaling_model *m)
{
    int64_t n = m->lists.n, quads = (n + 3) / 4, complete = pm_scaling_complete(m);
    int64_t side = 4 * 4 * quads + 4 * n + 2 * 2 * n;
    int64_t words =
        2 * side + 4 * n + 4 * 32 + (has_masks(m) ? 4 * 16 * quads : 0) + 4 * (complete + 1) + 4;
    return 8 * (INT64_C(1) << complete) + 8 * (complete * complete + 1) + (words + 7) / 8 * 8;
}

int pm_scaling_warps(const pm_scaling_model *m)
{
    int64_t warps = SHARED / pm_scaling_warp_bytes_of(m);
    return warps < WARPS_MOST ? (int)warps : WARPS_MOST;
}

char *pm_scaling_gpu_text(const pm_scaling_model *m)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    fprintf(f,
            "#define PM_TERMS 0\n#define PM_N %d\n#define PM_MASKS %d\n#define PM_VALUES %d\n"
            "#define PM_IN_SEQUENCE %d\n#define PM_TWO_SIDES %d\n#define PM_INTERVAL %d\n"
            "#define PM_SWEEPS %d\n#define PM_COMPLETE %d\n#define PM_WARPS %d\n%s%s%s%s%s%s",
            m->lists.n, has_masks(m), m->lists.rowval != NULL, m->in_sequence, m->has_two_sides,
            m->interval, m->sweeps, pm_scaling_complete(m), pm_scaling_warps(m), pm_text_prelude,
            pm_text_words, pm_text_philox_block, pm_text_stream, pm_text_scaling_launch,
            pm_text_scalings);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- opening ---- */

static void close_devices(void *gpu)
{
    devices *d = gpu;
    pm_gpu_seats_close(&d->seats);
    free(d);
}

static pm_status furnish(devices *d, const pm_scaling_image *image, pm_error *err)
{
    pm_status rc = PM_OK;
    for (int i = 0; i < d->seats.count && !rc; ++i) {
        seat *at = &d->seat[i];
        pm_gpu_session *session = d->seats.seat[i];
        rc = pm_gpu_session_array(session, image->bytes, &at->base, err);
        if (!rc)
            rc = pm_gpu_session_put(session, at->base, image->base, image->bytes, err);
        if (!rc)
            rc = pm_gpu_session_array(session, WEIGHTS * sizeof(pm_weight), &at->weights, err);
    }
    return rc;
}

static pm_status load(devices *d, const pm_sampler *s, int gpus, pm_error *err)
{
    pm_scaling_image image = {0};
    char *text = pm_scaling_gpu_text(s->model);
    pm_status rc = text ? pm_scaling_image_make(s, &image, err) : pm_fail_memory(err, "a kernel");
    if (!rc)
        rc = pm_gpu_seats_open(text, gpus, &d->seats, err);
    if (!rc)
        rc = furnish(d, &image, err);
    d->launch = image.launch;
    free(image.base);
    free(text);
    return rc;
}

static pm_status open_devices(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                              pm_error *err)
{
    (void)run;
    const pm_scaling_model *m = s->model;
    if (m->lists.n > PM_SCALING_GPU_MOST)
        return pm_fail(err, PM_UNABLE, "the kernel of %s takes up to %d rows", s->method->name,
                       PM_SCALING_GPU_MOST);
    if (pm_scaling_complete(m) > PM_SCALING_GPU_COMPLETE)
        return pm_fail(err, PM_UNABLE, "the kernel of %s counts up to %d last rows",
                       s->method->name, PM_SCALING_GPU_COMPLETE);
    if (pm_scaling_warps(m) < 1)
        return pm_fail(err, PM_UNABLE, "%s takes more shared memory than a block has",
                       s->method->name);
    devices *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "devices");
    d->warps = pm_scaling_warps(m);
    d->shared = d->warps * pm_scaling_warp_bytes_of(m);
    pm_status rc = load(d, s, gpus, err);
    if (rc)
        close_devices(d);
    else
        *out = d;
    return rc;
}

/* ---- drawing ---- */

static pm_status start(devices *d, int i, uint64_t from, int64_t count, pm_error *err)
{
    const seat *at = &d->seat[i];
    pm_gpu_array base = at->base, weights = at->weights;
    void *arguments[] = {&d->launch, &base, &from, &count, &weights};
    return pm_gpu_session_launch(d->seats.seat[i], "pm_scaling_run",
                                 (count + d->warps - 1) / d->warps, 32 * d->warps, d->shared,
                                 arguments, err);
}

/* The samples in as many equal parts as there are seats. */
static pm_status draw(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
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

const pm_sampler_gpu pm_scaling_gpu = {
    .open = open_devices, .close = close_devices, .draw = draw, .most = WEIGHTS};
