/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/answers.h: does an answer agree with the exact one, or with another answer?
 * Compared without any rounding. */
#ifndef PM_TEST_ANSWERS_H
#define PM_TEST_ANSWERS_H

#include <gmp.h>
#include <stdbool.h>

#include "number/cnum.h"
#include "pm/value.h"

/* q: initialised by the caller. */
void dyadic_to_mpq(const pm_dyadic *x, mpq_t q);
void xreal_to_mpq(pm_xreal x, mpq_t q);

/* |part - exact| <= error, exactly. */
bool within(pm_xreal part, pm_xreal error, const pm_dyadic *exact);

/* Exact values are equal to it, others within their error. */
bool agrees(const pm_value *v, const pm_cnum *exact);

/* Two inexact values agree when they differ by no more than the sum of their errors. */
bool values_agree(const pm_value *a, const pm_value *b);

/* |a - b| of double-doubles: the upper parts alone may be a place apart where these are not. */
double dd_distance(const double a[2], const double b[2]);

#endif
