/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/root_sum.h: sums of roots of unity with rational coefficients: the field Q(z), z = exp(2 pi i / order).
 *
 * Normal form: the powers 0 .. phi(order) - 1 of z are a basis; higher powers are written in it by the cyclotomic
 * polynomial.  So a sum is 0 only if it has no terms.  Memory comes from GMP's allocation functions. */
#ifndef PM_ROOT_SUM_H
#define PM_ROOT_SUM_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#define PM_ROOT_ORDER_MAX 1000 /* of sums, and of the roots in them */

typedef struct pm_root_sum {
    int32_t order; /* 1 .. PM_ROOT_ORDER_MAX */
    int32_t count;
    int32_t *power; /* [count] ascending, below phi(order) */
    mpq_t *c;       /* [count] not 0 */
} pm_root_sum;

/* x = 0, of order 1.  The caller calls pm_root_sum_clear. */
void pm_root_sum_init(pm_root_sum *x);
void pm_root_sum_clear(pm_root_sum *x);

/* In all functions below, x has been initialised by the caller. */
void pm_root_sum_set(pm_root_sum *x, const pm_root_sum *a);
/* x = c root(order)^power, any power.  The order becomes the smallest one that has this root or its negative: 1 for -1. */
void pm_root_sum_set_power(pm_root_sum *x, const mpq_t c, int64_t order, int64_t power);
/* x = sum of c[k] root(order)^k, k < order, which change.  The order becomes order / q where q^2 divides it and q all
 * powers, and 1 for a rational number. */
void pm_root_sum_set_powers(pm_root_sum *x, int32_t order, mpq_t *c);
void pm_root_sum_neg(pm_root_sum *x);
/* x = x + a, x * a.  Returns false, and x does not change, when the common order is above PM_ROOT_ORDER_MAX. */
bool pm_root_sum_add(pm_root_sum *x, const pm_root_sum *a);
bool pm_root_sum_mul(pm_root_sum *x, const pm_root_sum *a);
/* x = x * q */
void pm_root_sum_scale(pm_root_sum *x, const mpq_t q);
/* Each coefficient becomes its residue (pm_rational_residue).  Returns false where one has none; then x may have changed. */
bool pm_root_sum_residue(pm_root_sum *x, uint64_t modulus);
/* x = the complex conjugate of x. */
void pm_root_sum_conjugate(pm_root_sum *x);

/* The same number, also with different orders whose common order is allowed. */
bool pm_root_sum_equal(const pm_root_sum *a, const pm_root_sum *b);
bool pm_root_sum_is_rational(const pm_root_sum *x);
/* q = the coefficient of 1. */
void pm_root_sum_get_rational(mpq_t q, const pm_root_sum *x);
/* Bits of all numerators and denominators. */
int64_t pm_root_sum_bits(const pm_root_sum *x);

/* x = re + i im, each within 2^-bits of the part, for any bits; exactly 0 where the part is 0.  re, im: initialised by
 * the caller. (number/root_parts.c) */
void pm_root_sum_parts(const pm_root_sum *x, int64_t bits, mpq_t re, mpq_t im);
/* The same with a relative error of each part of at most 2^-bits. */
void pm_root_sum_precise_parts(const pm_root_sum *x, int64_t bits, mpq_t re, mpq_t im);

/* "1/2-3*root(5)^2".  Returns a string that the caller frees, or NULL when out of memory.  (number/root_text.c) */
char *pm_root_sum_text(const pm_root_sum *x);
/* The same, but for a multiple of a power of root(order), which is written as such: "-3*root(5)^4". */
char *pm_root_sum_short_text(const pm_root_sum *x);

/* The order becomes the smallest one of all sums that are this number: 1 for a rational number, 4 for others with the imaginary unit.
 * modulus > 1: coefficients are residues from 0 to modulus - 1, and stay such; the number is their class modulo it.  0: no modulus.
 * (number/root_least.c) */
void pm_root_sum_shorten(pm_root_sum *x, uint64_t modulus);

/* `count` numbers 0, freed by the caller. */
mpq_t *pm_root_rationals_new(int32_t count);
void pm_root_rationals_free(mpq_t *c, int32_t count);
/* c[0 .. order - 1] by powers below phi(order); the others become 0. */
void pm_root_reduce(int32_t order, mpq_t *c);

/* ---- orders ---- */

/* The number of k in 1 .. n with gcd(k, n) = 1. */
int32_t pm_root_phi(int32_t n);
int64_t pm_root_gcd(int64_t a, int64_t b);
/* poly[0 .. phi(n)]: the coefficients of the cyclotomic polynomial. */
void pm_root_polynomial(int32_t n, int64_t *poly);

#endif
