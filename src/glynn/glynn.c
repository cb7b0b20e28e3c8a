/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "glynn": the permanent of a block of at most 20 rows by Glynn's formula,
 *
 *   per(A) = 2^(1-n) * sum over signs d with d_n = 1 of (prod_k d_k) prod_i (sum_j d_j a_ij),
 *
 * at once: nothing is allocated, and one thread works.  Planning and setting up take less than a
 * microsecond.  Integers are exact.  Real and complex products are in double.
 * Source: Glynn 2010, theorem 2.1. */
#include "config.h"

#include <math.h>

#include "algorithm/algorithm.h"
#include "core/isa.h"
#include "glynn/glynn_entries.h"
#include "number/dd.h"
#include "pm/settings.h"

static const pm_glynn_kernels *kernels(void)
{
#if PM_HAVE_X86
    switch (pm_isa_best()) {
    case PM_ISA_PORTABLE: break;
    case PM_ISA_AVX2: return &pm_glynn_avx2;
    default: return &pm_glynn_avx512;
    }
#endif
    return &pm_glynn_portable;
}

/* ---- planning ---- */

/* Entries with more bits than are needed for a single double are expected where entries are real:
 * row sums are the sums of two doubles then. */
static pm_rate rate_of(pm_field field)
{
    return field == PM_COMPLEX ? PM_RATE_GLYNN_COMPLEX
           : field == PM_REAL  ? PM_RATE_GLYNN_REAL
                               : PM_RATE_GLYNN_EXACT;
}

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    const pm_block *b = job->block;
    if (!pm_glynn_fits(b))
        return pm_fail(err, PM_UNABLE, "glynn takes at most %d rows, found %lld", PM_GLYNN_MAX,
                       (long long)b->n);
    if (b->a.field > PM_INTEGER && job->precision > PM_DOUBLE)
        return pm_fail(err, PM_UNABLE, "glynn computes in double only");
    double n = b->n < PM_GLYNN_LEAST ? PM_GLYNN_LEAST : (double)b->n;
    plan->operations = ldexp(1, (int)n - 1);
    plan->seconds = PM_GLYNN_SETUP_SECONDS
                    + plan->operations * n * job->rates->seconds[rate_of(b->a.field)];
    plan->memory = sizeof(pm_glynn);
    plan->is_serial = true;
    return PM_OK;
}

/* ---- the sum ---- */

/* Lane l has the sign (-1)^(bits of l). */
static bool is_minus(int lane)
{
    return __builtin_parity((unsigned)lane);
}

static __int128 exact_sum(const pm_glynn *g)
{
    pm_glynn_sum s;
    __int128 sum = 0;
    if (g->first_group < g->n)
        return kernels()->pairs(g);
    kernels()->real(g, &s);
    for (int l = 0; l < PM_GLYNN_LANES; ++l) {
        __int128 x = (__int128)s.re[l][0] + (__int128)s.re[l][1];
        sum += is_minus(l) ? -x : x;
    }
    return sum;
}

/* Rounded to one double; *error is raised by the error. */
static double rounded_sum(double (*lane)[2], double *error)
{
    double sum[2] = {0, 0};
    for (int l = 0; l < PM_GLYNN_LANES; ++l) {
        double x[2];
        pm_two_sum(lane[l][0], lane[l][1], &x[0], &x[1]);
        if (is_minus(l))
            x[0] = -x[0], x[1] = -x[1];
        pm_dd_add(sum, x);
    }
    *error += fabs(sum[1]);
    return sum[0];
}

/* All errors are relative to the sum of |terms|, in units of u = 2^-53, to first order.  Row sums:
 * 1 u each where they have two parts, for complex numbers too.  Products: n - 1 roundings; complex
 * ones sqrt 5 each (Brent, Percival and Zimmermann 2007).  Sums: three levels of eight terms, 3 u;
 * the compensated sum of at most 2^14 of these, 1 u and 2^28 u^2; additions of the eight lanes in
 * double-double.  The factor 1.25 covers the terms of higher order and the rounding of `absolute`,
 * at most 2^15 additions. */
static double rounding(const pm_glynn *g, bool is_complex)
{
    double n = g->n;
    bool has_low_parts = g->parts == (is_complex ? 4 : 2);
    return 1.25 * 0x1p-53 * ((is_complex ? 2.25 : 1) * (n - 1) + (has_low_parts ? n : 0) + 6);
}

static void inexact_sum(const pm_glynn *g, bool is_complex, double *re, double *im, double *error)
{
    const pm_glynn_kernels *k = kernels();
    pm_glynn_sum s;
    switch (g->parts) {
    case 1: k->real(g, &s); break;
    case 2: (is_complex ? k->complex : k->real_exact)(g, &s); break;
    default: k->complex_exact(g, &s); break;
    }
    *error = rounding(g, is_complex) * s.absolute;
    *re = rounded_sum(s.re, error);
    *im = is_complex ? rounded_sum(s.im, error) : 0;
}

/* ---- values ---- */

static bool has_twins(const pm_block *b)
{
    return b->a.nrows < b->n || b->a.ncols < b->n;
}

/* *out = sum / 2^(n - 1) / the factor of the twins; both divisions leave no remainder. */
static void set_integer(const pm_block *b, __int128 sum, int n, pm_value *out)
{
    bool is_minus = sum < 0;
    unsigned __int128 size = (unsigned __int128)(is_minus ? -sum : sum) >> (n - 1);
    mpz_t z, factor;
    mpz_init_set_ui(z, (uint64_t)(size >> 64));
    mpz_mul_2exp(z, z, 64);
    mpz_add_ui(z, z, (uint64_t)size);
    if (is_minus)
        mpz_neg(z, z);
    if (has_twins(b)) {
        mpz_init(factor);
        pm_block_twin_factor(b, factor);
        mpz_divexact(z, z, factor);
        mpz_clear(factor);
    }
    pm_value_set_mpz(out, z);
    mpz_clear(z);
}

static void divide_by_twins(const pm_block *b, double *re, double *im, double *error)
{
    mpz_t z;
    mpz_init(z);
    pm_block_twin_factor(b, z);
    double factor = mpz_get_d(z); /* below 2^122; truncated: 2 u */
    mpz_clear(z);
    *re /= factor;
    *im /= factor;
    *error = (*error / factor + 0x1p-51 * (fabs(*re) + fabs(*im))) * (1 + 0x1p-50);
}

static pm_status run(const pm_job *job, const pm_plan *p, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const pm_block *b = job->block;
    bool is_complex = b->a.field == PM_COMPLEX;
    double re, im, error;
    int64_t shift;
    pm_glynn g;
    (void)p, (void)residues;
    if (b->a.field <= PM_INTEGER) {
        if (!pm_glynn_set_integers(b, &g))
            return pm_fail(err, PM_UNABLE, "glynn takes integers of fewer bits");
        set_integer(b, exact_sum(&g), g.n, out);
        return PM_OK;
    }
    if (!pm_glynn_set_numbers(b, &g, &shift, &error))
        return pm_fail(err, PM_UNABLE, "glynn takes entries of at most 53 bits");
    double inexact = error;
    inexact_sum(&g, is_complex, &re, &im, &error);
    shift -= g.n - 1;
    error += ldexp(inexact, g.n - 1);
    if (has_twins(b))
        divide_by_twins(b, &re, &im, &error);
    pm_value_set_real(out, b->a.field, pm_xreal_make(re, 0, shift), pm_xreal_make(im, 0, shift),
                      pm_xreal_make(error, 0, shift));
    return PM_OK;
}

const pm_algorithm pm_algorithm_glynn = {
    .name = "glynn",
    .summary = "all signs at once, in double (Glynn's form); for at most 20 rows",
    .source = "Glynn 2010, theorem 2.1",
    .stage = PM_STAGE_AT_ONCE,
    .backend = PM_BACKEND_CPU,
    .integers = true,
    .plan = plan,
    .run = run};
