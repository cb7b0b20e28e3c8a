/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/functional_bounds.h: Bethe's functional F (bounds.h) of a doubly stochastic matrix, and a bound of its maximum.  For this room only. */
#ifndef PM_FUNCTIONAL_BOUNDS_H
#define PM_FUNCTIONAL_BOUNDS_H

#include "bounds/bounds_work.h"

/* *s += sum b log(a/b), B is w->b. */
void pm_bounds_add_entropy(pm_bounds_work *w, pm_rounded_sum *s);

/* F(B), B is w->b. */
pm_rounded_sum pm_bounds_functional(pm_bounds_work *w);

/* Lowers out->bethe_most and out->bethe by what the gradient of F at w->b, where F is f, proves.  v: [columns], is set to multipliers of the
 * columns, and w->v to v; w->v is NULL after this if an entry of w->b is 1, and there is a bound then only for a single entry. */
void pm_bounds_bethe_above(pm_bounds_work *w, double *v, pm_rounded_sum f, pm_bounds *out);

#endif
