/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bethe_bounds.h: the bounds by Bethe's functional (bounds.h), at the end of belief propagation, and at the matrices of an ascent
 * (bethe_ascent.h).  For this room only. */
#ifndef PM_BETHE_BOUNDS_H
#define PM_BETHE_BOUNDS_H

#include "bounds/bounds_work.h"

/* Sets out->schrijver, out->bethe and out->bethe_most where belief propagation gives a doubly stochastic matrix; in large graphs with
 * weights where it does not, out->lower.  In both cases sets w->point if it is wanted.  Fails: PM_ENOMEM, PM_ESTOPPED, PM_ENODEV. */
pm_status pm_bounds_by_bethe(pm_bounds_work *w, pm_bounds *out, pm_error *err);

/* Whether belief propagation ended far from the maximum of F, and the scaling has left time. */
bool pm_bounds_may_ascend(const pm_bounds_work *w, const pm_bounds *out);

/* Bethe's bounds from Sinkhorn's matrix on, which is w->b.  Fails: as before. */
pm_status pm_bounds_ascend(pm_bounds_work *w, pm_bounds *out, pm_error *err);

#endif
