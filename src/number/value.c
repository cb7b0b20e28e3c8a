/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/value.h"

#include <assert.h>
#include <stdlib.h>

#include "number/bits.h"
#include "number/value_roots.h"
#include "pm/fraction.h"

const char *pm_field_name(pm_field f)
{
    static const char *const names[] = {"pattern", "integer", "real", "complex"};
    return names[f];
}

void pm_value_init(pm_value *v)
{
    mpq_init(v->exact);
    v->has_exact_im = false;
    v->roots = NULL;
    pm_value_set_one(v);
}

static void drop_im(pm_value *v)
{
    pm_value_drop_roots(v);
    if (v->has_exact_im)
        mpq_clear(v->exact_im);
    v->has_exact_im = false;
}

/* The imaginary part of v, 0 if it had none. */
static mpq_ptr make_im(pm_value *v)
{
    if (!v->has_exact_im)
        mpq_init(v->exact_im);
    v->has_exact_im = true;
    return v->exact_im;
}

void pm_value_set_one(pm_value *v)
{
    drop_im(v);
    mpq_set_ui(v->exact, 1, 1);
    v->field = PM_PATTERN;
    v->re = v->im = v->error = (pm_xreal){0};
    v->is_estimated = false;
}

void pm_value_clear(pm_value *v)
{
    drop_im(v);
    mpq_clear(v->exact);
}

void pm_value_set(pm_value *v, const pm_value *a)
{
    mpq_set(v->exact, a->exact);
    if (a->has_exact_im)
        mpq_set(make_im(v), a->exact_im);
    else
        drop_im(v);
    if (a->roots)
        pm_value_put_roots(v, a->roots);
    else
        pm_value_drop_roots(v);
    v->field = a->field;
    v->re = a->re;
    v->im = a->im;
    v->error = a->error;
    v->is_estimated = a->is_estimated;
}

void pm_value_set_si(pm_value *v, int64_t n)
{
    drop_im(v);
    v->field = PM_INTEGER;
    mpq_set_si(v->exact, n, 1);
}

void pm_value_set_mpz(pm_value *v, const mpz_t n)
{
    drop_im(v);
    v->field = PM_INTEGER;
    mpq_set_z(v->exact, n);
}

void pm_value_set_mpq(pm_value *v, const mpq_t re, const mpq_t im)
{
    v->field = PM_INTEGER;
    mpq_set(v->exact, re);
    pm_value_drop_roots(v);
    if (im)
        mpq_set(make_im(v), im);
    else
        drop_im(v);
}

void pm_value_show_imaginary(pm_value *v, bool shows)
{
    if (shows && !v->roots)
        make_im(v);
    else if (v->has_exact_im && mpq_sgn(v->exact_im) == 0)
        drop_im(v);
}

void pm_value_set_real(pm_value *v, pm_field field, pm_xreal re, pm_xreal im, pm_xreal error)
{
    assert(field == PM_REAL || field == PM_COMPLEX);
    drop_im(v);
    mpq_set_ui(v->exact, 0, 1);
    v->field = field;
    v->re = re;
    v->im = im;
    v->error = error;
    v->is_estimated = false;
}

bool pm_value_is_exact(const pm_value *v)
{
    return v->field == PM_PATTERN || v->field == PM_INTEGER;
}

bool pm_value_is_zero(const pm_value *v)
{
    if (pm_value_is_exact(v))
        return mpq_sgn(v->exact) == 0 && !v->roots
               && (!v->has_exact_im || mpq_sgn(v->exact_im) == 0);
    return v->re.hi == 0 && v->im.hi == 0 && v->error.hi == 0;
}

bool pm_value_is_in_range(const pm_value *v)
{
    return pm_value_is_exact(v)
           || (pm_xreal_is_in_range(v->re) && pm_xreal_is_in_range(v->im)
               && pm_xreal_is_in_range(v->error));
}

pm_xreal pm_value_real(const pm_value *v)
{
    return pm_value_is_exact(v) ? pm_xreal_from_mpq(v->exact) : v->re;
}

/* ---- errors ---- */

static pm_xreal add3(pm_xreal a, pm_xreal b, pm_xreal c)
{
    return pm_xreal_add(pm_xreal_add(a, b), c);
}

static pm_xreal times_eps(pm_xreal a, int k)
{
    return pm_xreal_mul(a, pm_xreal_make(k * PM_XREAL_EPS, 0, 0));
}

/* A little more than bound: more than the rounding errors of a dozen operations with bounds. */
static pm_xreal round_up(pm_xreal bound)
{
    return pm_xreal_mul(bound, pm_xreal_make(1, 0x1p-90, 0));
}

/* A number that is at least |v|. */
static pm_xreal size_of(const pm_value *v)
{
    return pm_xreal_add(pm_xreal_abs(v->re), pm_xreal_abs(v->im));
}

/* 0 or a power of two up to sign: products with it are exact. */
static bool is_shift(const pm_value *v)
{
    return v->im.hi == 0 && v->re.lo == 0 && (v->re.hi == 0 || v->re.hi == 0.5 || v->re.hi == -0.5);
}

/* True when two doubles hold q: at most 106 bits over a power of two. */
static bool fits_xreal(const mpq_t q)
{
    const mpz_srcptr num = mpq_numref(q);
    if (mpz_sgn(num) == 0)
        return true;
    return mpz_popcount(mpq_denref(q)) == 1 && mpz_sizeinbase(num, 2) - mpz_scan1(num, 0) <= 106;
}

void pm_value_widen(pm_value *v, pm_field field)
{
    if (field <= v->field)
        return;
    if (v->roots && field >= PM_REAL) {
        pm_value_round_roots(v);
        return;
    }
    if (pm_value_is_exact(v) && field >= PM_REAL) {
        v->re = pm_xreal_from_mpq(v->exact);
        v->im = v->has_exact_im ? pm_xreal_from_mpq(v->exact_im) : (pm_xreal){0};
        v->error = (pm_xreal){0};
        v->is_estimated = false;
        if (!fits_xreal(v->exact) || (v->has_exact_im && !fits_xreal(v->exact_im)))
            v->error = round_up(times_eps(size_of(v), 1));
        if (v->has_exact_im)
            field = PM_COMPLEX;
        drop_im(v);
        mpq_set_ui(v->exact, 0, 1);
    }
    v->field = field;
}

/* ---- arithmetic ---- */

static void add_inexact(pm_value *v, const pm_value *a)
{
    bool rounds = !(v->re.hi == 0 && v->im.hi == 0) && !(a->re.hi == 0 && a->im.hi == 0);
    pm_xreal error = pm_xreal_add(v->error, a->error);
    v->is_estimated |= a->is_estimated;
    v->re = pm_xreal_add(v->re, a->re);
    v->im = pm_xreal_add(v->im, a->im);
    if (rounds)
        error = pm_xreal_add(error, times_eps(size_of(v), 1));
    v->error = round_up(error);
}

/* For v within ea of a, and w within eb of b: |vw - ab| <= |a|eb + |b|ea + ea*eb.  Rounding errors
 * are added: of one product for real numbers; of four products, of total size |v||w|, and two sums
 * for complex numbers. */
static void mul_inexact(pm_value *v, const pm_value *a)
{
    pm_xreal sv = size_of(v), sa = size_of(a);
    pm_xreal error = add3(pm_xreal_mul(sv, a->error), pm_xreal_mul(sa, v->error),
                          pm_xreal_mul(v->error, a->error));
    if (!is_shift(v) && !is_shift(a))
        error = pm_xreal_add(error, times_eps(pm_xreal_mul(sv, sa), v->field == PM_REAL ? 1 : 4));
    v->error = error.hi == 0 ? error : round_up(error);
    v->is_estimated |= a->is_estimated;

    pm_xreal re = pm_xreal_mul(v->re, a->re), im = pm_xreal_mul(v->re, a->im);
    if (v->im.hi != 0) {
        re = pm_xreal_add(re, pm_xreal_neg(pm_xreal_mul(v->im, a->im)));
        im = pm_xreal_add(im, pm_xreal_mul(v->im, a->re));
    }
    v->re = re;
    v->im = im;
}

static pm_field wider(pm_field a, pm_field b)
{
    return a > b ? a : b;
}

static void add_exact(pm_value *v, const pm_value *a)
{
    if (v->roots || a->roots) {
        pm_value_combine_roots(v, a, pm_root_sum_add);
        return;
    }
    mpq_add(v->exact, v->exact, a->exact);
    if (a->has_exact_im)
        mpq_add(make_im(v), v->exact_im, a->exact_im);
}

static void get_fraction(const pm_value *v, pm_fraction *x)
{
    mpq_set(x->re, v->exact);
    if (v->has_exact_im)
        mpq_set(x->im, v->exact_im);
}

static void mul_exact(pm_value *v, const pm_value *a)
{
    if (v->roots || a->roots) {
        pm_value_combine_roots(v, a, pm_root_sum_mul);
        return;
    }
    if (!v->has_exact_im && !a->has_exact_im) {
        mpq_mul(v->exact, v->exact, a->exact);
        return;
    }
    pm_fraction x, y;
    pm_fraction_init(&x);
    pm_fraction_init(&y);
    get_fraction(v, &x);
    get_fraction(a, &y);
    pm_fraction_mul(&x, &y);
    pm_value_set_mpq(v, x.re, x.im);
    pm_fraction_clear(&x);
    pm_fraction_clear(&y);
}

/* v = v op a in the wider field of the two. */
static void combine(pm_value *v, const pm_value *a, void (*exact)(pm_value *, const pm_value *),
                    void (*inexact)(pm_value *, const pm_value *))
{
    pm_field field = wider(v->field, a->field);
    pm_value other;
    pm_value_init(&other);
    pm_value_set(&other, a);
    pm_value_widen(&other, field);
    pm_value_widen(v, field);
    if (pm_value_is_exact(v))
        exact(v, &other);
    else
        inexact(v, &other);
    pm_value_clear(&other);
}

void pm_value_add(pm_value *v, const pm_value *a)
{
    combine(v, a, add_exact, add_inexact);
}

static bool is_exact_one(const pm_value *v)
{
    return pm_value_is_exact(v) && !v->has_exact_im && !v->roots && mpq_cmp_ui(v->exact, 1, 1) == 0;
}

void pm_value_mul(pm_value *v, const pm_value *a)
{
    if (is_exact_one(v)) {
        pm_field field = v->field;
        pm_value_set(v, a);
        pm_value_widen(v, field);
        return;
    }
    combine(v, a, mul_exact, mul_inexact);
}

/* ---- powers ---- */

#define POWER_EXP_MAX (INT64_C(1) << 60)

/* bits * k <= limit */
static bool power_fits(int64_t bits, const mpz_t k, int64_t limit)
{
    int64_t total;
    return mpz_fits_slong_p(k) && !__builtin_mul_overflow(bits, mpz_get_si(k), &total)
           && total <= limit;
}

static pm_status power_exact(mpq_t q, const mpz_t k, pm_error *err)
{
    mpz_ptr num = mpq_numref(q), den = mpq_denref(q);
    if (mpz_cmpabs_ui(num, 1) <= 0 && mpz_cmp_ui(den, 1) == 0) {
        if (mpz_sgn(k) == 0 || (mpz_sgn(num) < 0 && mpz_even_p(k)))
            mpq_set_ui(q, 1, 1);
        return PM_OK;
    }
    size_t bits = mpz_sizeinbase(num, 2), den_bits = mpz_sizeinbase(den, 2);
    if (!power_fits((int64_t)(bits > den_bits ? bits : den_bits), k, PM_BITS_MAX))
        return pm_fail(err, PM_UNABLE, "refused: a power would have more than 1 GiB of digits");
    mpz_pow_ui(num, num, mpz_get_ui(k));
    mpz_pow_ui(den, den, mpz_get_ui(k));
    return PM_OK;
}

/* By repeated squaring; the bits of a power are at most k times those of v. */
static pm_status power_of_complex(pm_value *v, const mpz_t k, pm_error *err)
{
    pm_fraction x, power;
    pm_fraction_init_one(&power);
    pm_fraction_init(&x);
    get_fraction(v, &x);
    pm_status status = PM_OK;
    if (mpz_sgn(k) && !pm_fraction_is_zero(&x)
        && !power_fits(8 * pm_fraction_bytes(&x), k, PM_BITS_MAX))
        status = pm_fail(err, PM_UNABLE, "refused: a power would have more than 1 GiB of digits");
    for (mp_bitcnt_t bit = mpz_sgn(k) ? mpz_sizeinbase(k, 2) : 0; bit-- > 0 && !status;) {
        pm_fraction_mul(&power, &power);
        if (mpz_tstbit(k, bit))
            pm_fraction_mul(&power, &x);
    }
    if (!status)
        pm_value_set_mpq(v, power.re, power.im);
    pm_fraction_clear(&power);
    pm_fraction_clear(&x);
    return status;
}

static int64_t exponent_size(pm_xreal x)
{
    return x.hi == 0 ? 0 : llabs(x.exp);
}

static pm_status power_inexact(pm_value *v, const mpz_t k, pm_error *err)
{
    int64_t exp = exponent_size(v->re);
    if (exp < exponent_size(v->im))
        exp = exponent_size(v->im);
    if (exp < exponent_size(v->error))
        exp = exponent_size(v->error);
    if (mpz_sgn(k) && pm_value_is_zero(v))
        return PM_OK;
    if (!pm_value_is_in_range(v))
        return pm_fail(err, PM_UNABLE, "a power of a number with an exponent beyond 2^62");
    /* every step may cancel, and so lose, some 100 bits */
    if (!power_fits(exp + 128, k, POWER_EXP_MAX))
        return pm_fail(err, PM_UNABLE, "a power has an exponent of more than 60 bits");
    pm_value power;
    pm_value_init(&power);
    pm_value_set_real(&power, v->field, pm_xreal_make(1, 0, 0), (pm_xreal){0}, (pm_xreal){0});
    for (mp_bitcnt_t bit = mpz_sgn(k) ? mpz_sizeinbase(k, 2) : 0; bit-- > 0;) {
        mul_inexact(&power, &power);
        if (mpz_tstbit(k, bit))
            mul_inexact(&power, v);
    }
    pm_value_set(v, &power);
    pm_value_clear(&power);
    return PM_OK;
}

pm_status pm_value_pow(pm_value *v, const mpz_t k, pm_error *err)
{
    assert(mpz_sgn(k) >= 0);
    if (v->roots)
        return pm_value_pow_roots(v, k, err);
    if (v->has_exact_im)
        return power_of_complex(v, k, err);
    return pm_value_is_exact(v) ? power_exact(v->exact, k, err) : power_inexact(v, k, err);
}
