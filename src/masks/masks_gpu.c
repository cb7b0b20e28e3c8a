/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "frontier" for general graphs on GPUs: both levels of a step in the memory of a device, as many residues side by
 * side as it permits; the passes are divided among the devices. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "algorithm/gpu_plan.h"
#include "core/clock.h"
#include "frontier/frontier_plan.h"
#include "gpu/gpu_queue.h"
#include "gpu/gpu_use.h"
#include "masks/mask_flat.h"
#include "masks/mask_run.h"
#include "masks/mask_setup.h"
#include "masks/masks_gpu_kernel.h"
#include "pm/alloc.h"

/* The search for an order may take this many times the share of the run that it takes for a CPU: starting the device takes
 * longer. */
#define SEARCH_SHARE 3

/* A program has about half of the transitions that its order says; each reads a value, and some write one. */
#define VALUES_OF_COST 0.6

typedef struct {
    pm_mask_setup setup;
    int gpus;
    int width;    /* residues of a pass; 0: one inexact number */
    double scale; /* factor of the nominal seconds on these devices */
} masks_gpu;

static void free_plan(pm_plan *plan)
{
    masks_gpu *m = plan->state;
    if (m)
        pm_mask_setup_free(&m->setup);
    free(m);
    plan->state = NULL;
}

/* ---- planning ---- */

/* Bytes of a value: residues, or an inexact number. */
static int64_t value_bytes(const pm_job *job, int width)
{
    return job->nmoduli ? 8 * (int64_t)width : job->block->a.field == PM_COMPLEX ? 48 : 32;
}

/* Bytes on a device, nearly. */
static double bytes_of(const pm_job *job, const masks_gpu *m, int width)
{
    return pm_mask_bytes(&m->setup.program, value_bytes(job, width))
           + m->setup.program.nsteps * (double)sizeof(pm_mask_flat);
}

/* Nominal seconds of all passes on one device: bytes that are read and written. */
static double seconds_of(const pm_job *job, const masks_gpu *m)
{
    const pm_mask_program *p = &m->setup.program;
    const double values = fmax(job->nmoduli, 1);
    const double bytes = (p->transitions + p->states) * (double)value_bytes(job, 1) * values;
    const double launches = p->nsteps * ceil(values / fmax(m->width, 1));
    return bytes * PM_GPU_MASK_BYTE_SECONDS * m->scale + launches * PM_GPU_STEP_SECONDS;
}

/* Residues side by side; false when not even one fits. */
static bool choose_width(const pm_job *job, masks_gpu *m, double allowed)
{
    m->width = job->nmoduli < PM_MASK_LANES_MAX ? job->nmoduli : PM_MASK_LANES_MAX;
    const int share = (job->nmoduli + m->gpus - 1) / m->gpus; /* all devices have work */
    m->width = share < m->width ? share : m->width;
    while (m->width > 1 && bytes_of(job, m, m->width) > allowed)
        --m->width;
    return bytes_of(job, m, m->width) <= allowed;
}

static void set_plan(const pm_job *job, const pm_gpu_target *target, masks_gpu *m, pm_plan *plan)
{
    const pm_mask_program *p = &m->setup.program;
    pm_gpu_target used = *target;
    const int passes = m->width ? (job->nmoduli + m->width - 1) / m->width : 1;
    used.gpus = m->gpus = passes < m->gpus ? passes : m->gpus;
    pm_gpu_plan_set(&used, p->transitions * fmax(job->nmoduli, 1), seconds_of(job, m), plan);
    plan->memory = bytes_of(job, m, m->width);
    char *text = pm_mask_text(m->width, job->block->a.field == PM_COMPLEX ? 2 : 1);
    const bool is_compiled = text && pm_gpu_is_compiled(text, target->major, target->minor);
    free(text);
    plan->compiling = is_compiled ? 0 : PM_GPU_FRONTIER_COMPILE_SECONDS;
    plan->pass = m->width * m->gpus;
    plan->states = exp2(p->most_bits);
    plan->order_hash = pm_vertex_order_hash(&m->setup.order);
}

static pm_status make_setup(const pm_job *job, const pm_gpu_target *target, masks_gpu *m,
                            pm_error *err)
{
    double allowed;
    const double values = fmax(job->nmoduli, 1);
    const double seconds =
        values * VALUES_OF_COST * (double)value_bytes(job, 1) * PM_GPU_MASK_BYTE_SECONDS * m->scale;
    pm_status status = pm_mask_setup_make(job, SEARCH_SHARE * seconds, &m->setup, err);
    if (status || m->setup.program.is_zero)
        return status;
    const int widest = job->nmoduli < PM_MASK_LANES_MAX ? job->nmoduli : PM_MASK_LANES_MAX;
    status = pm_gpu_expected(target->gpus, bytes_of(job, m, widest), job->run, &allowed, err);
    if (!status && !choose_width(job, m, allowed))
        return pm_frontier_refuse(job, seconds_of(job, m), "", bytes_of(job, m, m->width), allowed,
                                  err);
    return status;
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    pm_gpu_target target;
    pm_status status = pm_gpu_target_find(
        job->gpus, job->rates, job->nmoduli ? PM_GPU_RATE_FRONTIER_EXACT : PM_GPU_RATE_FRONTIER,
        &target, err);
    if (!status && !target.has_compiler)
        status = pm_fail(err, PM_ENODEV,
                         "GPU: the run-time compiler of CUDA (libnvrtc.so) is not installed");
    if (status)
        return status;
    masks_gpu *m = pm_calloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "frontier");
    out->state = m;
    m->gpus = target.gpus;
    m->scale = PM_GPU_MEMORY_RATE / target.memory_rate;
    status = make_setup(job, &target, m, err);
    if (status)
        free_plan(out);
    else if (!m->setup.program.is_zero)
        set_plan(job, &target, m, out);
    return status;
}

/* ---- one device ---- */

typedef struct {
    const masks_gpu *m;
    const pm_ring *ring;
    pm_gpu_session *session;
    pm_gpu_array steps, constants, level[2];
    pm_gpu_queue queue;
    double byte_seconds;
} device;

static pm_status put_steps(device *d, pm_error *err)
{
    const pm_mask_program *p = &d->m->setup.program;
    pm_mask_flat *flat = pm_alloc_array(p->nsteps, sizeof *flat);
    if (!flat)
        return pm_fail_memory(err, "the program of a frontier");
    for (int32_t i = 0; i < p->nsteps; ++i)
        pm_mask_flatten(p, i, &flat[i]);
    pm_status status =
        pm_gpu_session_fill(d->session, flat, p->nsteps * (int64_t)sizeof *flat, &d->steps, err);
    free(flat);
    return status;
}

static pm_status open_device(int gpu, device *d, pm_error *err)
{
    pm_gpu_info info = {.memory_rate = PM_GPU_MEMORY_RATE};
    const int64_t bytes = (INT64_C(1) << d->m->setup.program.most_bits) * d->ring->value_bytes;
    char *text = pm_mask_text(d->ring->lanes, d->ring->parts);
    if (!text)
        return pm_fail_memory(err, "text of a kernel");
    pm_status status = pm_gpu_get_info(gpu, &info, err);
    if (!status)
        status = pm_gpu_session_open(gpu, text, &d->session, err);
    free(text);
    d->queue = (pm_gpu_queue){.session = d->session, .pace = 1};
    d->byte_seconds = PM_GPU_MASK_BYTE_SECONDS * PM_GPU_MEMORY_RATE / info.memory_rate;
    if (!status)
        status = put_steps(d, err);
    if (!status)
        status = pm_gpu_session_fill(d->session, d->ring->constants, d->ring->constants_bytes,
                                     &d->constants, err);
    for (int k = 0; k < 2 && !status; ++k)
        status = pm_gpu_session_fill(d->session, NULL, bytes, &d->level[k], err);
    return status;
}

/* New states first .. past - 1 of step i, as elements of the kernel. */
static pm_status launch(device *d, int32_t i, const pm_mask_flat *s, int64_t first, int64_t past,
                        pm_error *err)
{
    pm_gpu_array step = d->steps + (uint64_t)i * sizeof *s;
    void *arguments[] = {&step,  &d->constants, &d->level[i & 1], &d->level[!(i & 1)],
                         &first, &past};
    const int64_t blocks = (past - first + PM_MASK_THREADS - 1) / PM_MASK_THREADS;
    return pm_gpu_session_launch(d->session, s->is_permutation ? "pm_mask_permute" : "pm_mask_pull",
                                 blocks, PM_MASK_THREADS, 0, arguments, err);
}

static pm_status run_step(device *d, int32_t i, const pm_run *run, pm_error *err)
{
    pm_mask_flat s;
    pm_mask_flatten(&d->m->setup.program, i, &s);
    const int lanes = s.is_permutation || !d->ring->lanes ? 1 : d->ring->lanes;
    const int64_t elements = (INT64_C(1) << s.bits) * lanes;
    const double transitions = d->m->setup.program.steps[i].transitions;
    const double seconds = (transitions + (double)(INT64_C(1) << s.bits))
                           * (double)d->ring->value_bytes * d->byte_seconds;
    /* as many elements as take PM_LAUNCH_SECONDS */
    const double most =
        fmax(1e6, (double)elements * PM_LAUNCH_SECONDS / fmax(seconds * d->queue.pace, 1e-9));
    const int64_t at_a_time = most < (double)elements ? (int64_t)most : elements;
    pm_status status = PM_OK;
    for (int64_t first = 0; first < elements && !status; first += at_a_time) {
        const int64_t past = elements - first < at_a_time ? elements : first + at_a_time;
        status = launch(d, i, &s, first, past, err);
        if (!status)
            status = pm_gpu_queue_add(
                &d->queue, seconds * (double)(past - first) / (double)elements, run, err);
    }
    return status;
}

/* value: ring->value_bytes bytes. */
static pm_status run_program(device *d, const pm_run *run, void *value, pm_error *err)
{
    const pm_mask_program *p = &d->m->setup.program;
    uint64_t one[PM_MASK_LANES_MAX];
    d->ring->one(d->ring, one);
    pm_status status = pm_gpu_session_put(d->session, d->level[0], one, d->ring->value_bytes, err);
    pm_gpu_queue_begin(&d->queue);
    for (int32_t i = 0; i < p->nsteps && !status; ++i)
        status = run_step(d, i, run, err);
    return status ? status
                  : pm_gpu_session_get(d->session, value, d->level[p->nsteps & 1],
                                       d->ring->value_bytes, err);
}

/* ---- all passes ---- */

typedef struct {
    const pm_job *job;
    const masks_gpu *m;
    uint64_t *residues;
    pm_value *out;
    double *seconds; /* of the steps, on each device */
} work;

/* The pass of the moduli from number `first` on, or the only one. */
static pm_status run_pass(const work *w, int gpu, int first, int count, pm_error *err)
{
    const pm_job *job = w->job;
    pm_ring *ring;
    pm_status status =
        pm_frontier_ring(job, job->nmoduli ? job->moduli + first : NULL, count, 64, &ring, err);
    if (status)
        return status;
    device d = {.m = w->m, .ring = ring};
    void *value = pm_alloc_array(1, (size_t)ring->value_bytes);
    status = value ? open_device(gpu, &d, err) : pm_fail_memory(err, "frontier value");
    const double opened = pm_clock();
    if (!status)
        status = run_program(&d, job->run, value, err);
    w->seconds[gpu] += pm_clock() - opened;
    pm_gpu_session_close(d.session);
    if (!status)
        ring->finish(ring, value, w->m->setup.program.depth, w->out,
                     w->residues ? w->residues + first : NULL);
    if (!status && job->found)
        status = job->found(job->found_context, first, count, w->residues + first, err);
    free(value);
    ring->free(ring);
    return status;
}

/* The passes gpu, gpu + gpus, ... */
static pm_status run_device(void *context, int gpu, pm_error *err)
{
    const work *w = context;
    const int width = w->m->width, all = w->job->nmoduli;
    pm_status status = PM_OK;
    for (int first = gpu * width; first < all && !status; first += w->m->gpus * width)
        status = run_pass(w, gpu, first, all - first < width ? all - first : width, err);
    return status;
}

/* Seconds of the device that worked longest. */
static void tell_seconds(const work *w)
{
    const pm_mask_program *p = &w->m->setup.program;
    const int gpus = w->m->gpus;
    double longest = 0;
    for (int i = 0; i < gpus; ++i)
        longest = fmax(longest, w->seconds[i]);
    if (w->job->device_seconds)
        *w->job->device_seconds += longest;
    pm_run_note(w->job->run, 2,
                "frontier: %.4g seconds on %d GPU%s, passes of %.3g states of %d x %d bytes",
                longest, gpus, gpus > 1 ? "s" : "", exp2(p->most_bits),
                w->m->width ? w->m->width : 1, (int)value_bytes(w->job, 1));
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const masks_gpu *m = plan->state;
    if (m->setup.program.is_zero) {
        pm_frontier_set_zero(job, residues, out);
        return PM_OK;
    }
    work w = {job, m, job->nmoduli ? residues : NULL, out,
              pm_calloc_array(m->gpus, sizeof(double))};
    if (!w.seconds)
        return pm_fail_memory(err, "devices");
    pm_status status =
        job->nmoduli ? pm_gpu_on_each(m->gpus, run_device, &w, err) : run_pass(&w, 0, 0, 0, err);
    if (!status)
        tell_seconds(&w);
    free(w.seconds);
    return status;
}

const pm_algorithm pm_algorithm_masks_gpu = {
    .name = "frontier",
    .summary = "transfer-matrix method over the vertices of a general graph, on a GPU",
    .source = "frontier method on one set of vertices; src/masks/README.md",
    .stage = PM_STAGE_SEARCH,
    .backend = PM_BACKEND_CUDA,
    .general = true,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
