/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/transversals.h: enumerates all transversals (perfect matchings) by a depth-first search.
 * The next line is always the row or column with the fewest free partners, so forced choices come
 * first and dead ends are found early.  The indices of the sweep are a list of partial
 * transversals. */
#ifndef PM_TRANSVERSALS_H
#define PM_TRANSVERSALS_H

#include "sweep/sweep.h"

typedef struct {
    double nodes; /* of the search tree: one for each partial transversal */
    double transversals;
    double bytes; /* of the list of partial transversals, at most */
} pm_transversals_estimate;

/* The prepare function of a pm_sweep_method.  choice: a pm_transversals_estimate, which sets the
 * size of pieces, or NULL.  s: made with at most 62 bits.  Integers: exact; real and complex:
 * products in double.
 * Fails: PM_ENOMEM. */
pm_status pm_transversals_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                  pm_error *err);

/* Predicts the search by sampling: the search tree is descended level by level with at most
 * `sample` nodes, which is at most PM_TRANSVERSALS_SAMPLE; if there are more, a systematic sample with a random start is taken.  Deterministic.
 * It ends early, with out->nodes above `most`, where there are more nodes than that.
 * Cost: at most about n * n * sample * 10 nanoseconds.
 * Fails: PM_ENOMEM.
 * Source: Knuth 1975, Estimating the efficiency of backtrack programs; Chen 1992. */
enum { PM_TRANSVERSALS_SAMPLE = 512 };
pm_status pm_transversals_predict(const pm_square *s, int sample, double most,
                                  pm_transversals_estimate *out, pm_error *err);

#endif
