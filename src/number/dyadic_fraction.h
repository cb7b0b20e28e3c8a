/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/dyadic_fraction.h: the numbers of pm/dyadic.h whose m is a fraction. */
#ifndef PM_DYADIC_FRACTION_H
#define PM_DYADIC_FRACTION_H

#include "pm/dyadic.h"

static inline bool pm_dyadic_are_fractions(const pm_dyadic *a, const pm_dyadic *b)
{
    return a->kind == PM_DYADIC_FRACTION || b->kind == PM_DYADIC_FRACTION;
}

/* Frees what the fraction x owns. */
void pm_dyadic_fraction_free(pm_dyadic *x);
/* x, which equals the fraction a, gets memory of its own. */
void pm_dyadic_fraction_copy(pm_dyadic *x, const pm_dyadic *a);
/* The bits of numerator and denominator together. */
int64_t pm_dyadic_fraction_bits(const pm_dyadic *a);
/* x = a + b, a * b; one of them is a fraction, both are in range, and their bits and the difference of their exponents fit
 * into memory. */
void pm_dyadic_fraction_add(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b);
void pm_dyadic_fraction_mul(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b);

#endif
