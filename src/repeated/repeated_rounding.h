/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_rounding.h: parts of the member `rounding` of a pm_sweep over real and complex
 * squares with classes.
 *
 * They are relative to the sum of |terms|, in units of u = 2^-53, to first order, as in
 * dense/dense_float.c.  n: the number of rows with their copies. */
#ifndef PM_REPEATED_ROUNDING_H
#define PM_REPEATED_ROUNDING_H

#include "repeated/repeated_digits.h"
#include "sweep/float_kind.h"

/* Of a product of n row sums, by powers. */
double pm_repeated_product_rounding(pm_dense_kind kind, double n);
/* Of the weight of a term and the multiplication by it, in at most three steps. */
double pm_repeated_weight_rounding(pm_dense_kind kind, const pm_repeated_digits *d, double n);

#endif
