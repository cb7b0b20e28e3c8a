/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/dyadic.h: exact numbers m * 2^e, with an integer m of any size and an exponent of 32 bits.
 *
 * Every entry of an integer or real matrix is one: an integer has e >= 0, a double is m * 2^e with
 * |m| < 2^53.  Sums and products are never rounded, so that the reductions of a matrix (merging of
 * neighbours, twins) are exact.
 *
 * Normal form: m is odd, or m = 0 and e = 0; m is in m.small when it fits 63 bits, else in m.big.
 * A zeroed pm_dyadic is 0.  Only big numbers own memory, which comes from GMP's allocation
 * functions: what happens when they fail is the program's choice (mp_set_memory_functions).
 *
 * Fractions: a reader that takes decimals and p/q as they are (pm/io.h) also makes numbers whose m is a fraction
 * with an odd denominator above 1, of the kind PM_DYADIC_FRACTION.  They go no further than pm_count, which
 * multiplies the matrix by their denominators.  Of the functions below, those that say so take them.
 *
 * Sums of roots of unity: the same readers make them of the kind PM_DYADIC_ROOTS, as the real part of a complex entry.  They go as
 * far as fractions, and the same functions take them, but for those that say otherwise.
 *
 * Out of range: when the exponent of the result of a sum or product does not fit, or its digits do
 * not fit into memory (at most 2^33 bits; pm/memory.h), the number gets the kind
 * PM_DYADIC_OUT_OF_RANGE.  A sum, product or quotient with such an operand is out of range too, but
 * a product with 0 is 0.  It is not 0, not 1, no integer, and equal to nothing.  Functions that
 * compute with many numbers check their results (pm_dyadic_is_in_range) and fail with PM_UNABLE. */
#ifndef PM_DYADIC_H
#define PM_DYADIC_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    PM_DYADIC_SMALL, /* m.small is valid */
    PM_DYADIC_BIG,   /* m.big is valid, and owned */
    PM_DYADIC_FRACTION, /* m.fraction is valid, and owned: canonical, numerator and denominator are odd */
    PM_DYADIC_ROOTS, /* m.roots (number/root_sum.h) is valid, and owned: it is no rational number; exp is 0 */
    PM_DYADIC_OUT_OF_RANGE /* the value is lost; m and exp are 0 */
} pm_dyadic_kind;

typedef struct {
    union {
        int64_t small;
        mpz_ptr big;
        mpq_ptr fraction;
        struct pm_root_sum *roots;
    } m;
    int32_t exp;
    int32_t kind; /* pm_dyadic_kind */
} pm_dyadic;

/* Frees what x owns; x = 0. */
void pm_dyadic_clear(pm_dyadic *x);

/* x = the given value.  x is zeroed or valid before. */
void pm_dyadic_set(pm_dyadic *x, const pm_dyadic *a);
void pm_dyadic_set_si(pm_dyadic *x, int64_t v);
/* v is finite. */
void pm_dyadic_set_d(pm_dyadic *x, double v);
/* v, and v, which is finite, as a number that owns no memory. */
static inline pm_dyadic pm_dyadic_from_si(int64_t v);
static inline pm_dyadic pm_dyadic_from_d(double v);
void pm_dyadic_set_mpz(pm_dyadic *x, const mpz_t v);
/* x = m * 2^e */
void pm_dyadic_set_mpz_2exp(pm_dyadic *x, const mpz_t m, int64_t e);
/* x = q * 2^e; q is canonical.  A fraction where q has a denominator that is no power of two. */
void pm_dyadic_set_mpq_2exp(pm_dyadic *x, const mpq_t q, int64_t e);

/* pm_dyadic_clear, pm_dyadic_set, the next five functions, pm_dyadic_equal, pm_dyadic_is_integer and pm_dyadic_sign take
 * fractions, too. */

/* x = a + b, a * b.  x may be the same object as a or b.
 * Cost of a sum: linear in the difference of the exponents. */
void pm_dyadic_add(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b);
void pm_dyadic_mul(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b);
/* x = -x, |x|, x * 2^e; |x| of no root */
void pm_dyadic_neg(pm_dyadic *x);
void pm_dyadic_abs(pm_dyadic *x);
void pm_dyadic_mul_2exp(pm_dyadic *x, int64_t e);

/* The number owns memory. */
static inline bool pm_dyadic_is_owner(const pm_dyadic *a)
{
    return a->kind == PM_DYADIC_BIG || a->kind == PM_DYADIC_FRACTION || a->kind == PM_DYADIC_ROOTS;
}

static inline bool pm_dyadic_is_in_range(const pm_dyadic *a)
{
    return a->kind != PM_DYADIC_OUT_OF_RANGE;
}

static inline bool pm_dyadic_is_zero(const pm_dyadic *a)
{
    return a->kind == PM_DYADIC_SMALL && a->m.small == 0;
}

static inline bool pm_dyadic_is_one(const pm_dyadic *a)
{
    return a->kind == PM_DYADIC_SMALL && a->m.small == 1 && a->exp == 0;
}

bool pm_dyadic_equal(const pm_dyadic *a, const pm_dyadic *b);
bool pm_dyadic_is_integer(const pm_dyadic *a);

/* -1, 0 or 1; 0 when a is out of range, or no real number by its kind. */
int pm_dyadic_sign(const pm_dyadic *a);
/* The number of bits of |m|, of fractions of numerators and denominators together; 0 for zero and when a is out of
 * range. */
int64_t pm_dyadic_bits(const pm_dyadic *a);

/* q = a, and *e, so that a = q * 2^*e and q has neither an even numerator nor an even denominator; of 0: 0 and 0.  a is in
 * range, and may be a fraction, but no root.  q is initialised by the caller. */
void pm_dyadic_get_mpq_2exp(mpq_t q, int64_t *e, const pm_dyadic *a);

/* For all functions below, a is in range, no fraction and no root. */

/* z = m and *e = the exponent of the normal form.  z is initialised by the caller. */
void pm_dyadic_get_mpz_2exp(mpz_t z, int64_t *e, const pm_dyadic *a);
/* z = a, an integer.  z is initialised by the caller. */
void pm_dyadic_get_mpz(mpz_t z, const pm_dyadic *a);
/* The nearest double, ties to even; infinite on overflow, 0 on underflow. */
double pm_dyadic_get_d(const pm_dyadic *a);
/* a mod p, in 0 .. p-1, of an integer a; p > 1. */
uint64_t pm_dyadic_mod(const pm_dyadic *a, uint64_t p);

/* A text from which exactly a is read again.
 * as_integer: a decimal integer; a must be one.  Otherwise: the shortest decimal number with that
 * double value when a is a double, else a hexadecimal floating-point number.  Of a fraction, which a may be: such a
 * number, / and the denominator, which only a reader of quotients takes; of a root their sum.
 * Returns a string that the caller frees, or NULL when out of memory. */
char *pm_dyadic_text(const pm_dyadic *a, bool as_integer);

static inline pm_dyadic pm_dyadic_from_si(int64_t v)
{
    if (v == 0)
        return (pm_dyadic){0};
    int z = __builtin_ctzll((uint64_t)v);
    /* INT64_MIN = -1 * 2^63 shifts to -1 */
    return (pm_dyadic){.m.small = v >> z, .exp = z};
}

static inline pm_dyadic pm_dyadic_from_d(double v)
{
    const uint64_t one = UINT64_C(1) << 52; /* the leading bit, which is not stored */
    union {
        double v;
        uint64_t bits;
    } u = {v};
    int exponent = (int)(u.bits >> 52 & 0x7ff);
    int64_t m = (int64_t)((u.bits & (one - 1)) | (exponent ? one : 0));
    if (m == 0)
        return (pm_dyadic){0};
    int z = __builtin_ctzll((uint64_t)m);
    return (pm_dyadic){.m.small = (u.bits >> 63 ? -m : m) >> z,
                       .exp = (exponent ? exponent : 1) - 1075 + z};
}

#endif
