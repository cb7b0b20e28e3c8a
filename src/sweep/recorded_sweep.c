/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/recorded_sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "sweep/prime_sweeps.h"
#include "sweep/ryser_plan.h"
#include "sweep/shared_sweep.h"
#include "sweep/sum_bits.h"

/* The first numbers of a plan; those of the method follow. */
enum { TRANSPOSED, TOP, WIDTH, NUMBERS };

bool pm_recorded_method_has_plans(const pm_sweep_method *method)
{
    return method->restore && !method->host;
}

const pm_sweep_method *pm_recorded_method(const pm_sweep_method *method)
{
    return method->host ? method->host : method;
}

/* ---- a new plan ---- */

static void put_plan(const pm_ryser_setup *of, const pm_sweep_method *host, const void *choice,
                     pm_ledger_plan *p)
{
    pm_ryser_setup lowered = *of, *w = &lowered;
    const pm_sweep_method *m = w->method;
    pm_ryser_setup_lower(w);
    snprintf(p->name, sizeof p->name, "%s", host->name);
    p->number[TRANSPOSED] = w->transposed;
    p->number[TOP] = (int64_t)w->top;
    p->number[WIDTH] = w->width;
    p->count = NUMBERS + (m->describe ? m->describe(choice, p->number + NUMBERS) : 0);
}

/* Parts of one run may be done on machines with and without GPUs: then all of them make the same plan.  But inexact
 * numbers keep the plan that a run without parts has, because the digits depend on it. */
static bool is_for_all(const pm_job *job)
{
    return pm_ledger_is_part(job->scope.ledger) && job->backend == PM_BACKEND_AUTO
           && pm_ryser_is_exact(job);
}

/* The plan of the host, which follows from the job alone. */
static pm_status plan_host(const pm_ryser_setup *x, const pm_sweep_method *host, pm_ledger_plan *p,
                           pm_error *err)
{
    pm_ryser_state *state;
    pm_plan plan = {.algorithm = NULL};
    pm_job alone = *x->job;
    alone.rival = INFINITY;
    alone.shortest = 0;
    if (is_for_all(x->job)) { /* not those of this machine */
        alone.rates = &pm_rates_nominal;
        alone.searched = NULL;
    }
    pm_status status = pm_ryser_measure(&alone, host, &plan, &state, err);
    if (status)
        return status;
    pm_ryser_setup w = pm_ryser_setup_make(x->job, host, state->transposed);
    if (is_for_all(x->job)) {
        pm_ryser_setup_widen(&w);
    } else if (host->primes) { /* as the device takes them */
        w.top = x->top;
        w.width = x->width;
    }
    put_plan(&w, host, state->choice, p);
    free(state);
    return PM_OK;
}

static pm_status find_plan(const pm_ryser_setup *x, const void *choice, const pm_sweep_method *host,
                           pm_ledger_plan *p, pm_error *err)
{
    const pm_ledger_scope *scope = &x->job->scope;
    pm_status status = PM_OK;
    if (!scope->ledger || !pm_recorded_method_has_plans(host))
        return pm_fail(err, PM_UNABLE, "its sums are recorded as they are");
    if (pm_ledger_get_plan(scope, p) && strcmp(p->name, host->name) == 0 && p->count >= NUMBERS)
        return PM_OK;
    *p = (pm_ledger_plan){.count = 0};
    /* a method of another name may not be able to follow the plan of the host */
    const bool is_common = is_for_all(x->job) && strcmp(x->method->name, host->name) == 0;
    if (!is_common && (x->method == host || x->method->describe))
        put_plan(x, host, choice, p);
    else
        status = plan_host(x, host, p, err);
    return status ? status : pm_ledger_put_plan(scope, p, err);
}

/* ---- what follows from a plan ---- */

/* The choice that a method needs to follow the plan.  q: the square of the host. */
static pm_status restore(const pm_recorded_sweep *r, const pm_sweep_method *m, const pm_square *q,
                         void **choice, pm_error *err)
{
    const pm_ledger_plan *p = &r->plan;
    *choice = pm_calloc_array(1, m->choice_size ? m->choice_size : 1);
    if (!*choice)
        return pm_fail_memory(err, "plan");
    if (m->initial)
        memcpy(*choice, m->initial, m->choice_size);
    return m->restore(r->w.job, q, p->number + NUMBERS, p->count - NUMBERS, *choice, err);
}

/* device: of this run; NULL: none.  One for small primes gives way to the one for all. */
static pm_status restore_both(const pm_sweep_method *device, pm_recorded_sweep *r, pm_error *err)
{
    pm_square q = {0};
    uint64_t prime[1];
    if (r->w.large)
        pm_ryser_primes(r->w.top, 1, prime);
    pm_status status = pm_ryser_square(&r->w, prime, &q, err);
    if (!status)
        status = restore(r, r->w.method, &q, &r->choice, err);
    if (!status && device) {
        r->device = device->wide && r->w.top > device->prime_max ? device->wide : device;
        status = restore(r, r->device, &q, &r->device_choice, err);
    }
    pm_square_free(&q);
    return status;
}

static bool set_again(const pm_recorded_sweep *r, const pm_job *job, const pm_sweep_method *m,
                      pm_ryser_setup *w)
{
    const int64_t *number = r->plan.number;
    return number[TRANSPOSED] <= 1 && number[WIDTH] <= PM_RYSER_PRIMES_MAX
           && pm_ryser_setup_again(job, m, number[TRANSPOSED], (uint64_t)number[TOP],
                                   (int)number[WIDTH], w);
}

pm_status pm_recorded_sweep_find(const pm_ryser_setup *x, const void *choice,
                                 pm_recorded_sweep *out, pm_error *err)
{
    const pm_sweep_method *host = pm_recorded_method(x->method);
    *out = (pm_recorded_sweep){.choice = NULL};
    pm_status status = find_plan(x, choice, host, &out->plan, err);
    if (!status && !set_again(out, x->job, host, &out->w))
        status = pm_fail(err, PM_UNABLE, "the recorded plan has primes of another kind");
    return status ? status : restore_both(x->method != host ? x->method : NULL, out, err);
}

pm_status pm_recorded_sweep_note(const pm_ryser_setup *x, const void *choice, pm_error *err)
{
    pm_ledger_plan plan;
    pm_status status = find_plan(x, choice, pm_recorded_method(x->method), &plan, err);
    return status == PM_UNABLE ? PM_OK : status;
}

void pm_recorded_sweep_free(pm_recorded_sweep *r)
{
    free(r->choice);
    free(r->device_choice);
    *r = (pm_recorded_sweep){.choice = NULL};
}

/* ---- the sweep ---- */

static bool is_modular(const pm_recorded_sweep *r)
{
    return r->w.nprimes > 0;
}

/* Of an exact sum that the host takes as it is: log2 of a bound of the sum of its |terms|. */
static double sum_bits(const pm_recorded_sweep *r, const pm_square *q, const pm_sweep *s)
{
    const pm_sweep_method *m = r->w.method;
    if (!pm_ryser_is_exact(r->w.job) || is_modular(r))
        return 0;
    return m->sum_bits ? m->sum_bits(s) : pm_square_sum_bits(q, s->shift);
}

/* The most primes of a sweep of the device. */
static int device_width(const pm_recorded_sweep *r, const pm_ryser_setup *device)
{
    const pm_sweep_method *m = r->device;
    int most = m->most_primes ? m->most_primes(r->device_choice) : 0;
    return device->large ? 1 : most > 0 && most < m->primes ? most : m->primes;
}

static pm_status share(const pm_recorded_sweep *r, const pm_square *q, const uint64_t *prime,
                       int count, pm_sweep *host, pm_sweep *out, pm_error *err)
{
    const pm_ryser_setup device = pm_ryser_setup_make(r->w.job, r->device, r->w.transposed);
    const pm_shared_plan p = {.device = &device,
                              .unit = q->shift + host->shift,
                              .choice = r->device_choice,
                              .prime = prime,
                              .primes = is_modular(r) ? count : 0,
                              .width = device_width(r, &device)};
    return pm_shared_sweep_make(&p, host, sum_bits(r, q, host), out, err);
}

pm_status pm_recorded_sweep_prepare(const pm_recorded_sweep *r, const pm_square *q,
                                    const uint64_t *prime, int count, pm_sweep *out, pm_error *err)
{
    const pm_sweep_method *m = r->w.method;
    pm_sweep host = {0};
    pm_status status = is_modular(r)
                           ? pm_prime_sweeps_prepare(m, q, r->choice, prime, count, &host, err)
                           : m->prepare(q, r->choice, &host, err);
    if (status || !r->device) {
        *out = host;
        return status;
    }
    status = share(r, q, prime, count, &host, out, err);
    pm_sweep_free(&host);
    return status;
}

pm_ledger_key pm_recorded_sweep_key(const pm_recorded_sweep *r, const uint64_t *prime, int count)
{
    pm_sha256 hash;
    pm_ledger_key key;
    const pm_ledger_plan *p = &r->plan;
    const uint64_t numbers[2] = {(uint64_t)p->count, (uint64_t)count};
    pm_sha256_begin(&hash);
    pm_sha256_add(&hash, p->name, strlen(p->name));
    pm_sha256_add(&hash, numbers, sizeof numbers);
    pm_sha256_add(&hash, p->number, (size_t)p->count * sizeof *p->number);
    if (count)
        pm_sha256_add(&hash, prime, (size_t)count * sizeof *prime);
    pm_sha256_end(&hash, key.byte);
    return key;
}

uint64_t pm_recorded_sweep_residue(const pm_recorded_sweep *r, const pm_sweep *s, const pm_sum *sum,
                                   int count, int k)
{
    const pm_sweep *host = r->device ? pm_shared_sweep_host(s) : s;
    return pm_prime_sweeps_residue(r->w.method, host, sum, count, k);
}

double pm_recorded_sweep_seconds(const pm_recorded_sweep *r, const pm_sweep *s)
{
    return r->device ? pm_shared_sweep_seconds(s) : 0;
}
