/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "hafnian" on GPUs, for exact fields without loops: the levels of hafnian_kernel.h, one after another, for one prime at
 * a time on each device. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "algorithm/gpu_plan.h"
#include "cuda/hafnian_task.h"
#include "gpu/gpu_queue.h"
#include "gpu/gpu_use.h"
#include "hafnian/hafnian_gpu_kernel.h"
#include "hafnian/hafnian_primes.h"
#include "number/prime.h"
#include "pm/alloc.h"

enum { PARTS = 1 << 16 /* of the last sum, at most */ };

/* A warp has sets of six layers, so the kernel of the paths does its products six times. */
#define VISITS 6

/* ---- planning ---- */

/* Words of the arrays whose size grows with the pairs; k: pairs without the last one.  Paths take as much room as two functions
 * by ranks one level below. */
static double words_of(int k)
{
    return exp2(k) * (k + 2);
}

/* Multiplications of 32-bit words, or as much work, of all levels. */
static double path_work(int k)
{
    return VISITS * exp2(k + 1) * k * 2 * k;
}

/* Bytes that the sums by ranks read and write. */
static double sum_bytes(int k)
{
    const double arrays = 3. * k, passes = ceil((double)k / PM_HAFNIAN_BITS) + 2;
    return sizeof(uint32_t) * exp2(k) * arrays * passes;
}

static double seconds_of(const pm_gpu_target *target, int k)
{
    const double launches = (double)k * (k + 4 * ((double)k / PM_HAFNIAN_BITS + 1));
    return path_work(k) * PM_GPU_HAFNIAN_WORK / target->word_rate
           + 2 * sum_bytes(k) / target->memory_rate + launches * PM_GPU_STEP_SECONDS;
}

static pm_status check_job(const pm_job *job, int *primes, pm_error *err)
{
    const pm_block *b = job->block;
    *primes = 0;
    if (!job->nmoduli)
        return pm_fail(err, PM_UNABLE, "hafnian takes no real or complex entries on a GPU");
    if (job->order)
        return pm_fail(err, PM_UNABLE, "hafnian does not use an order of vertices");
    if (b->n > 2 * PM_HAFNIAN_PAIRS || b->n < 4)
        return pm_fail(err, PM_UNABLE, "hafnian takes 4 to %d vertices on a GPU, found %lld",
                       2 * PM_HAFNIAN_PAIRS, (long long)b->n);
    if (pm_hafnian_has_loops(&b->a) || b->n % 2)
        return pm_fail(err, PM_UNABLE, "hafnian takes no loops on a GPU");
    pm_status status = pm_hafnian_primes(job, primes, err);
    if (!status && *primes == 0)
        status = pm_fail(err, PM_UNABLE,
                         "hafnian: the answer has too many digits for primes of 31 bits");
    return status;
}

static pm_status check_memory(const pm_job *job, const pm_gpu_target *target, double bytes,
                              pm_error *err)
{
    double allowed;
    pm_status status = pm_gpu_expected(target->gpus, bytes, job->run, &allowed, err);
    if (!status && bytes > allowed)
        return pm_fail(err, PM_UNABLE, "hafnian needs %.3g GB of a GPU, which has %.3g",
                       bytes / 1e9, allowed / 1e9);
    return status;
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    pm_gpu_target target;
    int primes;
    const int k = (int)job->block->n / 2 - 1;
    const double bytes = sizeof(uint32_t) * words_of(k);
    pm_status status = check_job(job, &primes, err);
    if (!status)
        status = pm_gpu_target_find(job->gpus, job->rates, PM_GPU_RATES, &target, err);
    if (!status)
        status = check_memory(job, &target, bytes, err);
    char *text = status ? NULL : pm_hafnian_text(k);
    if (!status && !text)
        status = pm_fail_memory(err, "text of a kernel");
    if (status)
        return status;
    out->residues = primes;
    out->are_narrow = true;
    target.gpus = primes < target.gpus ? primes : target.gpus;
    out->pass = target.gpus;
    pm_gpu_plan_set(&target, primes * path_work(k), primes * seconds_of(&target, k), out);
    out->memory = bytes;
    out->compiling =
        pm_gpu_is_compiled(text, target.major, target.minor) ? 0 : PM_GPU_HAFNIAN_COMPILE_SECONDS;
    free(text);
    return PM_OK;
}

/* ---- one device ---- */

typedef struct {
    const pm_job *job;
    const pm_hafnian_entries *e;
    pm_gpu_session *session;
    pm_gpu_queue queue;
    pm_gpu_info info;
    pm_hafnian_task task;
    int k;                    /* pairs without the last one */
    uint64_t *matrix;         /* two of (2 k + 3)^2 numbers */
    uint32_t *words;          /* (2 k + 2)^2 */
    pm_gpu_array step, close; /* close: a row for each anchor */
    uint32_t parts[PARTS];
} device;

static pm_status open_device(int gpu, device *d, pm_error *err)
{
    const int64_t n = d->e->n, sets = INT64_C(1) << d->k, word = sizeof(uint32_t);
    pm_hafnian_task *t = &d->task;
    pm_gpu_array array[4];
    const int64_t bytes[] = {word * sets * d->k, word * sets, word * sets, word * PARTS};
    char *text = pm_hafnian_text(d->k);
    d->matrix = pm_alloc_array(2 * (n + 1) * (n + 1), sizeof *d->matrix);
    d->words = pm_alloc_array(n * n, sizeof *d->words);
    pm_status status = text && d->matrix && d->words ? pm_gpu_get_info(gpu, &d->info, err)
                                                     : pm_fail_memory(err, "hafnian");
    if (!status)
        status = pm_gpu_session_open(gpu, text, &d->session, err);
    free(text);
    d->queue = (pm_gpu_queue){.session = d->session, .pace = 1};
    if (!status)
        status = pm_gpu_session_fill(d->session, NULL, word * n * n, &d->step, err);
    if (!status)
        status = pm_gpu_session_fill(d->session, NULL, word * n * n, &d->close, err);
    for (int i = 0; i < 4 && !status; ++i)
        status = pm_gpu_session_fill(d->session, NULL, bytes[i], &array[i], err);
    if (status)
        return status;
    t->step = d->step;
    t->ends = t->ranks = array[0];
    t->cycles = array[1];
    t->counts = array[2];
    t->parts = array[3];
    return PM_OK;
}

static void close_device(device *d)
{
    pm_gpu_session_close(d->session);
    free(d->matrix);
    free(d->words);
    free(d);
}

/* A matrix of a level by columns: from[w * stride + v] becomes word v n + w. */
static pm_status put_matrix(device *d, const uint64_t *from, pm_gpu_array to, pm_error *err)
{
    const int64_t n = d->e->n, stride = n + 1;
    for (int64_t v = 0; v < n; ++v)
        for (int64_t w = 0; w < n; ++w)
            d->words[v * n + w] = (uint32_t)from[w * stride + v];
    return pm_gpu_session_put(d->session, to, d->words, n * n * (int64_t)sizeof *d->words, err);
}

/* The matrices modulo m, and the count of the empty set. */
static pm_status begin(device *d, uint64_t m, uint64_t *factor, pm_error *err)
{
    const int64_t stride = d->e->n + 1;
    const uint32_t one = 1;
    pm_hafnian_entries full = *d->e;
    pm_hafnian_level l = {.modulus = m};
    full.is_plain = false; /* the kernels have residues only */
    pm_hafnian_residues(&full, &l, d->matrix, d->matrix + stride * stride, factor);
    d->task.modulus = m;
    d->task.inverse = l.inverse;
    pm_status status = put_matrix(d, d->matrix, d->step, err);
    if (!status)
        status = put_matrix(d, d->matrix + stride * stride, d->close, err);
    return status ? status : pm_gpu_session_put(d->session, d->task.counts, &one, sizeof one, err);
}

/* A kernel for the numbers 0 .. count - 1, in launches of about PM_LAUNCH_SECONDS. */
static pm_status launch(device *d, const char *kernel, int64_t count, double seconds, pm_error *err)
{
    const double most =
        fmax(1 << 20, (double)count * PM_LAUNCH_SECONDS / fmax(seconds * d->queue.pace, 1e-9));
    const int64_t at_a_time = most < (double)count ? (int64_t)most : count;
    pm_status status = PM_OK;
    for (int64_t first = 0; first < count && !status; first += at_a_time) {
        int64_t past = count - first < at_a_time ? count : first + at_a_time;
        void *arguments[] = {&d->task, &first, &past};
        status = pm_gpu_session_launch(d->session, kernel,
                                       (past - first + PM_HAFNIAN_THREADS - 1) / PM_HAFNIAN_THREADS,
                                       PM_HAFNIAN_THREADS, 0, arguments, err);
        if (!status)
            status = pm_gpu_queue_add(&d->queue, seconds * (double)(past - first) / (double)count,
                                      d->job->run, err);
    }
    return status;
}

/* All cycles through the anchor. */
static pm_status run_paths(device *d, pm_error *err)
{
    pm_hafnian_task *t = &d->task;
    const int64_t sets = INT64_C(1) << t->anchor;
    const double work = VISITS * (double)sets * t->anchor * 2 * d->k * PM_GPU_HAFNIAN_WORK;
    pm_status status = PM_OK;
    t->close = d->close + (uint64_t)(2 * t->anchor) * (uint64_t)d->e->n * sizeof(uint32_t);
    for (t->layer = 0; t->layer <= t->anchor && !status; ++t->layer)
        status = launch(d, "pm_hafnian_paths", sets,
                        work / d->info.word_rate / (t->anchor + 1) + PM_GPU_STEP_SECONDS, err);
    return status;
}

/* arrays: so many, each of 2^anchor numbers. */
static pm_status transform(device *d, const char *kernel, int arrays, pm_error *err)
{
    pm_hafnian_task *t = &d->task;
    const double bytes = 2. * sizeof(uint32_t) * arrays * exp2(t->anchor);
    pm_status status = PM_OK;
    for (t->low = 0; t->low < t->anchor && !status; t->low += t->bits) {
        t->bits = t->anchor - t->low < PM_HAFNIAN_BITS ? t->anchor - t->low : PM_HAFNIAN_BITS;
        status = launch(d, kernel, (int64_t)arrays << (t->anchor - t->bits),
                        bytes / d->info.memory_rate + PM_GPU_STEP_SECONDS, err);
    }
    return status;
}

/* The counts of all sets with the anchor. */
static pm_status run_sums(device *d, pm_error *err)
{
    const int arrays = d->task.anchor + 1;
    const int64_t sets = INT64_C(1) << d->task.anchor;
    const double seconds =
        2. * sizeof(uint32_t) * arrays * (double)sets / d->info.memory_rate + PM_GPU_STEP_SECONDS;
    pm_status status = launch(d, "pm_hafnian_spread", sets, seconds, err);
    if (!status)
        status = transform(d, "pm_hafnian_forth", 2 * arrays, err);
    if (!status)
        status = launch(d, "pm_hafnian_multiply", sets, 3 * seconds, err);
    if (!status)
        status = transform(d, "pm_hafnian_back", arrays, err);
    return status ? status : launch(d, "pm_hafnian_pick", sets, seconds, err);
}

/* The count of all pairs. */
static pm_status run_last(device *d, uint64_t *out, pm_error *err)
{
    pm_hafnian_task *t = &d->task;
    const int64_t sets = INT64_C(1) << t->anchor;
    t->count = sets < PARTS ? (int)sets : PARTS;
    pm_status status = launch(d, "pm_hafnian_last", t->count, PM_GPU_STEP_SECONDS, err);
    if (!status)
        status = pm_gpu_session_get(d->session, d->parts, t->parts,
                                    t->count * (int64_t)sizeof *d->parts, err);
    *out = 0;
    for (int i = 0; i < t->count && !status; ++i)
        *out = (*out + d->parts[i]) % t->modulus;
    return status;
}

/* m: odd, above 1. */
static pm_status run_modulo(device *d, uint64_t m, uint64_t *residue, pm_error *err)
{
    uint64_t factor = 1, count = 0;
    pm_status status = begin(d, m, &factor, err);
    pm_gpu_queue_begin(&d->queue);
    for (int k = 0; k <= d->k && !status; ++k) {
        d->task.anchor = k;
        status = run_paths(d, err);
        if (!status)
            status = k < d->k ? run_sums(d, err) : run_last(d, &count, err);
    }
    *residue = pm_mod_mul(count, factor, m);
    return status;
}

/* ---- all primes ---- */

typedef struct {
    const pm_job *job;
    const pm_narrow_moduli *moduli;
    const pm_hafnian_entries *e;
    uint64_t *found;
    int gpus;
} work;

/* The primes gpu, gpu + gpus, ... */
static pm_status run_device(void *context, int gpu, pm_error *err)
{
    const work *w = context;
    device *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "hafnian");
    d->job = w->job;
    d->e = w->e;
    d->k = w->e->n / 2 - 1;
    pm_status status = open_device(gpu, d, err);
    for (int i = gpu; i < w->moduli->n && !status; i += w->gpus) {
        const uint64_t m = w->moduli->m[i];
        w->found[i] = 0;
        if (m > 1)
            status = run_modulo(d, m, &w->found[i], err);
        if (!status && w->moduli->are_of_job && w->job->found)
            status = w->job->found(w->job->found_context, i, 1, &w->found[i], err);
    }
    close_device(d);
    return status;
}

static pm_status run_primes(const void *context, const pm_job *job, const pm_narrow_moduli *moduli,
                            const pm_hafnian_entries *e, uint64_t *found, pm_error *err)
{
    const pm_plan *p = context;
    work w = {job, moduli, e, found, p->pass};
    return pm_gpu_on_each(w.gpus, run_device, &w, err);
}

static pm_status run(const pm_job *job, const pm_plan *p, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    (void)out;
    return pm_hafnian_residues_of(job, run_primes, p, residues, err);
}

const pm_algorithm pm_algorithm_hafnian_gpu = {
    .name = "hafnian",
    .summary = "cycles through pairs of vertices, for exact general graphs without loops, on a GPU",
    .source = "Bjorklund 2012, with paths in place of traces; src/hafnian/README.md",
    .stage = PM_STAGE_FIRST,
    .backend = PM_BACKEND_CUDA,
    .general = true,
    .plan = plan,
    .run = run};
