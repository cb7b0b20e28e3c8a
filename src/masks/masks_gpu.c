/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "frontier" for general graphs on GPUs: the states in the memory of a device, as many residues side by
 * side as it permits; the passes are divided among the devices. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "algorithm/gpu_plan.h"
#include "core/clock.h"
#include "frontier/frontier_passes.h"
#include "gpu/gpu_queue.h"
#include "gpu/gpu_use.h"
#include "masks/mask_run.h"
#include "masks/mask_setup.h"
#include "masks/masks_gpu_kernel.h"
#include "pm/alloc.h"

/* The search for an order may take this many times the share of the run that it takes for a CPU: starting the device takes
 * longer. */
#define SEARCH_SHARE 3

/* Values that a program reads and writes, for each of its order's cost: 0.2 to 0.4, with loops 0.5 to 0.8. */
#define VALUES_OF_COST 0.4

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
static double bytes_of(const masks_gpu *m, int64_t value_bytes)
{
    return pm_mask_bytes(&m->setup.program, value_bytes)
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
    while (m->width > 1 && bytes_of(m, value_bytes(job, m->width)) > allowed)
        --m->width;
    return bytes_of(m, value_bytes(job, m->width)) <= allowed;
}

static void set_plan(const pm_job *job, const pm_gpu_target *target, masks_gpu *m, pm_plan *plan)
{
    const pm_mask_program *p = &m->setup.program;
    pm_gpu_target used = *target;
    const int passes = m->width ? (job->nmoduli + m->width - 1) / m->width : 1;
    used.gpus = m->gpus = passes < m->gpus ? passes : m->gpus;
    pm_gpu_plan_set(&used, p->transitions * fmax(job->nmoduli, 1), seconds_of(job, m), plan);
    plan->memory = bytes_of(m, value_bytes(job, m->width));
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
    status = pm_gpu_expected(target->gpus, bytes_of(m, value_bytes(job, widest)), job->run,
                             &allowed, err);
    if (!status && !choose_width(job, m, allowed))
        return pm_frontier_refuse(job, seconds_of(job, m), "",
                                  bytes_of(m, value_bytes(job, m->width)), allowed, err);
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
    pm_gpu_array steps, constants, states;
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
        pm_mask_flatten(&p->steps[i], &flat[i]);
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
    if (!status)
        status = pm_gpu_session_fill(d->session, NULL, bytes, &d->states, err);
    return status;
}

/* Elements first .. past - 1 of those of step i. */
static pm_status launch(device *d, int32_t i, const pm_mask_flat *s, int64_t first, int64_t past,
                        pm_error *err)
{
    pm_gpu_array step = d->steps + (uint64_t)i * sizeof *s;
    void *arguments[] = {&step, &d->constants, &d->states, &first, &past};
    const int64_t blocks = (past - first + PM_MASK_THREADS - 1) / PM_MASK_THREADS;
    return pm_gpu_session_launch(d->session, s->is_exchange ? "pm_mask_exchange" : "pm_mask_sum",
                                 blocks, PM_MASK_THREADS, 0, arguments, err);
}

/* A stop comes after the step: it would leave no complete states. */
static pm_status run_step(void *context, int32_t i, pm_error *err)
{
    device *d = context;
    const pm_mask_step *step = &d->m->setup.program.steps[i];
    pm_mask_flat s;
    pm_mask_flatten(step, &s);
    const int lanes = d->ring->lanes ? d->ring->lanes : 1;
    const int64_t elements = (INT64_C(1) << s.bits) * lanes;
    const double seconds = (pm_mask_step_reads(step) + pm_mask_step_states(step))
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
                &d->queue, seconds * (double)(past - first) / (double)elements, NULL, err);
    }
    return status;
}

static pm_status begin(void *context, pm_error *err)
{
    device *d = context;
    uint64_t one[PM_MASK_LANES_MAX];
    d->ring->one(d->ring, one);
    return pm_gpu_session_put(d->session, d->states, one, d->ring->value_bytes, err);
}

static pm_status take_bytes(void *context, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    const device *d = context;
    return pm_gpu_session_put(d->session, d->states + at, buffer, (int64_t)count, err);
}

static pm_status give_bytes(void *context, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    const device *d = context;
    return pm_gpu_session_get(d->session, buffer, d->states + at, (int64_t)count, err);
}

static pm_status read_states(void *context, int64_t states, pm_frontier_pass *pass, int32_t *first,
                             pm_error *err)
{
    device *d = context;
    const int64_t size = pm_frontier_pass_stored_bytes(pass, d->ring->value_bytes);
    return pm_frontier_pass_load(pass, states * size, take_bytes, d, first, err);
}

static pm_status write_states(void *context, int64_t states, pm_frontier_pass *pass, int32_t step,
                              bool stops, pm_error *err)
{
    device *d = context;
    const double bytes = (double)(states * d->ring->value_bytes);
    return pm_frontier_pass_store(pass, step, bytes, stops, give_bytes, d, err);
}

/* ---- all passes ---- */

typedef struct {
    const masks_gpu *m;
    double *seconds; /* of the steps, on each device */
} work;

static int lanes_of(const void *engine, int left)
{
    const work *w = engine;
    return left < w->m->width ? left : w->m->width;
}

static double engine_bytes(const void *engine, int64_t value_bytes)
{
    const work *w = engine;
    return bytes_of(w->m, value_bytes);
}

/* value: ring->value_bytes bytes. */
static pm_status run_pass(const pm_job *job, const void *engine, int gpu, const pm_ring *ring,
                          pm_frontier_pass *pass, double done, double share, void *value,
                          pm_error *err)
{
    const work *w = engine;
    const pm_mask_program *p = &w->m->setup.program;
    pm_run quiet = {0};
    const pm_run *run = job->run;
    device d = {.m = w->m, .ring = ring};
    const pm_mask_engine steps = {&d, begin, read_states, write_states, run_step};
    if (run && gpu > 0) { /* progress comes from one thread */
        quiet = *run;
        quiet.progress = NULL;
        run = &quiet;
    }
    pm_status status = open_device(gpu, &d, err);
    const double opened = pm_clock();
    pm_gpu_queue_begin(&d.queue);
    if (!status)
        status = pm_mask_run_steps(p, &steps, pass, run, done, share, err);
    if (!status)
        status =
            pm_gpu_session_get(d.session, value, d.states + (uint64_t)(p->last * ring->value_bytes),
                               ring->value_bytes, err);
    w->seconds[gpu] += pm_clock() - opened;
    pm_gpu_session_close(d.session);
    return status;
}

/* Seconds of the device that worked longest. */
static void tell_seconds(const pm_job *job, const work *w)
{
    const masks_gpu *m = w->m;
    double longest = 0;
    for (int i = 0; i < m->gpus; ++i)
        longest = fmax(longest, w->seconds[i]);
    if (job->device_seconds)
        *job->device_seconds += longest;
    pm_run_note(job->run, 2,
                "frontier: %.4g seconds on %d GPU%s, passes of %.3g states of %d x %d bytes",
                longest, m->gpus, m->gpus > 1 ? "s" : "", exp2(m->setup.program.most_bits),
                m->width ? m->width : 1, (int)value_bytes(job, 1));
}

static pm_status run_passes(const pm_job *job, const work *w, uint64_t *residues, pm_value *out,
                            pm_error *err)
{
    const masks_gpu *m = w->m;
    pm_pass_engine passes = {.engine = w,
                             .depth = m->setup.program.depth,
                             .workers = job->nmoduli ? m->gpus : 1,
                             .most_lanes = PM_MASK_LANES_MAX,
                             .any_lanes = true,
                             .lanes = lanes_of,
                             .bytes = engine_bytes,
                             .run = run_pass};
    pm_status status = pm_mask_setup_store(job, &m->setup, &passes.states, err);
    if (!status && passes.states.store)
        status = pm_gpu_allowed(m->gpus, job->run, &passes.memory, err);
    return status ? status : pm_frontier_passes_run(job, &passes, residues, out, err);
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const masks_gpu *m = plan->state;
    if (m->setup.program.is_zero) {
        pm_frontier_set_zero(job, residues, out);
        return PM_OK;
    }
    work w = {m, pm_calloc_array(m->gpus, sizeof(double))};
    if (!w.seconds)
        return pm_fail_memory(err, "devices");
    pm_status status = run_passes(job, &w, residues, out, err);
    if (!status)
        tell_seconds(job, &w);
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
