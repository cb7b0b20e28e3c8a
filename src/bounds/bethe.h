/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bethe.h: belief propagation for the perfect matchings of a weighted bipartite graph.
 *
 * On a tree, what the part behind the edge (i, j) says to j is the message
 *
 *   m(i -> j) = a_ij / sum over the other neighbours k of i of m(k -> i):
 *
 * the weight of the matchings of that part that use the edge over that of those that match i
 * elsewhere.  Elsewhere it is a fixed point, that of the Bethe approximation: the edge is used with
 * probability t / (1 + t), t = m(i -> j) m(j -> i) / a_ij, and these form a doubly stochastic
 * matrix at which Bethe's functional has its maximum.
 * Source: Vontobel 2013, "The Bethe permanent of a nonnegative matrix", section V. */
#ifndef PM_BETHE_H
#define PM_BETHE_H

#include "pm/matrix.h"

/* Multiplying all m(i -> j) to columns and dividing those to rows by one number changes no
 * probability; here both have the same geometric mean.  For entry k in row i, column j: to_col[k] = m(i -> j), to_row[k] = m(j -> i). */
typedef struct {
    double *to_col, *to_row; /* pm_matrix_nnz of them, finite and > 0 */
    double *probability;     /* that the entry is used, by these messages */
} pm_bethe;

/* a: square, no empty line; value[k][0] > 0: its entries, near to 1.  The sum over the others is
 * never taken for less than least_share of the whole sum: then messages stay finite where a line has
 * one entry, and moderate where a cycle makes them too sure (on a lone cycle the heavier of its two
 * matchings has probability 1).  At most `sweeps` rounds, fewer
 * when no probability changes by more than `tolerance` any more.  Fails: PM_ENOMEM. */
pm_status pm_bethe_make(const pm_matrix *a, double (*value)[2], double least_share, int sweeps,
                        double tolerance, pm_bethe *out, pm_error *err);
void pm_bethe_free(pm_bethe *b);

#endif
