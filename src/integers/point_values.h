/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integers/point_values.h: a polynomial from its values at integers. */
#ifndef PM_POINT_VALUES_H
#define PM_POINT_VALUES_H

#include <gmp.h>
#include <stdint.h>

#include "pm/fraction.h"

/* Point k = 0, 1, 2, ...: 0, 1, -1, 2, -2, ...; those of an independent verification are 1, -1, 2, -2, ... */
int64_t pm_point(int64_t k, bool independent);
/* out = p(i) with i^2 = -1, for the polynomial p of degree below `count` that has the value value[k] at point k.
 * out: initialised by the caller.  Source: Lagrange. */
void pm_point_values_at_i(const mpq_t *value, int64_t count, bool independent, pm_fraction *out);

#endif
