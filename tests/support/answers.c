/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/answers.h"

#include <math.h>

void dyadic_to_mpq(const pm_dyadic *x, mpq_t q)
{
    int64_t e;
    pm_dyadic_get_mpz_2exp(mpq_numref(q), &e, x);
    mpz_set_ui(mpq_denref(q), 1);
    if (e >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
}

void xreal_to_mpq(pm_xreal x, mpq_t q)
{
    mpq_t lo;
    mpq_init(lo);
    mpq_set_d(q, x.hi);
    mpq_set_d(lo, x.lo);
    mpq_add(q, q, lo);
    if (x.exp >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)x.exp);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-x.exp);
    mpq_clear(lo);
}

bool within(pm_xreal part, pm_xreal error, const pm_dyadic *exact)
{
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    xreal_to_mpq(part, a);
    dyadic_to_mpq(exact, b);
    mpq_sub(a, a, b);
    mpq_abs(a, a);
    xreal_to_mpq(error, b);
    bool ok = mpq_cmp(a, b) <= 0;
    mpq_clears(a, b, NULL);
    return ok;
}

bool agrees(const pm_value *v, const pm_cnum *exact)
{
    if (!pm_value_is_exact(v))
        return within(v->re, v->error, &exact->re) && within(v->im, v->error, &exact->im);
    mpq_t q;
    mpq_init(q);
    dyadic_to_mpq(&exact->re, q);
    bool ok = mpq_equal(q, v->exact) && pm_dyadic_is_zero(&exact->im);
    mpq_clear(q);
    return ok;
}

bool values_agree(const pm_value *a, const pm_value *b)
{
    if (pm_value_is_exact(a) && pm_value_is_exact(b))
        return mpq_equal(a->exact, b->exact);
    mpq_t d, e, t;
    bool ok = true;
    mpq_inits(d, e, t, NULL);
    pm_value x, y;
    pm_value_init(&x);
    pm_value_init(&y);
    pm_value_set(&x, a);
    pm_value_set(&y, b);
    pm_value_widen(&x, PM_COMPLEX);
    pm_value_widen(&y, PM_COMPLEX);
    xreal_to_mpq(x.error, e);
    xreal_to_mpq(y.error, t);
    mpq_add(e, e, t);
    for (int part = 0; part < 2; ++part) {
        xreal_to_mpq(part ? x.im : x.re, d);
        xreal_to_mpq(part ? y.im : y.re, t);
        mpq_sub(d, d, t);
        mpq_abs(d, d);
        ok = ok && mpq_cmp(d, e) <= 0;
    }
    pm_value_clear(&x);
    pm_value_clear(&y);
    mpq_clears(d, e, t, NULL);
    return ok;
}

double dd_distance(const double a[2], const double b[2])
{
    return fabs((a[0] - b[0]) + (a[1] - b[1]));
}
