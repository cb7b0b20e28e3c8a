/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/dyadic_roots.h: the numbers of pm/dyadic.h that are sums of roots of unity. */
#ifndef PM_DYADIC_ROOTS_H
#define PM_DYADIC_ROOTS_H

#include "number/root_sum.h"
#include "pm/dyadic.h"

static inline bool pm_dyadic_are_roots(const pm_dyadic *a, const pm_dyadic *b)
{
    return a->kind == PM_DYADIC_ROOTS || b->kind == PM_DYADIC_ROOTS;
}

/* x = r; a rational number gets its own kind. */
void pm_dyadic_set_roots(pm_dyadic *x, const pm_root_sum *r);
/* r = a, which is in range.  r: initialised by the caller. */
void pm_dyadic_get_roots(pm_root_sum *r, const pm_dyadic *a);

/* Frees what x owns, which has the kind PM_DYADIC_ROOTS. */
void pm_dyadic_roots_free(pm_dyadic *x);
/* x, which equals a of the kind PM_DYADIC_ROOTS, gets memory of its own. */
void pm_dyadic_roots_copy(pm_dyadic *x, const pm_dyadic *a);
/* x = a + b, a * b; one of them has the kind PM_DYADIC_ROOTS, both are in range.  Returns false, and x does not change,
 * when their common order is too large. */
bool pm_dyadic_roots_add(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b);
bool pm_dyadic_roots_mul(pm_dyadic *x, const pm_dyadic *a, const pm_dyadic *b);
/* x = its complex conjugate; and whether x is a real number.  x: also a root. */
void pm_dyadic_conjugate(pm_dyadic *x);
bool pm_dyadic_is_real(const pm_dyadic *x);

/* The denominators of x, which may be a fraction or a root, are prime to the modulus > 1. */
bool pm_dyadic_has_residue(const pm_dyadic *x, uint64_t modulus);

#endif
