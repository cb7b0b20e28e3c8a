/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/transversals.h: all transversals (perfect matchings) one by one, depth first; always the
 * row or column with the fewest free partners next, so that forced moves come at once and dead
 * ends are seen early.  The index space is a list of partial transversals. */
#ifndef PM_TRANSVERSALS_H
#define PM_TRANSVERSALS_H

#include "sweep/sweep.h"

typedef struct {
    double nodes; /* of the search tree: partial transversals, one chosen entry each */
    double transversals;
    double bytes; /* of the list, at most */
} pm_transversals_estimate;

/* The prepare of a pm_sweep_method; choice: a pm_transversals_estimate, which sets the piece, or
 * NULL.  s: of at most 62 bits.  Integers: exact; real and complex: products in double.
 * Fails: PM_ENOMEM. */
pm_status pm_transversals_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                  pm_error *err);

/* The search tree is descended level by level with at most 512 nodes, chosen evenly from a random
 * one on when there are more.  The same block has the same answer always.  Cost: about n * n * 5
 * microseconds at most.  Fails: PM_ENOMEM.
 * Source: Knuth 1975, Estimating the efficiency of backtrack programs; Chen 1992. */
pm_status pm_transversals_predict(const pm_square *s, pm_transversals_estimate *out, pm_error *err);

#endif
