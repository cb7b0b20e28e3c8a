/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/general_bound.h: an upper bound of a hafnian. */
#ifndef PM_GENERAL_BOUND_H
#define PM_GENERAL_BOUND_H

#include "pm/matrix.h"

/* An upper bound of log2 of the loop hafnian of |a|; a: symmetric.  -INFINITY when a vertex has neither a neighbour nor a
 * loop.
 * Without a diagonal: half of pm_permanent_log2_bound (Alon and Friedland, "The maximum number of perfect matchings in graphs
 * with a given degree sequence", 2008).
 * With one: the first vertex that is left picks itself or a later neighbour, so the product over all vertices of
 * max(1, |loop| + sum of the |weights| to later neighbours) is a bound; the smaller one of both directions is taken. */
double pm_general_log2_bound(const pm_matrix *a);

#endif
