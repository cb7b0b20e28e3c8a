/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/fraction.h: exact complex rational numbers, the factors in expressions.  Products of entries
 * are dyadic; writing out the rows of a class of c twins divides by c!. */
#ifndef PM_FRACTION_H
#define PM_FRACTION_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/dyadic.h"

typedef struct {
    mpq_t re, im; /* canonical */
} pm_fraction;

/* The most bits that the numerator or the denominator of a factor may have when the factor goes
 * into a sum or a product.  Streams allow 2^26 bits.  A sum of two fractions has about twice their
 * bits, and it is then multiplied by at most two other factors: that of its group and that of the
 * given matrix.  So this is a quarter of the limit of streams. */
#define PM_FRACTION_BITS_MAX (INT64_C(1) << 24)

/* x = 0, and x = 1.  The caller calls pm_fraction_clear. */
void pm_fraction_init(pm_fraction *x);
void pm_fraction_init_one(pm_fraction *x);
void pm_fraction_clear(pm_fraction *x);

/* In all functions below, x has been initialised by the caller. */
void pm_fraction_set_si(pm_fraction *x, long v);
/* x = re + i im.  Returns false, and x does not change, when x would be too long. */
bool pm_fraction_set_dyadic(pm_fraction *x, const pm_dyadic *re, const pm_dyadic *im);
void pm_fraction_add(pm_fraction *x, const pm_fraction *a);
void pm_fraction_mul(pm_fraction *x, const pm_fraction *a);
/* d is not 0. */
void pm_fraction_div_z(pm_fraction *x, const mpz_t d);

bool pm_fraction_is_zero(const pm_fraction *x);
bool pm_fraction_is_one(const pm_fraction *x);
/* True when a numerator or denominator has more than PM_FRACTION_BITS_MAX bits. */
bool pm_fraction_is_long(const pm_fraction *x);
/* Bytes of its digits. */
int64_t pm_fraction_bytes(const pm_fraction *x);

/* q becomes its numerator times the inverse of its denominator modulo a number > 1, from 0 to modulus - 1.  Returns false where there is no
 * inverse; then q is not set. */
bool pm_rational_residue(mpq_t q, uint64_t modulus);
/* q = a, of any length. */
void pm_rational_set_dyadic(mpq_t q, const pm_dyadic *a);

#endif
