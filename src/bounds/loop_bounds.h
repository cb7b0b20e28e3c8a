/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/loop_bounds.h: proved bounds of the loop hafnian of a nonnegative symmetric matrix.
 *
 * Let G be the graph without its loops, l_v the loop of v (0: none), and for a set S of vertices l(S) the product of their loops and
 * h(S) the hafnian of G without S.  The loop hafnian is H = sum over S of l(S) h(S).  Two copies of G (general/doubled.h), where the
 * edge between the copies of v has the weight r_v, have the hafnian D(r) = sum over S of r(S) h(S)^2.
 *
 * Lower.  No term is negative, so H^2 >= sum of the squares of the terms = D(l^2).
 * Upper.  By the inequality of Cauchy and Schwarz for sqrt(l(S)) and sqrt(l(S)) h(S), H^2 <= (sum of l(S)) (sum of l(S) h(S)^2) =
 *   product of (1 + l_v) times D(l).
 *
 * D has no loops: its bounds are those of hafnian_bounds.h.  Another upper bound is pm_general_log2_bound. */
#ifndef PM_LOOP_BOUNDS_H
#define PM_LOOP_BOUNDS_H

#include "bounds/bounds.h"

/* log10 of bounds of the loop hafnian; each member but upper is made as above of the one of D(l^2) or D(l).  upper is the smallest, also of
 * pm_general_log2_bound.  Where the loop hafnian is 0 all are -INFINITY.
 * a: symmetric, n >= 1, entries > 0.
 * Cost: as pm_hafnian_bounds_make, twice, of a graph of twice the size.
 * Fails: as pm_hafnian_bounds_make; PM_UNABLE 2^30 or more vertices. */
pm_status pm_loop_bounds_make(const pm_matrix *a, pm_backend backend, const pm_run *run,
                              pm_bounds *out, pm_error *err);

#endif
