/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/value.h: answers.  Exact rational numbers for pattern and integer input; for real and complex
 * input floating-point numbers of about 106 bits with an error bound and a 64-bit exponent
 * (permanents easily leave the range of double). */
#ifndef PM_VALUE_H
#define PM_VALUE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/dyadic.h"
#include "pm/field.h"
#include "pm/status.h"

/* The arithmetic of the Ryser family for real and complex matrices, or of all algorithms (PM_EXACT).  Other algorithms do not use
 * this setting; they are at least as accurate as PM_KAHAN (the frontier method is in double-double
 * throughout). */
typedef enum {
    PM_KAHAN,  /* products in double, compensated sums; the default */
    PM_DOUBLE, /* products and inner sums in double */
    PM_DQ,     /* products in double, sums in double-double */
    PM_QUAD,   /* everything in double-double */
    PM_SINGLE, /* products in single precision, compensated sums */
    PM_EXACT /* none of them: pm_count multiplies the matrix by its denominators and counts integers */
} pm_precision;

/* ---- floating-point numbers with a 64-bit exponent ---- */

/* (hi + lo) * 2^exp with |lo| <= ulp(hi)/2, 0.5 <= |hi| < 1 and |exp| <= 2^62; or all zero.
 *
 * Out of range: when an exponent does not fit, hi is a NaN.  A sum or product with an operand that
 * is out of range is out of range too, but a product with 0 is 0. */
typedef struct {
    double hi, lo;
    int64_t exp;
} pm_xreal;

static inline bool pm_xreal_is_in_range(pm_xreal a)
{
    return a.hi == a.hi;
}

/* (hi + lo) * 2^exp, normalised; hi and lo are any finite numbers. */
pm_xreal pm_xreal_make(double hi, double lo, int64_t exp);
/* Rounded to about 106 bits. */
pm_xreal pm_xreal_from_dyadic(const pm_dyadic *a);
pm_xreal pm_xreal_from_mpq(const mpq_t q);
/* The relative error of each is below PM_XREAL_EPS, also when a sum cancels. */
#define PM_XREAL_EPS 0x1p-100
pm_xreal pm_xreal_add(pm_xreal a, pm_xreal b);
pm_xreal pm_xreal_mul(pm_xreal a, pm_xreal b);
/* |a| and -a, exact. */
pm_xreal pm_xreal_abs(pm_xreal a);
static inline pm_xreal pm_xreal_neg(pm_xreal a)
{
    return a.hi == 0 ? a : (pm_xreal){-a.hi, -a.lo, a.exp};
}
/* a / b as a double: 0 when a or b is 0, infinite on overflow, a NaN when out of range. */
double pm_xreal_ratio(pm_xreal a, pm_xreal b);
/* -1, 0 or 1 as |a| <, = or > |b|.  Out of range counts as larger than all numbers. */
int pm_xreal_cmpabs(pm_xreal a, pm_xreal b);
/* Decimal text of x, correctly rounded to 1 .. 100 significant digits, ties to even.  Trailing
 * zeros are left out.  Plain notation for decimal exponents from -5 to the smaller of 20 and digits
 * - 1, else as 1.5e+30.  x is in range.
 * Returns a string that the caller frees, or NULL when out of memory. */
char *pm_xreal_text(pm_xreal x, int digits);

/* ---- values ---- */

typedef struct {
    pm_field
        field;   /* PM_PATTERN, PM_INTEGER: `exact` is valid; PM_REAL, PM_COMPLEX: re, im, error */
    mpq_t exact; /* canonical */
    /* Of a complex matrix that was counted exactly: exact_im is the imaginary part, canonical, and `exact` the real part. */
    bool has_exact_im;
    mpq_t exact_im; /* initialised only with has_exact_im */
    /* NULL, or the value of a matrix with roots of unity that was counted exactly, if it is neither rational nor a rational number
     * plus one times i (number/root_sum.h).  `exact` is 0 then, and there is no exact_im. */
    struct pm_root_sum *roots;
    pm_xreal re, im;
    pm_xreal error;    /* |true value - (re, im)| <= error */
    bool is_estimated; /* the error is an estimate from a sample, not a bound */
} pm_value;

/* v = 1, exact: the empty product.  The caller calls pm_value_clear. */
void pm_value_init(pm_value *v);
void pm_value_clear(pm_value *v);

/* In all functions below, v is initialised by the caller. */
void pm_value_set(pm_value *v, const pm_value *a);
/* As after pm_value_init. */
void pm_value_set_one(pm_value *v);
void pm_value_set_si(pm_value *v, int64_t n);
void pm_value_set_mpz(pm_value *v, const mpz_t n);
/* v = re + i im, exact.  im == NULL: a real number. */
void pm_value_set_mpq(pm_value *v, const mpq_t re, const mpq_t im);
/* v = r, exact, in one of the three forms; v->roots has the smallest order that is possible. */
void pm_value_set_roots(pm_value *v, const struct pm_root_sum *r);
/* field: PM_REAL or PM_COMPLEX. */
void pm_value_set_real(pm_value *v, pm_field field, pm_xreal re, pm_xreal im, pm_xreal error);
/* Makes field the field of v when it is wider.  From an exact field to PM_REAL or PM_COMPLEX the
 * value is rounded. */
void pm_value_widen(pm_value *v, pm_field field);
/* An exact value becomes its residue modulo a number > 1: p/q becomes p times the inverse of q, from 0 to modulus - 1, and so does each
 * coefficient of a sum of roots of unity.  Returns false where a q has no inverse; then v may have changed. */
bool pm_value_residue(pm_value *v, uint64_t modulus);
/* An exact value without roots gets an imaginary part, 0 if it had none; or loses it if it is 0. */
void pm_value_show_imaginary(pm_value *v, bool shows);

bool pm_value_is_exact(const pm_value *v);
/* True for an exact 0, and for a real or complex 0 whose error is 0. */
bool pm_value_is_zero(const pm_value *v);
/* False when a part of v, or its error, is out of range: then v must not be given as an answer. */
bool pm_value_is_in_range(const pm_value *v);
/* The real part; that of an exact value is rounded. */
pm_xreal pm_value_real(const pm_value *v);
/* log10 |v|, to 1e-14 of itself; -INFINITY for 0, a NaN when v is out of range.  (The error of a
 * real or complex v comes in addition.) */
double pm_value_log10_abs(const pm_value *v);
double pm_xreal_log10_abs(pm_xreal a);

/* v = v + a, v * a.  The field of the result is the wider one. */
void pm_value_add(pm_value *v, const pm_value *a);
void pm_value_mul(pm_value *v, const pm_value *a);
/* v = v^k, k >= 0; 0^0 = 1.
 * Fails: PM_UNABLE an exact power of more than 2^33 bits, or an exponent of more than 60 bits; v
 * does not change then. */
pm_status pm_value_pow(pm_value *v, const mpz_t k, pm_error *err);

/* The text of a value in range.
 * Exact: an integer or p/q, with has_exact_im two of them with a tab between them; with roots their sum (number/root_sum.h).  Real: a decimal number; its last digit is in the decimal place of the
 * leading digit of the error; 1 to 30 digits (one digit when the value is smaller than its error);
 * trailing zeros are left out.  Complex: real and imaginary part with a tab between them.
 * Returns a string that the caller frees, or NULL when out of memory. */
char *pm_value_text(const pm_value *v);
/* A bound of |true value - number in pm_value_text|: the error of v and the rounding of the text,
 * rounded up to two digits; "0" when the text is exact.
 * Returns a string that the caller frees, or NULL when out of memory. */
char *pm_value_error_text(const pm_value *v);
/* The texts of an exact value as decimal numbers: every part rounded to `digits` significant digits, 1 or more, to nearest with
 * ties to even, in the notation of pm_xreal_text; and a bound of |value - number in the text|, rounded up to two digits.
 * Returns false, and sets nothing that is to be freed, when out of memory. */
bool pm_value_digits(const pm_value *v, int64_t digits, char **value, char **error);
/* Both texts, which the caller frees.  Returns false, and sets nothing that is to be freed, when out
 * of memory. */
bool pm_value_texts(const pm_value *v, char **value, char **error);

#endif
