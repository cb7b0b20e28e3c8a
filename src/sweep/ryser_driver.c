/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/ryser_driver.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "number/prime.h"
#include "pm/alloc.h"
#include "sweep/shared_sweep.h"
#include "sweep/sum_bits.h"

/* How a method computes a job. */
typedef struct {
    const pm_job *job;
    const pm_sweep_method *method;
    bool transposed;
    bool large;  /* entries too large for the method: it sums residues instead */
    int nprimes; /* 0: integers as they are, or an inexact field */
    int width;   /* primes of one sweep, at most */
} setup;

/* The state of a plan. */
typedef struct {
    const pm_sweep_method *method;
    bool transposed;
    max_align_t choice[];
} state;

/* ---- which primes ---- */

static bool is_exact(const pm_job *job)
{
    return job->block->a.field <= PM_INTEGER;
}

static bool has_large_entries(const pm_job *job, const pm_sweep_method *method)
{
    const pm_matrix *a = &job->block->a;
    double most = ldexp(1, method->bits) / (2 * PM_SQUARE_MAX);
    for (int64_t k = 0; is_exact(job) && a->re && k < pm_matrix_nnz(a); ++k)
        if (fabs(pm_dyadic_get_d(&a->re[k])) > most)
            return true;
    return false;
}

/* Independent verification uses other primes. */
static uint64_t prime_top(const setup *w)
{
    uint64_t top = w->large ? UINT64_C(1) << (w->method->bits - 6) : w->method->prime_max;
    return w->job->independent ? top / 2 : top;
}

/* The number of primes of a sweep: equal sweeps, as few as possible. */
static int even_width(int nprimes, int most)
{
    int sweeps = (nprimes + most - 1) / most;
    return (nprimes + sweeps - 1) / sweeps;
}

static setup make_setup(const pm_job *job, const pm_sweep_method *method, bool transposed)
{
    setup w = {job, method, transposed, has_large_entries(job, method), 0, 0};
    if (!is_exact(job) || !(w.large || method->primes))
        return w;
    /* a thousand primes lie within 2^-10 of the top, all of them above half of it */
    double bits = fmax(job->block->log2_bound, 0) + 2, top = log2((double)prime_top(&w));
    w.nprimes = (int)ceil(bits / (bits < 1e4 ? top - 0x1p-10 : top - 1));
    w.width = even_width(w.nprimes, w.large ? 1 : method->primes);
    return w;
}

static void limit_width(setup *w, const void *choice)
{
    int most = w->width && w->method->most_primes ? w->method->most_primes(choice) : 0;
    if (most > 0 && most < w->width)
        w->width = even_width(w->nprimes, most);
}

static int sweeps_of(const setup *w)
{
    return w->nprimes ? (w->nprimes + w->width - 1) / w->width : 1;
}

static void list_primes(const setup *w, int count, uint64_t *prime)
{
    uint64_t p = prime_top(w);
    for (int i = 0; i < count; ++i)
        prime[i] = p = pm_prime_below(p);
}

static pm_status make_square(const setup *w, const uint64_t *prime, pm_square *s, pm_error *err)
{
    uint64_t modulus = w->large ? prime[0] : 0;
    return (w->method->classes ? pm_square_make_classes : pm_square_make)(
        w->job->block, w->transposed, w->method->bits, modulus, s, err);
}

/* ---- planning ---- */

/* shape: of the block as it is; NULL: the method needs the entries. */
static pm_status measure(const pm_job *job, const pm_sweep_method *method, bool transposed,
                         const pm_square *shape, state *x, pm_plan *plan, pm_error *err)
{
    pm_square s = {0};
    pm_status status = PM_OK;
    uint64_t prime[PM_RYSER_PRIMES_MAX];
    setup w = make_setup(job, method, transposed);
    x->transposed = transposed;
    if (method->initial)
        memcpy(x->choice, method->initial, method->choice_size);
    list_primes(&w, w.width, prime);
    if (shape)
        s = transposed ? pm_square_transposed_shape(shape) : *shape;
    else
        status = make_square(&w, prime, &s, err);
    if (!status)
        status =
            method->measure(job, &s, prime, method->primes ? w.width : 0, x->choice, plan, err);
    if (!status)
        limit_width(&w, x->choice);
    plan->operations *= sweeps_of(&w);
    plan->seconds *= sweeps_of(&w);
    plan->compiling *= sweeps_of(&w);
    pm_square_free(&s);
    return status;
}

/* With classes one orientation may have many more terms than the other one.  A verification takes
 * the more expensive one where it costs at most this many times the other and this many seconds. */
#define DEARER_TIMES   3
#define DEARER_SECONDS 0.1

/* A given order is one of the columns as they are; transposed is then the independent
 * computation. */
static bool prefers_transposed(const pm_job *job, const pm_sweep_method *method,
                               const pm_plan *plan, const pm_plan *transposed)
{
    double a = plan->seconds, b = transposed->seconds;
    bool takes_dearer = job->independent;
    if (method->classes)
        takes_dearer &= fmax(a, b) <= DEARER_TIMES * fmin(a, b) + DEARER_SECONDS;
    return job->order ? job->independent : (b < a) != takes_dearer;
}

/* Measures both orientations where that is allowed.  The chosen one goes into *x and *plan; *other
 * is room for the rejected one. */
static pm_status measure_both(const pm_job *job, const pm_sweep_method *method, state **x,
                              state **other, pm_plan *plan, pm_error *err)
{
    pm_error why;
    pm_plan transposed = *plan;
    pm_square shape, *known = method->classes && !is_exact(job) ? &shape : NULL;
    bool tries_both = method->may_transpose && (!job->order || job->independent);
    pm_status status = known ? pm_square_make_shape(job->block, known, err) : PM_OK;
    if (status)
        return status;
    status = measure(job, method, false, known, *x, plan, err);
    if (!tries_both || (status && status != PM_UNABLE))
        return status;
    pm_status transposed_rc = measure(job, method, true, known, *other, &transposed, &why);
    if (transposed_rc == PM_OK && (status || prefers_transposed(job, method, plan, &transposed))) {
        state *kept = *other;
        *other = *x;
        *x = kept;
        *plan = transposed;
        return PM_OK;
    }
    if (transposed_rc == PM_OK || transposed_rc == PM_UNABLE)
        return status;
    if (err)
        *err = why;
    return transposed_rc;
}

/* As its sums are recorded: by the host, where that has the entries too. */
static const pm_sweep_method *recorded_method(const pm_job *job, const pm_algorithm *a)
{
    const pm_sweep_method *m = is_exact(job) ? a->exact : a->inexact;
    return m && m->host && !has_large_entries(job, m) ? m->host : m;
}

bool pm_ryser_driver_shares(const pm_job *job, const pm_algorithm *a, const pm_algorithm *b)
{
    const pm_sweep_method *m = recorded_method(job, a);
    return m && m == recorded_method(job, b);
}

static const pm_sweep_method *method_of(const pm_job *job, const pm_plan *plan)
{
    if (!is_exact(job))
        return plan->algorithm->inexact;
    const pm_sweep_method *m = plan->algorithm->exact;
    bool is_narrow = m->narrow && !has_large_entries(job, m->narrow) && m->prefers_narrow(job);
    return is_narrow ? m->narrow : m;
}

pm_status pm_ryser_driver_plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    const pm_sweep_method *method = method_of(job, plan);
    if (!method->classes && job->block->n > PM_SQUARE_MAX)
        return pm_fail(err, PM_UNABLE, "%s counts blocks of up to %d rows, not %lld", method->name,
                       PM_SQUARE_MAX, (long long)job->block->n);
    if (method->in_double && !is_exact(job) && job->precision == PM_QUAD)
        return pm_fail(err, PM_UNABLE, "%s does not have the precision quad", method->name);
    state *x = pm_calloc_array(1, sizeof *x + method->choice_size);
    state *other = pm_calloc_array(1, sizeof *other + method->choice_size);
    pm_status status = PM_OK;
    if (!x || !other)
        status = pm_fail_memory(err, "plan");
    else
        status = measure_both(job, method, &x, &other, plan, err);
    free(other);
    if (status)
        free(x);
    else
        plan->state = x;
    if (!status)
        x->method = method;
    return status;
}

/* ---- from the sum of a sweep to the permanent ---- */

/* Two's complement, lowest limb first. */
static void set_integer(mpz_t out, const uint64_t *limb, int limbs)
{
    mpz_t top;
    mpz_import(out, (size_t)limbs, -1, sizeof *limb, 0, 0, limb);
    if (limb[limbs - 1] >> 63) {
        mpz_init_set_ui(top, 1);
        mpz_mul_2exp(top, top, 64 * (mp_bitcnt_t)limbs);
        mpz_sub(out, out, top);
        mpz_clear(top);
    }
}

static void integer_answer(const pm_sweep *s, const pm_sum *sum, const mpz_t twins, mpz_t out)
{
    set_integer(out, sum->limb, s->limbs);
    if (s->shift >= 0)
        mpz_mul_2exp(out, out, (mp_bitcnt_t)s->shift);
    else /* exact */
        mpz_fdiv_q_2exp(out, out, (mp_bitcnt_t)-s->shift);
    mpz_divexact(out, out, twins);
}

/* The relative error of q->factor and of the multiplication by it, unless it is a power of two. */
#define FACTOR_ROUNDING (4 * PM_XREAL_EPS)

static double factor_error(pm_xreal factor, const pm_sum *sum)
{
    bool is_power = factor.hi == 0.5 && factor.lo == 0;
    return is_power ? 0 : FACTOR_ROUNDING * (fabs(sum->re[0]) + fabs(sum->im[0]));
}

/* A sampled spread counts twice. */
static void inexact_answer(const pm_square *q, const pm_sweep *s, const pm_sum *sum,
                           const mpz_t twins, pm_value *out)
{
    mpq_t inverse;
    mpq_init(inverse);
    mpz_set_ui(mpq_numref(inverse), 1);
    mpz_set(mpq_denref(inverse), twins);
    pm_xreal factor = pm_xreal_mul(q->factor, pm_xreal_from_mpq(inverse));
    mpq_clear(inverse);
    int64_t shift = s->shift + q->shift;
    double spread = s->sampled ? 2 * sum->spread : sum->spread;
    double error = s->rounding * sum->absolute + spread + factor_error(factor, sum);
    pm_xreal lost = pm_xreal_make(error, (double)s->count * 0x1p-1040, shift);
    pm_value_set_real(out, q->field,
                      pm_xreal_mul(pm_xreal_make(sum->re[0], sum->re[1], shift), factor),
                      pm_xreal_mul(pm_xreal_make(sum->im[0], sum->im[1], shift), factor),
                      pm_xreal_mul(lost, factor));
    out->is_estimated = s->sampled;
}

/* ---- running ---- */

typedef struct {
    setup w;
    const void *choice;
    mpz_t twins, integer; /* integer: an answer, or one modulo a prime */
    pm_value *inexact;
} work;

/* What defines a sweep within its job: the method, the orientation, the primes, and the choice or what
 * follows from it. */
static pm_status sweep_key(const setup *w, const void *choice, const pm_sweep *s,
                           const uint64_t *prime, int count, pm_ledger_key *out, pm_error *err)
{
    pm_sha256 hash;
    pm_status status = PM_OK;
    const pm_sweep_method *m = w->method;
    const uint64_t numbers[2] = {w->transposed, (uint64_t)count};
    pm_sha256_begin(&hash);
    pm_sha256_add(&hash, m->name, strlen(m->name));
    pm_sha256_add(&hash, numbers, sizeof numbers);
    if (count)
        pm_sha256_add(&hash, prime, (size_t)count * sizeof *prime);
    if (s->identify)
        status = s->identify(s, &hash, err);
    else if (m->choice_size)
        pm_sha256_add(&hash, choice, m->choice_size);
    pm_sha256_end(&hash, out->byte);
    return status;
}

static pm_status sweep(const work *x, const pm_square *q, const uint64_t *prime, int count,
                       const pm_run *run, pm_sweep *s, pm_sum *sum, pm_error *err)
{
    const pm_sweep_method *m = x->w.method;
    bool is_modular = m->primes > 0 && count > 0;
    const pm_ledger_scope *scope = &x->w.job->scope;
    pm_ledger_key key = {{0}};
    pm_status status = is_modular ? m->prepare_modular(q, x->choice, prime, count, s, err)
                                  : m->prepare(q, x->choice, s, err);
    if (!status && scope->ledger)
        status = sweep_key(&x->w, x->choice, s, prime, count, &key, err);
    return status ? status : pm_sweep_all(s, scope, key.byte, sizeof key.byte, run, sum, err);
}

/* The answer modulo prime k, for methods that work modulo primes. */
static uint64_t modular_answer(const work *x, const pm_sweep *s, const pm_sum *sum, int32_t k,
                               uint64_t prime)
{
    uint64_t twins = mpz_fdiv_ui(x->twins, prime);
    return pm_mod_mul(x->w.method->residue(s, sum, k), pm_mod_inverse(twins, prime), prime);
}

/* Runs one sweep.  Sets residue[k] for `count` primes, or x->integer, or *x->inexact. */
static pm_status sweep_once(work *x, const uint64_t *prime, int count, const pm_run *run,
                            uint64_t *residue, pm_error *err)
{
    pm_square q = {0};
    pm_sweep s = {0};
    pm_sum sum;
    int modular = x->w.method->primes ? count : 0;
    pm_status status = make_square(&x->w, prime, &q, err);
    if (!status)
        status = sweep(x, &q, prime, count, run, &s, &sum, err);
    if (!status && x->w.job->device_seconds && x->w.method->device_seconds)
        *x->w.job->device_seconds += x->w.method->device_seconds(&s);
    if (!status && !is_exact(x->w.job))
        inexact_answer(&q, &s, &sum, x->twins, x->inexact);
    else if (!status && !modular)
        integer_answer(&s, &sum, x->twins, x->integer);
    for (int k = 0; k < count && !status; ++k)
        residue[k] =
            modular ? modular_answer(x, &s, &sum, k, prime[k]) : mpz_fdiv_ui(x->integer, prime[k]);
    pm_sweep_free(&s);
    pm_square_free(&q);
    return status;
}

static pm_status sweep_primes(work *x, pm_error *err)
{
    pm_status status = PM_OK;
    int n = x->w.nprimes;
    uint64_t *prime = pm_alloc_array(n, sizeof *prime), *residue = pm_alloc_array(n, sizeof *prime);
    if (!prime || !residue)
        status = pm_fail_memory(err, "primes");
    else
        list_primes(&x->w, n, prime);
    bool is_partial = false;
    for (int i = 0; i < n && !status; i += x->w.width) {
        int count = n - i < x->w.width ? n - i : x->w.width;
        pm_run_part part;
        const pm_run *run = pm_run_part_of(&part, x->w.job->run, (double)i / n, (double)count / n);
        status = sweep_once(x, prime + i, count, run, residue + i, err);
        is_partial |= status == PM_PARTIAL;
        status = status == PM_PARTIAL ? PM_OK : status;
    }
    if (!status && is_partial)
        status = PM_PARTIAL;
    if (!status)
        pm_crt(x->integer, residue, prime, n, true);
    free(prime);
    free(residue);
    return status;
}

/* ---- recorded sums of devices ---- */

/* The host says in which orientation and order the terms are numbered. */
typedef struct {
    setup w;
    state *x;
    pm_square square;
    pm_sweep sweep;
} host_work;

static pm_status plan_host(const work *x, host_work *h, pm_error *err)
{
    const pm_sweep_method *m = x->w.method->host;
    pm_plan plan = {.algorithm = NULL};
    h->x = pm_calloc_array(1, sizeof *h->x + m->choice_size);
    state *other = pm_calloc_array(1, sizeof *other + m->choice_size);
    pm_status status = h->x && other ? measure_both(x->w.job, m, &h->x, &other, &plan, err)
                                     : pm_fail_memory(err, "plan");
    free(other);
    if (!status)
        h->w = make_setup(x->w.job, m, h->x->transposed);
    return status;
}

static void free_host(host_work *h)
{
    pm_sweep_free(&h->sweep);
    pm_square_free(&h->square);
    free(h->x);
}

static pm_status share_sweep(const work *x, host_work *h, pm_sweep *out, pm_error *err)
{
    pm_square q = {0};
    const setup w = make_setup(x->w.job, x->w.method, h->w.transposed);
    pm_status status = make_square(&w, NULL, &q, err);
    const pm_shared_plan p = {.method = w.method,
                              .choice = x->choice,
                              .square = &q,
                              .prime_top = is_exact(w.job) ? prime_top(&w) : 0,
                              .width = w.method->primes};
    double bits = is_exact(w.job) ? pm_square_sum_bits(&h->square, h->sweep.shift) : 0;
    if (!status)
        status = pm_shared_sweep_make(&p, &h->sweep, bits, out, err);
    pm_square_free(&q);
    return status;
}

static pm_status run_shared(work *x, const host_work *h, const pm_sweep *s, pm_error *err)
{
    pm_sum sum;
    pm_ledger_key key;
    const pm_job *job = x->w.job;
    pm_status status = sweep_key(&h->w, h->x->choice, s, NULL, 0, &key, err);
    if (!status)
        status = pm_sweep_all(s, &job->scope, key.byte, sizeof key.byte, job->run, &sum, err);
    if (status)
        return status;
    if (job->device_seconds)
        *job->device_seconds += pm_shared_sweep_seconds(s);
    if (is_exact(job))
        integer_answer(s, &sum, x->twins, x->integer);
    else
        inexact_answer(&h->square, s, &sum, x->twins, x->inexact);
    return PM_OK;
}

/* *is_shared: false if the sums of the device are recorded as they are; then nothing was done. */
static pm_status sweep_shared(work *x, bool *is_shared, pm_error *err)
{
    host_work h = {.x = NULL};
    pm_sweep s = {0};
    *is_shared = x->w.method->host && x->w.job->scope.ledger && !x->w.large;
    if (!*is_shared)
        return PM_OK;
    pm_status status = plan_host(x, &h, err);
    if (!status)
        status = make_square(&h.w, NULL, &h.square, err);
    if (!status)
        status = h.w.method->prepare(&h.square, h.x->choice, &h.sweep, err);
    if (!status)
        status = share_sweep(x, &h, &s, err);
    if (status == PM_UNABLE) {
        *is_shared = false;
        status = PM_OK;
    } else if (!status) {
        status = run_shared(x, &h, &s, err);
    }
    pm_sweep_free(&s);
    free_host(&h);
    return status;
}

pm_status pm_ryser_driver_permanent(const pm_job *job, const pm_sweep_method *method,
                                    const void *choice, bool transposed, pm_value *out,
                                    pm_error *err)
{
    work x = {.w = make_setup(job, method, transposed), .choice = choice, .inexact = out};
    limit_width(&x.w, choice);
    mpz_init(x.twins);
    mpz_init(x.integer);
    if (job->block->written_out)
        mpz_set_ui(x.twins, 1);
    else
        pm_block_twin_factor(job->block, x.twins);
    bool is_shared;
    pm_status status = sweep_shared(&x, &is_shared, err);
    if (!status && !is_shared)
        status = x.w.nprimes ? sweep_primes(&x, err) : sweep_once(&x, NULL, 0, job->run, NULL, err);
    if (!status && is_exact(job))
        pm_value_set_mpz(out, x.integer);
    mpz_clear(x.twins);
    mpz_clear(x.integer);
    return status;
}

pm_status pm_ryser_driver_run(const pm_job *job, const pm_plan *plan, uint64_t *residues,
                              pm_value *out, pm_error *err)
{
    const state *x = plan->state;
    (void)residues;
    return pm_ryser_driver_permanent(job, x->method, x->choice, x->transposed, out, err);
}
