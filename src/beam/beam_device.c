/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/beam_device.h"

#include <stdlib.h>

#include "gpu/gpu_queue.h"
#include "pm/alloc.h"
#include "sampler/weight.h"

enum { BLOCKS = 4 /* on a multiprocessor at a time */ };

struct pm_beam_device {
    const pm_beam_flat *flat;
    pm_gpu_session *session;
    pm_beam_ground ground;
    pm_beam_desk *desks; /* here */
    uint64_t *start;     /* here: [run][step] */
    int resident;        /* blocks */
    pm_gpu_queue queue;
};

/* ---- opening ---- */

static pm_status load(int device, pm_beam_device *d, pm_error *err)
{
    pm_gpu_info info;
    char *text = pm_beam_text(d->flat->words);
    if (!text)
        return pm_fail_memory(err, "text of a kernel");
    pm_status rc = pm_gpu_look(device, &info, err);
    if (!rc) {
        d->resident = BLOCKS * info.multiprocessors;
        rc = pm_gpu_session_open(device, text, &d->session, err);
    }
    d->queue = (pm_gpu_queue){.session = d->session, .pace = 1};
    free(text);
    return rc;
}

/* An array of the device, filled unless from is NULL. */
static pm_status array(pm_beam_device *d, int64_t bytes, const void *from, unsigned long long *out,
                       pm_error *err)
{
    pm_gpu_array at;
    pm_status rc = pm_gpu_session_array(d->session, bytes > 0 ? bytes : 8, &at, err);
    if (!rc && from && bytes > 0)
        rc = pm_gpu_session_put(d->session, at, from, bytes, err);
    if (!rc)
        *out = at;
    return rc;
}

static pm_status make_arrays(pm_beam_device *d, int runs, pm_error *err)
{
    const pm_beam_flat *f = d->flat;
    pm_beam_ground *g = &d->ground;
    int64_t lists = runs * f->room * 8;
    *g = (pm_beam_ground){.room = f->room, .nsteps = f->nsteps, .keep = f->keep};
    pm_status rc = array(d, f->nsteps * (int64_t)sizeof *f->steps, f->steps, &g->steps, err);
    if (!rc)
        rc = array(d, f->nopen * (int64_t)sizeof *f->open, f->open, &g->open, err);
    if (!rc)
        rc = array(d, f->ndead * (int64_t)sizeof *f->dead, f->dead, &g->dead, err);
    if (!rc)
        rc = array(d, runs * f->nsteps * (int64_t)sizeof *d->start, NULL, &g->start, err);
    if (!rc)
        rc = array(d, runs * (int64_t)sizeof *d->desks, NULL, &g->desks, err);
    if (!rc)
        rc = array(d, runs * (int64_t)sizeof(pm_beam_part) * PM_BEAM_BLOCKS, NULL, &g->parts, err);
    if (!rc)
        rc = array(d, 2 * lists * f->words, NULL, &g->keys, err);
    if (!rc)
        rc = array(d, 3 * lists, NULL, &g->weights, err);
    return rc;
}

pm_status pm_beam_device_open(int device, const pm_beam_flat *f, int runs, pm_beam_device **out,
                              pm_error *err)
{
    pm_status rc = PM_OK;
    pm_beam_device *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "a device");
    d->flat = f;
    d->desks = pm_alloc_array(runs, sizeof *d->desks);
    d->start = pm_calloc_array(runs * f->nsteps, sizeof *d->start);
    if (!d->desks || !d->start)
        rc = pm_fail_memory(err, "runs of a beam");
    if (!rc)
        rc = load(device, d, err);
    if (!rc)
        rc = make_arrays(d, runs, err);
    if (rc)
        pm_beam_device_close(d);
    else
        *out = d;
    return rc;
}

void pm_beam_device_close(pm_beam_device *d)
{
    if (!d)
        return;
    pm_gpu_session_close(d->session);
    free(d->desks);
    free(d->start);
    free(d);
}

/* ---- running ---- */

typedef struct {
    pm_beam_device *d;
    const pm_run *run;
    int runs;
} drawing;

static pm_status launch(void *context, const pm_beam_launch *l, double seconds, pm_error *err)
{
    drawing *w = context;
    pm_beam_launch at = *l;
    void *arguments[] = {&w->d->ground, &at.step, &at.steps, &at.parity, &at.blocks};
    pm_status rc = pm_gpu_session_launch(w->d->session, l->kernel, (int64_t)l->blocks * w->runs,
                                         PM_BEAM_THREADS, 0, arguments, err);
    return rc ? rc : pm_gpu_queue_add(&w->d->queue, seconds, w->run, err);
}

static pm_status put_starts(pm_beam_device *d, const pm_sampler *s, uint64_t from, int count,
                            pm_error *err)
{
    const pm_beam_flat *f = d->flat;
    for (int r = 0; r < count; ++r)
        for (int64_t t = 0; t < f->nsteps; ++t)
            if (f->steps[t].limit >= 0)
                d->start[r * f->nsteps + t] = pm_beam_start_of(s, from + (uint64_t)r, t);
    return pm_gpu_session_put(d->session, d->ground.start, d->start,
                              count * f->nsteps * (int64_t)sizeof *d->start, err);
}

pm_status pm_beam_device_draw(pm_beam_device *d, const pm_sampler *s, uint64_t from, int count,
                              const pm_run *run, pm_weight *out, pm_error *err)
{
    const pm_beam_model *m = s->model;
    drawing w = {.d = d, .run = run, .runs = count};
    int parity;
    pm_status rc = put_starts(d, s, from, count, err);
    pm_gpu_queue_begin(&d->queue);
    if (!rc)
        rc = pm_beam_flat_run(d->flat, count, d->resident, launch, &w, &parity, err);
    if (!rc)
        rc = pm_gpu_session_get(d->session, d->desks, d->ground.desks,
                                count * (int64_t)sizeof *d->desks, err);
    for (int r = 0; r < count && !rc; ++r)
        out[r] = pm_weight_make(d->desks[r].value, m->plan.exp + d->desks[r].exp);
    return rc;
}
