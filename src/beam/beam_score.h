/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_score.h: the score of a state, which decides how likely a thinning keeps it.
 *
 * The ideal score of a state S is its weight times h(S), the sum of the weights of all completions
 * of S.  Belief propagation gives h up to a factor that all states share.  A frontier vertex u that
 * is unmatched must be matched with a neighbour that is processed later.  It contributes the factor
 *
 *   f(u) = sum over the edges (u, k) that are processed later of the message m(k -> u)   (bethe.h)
 *
 * and a matched vertex contributes 1: h(S) = product of f(u) over the unmatched u.  This is exact
 * on a forest.  Elsewhere the factors are correlated, and the product varies more than h.  So the
 * score uses f(u)^(3/4) for f(u) between 1/16 and 16.  Factors outside that range come from entries
 * of different sizes; they are only divided or multiplied by 2.  This is better than the powers 1,
 * 1/2 and 0 on grids and random graphs taken together (doc/measurements.md): cv^2 falls by a factor
 * of 8 to 10 on dense graphs, of 2 on 4-regular ones. */
#ifndef PM_BEAM_SCORE_H
#define PM_BEAM_SCORE_H

#include "beam/beam_plan.h"
#include "beam/state_lists.h"

/* Sets the factors and last neighbours of all edges of *p.
 * value: the scaled entries of a; entry[t]: index in a of the entry of edge t.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_beam_score_plan(const pm_matrix *a, double (*value)[2], const int64_t *entry,
                             const pm_run *run, pm_beam_plan *p, pm_error *err);

/* States with bit `unmatched` clear and bit `other` equal to is_set are dead ends: the vertex of
 * bit `unmatched` needs its last neighbour, which is matched (is_set), or which another unmatched
 * vertex needs too (not is_set). */
typedef struct {
    int32_t unmatched, other;
    bool is_set;
} pm_beam_conflict;

/* The vertices of the frontier by the bits of the keys. */
typedef struct {
    double *factor; /* [bits]: factor of the vertex if it is unmatched; 1 for unused bits */
    int32_t *last_neighbour;    /* [bits]: its only neighbour that is processed later; -1: there are
                              * several, or the bit is unused */
    int32_t *bit_of;            /* [vertices of the graph]: -1 outside the frontier */
    double *byte_factor;        /* working memory: 256 numbers for every eight bits */
    pm_beam_conflict *conflict; /* working memory: two for every bit */
} pm_beam_frontier;

/* *f = the empty frontier before the first edge. */
void pm_beam_frontier_clear(pm_beam_frontier *f, int32_t bits, int32_t vertices);

/* Changes *f to the frontier after the edge. */
void pm_beam_frontier_update(pm_beam_frontier *f, const pm_beam_edge *e);

/* Fills f->conflict with all conflicts of the frontier and returns their number. */
int32_t pm_beam_find_conflicts(int32_t bits, const pm_beam_frontier *f);

/* score[i] = score of state i; 0 when it is a dead end by one of the conflicts.
 * words, bits: of the keys.  Overwrites the working memory of *front. */
void pm_beam_score(const pm_states *s, int32_t words, int32_t bits, const pm_beam_frontier *front,
                   double *score);

#endif
