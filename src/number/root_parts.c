/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The real and the imaginary part of a sum of roots of unity, to any number of bits.
 *
 * Fixed point with w bits behind the point; every operation is wrong by at most some units 2^-w.  exp(i t / 2^r), t = 2
 * pi / order, is summed from its series and squared r times, which multiplies its error by at most 2^r and some units;
 * its powers up to the order have at most 1000 times that error, and the sum at most the sum of the |coefficients| times
 * that.  All of this is below 2^(r + 48) units for fewer than 2^20 terms of the series; w has r + 64 bits more than are
 * wanted. */
#include "config.h"

#include <math.h>

#include "core/long_step.h"
#include "number/root_sum.h"

typedef struct {
    mpz_t re, im;
} point;

static void point_init(point *z)
{
    mpz_inits(z->re, z->im, NULL);
}

static void point_clear(point *z)
{
    mpz_clears(z->re, z->im, NULL);
}

/* z = z * a; t: room. */
static void multiply(point *z, const point *a, mp_bitcnt_t w, mpz_t t[2])
{
    mpz_mul(t[0], z->re, a->re);
    mpz_submul(t[0], z->im, a->im);
    mpz_mul(t[1], z->re, a->im);
    mpz_addmul(t[1], z->im, a->re);
    mpz_fdiv_q_2exp(z->re, t[0], w);
    mpz_fdiv_q_2exp(z->im, t[1], w);
}

/* out += times * arctan(1/k) 2^w */
static void add_arctan(mpz_t out, long times, unsigned long k, mp_bitcnt_t w)
{
    mpz_t power, term;
    mpz_inits(power, term, NULL);
    mpz_set_ui(power, 1);
    mpz_mul_2exp(power, power, w);
    mpz_fdiv_q_ui(power, power, k);
    for (unsigned long j = 1; mpz_sgn(power); j += 2) {
        mpz_fdiv_q_ui(term, power, j);
        mpz_mul_si(term, term, j % 4 == 1 ? times : -times);
        mpz_add(out, out, term);
        mpz_fdiv_q_ui(power, power, k * k);
    }
    mpz_clears(power, term, NULL);
}

/* z = exp(2 pi i / order) 2^w */
static void first_root(int32_t order, mp_bitcnt_t w, mp_bitcnt_t halvings, point *z, mpz_t t[2])
{
    mpz_t angle;
    mpz_init(angle);
    add_arctan(angle, 32, 5, w); /* 2 pi = 32 arctan(1/5) - 8 arctan(1/239): Machin */
    add_arctan(angle, -8, 239, w);
    mpz_fdiv_q_ui(angle, angle, (unsigned long)order);
    mpz_fdiv_q_2exp(angle, angle, halvings);
    mpz_set_ui(t[0], 1);
    mpz_mul_2exp(t[0], t[0], w);
    mpz_set(z->re, t[0]);
    mpz_set_ui(z->im, 0);
    for (unsigned long k = 1; mpz_sgn(t[0]); ++k) { /* t[0] = angle^k / k! */
        mpz_mul(t[0], t[0], angle);
        mpz_tdiv_q_2exp(t[0], t[0], w);
        mpz_tdiv_q_ui(t[0], t[0], k);
        mpz_ptr part = k % 2 ? z->im : z->re;
        (k % 4 < 2 ? mpz_add : mpz_sub)(part, part, t[0]);
    }
    for (mp_bitcnt_t k = 0; k < halvings; ++k)
        multiply(z, z, w, t);
    mpz_clear(angle);
}

/* out += c * z */
static void add_term(point *out, const point *z, const mpq_t c, mpz_t t)
{
    mpz_mul(t, z->re, mpq_numref(c));
    mpz_fdiv_q(t, t, mpq_denref(c));
    mpz_add(out->re, out->re, t);
    mpz_mul(t, z->im, mpq_numref(c));
    mpz_fdiv_q(t, t, mpq_denref(c));
    mpz_add(out->im, out->im, t);
}

/* At least log2 of the sum of the |coefficients|. */
static int64_t log2_of_size(const pm_root_sum *x)
{
    int64_t most = INT64_MIN;
    for (int32_t k = 0; k < x->count; ++k) {
        int64_t bits = (int64_t)mpz_sizeinbase(mpq_numref(x->c[k]), 2)
                       - (int64_t)mpz_sizeinbase(mpq_denref(x->c[k]), 2) + 1;
        most = bits > most ? bits : most;
    }
    return x->count ? most + 10 : 0; /* at most 1000 terms */
}

/* Adds the value of x with w bits behind the point to *sum. */
static void evaluate(const pm_root_sum *x, mp_bitcnt_t w, mp_bitcnt_t halvings, point *sum)
{
    point z, power;
    mpz_t t[2];
    point_init(&z);
    point_init(&power);
    mpz_inits(t[0], t[1], NULL);
    first_root(x->order, w, halvings, &z, t);
    mpz_set_ui(power.re, 1);
    mpz_mul_2exp(power.re, power.re, w);
    for (int32_t k = 0, at = 0; k < x->count; ++k) {
        for (; at < x->power[k]; ++at)
            multiply(&power, &z, w, t);
        add_term(sum, &power, x->c[k], t[0]);
    }
    mpz_clears(t[0], t[1], NULL);
    point_clear(&power);
    point_clear(&z);
}

/* Whether x + sign * its conjugate is 0. */
static bool has_no_part(const pm_root_sum *x, bool imaginary)
{
    pm_root_sum y;
    pm_root_sum_init(&y);
    pm_root_sum_set(&y, x);
    pm_root_sum_conjugate(&y);
    if (imaginary)
        pm_root_sum_neg(&y);
    pm_root_sum_add(&y, x);
    const bool is_zero = y.count == 0;
    pm_root_sum_clear(&y);
    return is_zero;
}

static void set_fixed(mpq_t out, const mpz_t x, mp_bitcnt_t w)
{
    mpq_set_z(out, x);
    mpq_div_2exp(out, out, w);
}

void pm_root_sum_parts(const pm_root_sum *x, int64_t bits, mpq_t re, mpq_t im)
{
    if (pm_root_sum_is_rational(x)) {
        pm_root_sum_get_rational(re, x);
        mpq_set_ui(im, 0, 1);
        return;
    }
    const int64_t size = log2_of_size(x), most = bits + (size > 0 ? size : 0);
    const int64_t wanted = most > 0 ? most : 0;
    const mp_bitcnt_t halvings = (mp_bitcnt_t)(8 + sqrt((double)wanted));
    const mp_bitcnt_t w = (mp_bitcnt_t)wanted + halvings + 64;
    point sum;
    point_init(&sum);
    pm_long_step_begin((int64_t)w);
    evaluate(x, w, halvings, &sum);
    pm_long_step_end((int64_t)w);
    set_fixed(re, sum.re, w);
    set_fixed(im, sum.im, w);
    if (has_no_part(x, false))
        mpq_set_ui(re, 0, 1);
    if (has_no_part(x, true))
        mpq_set_ui(im, 0, 1);
    point_clear(&sum);
}

/* q is 0, or at least 2^e in size. */
static bool is_large(const mpq_t q, int64_t e)
{
    return mpq_sgn(q) == 0
           || (int64_t)mpz_sizeinbase(mpq_numref(q), 2) - (int64_t)mpz_sizeinbase(mpq_denref(q), 2)
                      - 1
                  >= e;
}

void pm_root_sum_precise_parts(const pm_root_sum *x, int64_t bits, mpq_t re, mpq_t im)
{
    /* a part is not 0, so that this ends */
    for (int64_t more = 64;; more *= 2) {
        pm_root_sum_parts(x, bits + more, re, im);
        if (is_large(re, -more + 2) && is_large(im, -more + 2))
            return;
    }
}
