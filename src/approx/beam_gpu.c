/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs go side by side on a card, as many on each card.  A run is one sample wherever it runs, and its
 * bits are those of approx/beam.c. */
#include "config.h"

#include "approx/beam_gpu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "approx/beam_device.h"
#include "core/size.h"
#include "gpu/gpu.h"
#include "pm/alloc.h"

#define RESERVE (INT64_C(512) << 20) /* bytes left to the driver and to other programs */
#define AMPLE   0x1p30               /* bytes of runs side by side that keep a card busy */
enum { RUNS_MOST = 512 /* side by side on a card */ };

typedef struct {
    pm_beam_flat flat;
    int gpus, width; /* runs side by side on each */
    pm_beam_device *device[];
} beam_gpu;

static void beam_close(void *gpu)
{
    beam_gpu *b = gpu;
    for (int i = 0; i < b->gpus; ++i)
        pm_beam_device_close(b->device[i]);
    pm_beam_flat_free(&b->flat);
    free(b);
}

static pm_status find_width(const pm_run *run, const pm_sampler *s, beam_gpu *b, pm_error *err)
{
    const pm_beam_model *m = s->model;
    int64_t available;
    pm_status rc = pm_gpu_free_memory(b->gpus, &available, err);
    if (rc)
        return rc;
    double allowed = (double)(available - RESERVE), each = pm_beam_run_bytes(&b->flat);
    if (run && run->max_memory > 0)
        allowed = fmin(allowed, (double)run->max_memory);
    double fit = floor((allowed - pm_beam_flat_bytes(&b->flat)) / each);
    if (fit < 1)
        return pm_fail(err, PM_UNABLE, "beam with %lld states needs %s on a GPU; allowed are %s",
                       (long long)m->keep, pm_size(pm_beam_flat_bytes(&b->flat) + each).s,
                       pm_size(fmax(allowed, 0)).s);
    b->width = (int)fmin(fmin(fit, fmax(AMPLE / each, 1)), RUNS_MOST);
    return PM_OK;
}

static pm_status beam_open(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                           pm_error *err)
{
    beam_gpu *b = pm_calloc_array((int64_t)sizeof *b + gpus * (int64_t)sizeof *b->device, 1);
    if (!b)
        return pm_fail_memory(err, "a beam");
    b->gpus = gpus;
    pm_status rc = pm_beam_flat_make(s->model, &b->flat, err);
    if (!rc)
        rc = find_width(run, s, b, err);
    for (int i = 0; i < gpus && !rc; ++i)
        rc = pm_beam_device_open(i, &b->flat, b->width, &b->device[i], err);
    if (rc)
        beam_close(b);
    else
        *out = b;
    return rc;
}

/* As many runs on each device, a thread a device.  The first failure is told. */
static pm_status beam_draw(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                           const pm_run *run, pm_weight *out, pm_error *err)
{
    const beam_gpu *b = gpu;
    const pm_beam_model *m = s->model;
    pm_status rc = PM_OK;
    if (m->plan.is_void) {
        for (int64_t i = 0; i < count; ++i)
            out[i] = (pm_weight){0};
        return PM_OK;
    }
    int64_t group = (count + b->gpus - 1) / b->gpus;
    assert(group <= b->width);
#pragma omp parallel for num_threads(b->gpus) schedule(static, 1)
    for (int i = 0; i < b->gpus; ++i) {
        pm_error why;
        int64_t at = i * group, runs = count - at < group ? count - at : group;
        if (runs <= 0)
            continue;
        pm_status mine = pm_beam_device_draw(b->device[i], s, from + (uint64_t)at, (int)runs, run,
                                             out + at, &why);
#pragma omp critical(pm_beam_gpu)
        if (mine && !rc) {
            rc = mine;
            if (err)
                *err = why;
        }
    }
    return rc;
}

static int64_t beam_most(const void *gpu)
{
    const beam_gpu *b = gpu;
    return (int64_t)b->gpus * b->width;
}

const pm_sampler_gpu pm_beam_on_gpu = {
    .open = beam_open,
    .close = beam_close,
    .draw = beam_draw,
    .most = beam_most,
};
