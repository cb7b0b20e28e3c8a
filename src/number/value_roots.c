/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/value_roots.h"

#include "number/bits.h"
#include "pm/fraction.h"

enum { ROUNDED_BITS = 110 };

void pm_value_put_roots(pm_value *v, const pm_root_sum *r)
{
    if (!v->roots) {
        void *(*gmp_alloc)(size_t);
        mp_get_memory_functions(&gmp_alloc, NULL, NULL);
        v->roots = gmp_alloc(sizeof *v->roots);
        pm_root_sum_init(v->roots);
    }
    pm_root_sum_set(v->roots, r);
}

void pm_value_drop_roots(pm_value *v)
{
    void (*gmp_free)(void *, size_t);
    if (!v->roots)
        return;
    mp_get_memory_functions(NULL, NULL, &gmp_free);
    pm_root_sum_clear(v->roots);
    gmp_free(v->roots, sizeof *v->roots);
    v->roots = NULL;
}

/* c[power] of a sum. */
static void get_coefficient(mpq_t q, const pm_root_sum *x, int32_t power)
{
    mpq_set_ui(q, 0, 1);
    for (int32_t k = 0; k < x->count; ++k)
        if (x->power[k] == power)
            mpq_set(q, x->c[k]);
}

/* x has the smallest order. */
static void set_shortened(pm_value *v, const pm_root_sum *x)
{
    mpq_t re, im;
    const bool has_parts = 4 % x->order == 0;
    mpq_inits(re, im, NULL);
    if (has_parts) {
        get_coefficient(re, x, 0);
        get_coefficient(im, x, 1);
    }
    pm_value_set_mpq(v, re, mpq_sgn(im) ? im : NULL);
    if (!has_parts)
        pm_value_put_roots(v, x);
    mpq_clears(re, im, NULL);
}

void pm_value_set_roots(pm_value *v, const pm_root_sum *r)
{
    pm_root_sum x;
    pm_root_sum_init(&x);
    pm_root_sum_set(&x, r);
    pm_root_sum_shorten(&x, 0);
    set_shortened(v, &x);
    pm_root_sum_clear(&x);
}

void pm_value_round_roots(pm_value *v)
{
    mpq_t re, im;
    mpq_inits(re, im, NULL);
    pm_root_sum_precise_parts(v->roots, ROUNDED_BITS, re, im);
    const pm_xreal x = pm_xreal_from_mpq(re), y = pm_xreal_from_mpq(im);
    const pm_xreal size = pm_xreal_add(pm_xreal_abs(x), pm_xreal_abs(y));
    mpq_clears(re, im, NULL);
    pm_value_set_real(v, PM_COMPLEX, x, y,
                      pm_xreal_mul(size, pm_xreal_make(2 * PM_XREAL_EPS, 0, 0)));
}

/* r = v, which is exact. */
static void get_roots(pm_root_sum *r, const pm_value *v)
{
    pm_root_sum im;
    if (v->roots) {
        pm_root_sum_set(r, v->roots);
        return;
    }
    pm_root_sum_set_power(r, v->exact, 1, 0);
    if (!v->has_exact_im || mpq_sgn(v->exact_im) == 0)
        return;
    pm_root_sum_init(&im);
    pm_root_sum_set_power(&im, v->exact_im, 4, 1);
    pm_root_sum_add(r, &im);
    pm_root_sum_clear(&im);
}

void pm_value_combine_roots(pm_value *v, const pm_value *a,
                            bool (*how)(pm_root_sum *, const pm_root_sum *))
{
    pm_root_sum r, s;
    pm_root_sum_init(&r);
    pm_root_sum_init(&s);
    get_roots(&r, v);
    get_roots(&s, a);
    if (how(&r, &s)) {
        pm_value_set_roots(v, &r);
    } else {
        pm_value b;
        pm_value_init(&b);
        pm_value_set(&b, a);
        pm_value_widen(&b, PM_COMPLEX);
        pm_value_widen(v, PM_COMPLEX);
        (how == pm_root_sum_add ? pm_value_add : pm_value_mul)(v, &b);
        pm_value_clear(&b);
    }
    pm_root_sum_clear(&r);
    pm_root_sum_clear(&s);
}

pm_status pm_value_pow_roots(pm_value *v, const mpz_t k, pm_error *err)
{
    pm_root_sum x, power;
    mpq_t one;
    const int64_t bits = pm_root_sum_bits(v->roots) + 16;
    if (!mpz_fits_sint_p(k) || bits > PM_BITS_MAX / (mpz_sgn(k) ? mpz_get_si(k) : 1))
        return pm_fail(err, PM_UNABLE, "refused: a power would have more than 1 GiB of digits");
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&power);
    pm_root_sum_init(&x);
    pm_root_sum_set(&x, v->roots);
    pm_root_sum_set_power(&power, one, 1, 0);
    for (mp_bitcnt_t bit = mpz_sgn(k) ? mpz_sizeinbase(k, 2) : 0; bit-- > 0;) {
        pm_root_sum_mul(&power, &power);
        if (mpz_tstbit(k, bit))
            pm_root_sum_mul(&power, &x);
    }
    pm_value_set_roots(v, &power);
    pm_root_sum_clear(&x);
    pm_root_sum_clear(&power);
    mpq_clear(one);
    return PM_OK;
}

bool pm_value_residue(pm_value *v, uint64_t modulus)
{
    bool is = true;
    if (v->roots) {
        pm_root_sum r;
        pm_root_sum_init(&r);
        pm_root_sum_set(&r, v->roots);
        is = pm_root_sum_residue(&r, modulus);
        if (is) {
            pm_root_sum_shorten(&r, modulus);
            set_shortened(v, &r);
        }
        pm_root_sum_clear(&r);
    }
    return is && pm_rational_residue(v->exact, modulus)
           && (!v->has_exact_im || pm_rational_residue(v->exact_im, modulus));
}
