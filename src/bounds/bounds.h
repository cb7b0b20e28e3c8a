/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bounds.h: proved bounds of the permanent of a nonnegative matrix.
 *
 * Each is a theorem whose conditions are met exactly, and is rounded outwards.  A bound that cannot
 * be made certain is not given.  A: n x n, n >= 1; B: doubly stochastic, positive where A is; log
 * is the natural logarithm here.
 *
 * Lower.
 *   Schrijver 1998 in the form of Gurvits 2011 (arXiv 1106.2844, inequality 2): for every B
 *     log per A >= F(B) = sum b log(a/b) + (1 - b) log(1 - b);
 *   evaluated at the fixed point of belief propagation (bethe.h), where F is largest, made doubly
 *   stochastic exactly (doubly_stochastic.h); where that fails, at Sinkhorn's matrix and those that follow (bethe_ascent.h).
 *   Capacity: cap A = inf over x > 0 of prod_i (Ax)_i / prod_j x_j; by Jensen's inequality
 *     log cap A >= sum b log(a/b) for every B (take Sinkhorn's).
 *   Gurvits 2008 (Laurent and Schrijver 2010 prove it):
 *     per A >= cap A prod_j g(min(j, c_j)), g(k) = ((k-1)/k)^(k-1), c_j entries in column j,
 *   the columns in any order (descending c_j gives the best bound); the same for rows.  With all
 *   c_j = n it is van der Waerden's bound, per A >= cap A n! / n^n (Falikman 1981, Egorychev 1981).
 *
 *   Weighted, where no B is found: the weight of one perfect matching (heavy_matching.h).
 *
 * Upper.
 *   Bregman 1973 (Minc's conjecture): prod_i G(r_i), G(r) = (r!)^(1/r), for 0/1 matrices with r_i
 *   entries in row i.  Weighted: a row with entries a_1 >= a_2 >= ... is the sum over k of
 *   (a_k - a_{k+1}) times the 0/1 row of its k largest; per A is linear in each row, so it is at
 *   most  prod_i sum_k (a_k - a_{k+1}) G(k)  (Soules 2003).  Rows or columns, the smaller bound.
 *   scaled: the same for A diag(x), divided by prod x, x Sinkhorn's scaling of the other side, or the last one of the ascent.
 *   Huber 2006 (0/1 only, r_i < 2^15): prod_i gamma(r_i), the first bound of the sampler hub+
 *   (degree/hub_bound.h); rows or columns, the smaller bound.
 *   Anari and Rezaei 2019: per A <= 2^(n/2) exp(max F).  F is concave on the doubly
 *   stochastic matrices (Vontobel 2013), so
 *     max F <= F(B) + max over doubly stochastic X of <grad F(B), X - B>
 *           <= F(B) - <grad F(B), B> + sum u + sum v,  where u_i + v_j >= grad F(B)_ij.
 *
 * Rounding: arithmetic rounds to nearest; log, log1p and exp of the C library are assumed to have
 * errors of at most 4 ulp. */
#ifndef PM_BOUNDS_H
#define PM_BOUNDS_H

#include "bounds/bethe_point.h"
#include "pm/backend.h"
#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* log10 of bounds of the permanent.  A bound that does not apply or cannot be made certain is
 * -INFINITY (lower) or INFINITY (upper). */
typedef struct {
    double schrijver, gurvits, van_der_waerden;
    /* The largest lower bound; of a pattern at least 0.  Where none of those above is finite: the weight of a
     * perfect matching if A has weights, or -INFINITY. */
    double lower;
    double bregman, bregman_scaled, huber, bethe;
    double upper; /* the smallest upper bound */
    /* log10 of the Bethe permanent, max exp F, is from schrijver to bethe_most: how far belief propagation, or the ascent, is from the
     * maximum. */
    double bethe_most;
} pm_bounds;

/* a: square, n >= 1, every entry > 0.  The lower bounds need every entry to be in a perfect
 * matching, as in the blocks of pm_dm_decompose; otherwise they may be -INFINITY.  The bounds of a
 * matrix are the sums of those of its blocks.
 * A lattice or mesh of 100000 entries or more, where belief propagation does not converge, may get a doubly stochastic matrix by linear steps
 * (sinkhorn.h); then gurvits and van_der_waerden are -INFINITY if F is near its maximum already, if the steps took long, or on a GPU if an entry
 * is more than 16 times as large as another after rows and columns were scaled by powers of two: Sinkhorn's matrix is not computed.
 * The number of threads changes no digit.  On a GPU other doubly stochastic matrices are found: the bounds
 * hold as well; those of lattices and meshes may differ from the fourth digit on.
 * Cost: some hundred passes over the entries, with linear steps some thousands, on a GPU tens of thousands; memory: with that of a large matrix some 25 bytes for each entry of a pattern, and 120 for
 * each entry with a weight.
 * Fails: PM_UNABLE the magnitudes of the entries differ too much; PM_ENOMEM; PM_ESTOPPED; PM_ENODEV
 * only with PM_BACKEND_CUDA. */
pm_status pm_bounds_make(const pm_matrix *a, pm_backend backend, const pm_run *run, pm_bounds *out,
                         pm_error *err);

enum { PM_BOUNDS_LARGE = 1 << 20 }; /* entries: from here on the next function saves time */

/* The same, for what needs `lower` and `upper` only.  A large matrix may have the bound `schrijver`, or its first scaling may
 * have taken most of its products: then the scaling for `gurvits` (which exceeds `schrijver` by a factor of its first columns at most, Gurvits 2011) and
 * `van_der_waerden` ends after some sweeps, and these are -INFINITY.
 * point: what gives `schrijver`; of a large matrix without this bound, where its scaling ended; the caller frees it. */
pm_status pm_bounds_make_bracket(const pm_matrix *a, pm_backend backend, const pm_run *run,
                                 pm_bounds *out, pm_bethe_point *point, pm_error *err);

/* Fails with PM_ENODEV where `backend` demands a device and there is none: for callers that leave small matrices to the CPU. */
pm_status pm_bounds_demand(pm_backend backend, pm_error *err);

/* Begins to start the device, while the input is read, where `backend` demands one; and ends this before the process
 * ends.  Both are for one thread at a time. */
void pm_bounds_prepare(pm_backend backend);
void pm_bounds_prepared(void);

#endif
