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
    if (b->n > PM_GLYNN_MAX)
        return pm_fail(err, PM_UNABLE, "glynn takes at most %d rows, found %lld", PM_GLYNN_MAX,
                       (long long)b->n);
    if (b->a.field > PM_INTEGER && job->precision > PM_DOUBLE)
        return pm_fail(err, PM_UNABLE, "glynn computes in double only");
    if (!pm_glynn_takes(b))
        return pm_fail(err, PM_UNABLE,
                       "glynn takes shorter integers only: products of row sums "
                       "of about 150 bits");
    const int n = pm_glynn_rows((int)b->n);
    plan->operations = ldexp(1, n - 1);
    plan->seconds =
        PM_GLYNN_SETUP_SECONDS + plan->operations * n * job->rates->seconds[rate_of(b->a.field)];
    plan->memory = sizeof(pm_glynn);
    plan->is_serial = true;
    return PM_OK;
}

/* ---- integers ---- */

typedef unsigned __int128 uint128;

/* Lane l has the sign (-1)^(bits of l). */
static bool is_minus(int lane)
{
    return __builtin_parity((unsigned)lane);
}

/* |high| < 2^70 and |low| < 2^53, integers */
static __int128 as_integer(const double x[2])
{
    __int128 high = fabs(x[0]) < 0x1p62 ? (int64_t)x[0] : (__int128)x[0];
    return high + (int64_t)x[1];
}

static __int128 exact_sum(double (*lane)[2])
{
    __int128 sum = 0;
    for (int l = 0; l < PM_GLYNN_LANES; ++l)
        sum += is_minus(l) ? -as_integer(lane[l]) : as_integer(lane[l]);
    return sum;
}

/* The product of the factorials of the capacities: at most 20! for each side. */
static uint128 twin_factor(const pm_block *b)
{
    uint128 f = 1;
    for (int64_t i = 0; i < b->a.nrows; ++i)
        for (int c = 2; c <= b->row_cap[i]; ++c)
            f *= (unsigned)c;
    for (int64_t j = 0; j < b->a.ncols; ++j)
        for (int c = 2; c <= b->col_cap[j]; ++c)
            f *= (unsigned)c;
    return f;
}

/* The weighted count of the block in its units; both divisions leave no remainder. */
static __int128 divided(const pm_block *b, const pm_glynn *g, __int128 sum)
{
    uint128 size = (uint128)(sum < 0 ? -sum : sum) >> (g->n - 1);
    if (b->a.nrows < b->n || b->a.ncols < b->n)
        size /= twin_factor(b);
    return sum < 0 ? -(__int128)size : (__int128)size;
}

static void set_mpz(mpz_t z, __int128 x)
{
    uint128 size = (uint128)(x < 0 ? -x : x);
    mpz_set_ui(z, (uint64_t)(size >> 64));
    if (size >> 64)
        mpz_mul_2exp(z, z, 64);
    mpz_add_ui(z, z, (uint64_t)size);
    if (x < 0)
        mpz_neg(z, z);
}

static void set_integer(__int128 x, int64_t shift, pm_value *out)
{
    mpz_t z;
    mpz_init(z);
    set_mpz(z, x);
    if (shift)
        mpz_mul_2exp(z, z, (mp_bitcnt_t)shift);
    pm_value_set_mpz(out, z);
    mpz_clear(z);
}

/* The same, not divided yet. */
static void set_wide_integer(const pm_block *b, const pm_glynn *g, pm_glynn_wide x, int64_t shift,
                             pm_value *out)
{
    mpz_t z, twins;
    mpz_inits(z, twins, NULL);
    set_mpz(z, x.high);
    mpz_mul_2exp(z, z, 64);
    mpz_add_ui(z, z, x.low);
    mpz_tdiv_q_2exp(z, z, (mp_bitcnt_t)(g->n - 1));
    set_mpz(twins, (__int128)twin_factor(b));
    mpz_divexact(z, z, twins);
    mpz_mul_2exp(z, z, (mp_bitcnt_t)shift);
    pm_value_set_mpz(out, z);
    mpz_clears(z, twins, NULL);
}

/* Exact for |x| < 2^106. */
static pm_xreal as_real(__int128 x, int64_t shift)
{
    double high = (double)x;
    return pm_xreal_make(high, (double)(x - (__int128)high), shift);
}

static void set_real(pm_field field, __int128 re, __int128 im, int64_t shift, pm_value *out)
{
    __int128 most = (__int128)1 << 106;
    pm_xreal x = as_real(re, shift), error = {0};
    if (re > most || re < -most)
        error = pm_xreal_mul(pm_xreal_abs(x), pm_xreal_make(PM_XREAL_EPS, 0, 0));
    pm_value_set_real(out, field, x, as_real(im, shift), error);
}

/* Without rounding; false when the numbers are too long for that. */
static bool count_exactly(const pm_block *b, pm_value *out)
{
    pm_glynn g;
    pm_glynn_sum s;
    int64_t shift;
    __int128 re, im = 0;
    if (!pm_glynn_set_integers(b, &g, &shift))
        return false;
    if (g.groups > 1) {
        pm_glynn_wide sum = kernels()->grouped(&g);
        if (b->a.field <= PM_INTEGER) {
            set_wide_integer(b, &g, sum, shift, out);
            return true;
        }
        re = (__int128)((uint128)sum.high << 64 | sum.low);
    } else {
        (b->a.im ? kernels()->complex : kernels()->real)(&g, &s);
        re = exact_sum(s.re);
        im = b->a.im ? exact_sum(s.im) : 0;
    }
    re = divided(b, &g, re);
    im = divided(b, &g, im);
    if (b->a.field <= PM_INTEGER)
        set_integer(re, shift, out);
    else
        set_real(b->a.field, re, im, shift, out);
    return true;
}

/* ---- real and complex numbers ---- */

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

static void divide_by_twins(const pm_block *b, double *re, double *im, double *error)
{
    double factor = (double)twin_factor(b);
    if (factor == 1)
        return;
    *re /= factor;
    *im /= factor;
    *error = (*error / factor + 0x1p-51 * (fabs(*re) + fabs(*im))) * (1 + 0x1p-50);
}

static void count_rounded(const pm_block *b, pm_value *out)
{
    bool is_complex = b->a.field == PM_COMPLEX;
    double re, im, error, inexact;
    int64_t shift;
    pm_glynn g;
    pm_glynn_set_numbers(b, &g, &shift, &inexact);
    inexact_sum(&g, is_complex, &re, &im, &error);
    shift -= g.n - 1;
    error += ldexp(inexact, g.n - 1);
    divide_by_twins(b, &re, &im, &error);
    pm_value_set_real(out, b->a.field, pm_xreal_make(re, 0, shift), pm_xreal_make(im, 0, shift),
                      pm_xreal_make(error, 0, shift));
}

static pm_status run(const pm_job *job, const pm_plan *p, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    (void)p, (void)residues;
    const pm_block *b = job->block;
    if (count_exactly(b, out))
        return PM_OK;
    if (b->a.field <= PM_INTEGER)
        return pm_fail_internal(err, "glynn: integers that were planned are too long");
    count_rounded(b, out);
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
