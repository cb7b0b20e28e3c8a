/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent is a determinant, or a sum of determinants, and a hafnian is a Pfaffian
 * (planar/kasteleyn.h, planar/splitting.h).  It is found modulo enough primes below 2^24 for a bound of the answer,
 * several primes at a time (elimination/front_kernel.h).
 *
 * Real and complex entries are integers but for powers of 2 (elimination/integer_entries.h).  Their
 * permanent is found exactly, with any cancellation, and rounded in the end.  Complex numbers need
 * two determinants for each prime (elimination/determinant_primes.h). */
#include "config.h"

#include "planar/planar_run.h"

#include <math.h>
#include <stdlib.h>

#include "general/general_bound.h"
#include "number/prime.h"
#include "planar/kasteleyn.h"
#include "pm/alloc.h"

/* Sets z[c] to the real and imaginary part of the sum of determinants in class c.
 * what: the name of the task. */
static pm_status find_sums(const pm_job *job, const pm_planar *s, const char *what,
                           const pm_integer_entries *integers, const pm_determinant_primes *m,
                           mpz_t (*z)[2], pm_error *err)
{
    const pm_determinants d = {.integers = integers,
                               .prime = m->prime,
                               .unit = m->unit,
                               .count = m->count,
                               .memory = job->memory};
    int classes = s->sum.classes;
    uint64_t *residue = pm_alloc_array(classes * d.count, sizeof *residue);
    if (!residue)
        return pm_fail_memory(err, "residues");
    pm_status status =
        pm_determinant_sum_residues(&s->sum, &d, &job->scope, what, job->run, residue, err);
    for (int c = 0; c < classes && !status; ++c)
        for (int part = 0; part < m->roots && !status; ++part)
            status = pm_determinant_primes_crt(m, residue + c * d.count, part, z[c][part], err);
    free(residue);
    return status;
}

double pm_planar_sign_bits(const pm_job *job, const pm_planar *s)
{
    const double sign_and_halves = 3;
    if (!job->block->general)
        return pm_permanent_log2_bound(&s->sum.graph.a) + sign_and_halves;
    pm_matrix ones = job->block->a; /* not freed: it owns nothing */
    ones.field = PM_PATTERN;
    ones.re = ones.im = NULL;
    return pm_general_log2_bound(&ones) + sign_and_halves;
}

/* The class with the smallest determinant when all weights are 1 (planar/kasteleyn.h).  For a
 * pattern these are the determinants z; otherwise they are computed. */
static pm_status find_least(const pm_job *job, const pm_planar *s, mpz_t (*z)[2], int *least,
                            pm_error *err)
{
    static const pm_integer_entries ones = {0};
    mpz_t count[PM_KASTELEYN_CLASSES_MAX][2];
    pm_status status = PM_OK;
    for (int c = 0; c < PM_KASTELEYN_CLASSES_MAX; ++c)
        mpz_inits(count[c][0], count[c][1], NULL);
    if (job->block->a.field == PM_PATTERN) {
        for (int c = 0; c < s->sum.classes; ++c)
            mpz_set(count[c][0], z[c][0]);
    } else {
        pm_determinant_primes m = {0};
        status = pm_determinant_primes_choose(pm_planar_sign_bits(job, s), false, job->independent,
                                              &m, err);
        if (!status)
            status = find_sums(job, s, "signs", &ones, &m, count, err);
        pm_determinant_primes_free(&m);
    }
    *least = 0;
    for (int c = 1; c < s->sum.classes; ++c)
        if (mpz_cmp(count[c][0], count[*least][0]) < 0)
            *least = c;
    for (int c = 0; c < PM_KASTELEYN_CLASSES_MAX; ++c)
        mpz_clears(count[c][0], count[c][1], NULL);
    return status;
}

/* z[0] = half the sum of all classes, less class `least`. */
static void combine(const pm_planar *s, int least, mpz_t (*z)[2])
{
    for (int part = 0; part < 2; ++part) {
        mpz_t sum;
        mpz_init(sum);
        for (int c = 0; c < s->sum.classes; ++c)
            mpz_add(sum, sum, z[c][part]);
        mpz_fdiv_q_2exp(sum, sum, 1);
        mpz_sub(z[0][part], sum, z[least][part]);
        mpz_clear(sum);
    }
}

/* Sets z[0] and z[1] to the real and imaginary part of the permanent of the plain graph, divided by
 * 2^shift. */
static pm_status find_parts(const pm_job *job, const pm_planar *s, mpz_t z[2], pm_error *err)
{
    int least;
    mpz_t class[PM_KASTELEYN_CLASSES_MAX][2];
    for (int c = 0; c < PM_KASTELEYN_CLASSES_MAX; ++c)
        mpz_inits(class[c][0], class[c][1], NULL);
    pm_status status = find_sums(job, s, "determinants", &s->integers, &s->moduli, class, err);
    bool is_partial = status == PM_PARTIAL;
    if (s->sum.classes > 1 && (!status || (is_partial && job->block->a.field != PM_PATTERN))) {
        status = find_least(job, s, class, &least, err);
        if (!status && !is_partial)
            combine(s, least, class);
    }
    if (!status && is_partial)
        status = PM_PARTIAL;
    mpz_swap(z[0], class[0][0]);
    mpz_swap(z[1], class[0][1]);
    for (int c = 0; c < PM_KASTELEYN_CLASSES_MAX; ++c)
        mpz_clears(class[c][0], class[c][1], NULL);
    return status;
}

/* Divide z by the factorials of the twins: exactly, or modulo the job's modulus. */
static void divide_twins(const pm_job *job, const pm_planar *s, mpz_t z)
{
    mpz_t twins;
    mpz_init(twins);
    pm_block_twin_factor(job->block, twins);
    if (s->is_modular) {
        uint64_t m = s->moduli.prime[0];
        mpz_mul_ui(z, z, pm_mod_inverse(mpz_fdiv_ui(twins, m), m));
    } else {
        mpz_divexact(z, z, twins);
    }
    mpz_clear(twins);
}

static void set_integer(const pm_planar *s, mpz_t z, pm_value *out)
{
    mpz_mul_2exp(z, z, (mp_bitcnt_t)s->integers.shift);
    pm_value_set_mpz(out, z);
}

/* z 2^shift as a double-double; *error is increased by the error of rounding. */
static pm_xreal rounded(const mpz_t z, int64_t shift, pm_xreal *error)
{
    pm_dyadic exact = {0};
    pm_dyadic_set_mpz_2exp(&exact, z, shift);
    pm_xreal x = pm_xreal_from_dyadic(&exact);
    if (pm_dyadic_bits(&exact) > 53)
        *error =
            pm_xreal_add(*error, pm_xreal_mul(pm_xreal_abs(x), pm_xreal_make(PM_XREAL_EPS, 0, 0)));
    pm_dyadic_clear(&exact);
    return x;
}

static void set_inexact(const pm_job *job, const pm_planar *s, mpz_t z[2], pm_value *out)
{
    pm_xreal error = {0}, part[2];
    for (int i = 0; i < 2; ++i)
        part[i] = rounded(z[i], s->integers.shift, &error);
    pm_value_set_real(out, job->block->a.field, part[0], part[1], error);
}

pm_status pm_planar_run(const pm_job *job, const pm_plan *chosen, uint64_t *residues, pm_value *out,
                        pm_error *err)
{
    const pm_planar *s = chosen->state;
    pm_status status = PM_OK;
    mpz_t z[2];
    (void)residues;
    mpz_inits(z[0], z[1], NULL);
    if (!s->sum.is_zero)
        status = find_parts(job, s, z, err);
    for (int part = 0; part < 2 && !status && !s->sum.is_zero; ++part)
        divide_twins(job, s, z[part]);
    if (!status && job->block->a.field <= PM_INTEGER)
        set_integer(s, z[0], out);
    else if (!status)
        set_inexact(job, s, z, out);
    mpz_clears(z[0], z[1], NULL);
    return status;
}
