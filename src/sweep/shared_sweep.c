/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/shared_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "sweep/gpu_sweep.h"

enum { LEAST = 256 }; /* thread blocks of the first range */
/* Ranges become longer until one takes so many seconds.  A stop loses the range at work. */
#define RANGE_SECONDS 4

typedef struct {
    pm_sweep host;
    const pm_sweep_method *method;
    bool is_modular; /* the sum of the host is modulo the primes; else an integer that they give */
    int primes, width, parts;
    uint64_t *prime, *residue;
    pm_sweep *part; /* of the devices: modulo `width` primes, the last one modulo the rest */
    uint64_t block; /* indices of a thread block */
    int scale;      /* inexact: the sum of the host is 2^scale times that of the device */
    double seconds;
} problem;

static void free_problem(void *of)
{
    problem *q = of;
    for (int i = 0; q->part && i < q->parts; ++i)
        pm_sweep_free(&q->part[i]);
    pm_sweep_free(&q->host);
    free(q->part);
    free(q->prime);
    free(q->residue);
    free(q);
}

/* ---- from residues to the sum of the host ---- */

/* Of the sum in units of the host, from that in units of the permanent. */
static uint64_t host_residue(const problem *q, uint64_t residue, uint64_t prime)
{
    int64_t shift = q->host.shift;
    uint64_t two = shift > 0 ? pm_mod_inverse(2, prime) : 2;
    return pm_mod_mul(residue, pm_mod_pow(two, (uint64_t)llabs(shift), prime), prime);
}

static void take_residues(problem *q, int part, const pm_sum *sum)
{
    int first = part * q->width;
    for (int k = 0; k < q->width && first + k < q->primes; ++k)
        q->residue[first + k] =
            host_residue(q, q->method->residue(&q->part[part], sum, k), q->prime[first + k]);
}

/* As a range of the host's sum has them: each in two limbs. */
static void put_residues(const problem *q, uint64_t *limb)
{
    for (int k = 0; k < q->primes; ++k) {
        limb[2 * k] = q->residue[k];
        limb[2 * k + 1] = 0;
    }
}

/* Two's complement, lowest limb first, as a range of the host's sum has it. */
static void put_integer(const problem *q, uint64_t *limb)
{
    mpz_t sum;
    mpz_init(sum);
    pm_crt(sum, q->residue, q->prime, q->primes, true);
    mpz_fdiv_r_2exp(sum, sum, 64 * (mp_bitcnt_t)q->host.limbs);
    mpz_export(limb, NULL, -1, sizeof *limb, 0, 0, sum);
    mpz_clear(sum);
}

/* ---- ranges ---- */

static void scale_reals(const problem *q, pm_sweep_total *total)
{
    for (int k = 0; k < PM_TOTAL_REALS; ++k)
        pm_exact_sum_scale(&total->real[k], q->scale);
}

typedef struct {
    problem *q;
    pm_ledger_task *task;
    const pm_run *run;
} shared_work;

/* A part of what is done in the range from `first` to `end`, for the progress line. */
static const pm_run *part_of_run(const shared_work *w, const pm_range *r, int part, int parts,
                                 pm_run_part *out)
{
    double all = (double)(w->task->share.end - w->task->share.first);
    double share = (double)(r->end - r->first) / all / parts;
    double before = (double)pm_ledger_task_done(w->task) / all + part * share;
    return pm_run_part_of(out, w->run, before, share);
}

static pm_status sum_on_devices(const shared_work *w, const pm_range *r, pm_sweep_total *total,
                                pm_error *err)
{
    problem *q = w->q;
    pm_run_part part;
    pm_status status = PM_OK;
    pm_sweep_total_clear(total, q->host.limbs);
    for (int i = 0; i < q->parts && !status; ++i) {
        pm_sweep_total found;
        pm_sum sum;
        const pm_sweep *s = &q->part[i];
        status = pm_sweep_range_total(s, r->first, r->end, part_of_run(w, r, i, q->parts, &part),
                                      s->limbs ? &found : total, err);
        q->seconds += status ? 0 : q->method->device_seconds(s);
        if (!status && !s->limbs)
            scale_reals(q, total);
        if (status || !s->limbs)
            continue;
        pm_sweep_total_round(&found, s->limbs, &sum);
        take_residues(q, i, &sum);
    }
    if (!status && q->primes)
        (q->is_modular ? put_residues : put_integer)(q, total->limb);
    return status;
}

static pm_status sum_on_host(const shared_work *w, const pm_range *r, pm_sweep_total *total,
                             pm_error *err)
{
    pm_run_part part;
    return pm_sweep_range_total(&w->q->host, r->first, r->end, part_of_run(w, r, 0, 1, &part),
                                total, err);
}

typedef pm_status sum_function(const shared_work *w, const pm_range *r, pm_sweep_total *total,
                               pm_error *err);

static pm_status do_some(const shared_work *w, sum_function *sum, uint64_t first, uint64_t end,
                         pm_error *err)
{
    pm_sweep_total total;
    const pm_range range = {first, end};
    if (first == end)
        return PM_OK;
    pm_status status = sum(w, &range, &total, err);
    if (!status && total.failed)
        status = pm_fail_memory(err, "a range of terms");
    return status ? status : pm_ledger_task_put(w->task, first, end, total.limb, total.real, err);
}

/* The host sums up to the first thread block and from the last one on. */
static pm_status do_range(const shared_work *w, const pm_range *r, pm_error *err)
{
    uint64_t block = w->q->block, end = r->end - r->end % block;
    uint64_t first = (r->first + block - 1) / block * block;
    if (first >= end)
        return do_some(w, sum_on_host, r->first, r->end, err);
    pm_status status = do_some(w, sum_on_host, r->first, first, err);
    if (!status)
        status = do_some(w, sum_on_devices, first, end, err);
    return status ? status : do_some(w, sum_on_host, end, r->end, err);
}

static pm_status run_ranges(const pm_sweep *s, pm_ledger_task *task, const pm_run *run,
                            pm_error *err)
{
    problem *q = s->problem;
    const shared_work w = {q, task, run};
    /* a power of two, so that all its multiples end groups; less than all, so that ranks take such
     * multiples too (mpi/rank_server.c) */
    uint64_t most = LEAST * q->block;
    pm_range range;
    pm_status status = PM_OK;
    q->seconds = 0;
    while (!status && !pm_run_stopped(run) && pm_ledger_task_take(task, most, &range)) {
        double started = pm_clock();
        status = do_range(&w, &range, err);
        if (4 * most <= s->count && pm_clock() - started < RANGE_SECONDS)
            most *= 2;
    }
    if (!status && pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return status;
}

/* ---- preparing ---- */

/* Equal sweeps of the device, as few as possible. */
static void set_width(problem *q, int most)
{
    q->parts = (q->primes + most - 1) / most;
    q->width = (q->primes + q->parts - 1) / q->parts;
}

/* Primes of an integer of so many bits. */
static bool find_primes(problem *q, double bits, const pm_shared_plan *p)
{
    uint64_t prime = pm_ryser_prime_top(p->device->job, q->method);
    int most = (int)((bits + 2) / (log2((double)prime) - 1)) + 1;
    double found = 0;
    q->prime = pm_alloc_array(most, sizeof *q->prime);
    q->residue = pm_alloc_array(most, sizeof *q->residue);
    if (!q->prime || !q->residue)
        return false;
    for (; q->primes == 0 || (q->primes < most && found < bits + 2); found += log2((double)prime))
        q->prime[q->primes++] = prime = pm_prime_below(prime);
    set_width(q, p->width);
    return true;
}

static bool copy_primes(problem *q, const pm_shared_plan *p)
{
    q->prime = pm_alloc_array(p->primes, sizeof *q->prime);
    q->residue = pm_alloc_array(p->primes, sizeof *q->residue);
    if (!q->prime || !q->residue)
        return false;
    q->is_modular = true;
    q->primes = p->primes;
    memcpy(q->prime, p->prime, (size_t)p->primes * sizeof *q->prime);
    set_width(q, p->width);
    return true;
}

static bool set_primes(problem *q, double bits, const pm_shared_plan *p)
{
    q->parts = 1;
    if (p->primes)
        return copy_primes(q, p);
    return !pm_ryser_is_exact(p->device->job) || find_primes(q, bits, p);
}

static pm_status prepare_part(problem *q, int i, const pm_shared_plan *p, pm_error *err)
{
    int first = i * q->width, left = q->primes - first;
    const uint64_t *prime = q->primes ? q->prime + first : NULL;
    pm_square own = {0};
    pm_sweep *s = &q->part[i];
    pm_status status = pm_ryser_square(p->device, prime, &own, err);
    if (!status && prime)
        status = q->method->prepare_modular(&own, p->choice, prime,
                                            left < q->width ? left : q->width, s, err);
    else if (!status)
        status = q->method->prepare(&own, p->choice, s, err);
    int64_t scale = own.shift + s->shift - p->unit;
    pm_square_free(&own);
    /* the last thread block may be filled up */
    if (!status
        && (s->count < q->host.count
            || s->count - q->host.count >= pm_gpu_block_indices(s->problem)))
        return pm_fail(err, PM_UNABLE, "%s: a GPU has other indices", s->what);
    if (status || s->limbs)
        return status;
    if (llabs(scale) > PM_EXACT_SCALE)
        return pm_fail(err, PM_UNABLE, "%s: a GPU has other units", s->what);
    q->scale = (int)scale;
    return PM_OK;
}

static pm_status prepare(problem *q, double bits, const pm_shared_plan *p, pm_error *err)
{
    if (!set_primes(q, bits, p))
        return pm_fail_memory(err, "primes");
    q->part = pm_calloc_array(q->parts, sizeof *q->part);
    pm_status status = q->part ? PM_OK : pm_fail_memory(err, "sums");
    for (int i = 0; i < q->parts && !status; ++i)
        status = prepare_part(q, i, p, err);
    return status;
}

pm_status pm_shared_sweep_make(const pm_shared_plan *p, pm_sweep *host, double bits, pm_sweep *out,
                               pm_error *err)
{
    problem *q = pm_calloc_array(1, sizeof *q);
    if (!q)
        return pm_fail_memory(err, "a sum");
    q->host = *host;
    q->method = p->device->method;
    *host = (pm_sweep){0};
    pm_status status = prepare(q, bits, p, err);
    if (status) {
        free_problem(q);
        return status;
    }
    /* the kernels of all parts have the same thread blocks, or those of one are parts of another's */
    for (int i = 0; i < q->parts; ++i) {
        uint64_t block = pm_gpu_block_indices(q->part[i].problem);
        q->block = block > q->block ? block : q->block;
    }
    *out = q->host;
    out->rounding = fmax(out->rounding, q->part[0].rounding);
    out->lost = fmax(out->lost, q->part[0].lost);
    out->sampled |= q->part[0].sampled;
    out->problem = q;
    out->range = NULL;
    out->run = run_ranges;
    out->free_problem = free_problem;
    return PM_OK;
}

double pm_shared_sweep_seconds(const pm_sweep *s)
{
    return ((const problem *)s->problem)->seconds;
}

const pm_sweep *pm_shared_sweep_host(const pm_sweep *s)
{
    return &((const problem *)s->problem)->host;
}
