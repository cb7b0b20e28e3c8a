/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/hafnian_bounds.h: proved bounds of the hafnian of a nonnegative symmetric matrix with a zero diagonal.
 *
 * Upper.  haf(A)^2 <= per(A) (Alon and Friedland 2008): the union of two perfect matchings is a set of double edges and even cycles;
 *   each cycle comes from two pairs of matchings, and is two cycles of a permutation, one for each direction.  So half of every
 *   upper bound of log per(A) is one of log haf(A).  Of Bregman's it is the bound of Alon and Friedland, the product of (d_v!)^(1 / (2 d_v)) over
 *   the vertices v of a graph with degrees d_v.
 *
 * Lower.  Divide the vertices into two equal sides: haf(A) >= per(B), B the part of A between the sides, since a perfect
 *   matching between them is one of the graph.  So every lower bound of log per(B) is one of log haf(A).  The sides are those of a
 *   large cut in which every edge of some perfect matching crosses, so that per(B) > 0.
 *
 * No lower bound by degrees alone, as Schrijver's, is known to hold for graphs that are not bipartite. */
#ifndef PM_HAFNIAN_BOUNDS_H
#define PM_HAFNIAN_BOUNDS_H

#include "bounds/bounds.h"

/* log10 of bounds of the hafnian; each member has the bound that pm_bounds_make gives of A, halved, or of B.
 * a: symmetric, n >= 1, entries > 0.  Where it has no perfect matching all are -INFINITY; with a loop the upper bounds are INFINITY.
 * Cost: as pm_bounds_make, twice, and a perfect matching.
 * Fails: as pm_bounds_make. */
pm_status pm_hafnian_bounds_make(const pm_matrix *a, pm_backend backend, const pm_run *run,
                                 pm_bounds *out, pm_error *err);

#endif
