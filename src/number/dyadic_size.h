/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/dyadic_size.h: sizes of complex numbers, as numbers that are no smaller. */
#ifndef PM_DYADIC_SIZE_H
#define PM_DYADIC_SIZE_H

#include "pm/dyadic.h"

/* out = a number of at most 66 bits from |re + i im| to (1 + 2^-60) times it; 0 only if it is 0.  Where the
 * common order of roots is above PM_ROOT_ORDER_MAX, |re| + |im| is the number instead.
 * re, im: in range, and they may be fractions or roots.  out is no fraction; it is out of range where the size is. */
void pm_dyadic_set_size(pm_dyadic *out, const pm_dyadic *re, const pm_dyadic *im);

#endif
