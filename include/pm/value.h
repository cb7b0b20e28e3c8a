/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/value.h: answers.  Exact rationals for pattern and integer input; for real and complex input
 * a double-double with a 64-bit exponent (permanents leave the range of double easily) and an
 * error bound beside it. */
#ifndef PM_VALUE_H
#define PM_VALUE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/dyadic.h"
#include "pm/field.h"
#include "pm/status.h"

/* Arithmetic of the Ryser family for real and complex matrices.  Other methods have one of their
 * own, at least as good: the frontier works in double-double throughout. */
typedef enum {
    PM_KAHAN,  /* products in double, compensated sums; the default */
    PM_DOUBLE, /* products and inner sums in double */
    PM_DQ,     /* products in double, sums in double-double */
    PM_QUAD    /* everything in double-double */
} pm_precision;

/* (hi + lo) * 2^exp, |lo| <= ulp(hi)/2, 0.5 <= |hi| < 1, or all zero; |exp| <= 2^62.
 * Out of range (hi is a NaN): the exponent of a result, or of an operand, did not fit.  A sum or
 * product with an operand that is out of range is out of range too, but a product with 0 is 0. */
typedef struct {
    double hi, lo;
    int64_t exp;
} pm_xreal;

static inline bool pm_xreal_is_in_range(pm_xreal a)
{
    return a.hi == a.hi;
}

/* Of any two finite numbers. */
pm_xreal pm_xreal_make(double hi, double lo, int64_t exp);
pm_xreal pm_xreal_from_dyadic(const pm_dyadic *a); /* rounds to about 106 bits */
pm_xreal pm_xreal_from_mpq(const mpq_t q);
/* Each within 2^-100 relative of the true sum or product of its arguments, sums that cancel
 * included. */
pm_xreal pm_xreal_add(pm_xreal a, pm_xreal b);
pm_xreal pm_xreal_mul(pm_xreal a, pm_xreal b);
pm_xreal pm_xreal_abs(pm_xreal a);
static inline pm_xreal pm_xreal_neg(pm_xreal a)
{
    return a.hi == 0 ? a : (pm_xreal){-a.hi, -a.lo, a.exp};
}
/* a / b as a double: 0 when a or b is 0, infinite beyond the range of doubles, a NaN when a or b is
 * out of range. */
double pm_xreal_ratio(pm_xreal a, pm_xreal b);
/* -1, 0, 1 as |a| <, =, > |b|; out of range counts as larger than all numbers. */
int pm_xreal_cmpabs(pm_xreal a, pm_xreal b);

#define PM_XREAL_EPS 0x1p-100

typedef struct {
    pm_field field; /* PM_PATTERN and PM_INTEGER: exact; else re, im and error */
    mpq_t exact;    /* canonical */
    pm_xreal re, im;
    pm_xreal error;    /* |true - (re, im)| <= error */
    bool is_estimated; /* the error was estimated from a sample, it is no bound */
} pm_value;

void pm_value_init(pm_value *v); /* exact 1, the empty product */
void pm_value_clear(pm_value *v);
void pm_value_set(pm_value *v, const pm_value *a);
void pm_value_set_si(pm_value *v, int64_t n);
void pm_value_set_mpz(pm_value *v, const mpz_t n);
/* field: PM_REAL or PM_COMPLEX */
void pm_value_set_real(pm_value *v, pm_field field, pm_xreal re, pm_xreal im, pm_xreal error);
/* An exact value of a real field turns inexact here. */
void pm_value_widen(pm_value *v, pm_field field);
bool pm_value_is_exact(const pm_value *v);
/* True when exact and 0; an inexact value is zero only if value and error are. */
bool pm_value_is_zero(const pm_value *v);
/* False when a part of v, or its error, is out of range: v is no answer then. */
bool pm_value_is_in_range(const pm_value *v);
/* The real part, of an exact value rounded. */
pm_xreal pm_value_real(const pm_value *v);

/* The field of the result is the wider one. */
void pm_value_add(pm_value *v, const pm_value *a);
void pm_value_mul(pm_value *v, const pm_value *a);
/* v = v^k, k >= 0; 0^0 = 1.
 * Fails: PM_UNABLE an exact power beyond 2^33 bits or an exponent beyond 60 bits; v unchanged. */
pm_status pm_value_pow(pm_value *v, const mpz_t k, pm_error *err);
/* v = v * k */
void pm_value_scale(pm_value *v, const mpz_t k);

/* Products of very many small exact factors in quasi-linear time; a binary counter of partial
 * products.  Zeroed = the empty product. */
typedef struct {
    pm_dyadic level[64];
    uint64_t count;
} pm_product;
void pm_product_push(pm_product *p, const pm_dyadic *factor);
/* out = the product; p is emptied. */
void pm_product_take(pm_product *p, pm_dyadic *out);

/* Text of the value: an integer or p/q; real: decimal, exponent of any size, the last digit in the
 * decade of the leading digit of the error, at most 30 digits and at least one (so a value below
 * its error is its first digit alone, to be read beside the error), trailing zeros left out;
 * complex: "re<TAB>im".  Strings for free(), NULL when memory ends. */
char *pm_value_text(const pm_value *v);
/* A bound of |true value - what pm_value_text prints|: the error and what the printing rounds
 * away, two digits rounded up; "0" when the text is exact. */
char *pm_value_error_text(const pm_value *v);
/* Decimal text of x, correctly rounded to 1 .. 100 significant digits, ties to even; as printf's
 * %g prints, but plain for decimal exponents -5 .. 20. */
char *pm_xreal_text(pm_xreal x, int digits);

#endif
