/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bethe_estimate/bethe_estimate.h: the permanent, estimated from its Bethe approximation.
 *
 * F(B) = sum b log(a/b) + (1 - b) log(1 - b) at its maximum B is the logarithm of the Bethe permanent
 * (bounds.h).  The permanent is the case M = 1 of
 *
 *   sum over k of (M!)^(2n - N) prod (M - k_ij)! / k_ij! a_ij^k_ij,
 *
 * k integer n x n matrices with line sums M, positive at the N entries at most: the mean of the permanents
 * of random M-fold covers, M-th power (Vontobel 2013, theorem 39).  By Stirling's formula and a Gaussian
 * sum over the lattice of such k, whose cell has as volume the square root of the number of spanning trees,
 *
 *   log per A ~ F + log(2 pi)/2 + sum [log(1 - b) - log(1 - 2b)/2] - log(tau)/2,
 *
 * tau the spanning trees of the graph with conductances w = b (1 - b) / (1 - 2 b), by Kirchhoff's theorem a
 * determinant.  (Mori and Tanaka 2012 have the same as a zeta function: sums over all closed walks without
 * backtracking.)  On d-regular graphs without short cycles it is the factor sqrt(2 pi n (d - 1) / d) and
 * sums over cycles.  It is not proved.
 *
 * Vertices of degree 2 are merged first; their edges would have infinite conductances.  This is exact.  F stays the same, too,
 * unless edges become parallel.  In a large matrix this is done with B alone (contracted.h), at the point that the
 * bounds have found or where their scaling ended (bethe_point.h), and the interval grows by what F may lack there. */
#ifndef PM_BETHE_ESTIMATE_H
#define PM_BETHE_ESTIMATE_H

#include "bounds/bounds.h"
#include "pm/backend.h"
#include "pm/matrix.h"
#include "pm/run.h"

/* log10 of the permanent, and the ends of an interval that holds it for about 95 of 100 graphs: they are
 * fitted (doc/measurements.md), not proved.  The interval is wider where the scaling ended before it converged. */
typedef struct {
    double log10, low, high;
} pm_bethe_estimate;

/* a: fully indecomposable, n >= 1, every entry > 0, as the blocks of pm_dm_decompose.
 * point: of pm_bounds_make_bracket; NULL, or one without b: the maximum is looked for here.
 * seed: of random vectors, where the matrix is too large for an exact determinant, and of random walks.
 * The number of threads changes no digit.
 * Fails: PM_UNABLE the magnitudes of the entries differ too much; PM_ENOMEM, PM_ESTOPPED; PM_ENODEV only
 * with PM_BACKEND_CUDA. */
pm_status pm_bethe_estimate_make(const pm_matrix *a, const pm_bethe_point *point,
                                 pm_backend backend, uint64_t seed, const pm_run *run,
                                 pm_bethe_estimate *out, pm_error *err);

/* The same within proved bounds, log10 of the permanent.  Where the estimate is outside of them, or an end is no number, nothing is
 * known beside the bounds: they become the interval. */
pm_bethe_estimate pm_bethe_estimate_within(const pm_bethe_estimate *e, double lower, double upper);

#endif
