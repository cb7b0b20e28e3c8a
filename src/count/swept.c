/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/swept.h"

#include <math.h>
#include <stdlib.h>

#include "count/prime.h"
#include "pm/alloc.h"

/* ---- what a sweep's sum stands for ---- */

/* Product of the factorials of all capacities: twins are told apart in a square, not in a block. */
static void twin_factor(const pm_block *b, mpz_t out)
{
    mpz_t f;
    mpz_init(f);
    mpz_set_ui(out, 1);
    for (int64_t i = 0; i < b->a.nrows + b->a.ncols; ++i) {
        int32_t c = i < b->a.nrows ? b->row_cap[i] : b->col_cap[i - b->a.nrows];
        mpz_fac_ui(f, (unsigned long)c);
        mpz_mul(out, out, f);
    }
    mpz_clear(f);
}

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

/* A sample of the spread is taken for what it is, twice over. */
static void inexact_answer(const pm_square *q, const pm_sweep *s, const pm_sum *sum,
                           const mpz_t twins, pm_value *out)
{
    mpq_t inverse;
    mpq_init(inverse);
    mpz_set_ui(mpq_numref(inverse), 1);
    mpz_set(mpq_denref(inverse), twins);
    pm_xreal factor = pm_xreal_from_mpq(inverse);
    mpq_clear(inverse);
    int64_t shift = s->shift + q->shift;
    double spread = s->sampled ? 2 * sum->spread : sum->spread;
    double error = s->rounding * sum->absolute + spread;
    pm_xreal lost = pm_xreal_make(error, (double)s->count * 0x1p-1040, shift);
    pm_value_set_real(out, q->field,
                      pm_xreal_mul(pm_xreal_make(sum->re[0], sum->re[1], shift), factor),
                      pm_xreal_mul(pm_xreal_make(sum->im[0], sum->im[1], shift), factor),
                      pm_xreal_mul(lost, factor));
    out->is_estimated = s->sampled;
}

/* ---- one sweep ---- */

static pm_status run_all(const pm_job *job, const pm_sweep_method *method, const void *choice,
                         const pm_square *q, pm_sweep *s, pm_sum *sum, pm_error *err)
{
    pm_status rc = method->prepare(q, choice, s, err);
    return rc ? rc : pm_sweep_range(s, 0, s->count, job->run, sum, err);
}

static pm_status sweep_once(const pm_job *job, const pm_sweep_method *method, const void *choice,
                            bool transposed, uint64_t modulus, const mpz_t twins, mpz_t integer,
                            pm_value *inexact, pm_error *err)
{
    pm_square q = {0};
    pm_sweep s = {0};
    pm_sum sum;
    pm_status rc = pm_square_make(job->block, transposed, method->bits, modulus, &q, err);
    if (!rc)
        rc = run_all(job, method, choice, &q, &s, &sum, err);
    if (!rc && q.field <= PM_INTEGER)
        integer_answer(&s, &sum, twins, integer);
    else if (!rc)
        inexact_answer(&q, &s, &sum, twins, inexact);
    pm_sweep_free(&s);
    pm_square_free(&q);
    return rc;
}

/* ---- integers of any size ---- */

static bool are_small(const pm_job *job, const pm_sweep_method *method)
{
    const pm_matrix *a = &job->block->a;
    double most = ldexp(1, method->bits) / PM_SQUARE_MAX;
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (fabs(pm_dyadic_get_d(&a->re[k])) > most)
            return false;
    return true;
}

uint64_t pm_swept_modulus(const pm_job *job, const pm_sweep_method *method)
{
    if (job->block->a.field > PM_INTEGER || are_small(job, method))
        return 0;
    return pm_prime_below(UINT64_C(1) << (method->bits - 6));
}

int pm_swept_passes(const pm_job *job, const pm_sweep_method *method)
{
    if (!pm_swept_modulus(job, method))
        return 1;
    /* primes lie above half of 2^(bits - 6) */
    return (int)ceil((fmax(job->block->log2_bound, 0) + 2) / (method->bits - 7));
}

/* Every residue is the permanent of a matrix that is the block modulo that prime. */
static pm_status sweep_primes(const pm_job *job, const pm_sweep_method *method, const void *choice,
                              bool transposed, const mpz_t twins, mpz_t out, pm_error *err)
{
    pm_status rc = PM_OK;
    int n = pm_swept_passes(job, method);
    uint64_t p = pm_swept_modulus(job, method);
    uint64_t *prime = pm_alloc_array(n, sizeof *prime), *residue = pm_alloc_array(n, sizeof *prime);
    if (!prime || !residue)
        rc = pm_fail_memory(err, "primes");
    for (int i = 0; i < n && !rc; ++i, p = pm_prime_below(p)) {
        prime[i] = p;
        rc = sweep_once(job, method, choice, transposed, p, twins, out, NULL, err);
        if (!rc)
            residue[i] = mpz_fdiv_ui(out, p);
    }
    if (!rc)
        pm_crt(out, residue, prime, n, true);
    free(prime);
    free(residue);
    return rc;
}

pm_status pm_swept_permanent(const pm_job *job, const pm_sweep_method *method, const void *choice,
                             bool transposed, pm_value *out, pm_error *err)
{
    mpz_t twins, integer;
    mpz_init(twins);
    mpz_init(integer);
    twin_factor(job->block, twins);
    pm_status rc = pm_swept_modulus(job, method)
                       ? sweep_primes(job, method, choice, transposed, twins, integer, err)
                       : sweep_once(job, method, choice, transposed, 0, twins, integer, out, err);
    if (!rc && job->block->a.field <= PM_INTEGER)
        pm_value_set_mpz(out, integer);
    mpz_clear(twins);
    mpz_clear(integer);
    return rc;
}
