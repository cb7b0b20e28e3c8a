/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/general.h: graphs on one set of vertices, which need not be bipartite, and the reduction of their hafnians.
 *
 * Begin here.  A graph is its symmetric adjacency matrix A, n x n.  The hafnian of A is the sum, over all perfect matchings of
 * the vertices, of the product of the weights of the edges.  In the loop hafnian a vertex i may also stay alone, with
 * the weight a_ii.  So the diagonal of A decides: where it is empty the two are the same.
 *
 * The room holds the graph that the rules modify (general_graph.h), the rules, the bound of a block, and the search for a perfect matching.  It may
 * include dm, reduce, matrix, number and core. */
#ifndef PM_GENERAL_H
#define PM_GENERAL_H

#include "pm/matrix.h"
#include "pm/reduce.h"
#include "pm/run.h"
#include "pm/status.h"

/* (Loop) hafnian of a = factor * product of the weighted counts of the blocks (pm_block.general).
 * a: symmetric; not checked.
 * opt: blocks decides on components, degree1 and degree2 on the rules; twins applies to bipartite blocks only.
 * keep_general: no block becomes a bipartite one.
 * run: stops early when run->stop is set; may be NULL.
 * out: freed by the caller (pm_reduced_free); not changed on failure.
 * Fails: PM_UNABLE 2^31 or more vertices or edges, or a product of entries whose binary exponent is beyond 2^31;
 * PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_general_reduce(const pm_matrix *a, const pm_reduce_options *opt, bool keep_general,
                            const pm_run *run, pm_reduced *out, pm_error *err);

#endif
