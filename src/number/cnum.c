/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/cnum.h"

#include <math.h>
#include <stdlib.h>

void pm_cnum_clear(pm_cnum *x)
{
    pm_dyadic_clear(&x->re);
    pm_dyadic_clear(&x->im);
}

void pm_cnum_set(pm_cnum *x, const pm_cnum *a)
{
    pm_dyadic_set(&x->re, &a->re);
    pm_dyadic_set(&x->im, &a->im);
}

void pm_cnum_set_si(pm_cnum *x, int64_t v)
{
    pm_dyadic_set_si(&x->re, v);
    pm_dyadic_clear(&x->im);
}

bool pm_cnum_equal(const pm_cnum *a, const pm_cnum *b)
{
    return pm_dyadic_equal(&a->re, &b->re) && pm_dyadic_equal(&a->im, &b->im);
}

void pm_cnum_add(pm_cnum *x, const pm_cnum *a, const pm_cnum *b)
{
    pm_dyadic_add(&x->re, &a->re, &b->re);
    pm_dyadic_add(&x->im, &a->im, &b->im);
}

void pm_cnum_mul(pm_cnum *x, const pm_cnum *a, const pm_cnum *b)
{
    if (pm_cnum_is_real(a) && pm_cnum_is_real(b)) {
        pm_dyadic_mul(&x->re, &a->re, &b->re);
        pm_dyadic_clear(&x->im);
        return;
    }
    pm_dyadic rr = {0}, ii = {0}, ri = {0}, ir = {0};
    pm_dyadic_mul(&rr, &a->re, &b->re);
    pm_dyadic_mul(&ii, &a->im, &b->im);
    pm_dyadic_mul(&ri, &a->re, &b->im);
    pm_dyadic_mul(&ir, &a->im, &b->re);
    pm_dyadic_neg(&ii);
    pm_dyadic_add(&x->re, &rr, &ii);
    pm_dyadic_add(&x->im, &ri, &ir);
    pm_dyadic_clear(&rr);
    pm_dyadic_clear(&ii);
    pm_dyadic_clear(&ri);
    pm_dyadic_clear(&ir);
}

/* ---- division ---- */

/* x = a / b for an odd part of b that divides that of a. */
static void divide(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b)
{
    if (a->kind == PM_DYADIC_SMALL && b->kind == PM_DYADIC_SMALL) {
        int64_t q = a->m.small / b->m.small, e = (int64_t)a->exp - b->exp;
        pm_dyadic_set_si(x, q);
        pm_dyadic_mul_2exp(x, e);
        return;
    }
    mpz_t za, zb;
    int64_t ea, eb;
    mpz_inits(za, zb, NULL);
    pm_dyadic_get_mpz_2exp(za, &ea, a);
    pm_dyadic_get_mpz_2exp(zb, &eb, b);
    mpz_divexact(za, za, zb);
    pm_dyadic_set_mpz_2exp(x, za, ea - eb);
    mpz_clears(za, zb, NULL);
}

/* The result of an operation one of whose operands is out of range. */
static void set_out_of_range(pm_cnum *x)
{
    pm_cnum_clear(x);
    x->re.kind = PM_DYADIC_OUT_OF_RANGE;
}

void pm_cnum_div(pm_cnum *x, const pm_cnum *a, const pm_cnum *b)
{
    if (!pm_cnum_is_in_range(a) || !pm_cnum_is_in_range(b)) {
        set_out_of_range(x);
        return;
    }
    if (pm_cnum_is_real(b)) {
        pm_dyadic d = {0};
        pm_dyadic_set(&d, &b->re); /* b may be x */
        divide(&x->re, &a->re, &d);
        divide(&x->im, &a->im, &d);
        pm_dyadic_clear(&d);
        return;
    }
    pm_cnum conjugate = {0}, norm = {0};
    pm_cnum_set(&conjugate, b);
    pm_dyadic_neg(&conjugate.im);
    pm_cnum_mul(&norm, b, &conjugate);
    pm_cnum_mul(x, a, &conjugate);
    if (pm_cnum_is_in_range(x) && pm_cnum_is_in_range(&norm)) {
        divide(&x->re, &x->re, &norm.re);
        divide(&x->im, &x->im, &norm.re);
    } else {
        set_out_of_range(x);
    }
    pm_cnum_clear(&conjugate);
    pm_cnum_clear(&norm);
}

/* ---- greatest common divisor ---- */

static uint64_t gcd_odd(uint64_t a, uint64_t b)
{
    while (a != b) {
        uint64_t more = a > b ? a - b : b - a;
        b = a > b ? b : a;
        a = more >> __builtin_ctzll(more);
    }
    return a;
}

static uint64_t odd_part(const pm_dyadic *x)
{
    return x->m.small < 0 ? 0 - (uint64_t)x->m.small : (uint64_t)x->m.small;
}

static void gcd_real(pm_dyadic *g, const pm_dyadic *x)
{
    int32_t low = g->exp < x->exp ? g->exp : x->exp;
    if (g->kind == PM_DYADIC_SMALL && x->kind == PM_DYADIC_SMALL) {
        pm_dyadic_set_si(g, (int64_t)gcd_odd(odd_part(g), odd_part(x)));
        pm_dyadic_mul_2exp(g, low);
        return;
    }
    mpz_t a, b;
    int64_t ea, eb;
    mpz_inits(a, b, NULL);
    pm_dyadic_get_mpz_2exp(a, &ea, g);
    pm_dyadic_get_mpz_2exp(b, &eb, x);
    mpz_gcd(a, a, b);
    pm_dyadic_set_mpz_2exp(g, a, low);
    mpz_clears(a, b, NULL);
}

/* z * 2^low = a */
static void scaled_integer(mpz_t z, const pm_dyadic *a, int64_t low)
{
    int64_t e;
    pm_dyadic_get_mpz_2exp(z, &e, a);
    if (mpz_sgn(z))
        mpz_mul_2exp(z, z, (mp_bitcnt_t)(e - low));
}

/* q = a / b to the nearest integer, b > 0 */
static void divide_round(mpz_t q, const mpz_t a, const mpz_t b)
{
    mpz_mul_2exp(q, a, 1);
    mpz_add(q, q, b);
    mpz_fdiv_q(q, q, b);
    mpz_fdiv_q_2exp(q, q, 1);
}

/* One step of Euclid's algorithm for Gaussian integers: (z, w) becomes (w, z - q w) with q next
 * to z / w, so that the norm at least halves. */
static void euclid_step(mpz_t z[2], mpz_t w[2], mpz_t t[5])
{
    mpz_mul(t[0], w[0], w[0]);
    mpz_addmul(t[0], w[1], w[1]);
    mpz_mul(t[1], z[0], w[0]);
    mpz_addmul(t[1], z[1], w[1]);
    mpz_mul(t[2], z[1], w[0]);
    mpz_submul(t[2], z[0], w[1]);
    divide_round(t[3], t[1], t[0]);
    divide_round(t[4], t[2], t[0]);
    mpz_submul(z[0], t[3], w[0]);
    mpz_addmul(z[0], t[4], w[1]);
    mpz_submul(z[1], t[3], w[1]);
    mpz_submul(z[1], t[4], w[0]);
    mpz_swap(z[0], w[0]);
    mpz_swap(z[1], w[1]);
}

/* Each step of Euclid's algorithm takes time that is linear in the number of bits, and there are as many
 * steps as bits. */
enum { EUCLID_BITS_MAX = 1 << 14 };

static void gcd_complex(pm_cnum *g, const pm_cnum *x)
{
    int64_t low, low_x, top, top_x;
    pm_cnum_range(g, &low, &top);
    pm_cnum_range(x, &low_x, &top_x);
    if (low_x < low)
        low = low_x;
    if ((top_x > top ? top_x : top) - low > EUCLID_BITS_MAX) {
        pm_cnum_set_si(g, 1);
        pm_dyadic_mul_2exp(&g->re, low);
        return;
    }
    mpz_t z[2], w[2], t[5];
    mpz_inits(z[0], z[1], w[0], w[1], t[0], t[1], t[2], t[3], t[4], NULL);
    scaled_integer(z[0], &g->re, low);
    scaled_integer(z[1], &g->im, low);
    scaled_integer(w[0], &x->re, low);
    scaled_integer(w[1], &x->im, low);
    while (mpz_sgn(w[0]) || mpz_sgn(w[1]))
        euclid_step(z, w, t);
    pm_dyadic_set_mpz_2exp(&g->re, z[0], low);
    pm_dyadic_set_mpz_2exp(&g->im, z[1], low);
    mpz_clears(z[0], z[1], w[0], w[1], t[0], t[1], t[2], t[3], t[4], NULL);
}

void pm_cnum_gcd(pm_cnum *g, const pm_cnum *x)
{
    if (pm_cnum_is_zero(x))
        return;
    if (!pm_cnum_is_in_range(g) || !pm_cnum_is_in_range(x)) {
        set_out_of_range(g);
    } else if (pm_cnum_is_zero(g)) {
        pm_cnum_set(g, x);
        if (pm_cnum_is_real(g))
            pm_dyadic_abs(&g->re);
    } else if (pm_cnum_is_real(g) && pm_cnum_is_real(x)) {
        gcd_real(&g->re, &x->re);
    } else {
        gcd_complex(g, x);
    }
}

/* ---- size ---- */

int64_t pm_cnum_bits(const pm_cnum *a)
{
    int64_t re = pm_dyadic_bits(&a->re), im = pm_dyadic_bits(&a->im);
    return re > im ? re : im;
}

void pm_cnum_range(const pm_cnum *a, int64_t *low, int64_t *top)
{
    *low = INT64_MAX;
    *top = INT64_MIN;
    const pm_dyadic *part[2] = {&a->re, &a->im};
    for (int k = 0; k < 2; ++k) {
        if (pm_dyadic_is_zero(part[k]))
            continue;
        int64_t e = part[k]->exp, t = e + pm_dyadic_bits(part[k]);
        *low = e < *low ? e : *low;
        *top = t > *top ? t : *top;
    }
}

static double log2_real(const pm_dyadic *a)
{
    if (a->kind != PM_DYADIC_BIG)
        return log2(fabs((double)a->m.small)) + a->exp;
    signed long e;
    double f = mpz_get_d_2exp(&e, a->m.big);
    return log2(fabs(f)) + (double)e + a->exp;
}

double pm_cnum_log2(const pm_cnum *a)
{
    if (pm_cnum_is_real(a))
        return log2_real(&a->re);
    if (pm_dyadic_is_zero(&a->re))
        return log2_real(&a->im);
    double x = log2_real(&a->re), y = log2_real(&a->im);
    return fmax(x, y) + log2(1 + exp2(-2 * fabs(x - y))) / 2;
}

/* ---- residues ---- */

/* 2^61 = 1 modulo p, and -1 is no square as p = 3 modulo 4: F_p[i] is a field. */
#define P ((UINT64_C(1) << 61) - 1)

static uint64_t mul(uint64_t a, uint64_t b)
{
    unsigned __int128 c = (unsigned __int128)a * b;
    uint64_t r = ((uint64_t)c & P) + (uint64_t)(c >> 61);
    return r >= P ? r - P : r;
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a + b >= P ? a + b - P : a + b;
}

static uint64_t negative(uint64_t a)
{
    return a ? P - a : 0;
}

static uint64_t residue(const pm_dyadic *a)
{
    if (pm_dyadic_is_zero(a))
        return 0;
    uint64_t r =
        a->kind == PM_DYADIC_BIG ? mpz_fdiv_ui(a->m.big, P) : (uint64_t)llabs(a->m.small) % P;
    if (a->kind == PM_DYADIC_SMALL && a->m.small < 0)
        r = negative(r);
    int shift = (a->exp % 61 + 61) % 61;
    return mul(r, UINT64_C(1) << shift);
}

pm_residue pm_cnum_residue(const pm_cnum *a)
{
    return (pm_residue){residue(&a->re), residue(&a->im)};
}

pm_residue pm_residue_add(pm_residue a, pm_residue b)
{
    return (pm_residue){add(a.re, b.re), add(a.im, b.im)};
}

pm_residue pm_residue_mul(pm_residue a, pm_residue b)
{
    return (pm_residue){add(mul(a.re, b.re), negative(mul(a.im, b.im))),
                        add(mul(a.re, b.im), mul(a.im, b.re))};
}

pm_residue pm_residue_inverse(pm_residue a)
{
    uint64_t norm = add(mul(a.re, a.re), mul(a.im, a.im)), inverse = 1;
    if (norm == 1)
        return (pm_residue){a.re, negative(a.im)};
    for (uint64_t e = P - 2; e; e >>= 1) {
        if (e & 1)
            inverse = mul(inverse, norm);
        norm = mul(norm, norm);
    }
    return (pm_residue){mul(a.re, inverse), mul(negative(a.im), inverse)};
}

/* ---- products ---- */

void pm_cproduct_push(pm_cproduct *p, const pm_cnum *factor)
{
    int k = 0;
    pm_cnum carry = {0};
    pm_cnum_set(&carry, factor);
    for (uint64_t c = p->count++; c & 1; c >>= 1, ++k) {
        pm_cnum_mul(&carry, &p->level[k], &carry);
        pm_cnum_clear(&p->level[k]);
    }
    p->level[k] = carry;
}

void pm_cproduct_take(pm_cproduct *p, pm_cnum *out)
{
    pm_cnum_set_si(out, 1);
    for (int k = 0; k < 64; ++k)
        if (p->count >> k & 1) {
            pm_cnum_mul(out, out, &p->level[k]);
            pm_cnum_clear(&p->level[k]);
        }
    p->count = 0;
}
