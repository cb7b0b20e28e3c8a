/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/doubled.h: questions about graphs with loops become questions about graphs without.
 *
 * The doubled graph has two copies of the graph without its loops, and an edge between the two copies of each vertex that
 * has a loop.  If the vertices that a matching leaves alone all have loops, then the matching in both copies, and the edges between the
 * copies of these vertices, are a perfect matching of the doubled graph.  Conversely each perfect matching of the doubled graph
 * is such a matching in the first copy.  So an edge, or a loop, is in some such matching if and only if it, or the edge between the copies,
 * is in some perfect matching of the doubled graph. */
#ifndef PM_DOUBLED_H
#define PM_DOUBLED_H

#include "pm/matrix.h"
#include "pm/status.h"

typedef enum {
    PM_DOUBLED_PATTERN,
    PM_DOUBLED_LOOPS, /* with the weights; the edge between the copies of a vertex has that of the loop */
    PM_DOUBLED_SQUARES /* or its square */
} pm_doubled_weights;

/* *out: the doubled graph: vertex v of the second copy is a->nrows + v.  Row v of the first copy has the
 * entries of row v of a in their order, but for the loop, which comes last.
 * With weights both copies have the label of the vertex, or its number from 1 on.
 * a: symmetric, not checked; for weights not complex.
 * out: freed by the caller; not changed on failure.
 * Fails: PM_UNABLE 2^30 or more vertices; PM_ENOMEM. */
pm_status pm_doubled_make(const pm_matrix *a, pm_doubled_weights weights, pm_matrix *out,
                          pm_error *err);

#endif
