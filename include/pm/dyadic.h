/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/dyadic.h: exact numbers m * 2^e with an integer m of any size.
 *
 * Every entry of an integer or real matrix is one: an integer has e >= 0, a double is
 * m * 2^e with |m| < 2^53.  Sums and products of entries are formed without rounding, so that
 * preprocessing (degree-2 merging, twins) never starts an error.
 *
 * Normal form: m odd, or m = 0 and e = 0; m in `small` when it fits 63 bits, else in `big`.
 * A zeroed pm_dyadic is a valid 0.  Only big numbers own memory. */
#ifndef PM_DYADIC_H
#define PM_DYADIC_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    PM_DYADIC_SMALL,       /* m.small */
    PM_DYADIC_BIG,         /* m.big, owned */
    PM_DYADIC_OUT_OF_RANGE /* the exponent did not fit 31 bits; m and exp are 0 */
} pm_dyadic_kind;

typedef struct {
    union {
        int64_t small;
        mpz_ptr big;
    } m;
    int32_t exp;
    int32_t kind; /* pm_dyadic_kind */
} pm_dyadic;

void pm_dyadic_clear(pm_dyadic *x);
void pm_dyadic_set(pm_dyadic *x, const pm_dyadic *a);
void pm_dyadic_set_si(pm_dyadic *x, int64_t v);
/* v finite */
void pm_dyadic_set_d(pm_dyadic *x, double v);
void pm_dyadic_set_mpz(pm_dyadic *x, const mpz_t v);
/* m * 2^e */
void pm_dyadic_set_mpz_2exp(pm_dyadic *x, const mpz_t m, int64_t e);

/* x may be a or b. */
void pm_dyadic_add(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b);
void pm_dyadic_mul(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b);
void pm_dyadic_neg(pm_dyadic *x);
/* x = |x| */
void pm_dyadic_abs(pm_dyadic *x);
void pm_dyadic_mul_2exp(pm_dyadic *x, int64_t e);

/* False when an exponent on the way to a did not fit 31 bits. */
static inline bool pm_dyadic_is_in_range(const pm_dyadic *a)
{
    return a->kind != PM_DYADIC_OUT_OF_RANGE;
}

/* False when a is out of range, as the next function. */
static inline bool pm_dyadic_is_zero(const pm_dyadic *a)
{
    return a->kind == PM_DYADIC_SMALL && a->m.small == 0;
}

static inline bool pm_dyadic_is_one(const pm_dyadic *a)
{
    return a->kind == PM_DYADIC_SMALL && a->m.small == 1 && a->exp == 0;
}

bool pm_dyadic_equal(const pm_dyadic *a, const pm_dyadic *b);
/* -1, 0, 1 */
int pm_dyadic_sign(const pm_dyadic *a);
bool pm_dyadic_is_integer(const pm_dyadic *a);
/* Bits of |m|; 0 for zero. */
int64_t pm_dyadic_bits(const pm_dyadic *a);

/* m of the normal form; z is initialised by the caller.  *e gets the exponent. */
void pm_dyadic_get_mpz_2exp(mpz_t z, int64_t *e, const pm_dyadic *a);
/* The integer value; a must be an integer. */
void pm_dyadic_get_mpz(mpz_t z, const pm_dyadic *a);
/* Nearest-even double; overflows to infinity, underflows to 0. */
double pm_dyadic_get_d(const pm_dyadic *a);
/* a mod p for an integer a, in 0..p-1; p > 1. */
uint64_t pm_dyadic_mod(const pm_dyadic *a, uint64_t p);

/* Text that reads back exactly: a decimal integer, or (integers excepted) the shortest decimal
 * of a double where a is one, else a hex float.  as_integer: a is an integer and must look so.
 * Returns a string for free(), or NULL when memory ends. */
char *pm_dyadic_text(const pm_dyadic *a, bool as_integer);

#endif
