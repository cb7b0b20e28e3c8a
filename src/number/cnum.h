/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/cnum.h: exact complex numbers a + b i with dyadic a and b (pm/dyadic.h).  A zeroed pm_cnum
 * is 0; real numbers have im = 0.  Only logarithms are rounded.
 *
 * A number is out of range when one of its parts is; the results of sums, products, quotients and
 * divisors with such an operand are out of range too. */
#ifndef PM_CNUM_H
#define PM_CNUM_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/dyadic.h"

typedef struct {
    pm_dyadic re, im;
} pm_cnum;

static inline bool pm_cnum_is_zero(const pm_cnum *a)
{
    return pm_dyadic_is_zero(&a->re) && pm_dyadic_is_zero(&a->im);
}

static inline bool pm_cnum_is_in_range(const pm_cnum *a)
{
    return pm_dyadic_is_in_range(&a->re) && pm_dyadic_is_in_range(&a->im);
}

static inline bool pm_cnum_is_one(const pm_cnum *a)
{
    return pm_dyadic_is_one(&a->re) && pm_dyadic_is_zero(&a->im);
}

static inline bool pm_cnum_is_real(const pm_cnum *a)
{
    return pm_dyadic_is_zero(&a->im);
}

/* Frees what x owns; x = 0. */
void pm_cnum_clear(pm_cnum *x);
void pm_cnum_set(pm_cnum *x, const pm_cnum *a);
void pm_cnum_set_si(pm_cnum *x, int64_t v);
bool pm_cnum_equal(const pm_cnum *a, const pm_cnum *b);

/* x = a + b, a * b.  x may be the same object as a or b. */
void pm_cnum_add(pm_cnum *x, const pm_cnum *a, const pm_cnum *b);
void pm_cnum_mul(pm_cnum *x, const pm_cnum *a, const pm_cnum *b);
/* x = a / b, which must be a dyadic complex number; b is not 0.  x may be the same object as a or
 * b. */
void pm_cnum_div(pm_cnum *x, const pm_cnum *a, const pm_cnum *b);
/* g = a greatest common divisor of g and x: the quotients g / gcd and x / gcd are Gaussian integers
 * without a common divisor.  gcd(0, x) = x.  It is positive when g and x are real.  When they are not and
 * have more than 2^14 bits between them, it is only the common power of two. */
void pm_cnum_gcd(pm_cnum *g, const pm_cnum *x);

/* The larger one of the numbers of bits of the two mantissas. */
int64_t pm_cnum_bits(const pm_cnum *a);
/* The largest low and the smallest top such that both parts are multiples of 2^low and less than
 * 2^top in absolute value.  a is not 0. */
void pm_cnum_range(const pm_cnum *a, int64_t *low, int64_t *top);
/* log2 |a|, with an error of about 1e-15 max(1, log2 |a|).  a is not 0. */
double pm_cnum_log2(const pm_cnum *a);

/* ---- hashes: residues in the field of p^2 elements, p = 2^61 - 1 ---- */

/* re + im i modulo p; each in 0 .. p-1. */
typedef struct {
    uint64_t re, im;
} pm_residue;

/* The image of a; that of a number out of range is arbitrary. */
pm_residue pm_cnum_residue(const pm_cnum *a);
pm_residue pm_residue_add(pm_residue a, pm_residue b);
pm_residue pm_residue_mul(pm_residue a, pm_residue b);
/* 1 / a; 0 for a = 0. */
pm_residue pm_residue_inverse(pm_residue a);

/* ---- products of many factors ---- */

/* level[i] is a product of 2^i factors when bit i of count is set: factors of about equal length
 * are multiplied, which takes quasi-linear time.  Zeroed: the empty product. */
typedef struct {
    pm_cnum level[64];
    uint64_t count;
} pm_cproduct;

/* p = p * factor */
void pm_cproduct_push(pm_cproduct *p, const pm_cnum *factor);
/* out = p; p becomes the empty product. */
void pm_cproduct_take(pm_cproduct *p, pm_cnum *out);

#endif
