/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchings/matchings.h: random perfect matchings of a graph, each with probability proportional to its weight.  Each
 * block of the Dulmage-Mendelsohn decomposition is drawn by itself: by the frontier method (matchings/uniform.h) if its
 * predicted states are few and fit the memory; otherwise by determinants if it is planar or a lattice on a torus
 * (matchings/planar_matching.h); otherwise by the frontier method if its predicted states fit; otherwise by rejection
 * (matchings/hub_matching.h) if a trial is fast; otherwise by the frontier method if the states that are reached fit;
 * otherwise by rejection.  Of a graph on one set of vertices the parts (general/elementary.h) are drawn: bipartite ones
 * in this way, those with odd cycles by Pfaffians. */
#ifndef PM_MATCHINGS_H
#define PM_MATCHINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct pm_matchings pm_matchings;

/* a: has a perfect matching; may be freed afterwards.
 * is_general: a is symmetric with an empty diagonal, a graph on one set of vertices.  A part of it with odd cycles must
 * be planar, or a lattice on a torus.
 * *out: freed by the caller.
 * Fails: PM_UNABLE negative or complex entries, or a part that no method is able to draw (the message says why);
 * PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_matchings_make(const pm_matrix *a, bool is_general, uint64_t seed, const pm_run *run,
                            pm_matchings **out, pm_error *err);
void pm_matchings_free(pm_matchings *m);

/* An upper bound of the total variation between the distribution of what is drawn and the exact one, if the random bits
 * are perfect; 0: it is exact. */
double pm_matchings_total_variation(const pm_matchings *m);

/* col_of[i] = column that is matched to row i, or vertex that is matched to vertex i, in matching number `sample`, a
 * function of seed and sample only.  Different matchings are independent.
 * Fails: PM_UNABLE too many tries by rejection; PM_ESTOPPED. */
pm_status pm_matchings_draw(pm_matchings *m, uint64_t sample, const pm_run *run, int32_t *col_of,
                            pm_error *err);

#endif
