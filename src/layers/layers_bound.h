/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/layers_bound.h: bounds of the count of a graph in layers. */
#ifndef PM_LAYERS_BOUND_H
#define PM_LAYERS_BOUND_H

#include "layers/transfer.h"

/* *log2_norm: at least log2 of the size of every eigenvalue of a cycle; *log2_bound: at least log2 of the size of the
 * count.  Both are 0 where they would be less.
 * Fails: PM_UNABLE values beyond 2^500; PM_ENOMEM. */
pm_status pm_layers_bound(const pm_layered *g, const pm_transfer *t, double *log2_norm,
                          double *log2_bound, pm_error *err);

#endif
