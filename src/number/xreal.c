/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Double-double arithmetic with a 64-bit exponent.
 * Source: Joldes, Muller and Popescu, Tight and rigorous error bounds for basic building blocks of
 * double-word arithmetic, ACM TOMS 44 (2017): algorithm 6 (sum, theorem 3.1: relative error at
 * most 3u^2/(1-4u)) and algorithm 12 (product, theorem 5.3: at most 5u^2), u = 2^-53. */
#include "config.h"

#include "pm/value.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/power_of_two.h"

#define EXPONENT_MAX (INT64_C(1) << 62)

static const pm_xreal out_of_range = {NAN, NAN, 0};

/* s + *rest = a + b exactly. */
static double two_sum(double a, double b, double *rest)
{
    double s = a + b, t = s - a;
    *rest = (a - (s - t)) + (b - t);
    return s;
}

/* The same when |a| >= |b| or a = 0. */
static double fast_two_sum(double a, double b, double *rest)
{
    double s = a + b;
    *rest = b - (s - a);
    return s;
}

/* frexp */
static double split_exponent(double x, int *exp)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7ff);
    if (biased == 0)
        return frexp(x, exp);
    *exp = biased - 1022;
    bits = (bits & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(1022) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

pm_xreal pm_xreal_make(double hi, double lo, int64_t exp)
{
    assert(isfinite(hi) && isfinite(lo));
    if (fabs(lo) > fabs(hi)) {
        double t = hi;
        hi = lo;
        lo = t;
    }
    if (hi == 0)
        return (pm_xreal){0};
    /* towards 1 first, so that the sum cannot overflow */
    int scale, carry = 0;
    hi = split_exponent(hi, &scale);
    if (lo == 0) {
        lo = 0; /* without a sign */
    } else {
        hi = two_sum(hi, pm_times_power_of_two(lo, -scale), &lo);
        if (hi == 0)
            return (pm_xreal){0};
        hi = split_exponent(hi, &carry);
        lo = pm_times_power_of_two(lo, -carry);
    }
    if (__builtin_add_overflow(exp, scale + carry, &exp) || exp > EXPONENT_MAX
        || exp < -EXPONENT_MAX)
        return out_of_range;
    return (pm_xreal){hi, lo, exp};
}

/* Within 2^-103 relative of z * 2^exp. */
static pm_xreal from_mpz(const mpz_t z, int64_t exp)
{
    mpz_t top;
    mpz_init(top);
    int64_t bits = (int64_t)mpz_sizeinbase(z, 2), drop = bits > 192 ? bits - 192 : 0;
    mpz_tdiv_q_2exp(top, z, (mp_bitcnt_t)drop);
    /* both parts are cut, not rounded: 53 bits, then 53 of the rest */
    double hi = mpz_get_d(top), lo;
    mpz_t rest;
    mpz_init(rest);
    mpz_set_d(rest, hi);
    mpz_sub(rest, top, rest);
    lo = mpz_get_d(rest);
    mpz_clear(rest);
    mpz_clear(top);
    return pm_xreal_make(hi, lo, exp + drop);
}

pm_xreal pm_xreal_from_dyadic(const pm_dyadic *a)
{
    if (!pm_dyadic_is_in_range(a))
        return out_of_range;
    if (a->kind == PM_DYADIC_BIG)
        return from_mpz(a->m.big, a->exp);
    /* 32 and 31 bits, each exact */
    int64_t high = a->m.small >> 32, low = a->m.small & INT64_C(0xffffffff);
    return pm_xreal_make(ldexp((double)high, 32), (double)low, a->exp);
}

pm_xreal pm_xreal_from_mpq(const mpq_t q)
{
    const mpz_srcptr num = mpq_numref(q), den = mpq_denref(q);
    if (mpz_cmp_ui(den, 1) == 0)
        return from_mpz(num, 0);
    /* a quotient of at least 192 bits */
    int64_t shift = 192 + (int64_t)mpz_sizeinbase(den, 2) - (int64_t)mpz_sizeinbase(num, 2);
    mpz_t z;
    mpz_init(z);
    if (shift < 0)
        shift = 0;
    mpz_mul_2exp(z, num, (mp_bitcnt_t)shift);
    mpz_tdiv_q(z, z, den);
    pm_xreal x = from_mpz(z, -shift);
    mpz_clear(z);
    return x;
}

static bool are_in_range(pm_xreal a, pm_xreal b)
{
    return pm_xreal_is_in_range(a) && pm_xreal_is_in_range(b);
}

pm_xreal pm_xreal_add(pm_xreal a, pm_xreal b)
{
    if (a.hi == 0)
        return b;
    if (b.hi == 0)
        return a;
    if (!are_in_range(a, b))
        return out_of_range;
    if (a.exp < b.exp) {
        pm_xreal t = a;
        a = b;
        b = t;
    }
    if (a.exp - b.exp > 128)
        return a;
    int down = (int)(b.exp - a.exp);
    double b_hi = ldexp(b.hi, down), b_lo = ldexp(b.lo, down), s_rest, t_rest;
    double s = two_sum(a.hi, b_hi, &s_rest);
    double t = two_sum(a.lo, b_lo, &t_rest);
    s = fast_two_sum(s, s_rest + t, &s_rest);
    s = fast_two_sum(s, t_rest + s_rest, &s_rest);
    return pm_xreal_make(s, s_rest, a.exp);
}

pm_xreal pm_xreal_mul(pm_xreal a, pm_xreal b)
{
    if (a.hi == 0 || b.hi == 0)
        return (pm_xreal){0};
    if (!are_in_range(a, b))
        return out_of_range;
    /* fma throughout: the same digits whether or not the compiler contracts */
    double p = a.hi * b.hi, rest = fma(a.hi, b.hi, -p);
    rest += fma(a.lo, b.hi, fma(a.hi, b.lo, a.lo * b.lo));
    return pm_xreal_make(p, rest, a.exp + b.exp);
}

pm_xreal pm_xreal_abs(pm_xreal a)
{
    return a.hi < 0 ? (pm_xreal){-a.hi, -a.lo, a.exp} : a;
}

double pm_xreal_ratio(pm_xreal a, pm_xreal b)
{
    if (a.hi == 0 || b.hi == 0)
        return 0;
    if (!are_in_range(a, b))
        return NAN;
    int64_t e = a.exp - b.exp;
    return ldexp(a.hi / b.hi, (int)(e > 4000 ? 4000 : e < -4000 ? -4000 : e));
}

int pm_xreal_cmpabs(pm_xreal a, pm_xreal b)
{
    if (a.hi == 0 || b.hi == 0)
        return (a.hi != 0) - (b.hi != 0);
    if (!are_in_range(a, b))
        return pm_xreal_is_in_range(b) - pm_xreal_is_in_range(a);
    a = pm_xreal_abs(a);
    b = pm_xreal_abs(b);
    if (a.exp != b.exp)
        return a.exp < b.exp ? -1 : 1;
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}
