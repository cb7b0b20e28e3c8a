/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_few.h: real and complex hafnians of few vertices, at once: nothing is scaled, shared or allocated. */
#ifndef PM_HAFNIAN_FEW_H
#define PM_HAFNIAN_FEW_H

#include "hafnian/hafnian_kernel.h"
#include "pm/matrix.h"
#include "pm/value.h"

/* a: symmetric, real or complex.  True when it has at most PM_HAFNIAN_FEW rows and its numbers are single doubles, 0 or of a
 * size between 2^-61 and 2^60. */
bool pm_hafnian_is_few(const pm_matrix *a);

/* The hafnian of such a matrix, with a bound of its error.  out: initialised by the caller. */
void pm_hafnian_few_count(const pm_matrix *a, pm_value *out);

#endif
