/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/fraction.h: exact complex rational numbers: the factors of terms.  Products of entries
 * are dyadic; the rows of a class of twins, written out, divide by c!. */
#ifndef PM_FRACTION_H
#define PM_FRACTION_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "number/cnum.h"

typedef struct {
    mpq_t re, im;
} pm_fraction;

/* Bits of a numerator or denominator that goes into a sum or a product.  A quarter of the limit of
 * streams, 2^26: a sum of such fractions takes about twice as many bits, and it is multiplied by
 * two others at most, the factor of its group and that of the matrix. */
#define PM_FRACTION_BITS_MAX (INT64_C(1) << 24)

void pm_fraction_init(pm_fraction *x); /* 0 */
void pm_fraction_clear(pm_fraction *x);
void pm_fraction_set_si(pm_fraction *x, long v);
/* Returns false, and x keeps its value, if that would be too long. */
bool pm_fraction_set_cnum(pm_fraction *x, const pm_cnum *a);
bool pm_fraction_is_long(const pm_fraction *x);
bool pm_rational_is_long(mpq_srcptr q);
void pm_fraction_add(pm_fraction *x, const pm_fraction *a);
void pm_fraction_mul(pm_fraction *x, mpq_srcptr re, mpq_srcptr im);
void pm_fraction_div_z(pm_fraction *x, const mpz_t d);
bool pm_fraction_is_zero(const pm_fraction *x);
/* Bytes of its digits. */
int64_t pm_fraction_bytes(const pm_fraction *x);

#endif
