/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/fraction.h"

void pm_fraction_init(pm_fraction *x)
{
    mpq_inits(x->re, x->im, NULL);
}

void pm_fraction_init_one(pm_fraction *x)
{
    pm_fraction_init(x);
    mpq_set_ui(x->re, 1, 1);
}

void pm_fraction_clear(pm_fraction *x)
{
    mpq_clears(x->re, x->im, NULL);
}

void pm_fraction_set_si(pm_fraction *x, long v)
{
    mpq_set_si(x->re, v, 1);
    mpq_set_ui(x->im, 0, 1);
}

static bool is_long(const pm_dyadic *a)
{
    int64_t bits = pm_dyadic_bits(a) + (a->exp > 0 ? a->exp : 0);
    return !pm_dyadic_is_in_range(a) || bits > PM_FRACTION_BITS_MAX
           || a->exp < -PM_FRACTION_BITS_MAX;
}

static bool is_rational_long(mpq_srcptr q)
{
    return mpz_sizeinbase(mpq_numref(q), 2) > PM_FRACTION_BITS_MAX
           || mpz_sizeinbase(mpq_denref(q), 2) > PM_FRACTION_BITS_MAX + 1;
}

bool pm_fraction_is_long(const pm_fraction *x)
{
    return is_rational_long(x->re) || is_rational_long(x->im);
}

void pm_rational_set_dyadic(mpq_t q, const pm_dyadic *a)
{
    int64_t e;
    pm_dyadic_get_mpz_2exp(mpq_numref(q), &e, a);
    mpz_set_ui(mpq_denref(q), 1);
    if (e >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
}

bool pm_fraction_set_dyadic(pm_fraction *x, const pm_dyadic *re, const pm_dyadic *im)
{
    if (is_long(re) || is_long(im))
        return false;
    pm_rational_set_dyadic(x->re, re);
    pm_rational_set_dyadic(x->im, im);
    return true;
}

void pm_fraction_add(pm_fraction *x, const pm_fraction *a)
{
    mpq_add(x->re, x->re, a->re);
    mpq_add(x->im, x->im, a->im);
}

void pm_fraction_mul(pm_fraction *x, const pm_fraction *a)
{
    if (mpq_sgn(x->im) == 0 && mpq_sgn(a->im) == 0) {
        mpq_mul(x->re, x->re, a->re);
        return;
    }
    mpq_t rr, ii, ir;
    mpq_inits(rr, ii, ir, NULL);
    mpq_mul(rr, x->re, a->re);
    mpq_mul(ii, x->im, a->im);
    mpq_mul(ir, x->im, a->re);
    mpq_mul(x->im, x->re, a->im);
    mpq_add(x->im, x->im, ir);
    mpq_sub(x->re, rr, ii);
    mpq_clears(rr, ii, ir, NULL);
}

void pm_fraction_div_z(pm_fraction *x, const mpz_t d)
{
    if (mpz_cmp_ui(d, 1) == 0)
        return;
    mpq_t q;
    mpq_init(q);
    mpq_set_z(q, d);
    mpq_div(x->re, x->re, q);
    mpq_div(x->im, x->im, q);
    mpq_clear(q);
}

bool pm_fraction_is_zero(const pm_fraction *x)
{
    return mpq_sgn(x->re) == 0 && mpq_sgn(x->im) == 0;
}

bool pm_fraction_is_one(const pm_fraction *x)
{
    return mpq_cmp_ui(x->re, 1, 1) == 0 && mpq_sgn(x->im) == 0;
}

int64_t pm_fraction_bytes(const pm_fraction *x)
{
    mpz_srcptr part[] = {mpq_numref(x->re), mpq_denref(x->re), mpq_numref(x->im),
                         mpq_denref(x->im)};
    int64_t bytes = 0;
    for (int k = 0; k < 4; ++k)
        bytes += (int64_t)(mpz_size(part[k]) * sizeof(mp_limb_t));
    return bytes;
}

bool pm_rational_residue(mpq_t q, uint64_t modulus)
{
    mpz_ptr num = mpq_numref(q), den = mpq_denref(q);
    if (mpz_cmp_ui(den, 1) != 0) {
        mpz_t m;
        mpz_init_set_ui(m, modulus);
        const bool is = mpz_invert(m, den, m);
        if (is) {
            mpz_mul(num, num, m);
            mpz_set_ui(den, 1);
        }
        mpz_clear(m);
        if (!is)
            return false;
    }
    mpz_fdiv_r_ui(num, num, modulus);
    return true;
}
