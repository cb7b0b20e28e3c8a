/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs go side by side on a card, as many on each card.  A run is one sample wherever it runs, and
 * its bits are those of beam/beam.c. */
#include "config.h"

#include "beam/beam_gpu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "beam/beam_device.h"
#include "core/size.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

#define AMPLE 0x1p30 /* bytes of runs side by side that keep a card busy */
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
    double allowed, each = pm_beam_run_bytes(&b->flat);
    pm_status rc = pm_gpu_allowed(b->gpus, run, &allowed, err);
    if (rc)
        return rc;
    double fit = floor((allowed - pm_beam_flat_bytes(&b->flat)) / each);
    if (fit < 1)
        return pm_fail(err, PM_UNABLE, "beam with %lld states needs %s on a GPU; allowed are %s",
                       (long long)m->keep, pm_size(pm_beam_flat_bytes(&b->flat) + each).s,
                       pm_size(allowed).s);
    b->width = (int)fmin(fmin(fit, fmax(AMPLE / each, 1)), RUNS_MOST);
    return PM_OK;
}

static pm_status open_one(void *context, int gpu, pm_error *err)
{
    beam_gpu *b = context;
    return pm_beam_device_open(gpu, &b->flat, b->width, &b->device[gpu], err);
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
    if (!rc)
        rc = pm_gpu_on_each(gpus, open_one, b, err);
    if (rc)
        beam_close(b);
    else
        *out = b;
    return rc;
}

/* Samples from .. from + count - 1, as many on each device. */
typedef struct {
    const pm_sampler *sampler;
    const beam_gpu *beam;
    const pm_run *run;
    uint64_t from;
    int64_t count;
    pm_weight *out;
} draw;

static pm_status draw_one(void *context, int gpu, pm_error *err)
{
    const draw *w = context;
    int64_t each = (w->count + w->beam->gpus - 1) / w->beam->gpus, at = gpu * each;
    int64_t runs = w->count - at < each ? w->count - at : each;
    assert(each <= w->beam->width);
    return runs <= 0 ? PM_OK
                     : pm_beam_device_draw(w->beam->device[gpu], w->sampler, w->from + (uint64_t)at,
                                           (int)runs, w->run, w->out + at, err);
}

static pm_status beam_draw(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                           const pm_run *run, pm_weight *out, pm_error *err)
{
    const pm_beam_model *m = s->model;
    draw w = {s, gpu, run, from, count, out};
    if (!m->plan.is_void)
        return pm_gpu_on_each(w.beam->gpus, draw_one, &w, err);
    for (int64_t i = 0; i < count; ++i)
        out[i] = (pm_weight){0};
    return PM_OK;
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
