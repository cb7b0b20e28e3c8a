/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/lower_bounds.h: lower bounds by the capacity and by one perfect matching (bounds.h).  For this room only. */
#ifndef PM_LOWER_BOUNDS_H
#define PM_LOWER_BOUNDS_H

#include "bounds/bounds_work.h"

/* The bounds that use the capacity: raises out->gurvits and sets out->van_der_waerden; w->b is Sinkhorn's matrix.  Fails: PM_ENOMEM. */
pm_status pm_bounds_by_capacity(pm_bounds_work *w, pm_bounds *out, pm_error *err);

/* One term of a weighted permanent: sets out->lower if there is a perfect matching; w->scaling.x says which entries are large.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_bounds_by_matching(pm_bounds_work *w, pm_bounds *out, pm_error *err);

#endif
