/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/delays.h: foretells how many pairs of a skew-symmetric matrix find no pivot in a front. */
#ifndef PM_DELAYS_H
#define PM_DELAYS_H

#include "elimination/elimination.h"

/* A pivot joins two vertices, so of the vertices below and in a front those are left that no maximum matching of these
 * covers.  Estimated for each component of their graph: the difference of the two colour classes, or, with an odd cycle, 1 for an odd number.
 * Pieces of a square lattice on a torus are bipartite, and leave many; pieces of a triangular lattice leave one at most.
 *
 * pair: the pair that is eliminated at each time; time: its inverse.  first: the first time of each front, nfronts + 1 entries.
 * delayed: nfronts entries, the caller's.
 * Cost: near linear in the edges.  Fails: PM_ENOMEM. */
pm_status pm_delays_foretell(const pm_adjacency *g, const pm_elimination *e, const int32_t *pair,
                             const int32_t *time, const int32_t *first, int32_t *delayed,
                             pm_error *err);

#endif
