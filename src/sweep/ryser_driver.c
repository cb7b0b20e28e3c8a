/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/ryser_driver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/prime.h"
#include "pm/alloc.h"
#include "sweep/recorded_sweep.h"
#include "sweep/ryser_plan.h"
#include "sweep/ryser_setup.h"

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
    double error = s->rounding * sum->absolute + spread + s->lost + factor_error(factor, sum);
    pm_xreal lost = pm_xreal_make(error, (double)s->count * 0x1p-1040, shift);
    pm_value_set_real(out, q->field,
                      pm_xreal_mul(pm_xreal_make(sum->re[0], sum->re[1], shift), factor),
                      pm_xreal_mul(pm_xreal_make(sum->im[0], sum->im[1], shift), factor),
                      pm_xreal_mul(lost, factor));
    out->is_estimated = s->sampled;
}

/* ---- running ---- */

typedef struct {
    pm_ryser_setup w;
    const void *choice;
    const pm_recorded_sweep *recorded; /* NULL: sums of the method itself */
    mpz_t twins, integer;              /* integer: an answer, or one modulo a prime */
    pm_value *inexact;
} work;

/* What defines a sweep within its job: the method, the orientation, the primes, and the choice or what
 * follows from it. */
static pm_status sweep_key(const pm_ryser_setup *w, const void *choice, const pm_sweep *s,
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

/* key: set where there is a ledger. */
static pm_status prepare(const work *x, const pm_square *q, const uint64_t *prime, int count,
                         pm_sweep *s, pm_ledger_key *key, pm_error *err)
{
    const pm_sweep_method *m = x->w.method;
    bool is_modular = m->primes > 0 && count > 0;
    if (x->recorded) {
        *key = pm_recorded_sweep_key(x->recorded, prime, count);
        return pm_recorded_sweep_prepare(x->recorded, q, prime, count, s, err);
    }
    pm_status status = is_modular ? m->prepare_modular(q, x->choice, prime, count, s, err)
                                  : m->prepare(q, x->choice, s, err);
    if (!status && x->w.job->scope.ledger)
        status = sweep_key(&x->w, x->choice, s, prime, count, key, err);
    return status;
}

/* The answer modulo prime k of `count`, for methods that work modulo primes. */
static uint64_t modular_answer(const work *x, const pm_sweep *s, const pm_sum *sum, int count,
                               int32_t k, uint64_t prime)
{
    uint64_t twins = mpz_fdiv_ui(x->twins, prime);
    uint64_t residue = x->recorded ? pm_recorded_sweep_residue(x->recorded, s, sum, count, k)
                                   : x->w.method->residue(s, sum, k);
    return pm_mod_mul(residue, pm_mod_inverse(twins, prime), prime);
}

static double device_seconds(const work *x, const pm_sweep *s)
{
    if (x->recorded)
        return pm_recorded_sweep_seconds(x->recorded, s);
    return x->w.method->device_seconds ? x->w.method->device_seconds(s) : 0;
}

/* Runs one sweep.  Sets residue[k] for `count` primes, or x->integer, or *x->inexact. */
static pm_status sweep_once(work *x, const uint64_t *prime, int count, const pm_run *run,
                            uint64_t *residue, pm_error *err)
{
    pm_square q = {0};
    pm_sweep s = {0};
    pm_sum sum;
    pm_ledger_key key = {{0}};
    const pm_job *job = x->w.job;
    int modular = x->w.method->primes || x->recorded ? count : 0;
    pm_status status = pm_ryser_square(&x->w, prime, &q, err);
    if (!status)
        status = prepare(x, &q, prime, count, &s, &key, err);
    if (!status)
        status = pm_sweep_all(&s, &job->scope, key.byte, sizeof key.byte, run, &sum, err);
    if (!status && job->device_seconds)
        *job->device_seconds += device_seconds(x, &s);
    if (!status && !pm_ryser_is_exact(job))
        inexact_answer(&q, &s, &sum, x->twins, x->inexact);
    else if (!status && !modular)
        integer_answer(&s, &sum, x->twins, x->integer);
    for (int k = 0; k < count && !status; ++k)
        residue[k] = modular ? modular_answer(x, &s, &sum, count, k, prime[k])
                             : mpz_fdiv_ui(x->integer, prime[k]);
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
        pm_ryser_primes(x->w.top, n, prime);
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

/* Computes as the recorded plan says, where there is a ledger and the method has such plans. */
static pm_status follow_record(work *x, pm_recorded_sweep *r, pm_error *err)
{
    pm_error why;
    pm_status status = pm_recorded_sweep_find(&x->w, x->choice, r, &why);
    if (status == PM_OK) {
        x->w = r->w;
        x->choice = r->choice;
        x->recorded = r;
        return PM_OK;
    }
    if (status == PM_UNABLE && !pm_ledger_has_work(&x->w.job->scope))
        return PM_OK;
    if (status == PM_UNABLE && pm_recorded_method_has_plans(pm_recorded_method(x->w.method)))
        pm_run_note(x->w.job->run, 0, "the work of the earlier run is begun anew by %s: %s",
                    x->w.method->name, why.msg);
    if (status != PM_UNABLE && err)
        *err = why;
    return status == PM_UNABLE ? PM_OK : status;
}

pm_status pm_ryser_driver_permanent(const pm_job *job, const pm_sweep_method *method,
                                    const void *choice, bool transposed, pm_value *out,
                                    pm_error *err)
{
    work x = {.w = pm_ryser_setup_make(job, method, transposed), .choice = choice, .inexact = out};
    pm_recorded_sweep recorded = {.choice = NULL};
    pm_ryser_setup_limit(choice, &x.w);
    mpz_init(x.twins);
    mpz_init(x.integer);
    /* residues are those of the answer divided by this */
    const bool has_common = job->block->written_out && pm_ryser_is_exact(job);
    if (has_common)
        pm_block_common_factor(job->block, x.twins);
    else if (job->block->written_out)
        mpz_set_ui(x.twins, 1);
    else
        pm_block_twin_factor(job->block, x.twins);
    pm_status status = job->scope.ledger ? follow_record(&x, &recorded, err) : PM_OK;
    if (!status)
        status = x.w.nprimes ? sweep_primes(&x, err) : sweep_once(&x, NULL, 0, job->run, NULL, err);
    if (!status && has_common)
        mpz_mul(x.integer, x.integer, x.twins);
    if (!status && pm_ryser_is_exact(job))
        pm_value_set_mpz(out, x.integer);
    mpz_clear(x.twins);
    mpz_clear(x.integer);
    pm_recorded_sweep_free(&recorded);
    return status;
}

bool pm_ryser_driver_shares(const pm_job *job, const pm_algorithm *a, const pm_algorithm *b)
{
    bool is_exact = pm_ryser_is_exact(job);
    const pm_sweep_method *m = is_exact ? a->exact : a->inexact,
                          *n = is_exact ? b->exact : b->inexact;
    return m && n && pm_recorded_method(m) == pm_recorded_method(n);
}

pm_status pm_ryser_driver_note(const pm_job *job, const pm_plan *plan, pm_error *err)
{
    const pm_ryser_state *x = plan->state;
    if (plan->algorithm->run != pm_ryser_driver_run)
        return PM_OK;
    pm_ryser_setup w = pm_ryser_setup_make(job, x->method, x->transposed);
    pm_ryser_setup_limit(x->choice, &w);
    return pm_recorded_sweep_note(&w, x->choice, err);
}

pm_status pm_ryser_driver_run(const pm_job *job, const pm_plan *plan, uint64_t *residues,
                              pm_value *out, pm_error *err)
{
    const pm_ryser_state *x = plan->state;
    (void)residues;
    return pm_ryser_driver_permanent(job, x->method, x->choice, x->transposed, out, err);
}
