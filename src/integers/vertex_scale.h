/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integers/vertex_scale.h: the edges of a graph on one set of vertices as integers. */
#ifndef PM_VERTEX_SCALE_H
#define PM_VERTEX_SCALE_H

#include "integers/scale_factor.h"
#include "pm/matrix.h"
#include "pm/status.h"

/* Multiplies every entry (i,j) by d_i d_j, and every loop by d_i, so that all of them are integers or have integer parts, and
 * divides *f by the product of all d_i.  The numbers d_i are small, but need not be as small as possible.
 * a:     symmetric.  times == NULL: its diagonal has the loops.  Else vertex i has times[i] copies, d_i is divided
 *        out as often, the diagonal has edges, and `loops`, n x 1 or zeroed, has the loops.
 * Fails: PM_ENOMEM. */
pm_status pm_vertex_scale(pm_matrix *a, pm_matrix *loops, const int64_t *times, pm_scale_factor *f,
                          pm_error *err);

#endif
