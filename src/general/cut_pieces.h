/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/cut_pieces.h: edges that cannot be in a perfect matching because a vertex separates the graph.
 *
 * Without a cut vertex c, a connected graph falls into pieces.  In a perfect matching of the graph, c is matched into a piece with an
 * odd number of vertices, so edges from c into the even pieces are in none.  A bridge is the case of one edge into a
 * piece. */
#ifndef PM_CUT_PIECES_H
#define PM_CUT_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* Marks these edges, in both directions.  Without them other vertices may separate the graph: call it again until nothing is
 * marked.
 * a: symmetric, not checked; the diagonal is ignored.
 * is_marked: of each entry; the entries that are marked before are not entries of the graph, which has a perfect matching.
 * *marked: the number of edges that are added.
 * Cost: linear.
 * Fails: PM_ENOMEM.
 * Source: the pieces by the depth-first search of Hopcroft and Tarjan 1973. */
pm_status pm_cut_pieces_mark(const pm_matrix *a, bool *is_marked, int64_t *marked, pm_error *err);

#endif
