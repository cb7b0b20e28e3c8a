/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/dyadic_size.h"

#include "number/dyadic_roots.h"
#include "pm/fraction.h"

enum { BITS = 64, ROOT_BITS = 128 };

/* q = x 2^-least; x is no root. */
static void get(const pm_dyadic *x, int64_t least, mpq_t q)
{
    int64_t e;
    pm_dyadic_get_mpq_2exp(q, &e, x);
    if (mpq_sgn(q))
        mpq_mul_2exp(q, q, (mp_bitcnt_t)(e - least));
}

/* q = the square of the size, times 4^-*e. */
static void square_of_parts(const pm_dyadic *re, const pm_dyadic *im, int64_t *e, mpq_t q)
{
    mpq_t y;
    mpq_init(y);
    const bool only_im = pm_dyadic_is_zero(re), only_re = pm_dyadic_is_zero(im);
    *e = only_im || (!only_re && im->exp < re->exp) ? im->exp : re->exp;
    get(re, *e, q);
    get(im, *e, y);
    mpq_mul(q, q, q);
    mpq_mul(y, y, y);
    mpq_add(q, q, y);
    mpq_clear(y);
}

/* x = re + i im.  Returns false where the common order is too large. */
static bool get_sum(const pm_dyadic *re, const pm_dyadic *im, pm_root_sum *x)
{
    mpq_t one;
    pm_root_sum y;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&y);
    pm_root_sum_set_power(x, one, 4, 1);
    pm_dyadic_get_roots(&y, im);
    bool is = pm_root_sum_mul(x, &y);
    pm_dyadic_get_roots(&y, re);
    is = is && pm_root_sum_add(x, &y);
    pm_root_sum_clear(&y);
    mpq_clear(one);
    return is;
}

/* The parts of the sum are wrong by 2^-ROOT_BITS of themselves: so q is made larger by more than that. */
static bool square_of_roots(const pm_dyadic *re, const pm_dyadic *im, mpq_t q)
{
    mpq_t y;
    pm_root_sum x;
    mpq_init(y);
    pm_root_sum_init(&x);
    const bool is = get_sum(re, im, &x);
    if (is) {
        pm_root_sum_precise_parts(&x, ROOT_BITS, q, y);
        mpq_mul(q, q, q);
        mpq_mul(y, y, y);
        mpq_add(q, q, y);
        mpq_div_2exp(y, q, ROOT_BITS - 4);
        mpq_add(q, q, y);
    }
    pm_root_sum_clear(&x);
    mpq_clear(y);
    return is;
}

/* out = a number from sqrt(q) 2^e on. */
static void set_root_above(const mpq_t q, int64_t e, pm_dyadic *out)
{
    mpz_t z;
    mpz_init(z);
    const int64_t bits =
        (int64_t)mpz_sizeinbase(mpq_numref(q), 2) - (int64_t)mpz_sizeinbase(mpq_denref(q), 2);
    const int64_t shift = (2 * BITS - bits) / 2; /* q 4^shift has about 2 BITS bits */
    mpz_mul_2exp(z, mpq_numref(q), shift > 0 ? 2 * (mp_bitcnt_t)shift : 0);
    if (shift < 0) {
        mpz_t d;
        mpz_init(d);
        mpz_mul_2exp(d, mpq_denref(q), 2 * (mp_bitcnt_t)-shift);
        mpz_cdiv_q(z, z, d);
        mpz_clear(d);
    } else {
        mpz_cdiv_q(z, z, mpq_denref(q));
    }
    mpz_t rest;
    mpz_init(rest);
    mpz_sqrtrem(z, rest, z);
    if (mpz_sgn(rest))
        mpz_add_ui(z, z, 1);
    pm_dyadic_set_mpz_2exp(out, z, mpz_sgn(z) ? e - shift : 0);
    mpz_clears(z, rest, NULL);
}

/* |re| + |im| */
static void set_sum_of_sizes(pm_dyadic *out, const pm_dyadic *re, const pm_dyadic *im)
{
    const pm_dyadic zero = {0};
    pm_dyadic other = {0};
    pm_dyadic_set_size(&other, im, &zero);
    pm_dyadic_set_size(out, re, &zero);
    pm_dyadic_add(out, out, &other);
    pm_dyadic_clear(&other);
}

void pm_dyadic_set_size(pm_dyadic *out, const pm_dyadic *re, const pm_dyadic *im)
{
    mpq_t q;
    int64_t e = 0;
    bool is = true;
    mpq_init(q);
    if (pm_dyadic_are_roots(re, im))
        is = square_of_roots(re, im, q);
    else
        square_of_parts(re, im, &e, q);
    if (is)
        set_root_above(q, e, out);
    else
        set_sum_of_sizes(out, re, im);
    mpq_clear(q);
}
