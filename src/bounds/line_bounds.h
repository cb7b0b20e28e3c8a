/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/line_bounds.h: the upper bounds by rows and by columns, Bregman's and Huber's (bounds.h).  For this room only. */
#ifndef PM_LINE_BOUNDS_H
#define PM_LINE_BOUNDS_H

#include "bounds/bounds_work.h"

/* Whether the factors of the columns of the scaling, but for a common factor, are in the range of pm_bregman_sum; if not, the scaled bound of
 * the rows would be INFINITY. */
bool pm_bounds_have_range(const pm_bounds_work *w);

/* Lowers out->bregman, out->bregman_scaled and out->huber.  The factors of the columns of the scaling may be any, which become numbers without
 * exponents; the scaled matrix is not needed.  Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_bounds_by_lines(pm_bounds_work *w, pm_bounds *out, pm_error *err);

#endif
