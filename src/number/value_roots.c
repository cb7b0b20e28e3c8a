/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/value_roots.h"

#include "number/bits.h"

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

/* q = half of x.  Returns false where x is not rational. */
static bool get_half(mpq_t q, const pm_root_sum *x)
{
    pm_root_sum_get_rational(q, x);
    mpq_div_2exp(q, q, 1);
    return pm_root_sum_is_rational(x);
}

/* r = re + i im with fractions: also where r has other roots, as root(12)^3 = i.  Returns false where there are none. */
static bool get_gaussian(mpq_t re, mpq_t im, const pm_root_sum *r)
{
    mpq_t one;
    pm_root_sum twice, other;
    if (r->order % 4) {
        pm_root_sum_get_rational(re, r);
        return pm_root_sum_is_rational(r);
    }
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&twice);
    pm_root_sum_init(&other);
    pm_root_sum_set(&twice, r);
    pm_root_sum_conjugate(&twice);
    pm_root_sum_add(&twice, r);
    bool is = get_half(re, &twice);
    if (is) { /* i r + the conjugate of i r = -2 im */
        pm_root_sum_set_power(&twice, one, 4, 1);
        pm_root_sum_mul(&twice, r);
        pm_root_sum_set(&other, &twice);
        pm_root_sum_conjugate(&other);
        pm_root_sum_add(&twice, &other);
        is = get_half(im, &twice);
        mpq_neg(im, im);
    }
    pm_root_sum_clear(&twice);
    pm_root_sum_clear(&other);
    mpq_clear(one);
    return is;
}

void pm_value_set_roots(pm_value *v, const pm_root_sum *r)
{
    mpq_t re, im;
    mpq_inits(re, im, NULL);
    if (get_gaussian(re, im, r)) {
        pm_value_set_mpq(v, re, mpq_sgn(im) ? im : NULL);
    } else {
        mpq_set_ui(re, 0, 1);
        pm_value_set_mpq(v, re, NULL);
        pm_value_put_roots(v, r);
    }
    mpq_clears(re, im, NULL);
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
