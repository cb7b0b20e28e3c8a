/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bethe_estimate/spanning_trees.h: the number of weighted spanning trees of a large sparse graph, without random vectors.
 *
 * w: conductances, L the Laplacian, N the number of vertices, N T = det' L with T the sum over spanning trees.
 * Gaussian belief propagation has the cavity precisions
 *   J(i -> j) = L_ii - sum over k != j of w_ik^2 / J(k -> i),   J_i = J(i -> j) - w_ij^2 / J(j -> i),
 * and Bethe's value  B = sum log J_i - sum over edges log(1 - w^2 / (J(i -> j) J(j -> i))), exact on trees.
 * With b(i -> j) = w / J(i -> j) and the matrix M of steps that do not turn back, M[(i -> j), (j -> k)] = b(j -> k),
 *   det(L + e) = exp(B(e)) det(I - M(e))   (Watanabe and Fukumizu 2009; the zeta function of the graph).
 * For e = 0 M has the eigenvalue 1, with the left vector l(i -> j) = w (1 - b(i -> j)) and the right vector
 * r(i -> j) = (1 - b(j -> i)) J(i -> j) / J_i, and in a bipartite graph -1.  So, m' the derivative of the first one,
 *   log T = B - log N + log(-m') + log 2 - sum over even k of (tr M^k - 2) / k,
 *   -m' = sum l r J'/J / sum l r,   J'(i -> j) = 1 + sum over k != j of b(k -> i)^2 J'(k -> i).
 * The first term of the series is 1, for there is no closed walk of length 2; the others are the short
 * cycles beyond those of a random graph.  tr M^k is the number of directed edges times the probability that a walk
 * with the probabilities M r / r, those of l within each line, is back after k steps. */
#ifndef PM_SPANNING_TREES_H
#define PM_SPANNING_TREES_H

#include "bethe_estimate/log_determinant.h"
#include "pm/matrix.h"

/* a: square, rows ascending; w: [nnz] conductances.
 * *found: false where one is not positive, a line has fewer than two entries, or the messages do not converge.
 * error: of the walks, and of the series beyond the walks as if its terms fell like 1 / k^2, as in a lattice of
 * the plane.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_spanning_trees_make(const pm_matrix *a, const double *w, uint64_t seed,
                                 const pm_run *run, pm_log_determinant *out, bool *found,
                                 pm_error *err);

#endif
