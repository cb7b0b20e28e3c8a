/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/cnum.h: exact complex numbers, the ring Z[i][1/2]; a zeroed one is 0, and real
 * numbers have im = 0.  Nothing is ever rounded but logarithms. */
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

void pm_cnum_clear(pm_cnum *x);
void pm_cnum_set(pm_cnum *x, const pm_cnum *a);
void pm_cnum_set_si(pm_cnum *x, int64_t v);
bool pm_cnum_equal(const pm_cnum *a, const pm_cnum *b);

/* x may be a or b. */
void pm_cnum_add(pm_cnum *x, const pm_cnum *a, const pm_cnum *b);
void pm_cnum_mul(pm_cnum *x, const pm_cnum *a, const pm_cnum *b);
/* x = a / b; the quotient must lie in the ring. */
void pm_cnum_div(pm_cnum *x, const pm_cnum *a, const pm_cnum *b);
/* g = a number that divides both, such that the quotients are Gaussian integers without a common
 * divisor; up to a unit (a sign for real numbers: positive).  gcd(0, x) is x up to a unit. */
void pm_cnum_gcd(pm_cnum *g, const pm_cnum *x);

/* Larger bit count of the two mantissas. */
int64_t pm_cnum_bits(const pm_cnum *a);
/* Both parts are multiples of 2^low and below 2^top in absolute value; a not 0. */
void pm_cnum_range(const pm_cnum *a, int64_t *low, int64_t *top);
/* log2 |a|, to about 1e-15 of itself or 1e-15; a not 0. */
double pm_cnum_log2(const pm_cnum *a);

/* ---- image in the field of (2^61 - 1)^2 elements, for hashing ---- */

typedef struct {
    uint64_t re, im;
} pm_residue;

pm_residue pm_cnum_residue(const pm_cnum *a);
pm_residue pm_residue_add(pm_residue a, pm_residue b);
pm_residue pm_residue_mul(pm_residue a, pm_residue b);
/* 0 for 0 */
pm_residue pm_residue_inverse(pm_residue a);

/* ---- long products: a binary counter of partial products, quasi-linear ---- */

typedef struct {
    pm_cnum level[64];
    uint64_t count;
} pm_cproduct; /* zeroed = the empty product */

void pm_cproduct_push(pm_cproduct *p, const pm_cnum *factor);
/* out = the product; p is emptied. */
void pm_cproduct_take(pm_cproduct *p, pm_cnum *out);

#endif
