/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/kasteleyn_matrix.h: the Kasteleyn matrix of a planar graph: the signed matrix whose
 * determinant is the permanent, with its rows and columns paired by a perfect matching.
 *
 * Row i and column i are the ends of the edge of the matching at row i of the graph.  Their entry
 * is positive, so the term of this matching has sign + in the determinant, and so has every term.
 *
 * If all weights are positive, all principal minors are positive too.  (Delete some pairs from the
 * planar graph: the signs remain Kasteleyn signs, since no cycle separates the ends of a pair, so
 * the minor is the weighted count of the rest of the graph, which has the rest of the matching.)
 * So elimination along the diagonal has nonzero pivots in every order. */
#ifndef PM_KASTELEYN_MATRIX_H
#define PM_KASTELEYN_MATRIX_H

#include "elimination/paired_matrix.h"
#include "planar/kasteleyn.h"
#include "planar/plain_graph.h"
#include "pm/status.h"

/* The caller frees out.  out->is_zero is set if the graph has no perfect matching.
 * Fails: PM_UNABLE neither planar nor a recognised torus, with the reason; PM_ENOMEM. */
pm_status pm_kasteleyn_matrix_make(const pm_plain_graph *w, pm_paired_matrix *out, pm_error *err);

#endif
