/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_score.h: what a state is worth for what is still to come.
 *
 * The ideal score of a state S, for thinning, is its weight times the weight h(S) of all ways to
 * finish it.  Belief propagation gives h up to a factor that all states share: a frontier vertex u
 * that is not matched yet must still find one of the neighbours to come, worth
 *
 *   open(u) = sum over the edges (u, k) to come of m(k -> u)        (bethe.h)
 *
 * against 1 if it is matched, and h(S) = product of open(u) over the unmatched u: exact on a forest.
 * Elsewhere the factors are correlated and h spreads too far; the score takes each to the power 3/4,
 * as far as it is between 1/16 and 16, which is better than powers 1, 1/2 and 0 on grids and random
 * graphs taken together (doc/measurements.md): on dense graphs cv^2 falls by 8 to 10, on 4-regular
 * ones by 2.  Larger factors come from entries of different sizes, and are right in their size. */
#ifndef PM_BEAM_SCORE_H
#define PM_BEAM_SCORE_H

#include "beam/beam_plan.h"
#include "beam/state_lists.h"

/* Sets v_open and u_open of every edge.  entry[t]: index in a of edge t. */
pm_status pm_beam_score_plan(const pm_matrix *a, double (*value)[2], const int64_t *entry,
                             pm_beam_plan *p, pm_error *err);

/* Bit `unmatched` clear and bit `other` as said: a dead end. */
typedef struct {
    int32_t unmatched, other;
    bool is_set;
} pm_beam_conflict;

/* What stands at the bits of a key: what the vertex is worth unmatched, its only neighbour to come;
 * 1 and -1 where there is no vertex. */
typedef struct {
    double *open;
    int32_t *last;
    int32_t *bit_of;         /* of every vertex, -1 outside the frontier */
    double *table;           /* room: 256 numbers for every eight bits */
    pm_beam_conflict *clash; /* room: two for every bit */
} pm_beam_frontier;

/* Before the first edge, for so many bits, and vertices of the graph. */
void pm_beam_frontier_clear(pm_beam_frontier *f, int32_t bits, int32_t vertices);

/* After the edge. */
void pm_beam_frontier_update(pm_beam_frontier *f, const pm_beam_edge *e);

/* Fills f->clash: vertices with one neighbour to come must get it, not if it is taken, and not two
 * of them.  Returns how many there are. */
int32_t pm_beam_find_conflicts(int32_t bits, const pm_beam_frontier *f);

/* score[i] = weight of state i times h, or 0: a vertex with one neighbour to come cannot get it, since
 * it is taken or another one's last chance too. */
void pm_beam_score(const pm_states *s, int32_t words, int32_t bits, const pm_beam_frontier *front,
                   double *score);

#endif
