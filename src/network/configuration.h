/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network/configuration.h: the number of perfect matchings in the configuration model.
 *
 * Vertex i of the rows has r_i half-edges, vertex j of the columns c_j, m on each side, and the half-edges
 * of the two sides are matched at random, each way with the same probability (Bollobas 1980).  X is the
 * permanent of this random multigraph, whose entries are numbers of edges.
 *
 * A perfect matching takes a half-edge of each vertex, and n of the m pairs are given by it:
 *   E X = n! prod r_i prod c_j (m - n)! / m!
 * Two perfect matchings have k edges in common, where both take the same half-edges:
 *   E X^2 / (E X)^2 = sum over k of P(k) Q(k) k! ((n - k)!)^2 (m - 2n + k)! m! / (n! (m - n)!)^2,
 * P(k) the probability that of n independent events with probabilities 1 / r_i exactly k happen, Q(k) that for
 * 1 / c_j.  For regular graphs the ratio tends to sqrt((d - 1)^2 / (d (d - 2))), d > 2, and log X to a sum
 * of independent terms, one for each length of a cycle (Molloy, Robalewska, Robinson and Wormald 1997).
 *
 * Graphs without multiple edges.  The number of pairs of parallel edges tends to a Poisson variable with
 * the mean l = sum r (r - 1) sum c (c - 1) / (2 m^2); given a perfect matching its mean is
 *   l' = sum (r - 1)(r - 2) sum (c - 1)(c - 2) / (2 (m - n)^2) + (m - n) / n,
 * the pairs without and with an edge of the matching.  So to first order, for degrees that do not grow
 * with n, the condition that there is no such pair multiplies E X by exp(l - l'), exp(-1/2) for regular
 * graphs, and takes (l' - l)^2 / l from the variance of log X. */
#ifndef PM_CONFIGURATION_H
#define PM_CONFIGURATION_H

#include "pm/matrix.h"

/* Natural logarithms.  variance: log of E X^2 / (E X)^2, 0 or more: the variance of log X if that is
 * normal, with the mean expected - variance / 2.  expected is -INFINITY where a vertex has no edge. */
typedef struct {
    double expected, variance;               /* exact but for rounding */
    double simple_expected, simple_variance; /* of graphs without multiple edges, to first order */
} pm_configuration;

/* a: square; its degrees are the numbers of entries of its lines.
 * Rounding: about 10^-8.
 * Cost: O(n); products of distributions with a width of some standard deviations for each degree that
 * occurs.
 * Fails: PM_ENOMEM. */
pm_status pm_configuration_make(const pm_matrix *a, pm_configuration *out, pm_error *err);

#endif
