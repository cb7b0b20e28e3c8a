/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "integers/scale_factor.h"

#include "core/long_step.h"
#include "number/bits.h"

/* Returns false when the product would be too long. */
static bool push(pm_cproduct *p, const mpz_t z, int64_t times, double *bits)
{
    mpz_t power;
    pm_cnum x = {{{0}, 0, 0}, {{0}, 0, 0}};
    if (mpz_cmp_ui(z, 1) == 0 || times == 0)
        return true;
    *bits += (double)mpz_sizeinbase(z, 2) * (double)times;
    if (*bits > (double)PM_BITS_MAX || !pm_bits_fit((int64_t)*bits))
        return false;
    mpz_init(power);
    mpz_pow_ui(power, z, (unsigned long)times);
    pm_dyadic_set_mpz(&x.re, power);
    mpz_clear(power);
    pm_cproduct_push(p, &x);
    pm_cnum_clear(&x);
    return true;
}

void pm_scale_factor_mul(pm_scale_factor *f, const mpz_t above, const mpz_t below, int64_t exp,
                         int64_t times)
{
    int64_t change;
    if (f->is_long)
        return;
    f->is_long = __builtin_mul_overflow(exp, times, &change)
                 || __builtin_add_overflow(f->exp, change, &f->exp)
                 || !push(&f->above, above, times, &f->bits)
                 || !push(&f->below, below, times, &f->bits);
}

bool pm_scale_factor_take(pm_scale_factor *f, mpq_t out)
{
    pm_cnum above = {{{0}, 0, 0}, {{0}, 0, 0}}, below = above;
    pm_cproduct_take(&f->above, &above);
    pm_cproduct_take(&f->below, &below);
    const int64_t exp = f->exp;
    const double bits = f->bits + (exp < 0 ? -(double)exp : (double)exp);
    const bool fits = !f->is_long && bits <= (double)PM_BITS_MAX && pm_bits_fit((int64_t)bits)
                      && pm_cnum_is_in_range(&above) && pm_cnum_is_in_range(&below);
    if (fits) {
        pm_dyadic_get_mpz(mpq_numref(out), &above.re);
        pm_dyadic_get_mpz(mpq_denref(out), &below.re);
        pm_long_step_begin((int64_t)bits);
        mpq_canonicalize(out);
        if (exp >= 0)
            mpq_mul_2exp(out, out, (mp_bitcnt_t)exp);
        else
            mpq_div_2exp(out, out, (mp_bitcnt_t)-exp);
        pm_long_step_end((int64_t)bits);
    }
    pm_cnum_clear(&above);
    pm_cnum_clear(&below);
    *f = (pm_scale_factor){.exp = 0};
    return fits;
}

void pm_scale_factor_free(pm_scale_factor *f)
{
    pm_cnum rest = {{{0}, 0, 0}, {{0}, 0, 0}};
    pm_cproduct_take(&f->above, &rest);
    pm_cproduct_take(&f->below, &rest);
    pm_cnum_clear(&rest);
    *f = (pm_scale_factor){.exp = 0};
}
