/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every GPU draws an equal part of the samples of a call, all of them at the same time.  A run is
 * one sample and has the same bits as in beam/beam.c. */
#include "config.h"

#include "beam/beam_gpu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "beam/beam_gpu_kernel.h"
#include "core/size.h"
#include "gpu/gpu_queue.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"
#include "sampler/weight.h"

#define ENOUGH_BYTES 0x1p30 /* memory of concurrent runs that is enough to keep a GPU busy */
enum {
    MAX_RUNS = 512, /* at the same time on a GPU */
    BLOCKS = 4      /* at the same time on a multiprocessor */
};

/* Concurrent runs on one device. */
typedef struct {
    const pm_beam_kernel_data *data;
    pm_gpu_session *session;
    pm_beam_buffers buffers;
    pm_beam_run_state *run_states; /* on the host: [run] */
    uint64_t *thin_offset;         /* on the host: [run][step] */
    int resident;                  /* thread blocks that run at the same time */
    pm_gpu_queue queue;
} device;

/* ---- opening a device ---- */

static pm_status load(int gpu, device *d, pm_error *err)
{
    pm_gpu_info info;
    char *text = pm_beam_text(d->data->words);
    if (!text)
        return pm_fail_memory(err, "text of a kernel");
    pm_status status = pm_gpu_get_info(gpu, &info, err);
    if (!status) {
        d->resident = BLOCKS * info.multiprocessors;
        status = pm_gpu_session_open(gpu, text, &d->session, err);
    }
    d->queue = (pm_gpu_queue){.session = d->session, .pace = 1};
    free(text);
    return status;
}

static pm_status allocate(device *d, int runs, pm_error *err)
{
    const pm_beam_kernel_data *f = d->data;
    pm_beam_buffers *g = &d->buffers;
    int64_t lists = runs * f->room * 8;
    *g = (pm_beam_buffers){.room = f->room, .nsteps = f->nsteps, .keep = f->keep};
    const struct {
        const void *from;
        int64_t bytes;
        unsigned long long *to;
    } arrays[] = {
        {f->steps, f->nsteps * (int64_t)sizeof *f->steps, &g->steps},
        {f->factor, f->nfactors * (int64_t)sizeof *f->factor, &g->factors},
        {f->conflict, f->nconflicts * (int64_t)sizeof *f->conflict, &g->conflicts},
        {NULL, runs * f->nsteps * (int64_t)sizeof *d->thin_offset, &g->thin_offsets},
        {NULL, runs * (int64_t)sizeof *d->run_states, &g->run_states},
        {NULL, runs * (int64_t)sizeof(pm_beam_fixed) * PM_BEAM_BLOCKS, &g->parts},
        {NULL, 2 * lists * f->words, &g->keys},
        {NULL, 3 * lists, &g->weights},
    };
    pm_status status = PM_OK;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !status; ++i) {
        pm_gpu_array at = 0;
        status = pm_gpu_session_fill(d->session, arrays[i].from, arrays[i].bytes, &at, err);
        *arrays[i].to = at;
    }
    return status;
}

static void close_device(device *d)
{
    if (!d)
        return;
    pm_gpu_session_close(d->session);
    free(d->run_states);
    free(d->thin_offset);
    free(d);
}

/* *out = a device with buffers for `runs` concurrent runs.  f must outlive it. */
static pm_status open_device(int gpu, const pm_beam_kernel_data *f, int runs, device **out,
                             pm_error *err)
{
    pm_status status = PM_OK;
    device *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "a device");
    d->data = f;
    d->run_states = pm_alloc_array(runs, sizeof *d->run_states);
    d->thin_offset = pm_calloc_array(runs * f->nsteps, sizeof *d->thin_offset);
    if (!d->run_states || !d->thin_offset)
        status = pm_fail_memory(err, "runs of a beam");
    if (!status)
        status = load(gpu, d, err);
    if (!status)
        status = allocate(d, runs, err);
    if (status)
        close_device(d);
    else
        *out = d;
    return status;
}

/* ---- samples of one device ---- */

typedef struct {
    device *d;
    const pm_run *run;
    int runs;
} drawing;

static pm_status launch(void *context, const pm_beam_launch *l, double seconds, pm_error *err)
{
    drawing *w = context;
    pm_beam_launch at = *l;
    void *arguments[] = {&w->d->buffers, &at.step, &at.steps, &at.parity, &at.blocks};
    pm_status status = pm_gpu_session_launch(w->d->session, l->kernel, (int64_t)l->blocks * w->runs,
                                             PM_BEAM_THREADS, 0, arguments, err);
    return status ? status : pm_gpu_queue_add(&w->d->queue, seconds, w->run, err);
}

static pm_status put_thin_offsets(device *d, const pm_sampler *s, uint64_t from, int count,
                                  pm_error *err)
{
    const pm_beam_kernel_data *f = d->data;
    for (int r = 0; r < count; ++r)
        for (int64_t t = 0; t < f->nsteps; ++t)
            if (f->steps[t].limit >= 0)
                d->thin_offset[r * f->nsteps + t] =
                    pm_beam_thin_offset_of(s, from + (uint64_t)r, t);
    return pm_gpu_session_put(d->session, d->buffers.thin_offsets, d->thin_offset,
                              count * f->nsteps * (int64_t)sizeof *d->thin_offset, err);
}

/* Weights of samples from .. from + count - 1, count at most the `runs` of open_device. */
static pm_status draw_on_device(device *d, const pm_sampler *s, uint64_t from, int count,
                                const pm_run *run, pm_weight *out, pm_error *err)
{
    const pm_beam_model *m = s->model;
    drawing w = {.d = d, .run = run, .runs = count};
    int parity;
    pm_status status = put_thin_offsets(d, s, from, count, err);
    pm_gpu_queue_begin(&d->queue);
    if (!status)
        status = pm_beam_launch_all(d->data, count, d->resident, launch, &w, &parity, err);
    if (!status)
        status = pm_gpu_session_get(d->session, d->run_states, d->buffers.run_states,
                                    count * (int64_t)sizeof *d->run_states, err);
    for (int r = 0; r < count && !status; ++r)
        out[r] = pm_weight_make(d->run_states[r].value, m->plan.exp + d->run_states[r].exp);
    return status;
}

/* ---- all devices ---- */

typedef struct {
    pm_beam_kernel_data data;
    int gpus, runs; /* concurrent runs on each GPU */
    device *device[];
} beam_gpu;

static void beam_close(void *gpu)
{
    beam_gpu *b = gpu;
    for (int i = 0; i < b->gpus; ++i)
        close_device(b->device[i]);
    pm_beam_kernel_data_free(&b->data);
    free(b);
}

/* Sets b->runs from the memory that may be used. */
static pm_status choose_runs(const pm_run *run, const pm_sampler *s, beam_gpu *b, pm_error *err)
{
    const pm_beam_model *m = s->model;
    double allowed, each = pm_beam_run_bytes(&b->data);
    pm_status status = pm_gpu_allowed(b->gpus, run, &allowed, err);
    if (status)
        return status;
    double fit = floor((allowed - pm_beam_kernel_data_bytes(&b->data)) / each);
    if (fit < 1)
        return pm_fail(err, PM_UNABLE, "beam with %lld states needs %s on a GPU; allowed are %s",
                       (long long)m->keep, pm_size(pm_beam_kernel_data_bytes(&b->data) + each).s,
                       pm_size(allowed).s);
    b->runs = (int)fmin(fmin(fit, fmax(ENOUGH_BYTES / each, 1)), MAX_RUNS);
    return PM_OK;
}

static pm_status open_one(void *context, int gpu, pm_error *err)
{
    beam_gpu *b = context;
    return open_device(gpu, &b->data, b->runs, &b->device[gpu], err);
}

static pm_status beam_open(const pm_sampler *s, int gpus, const pm_run *run, void **out,
                           pm_error *err)
{
    beam_gpu *b = pm_calloc_array((int64_t)sizeof *b + gpus * (int64_t)sizeof *b->device, 1);
    if (!b)
        return pm_fail_memory(err, "a beam");
    b->gpus = gpus;
    pm_status status = pm_beam_kernel_data_make(s->model, &b->data, err);
    if (!status)
        status = choose_runs(run, s, b, err);
    if (!status)
        status = pm_gpu_on_each(gpus, open_one, b, err);
    if (status)
        beam_close(b);
    else
        *out = b;
    return status;
}

/* Samples from .. from + count - 1 on all devices. */
typedef struct {
    const pm_sampler *sampler;
    const beam_gpu *beam;
    const pm_run *run;
    uint64_t from;
    int64_t count;
    pm_weight *out;
} draw;

static pm_status draw_on_one(void *context, int gpu, pm_error *err)
{
    const draw *w = context;
    int64_t each = (w->count + w->beam->gpus - 1) / w->beam->gpus, at = gpu * each;
    int64_t runs = w->count - at < each ? w->count - at : each;
    assert(each <= w->beam->runs);
    return runs <= 0 ? PM_OK
                     : draw_on_device(w->beam->device[gpu], w->sampler, w->from + (uint64_t)at,
                                      (int)runs, w->run, w->out + at, err);
}

static pm_status beam_draw(const pm_sampler *s, void *gpu, uint64_t from, int64_t count,
                           const pm_run *run, pm_weight *out, pm_error *err)
{
    const pm_beam_model *m = s->model;
    draw w = {s, gpu, run, from, count, out};
    if (!m->plan.has_empty_line)
        return pm_gpu_on_each(w.beam->gpus, draw_on_one, &w, err);
    for (int64_t i = 0; i < count; ++i)
        out[i] = (pm_weight){0};
    return PM_OK;
}

static int64_t beam_max_samples(const void *gpu)
{
    const beam_gpu *b = gpu;
    return (int64_t)b->gpus * b->runs;
}

const pm_sampler_gpu pm_beam_gpu = {
    .open = beam_open,
    .close = beam_close,
    .draw = beam_draw,
    .max_samples = beam_max_samples,
};
