/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/kasteleyn_matrix.h: the signed matrix of a planar graph, its rows and columns paired by a perfect
 * matching: its determinant is the permanent.
 *
 * Row i and column i are the ends of the edge of the matching at row i of the graph, and their entry
 * is positive; the term of that matching, and so every term, has its own sign in the determinant.
 *
 * Where weights are positive, so are all principal minors: what is left of a planar graph when
 * pairs are taken out keeps its signs right, since no cycle separates the ends of a pair, and the
 * minor is the weighted count of the rest, which has the rest of the matching.  Every order of
 * elimination along the diagonal therefore has pivots that are not 0. */
#ifndef PM_KASTELEYN_MATRIX_H
#define PM_KASTELEYN_MATRIX_H

#include "elimination/paired_matrix.h"
#include "planar/kasteleyn.h"
#include "planar/plain_graph.h"
#include "pm/status.h"

/* Fails: PM_UNABLE neither planar nor a torus that is recognised, with the reason; PM_ENOMEM. */
pm_status pm_kasteleyn_matrix_make(const pm_plain_graph *w, pm_paired_matrix *out, pm_error *err);

#endif
