/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairing/pairing_state.h: what is left of a graph while a perfect matching is drawn vertex by vertex.
 *
 * The turn is that of the vertex u with the fewest neighbours left, the first of several.  Its choices are the neighbours v for which
 * what is left without u and v has a perfect matching.  v has the share
 *
 *     a_uv / (c_v - 1/2),    c_v neighbours left of v,
 *
 * as in the sampler look+ of bipartite graphs: in a doubly stochastic matrix an entry of a row of c is 1/c on average, and
 * u itself counts half.  Or, with factors x that make the rows of s_uv = x_u a_uv x_v sum to about 1, the share s_uv / (1 - s_uv / 2),
 * as in scaling++; x is improved from turn to turn.  The weight of a sample is the product of a_uv / probability.  As there always is a choice, no weight is 0.
 *
 * A perfect matching M of what is left is kept.  Without u its partner p is alone; an alternating path from p to v that ends with the
 * edge of v in M shows that v is a choice, and makes the matching of the rest.  One tree that grows from p has these paths
 * for all v.  Edges of M need no search, so a vertex with one neighbour costs nothing. */
#ifndef PM_PAIRING_STATE_H
#define PM_PAIRING_STATE_H

#include <stddef.h>

#include "general/alternating_forest.h"
#include "pairing/pairing_graph.h"

typedef struct {
    pm_pairing_graph g;
    int32_t *matching; /* a perfect one */
    double *factor;    /* x, of the whole graph; NULL: shares by degrees */
    int interval;      /* x is improved in each turn with a choice after so many turns ... */
    int sweeps;        /* ... by so many passes over what is left */
} pm_pairing_plan;

/* Sets plan->factor for plan->g.  Fails: PM_ENOMEM. */
pm_status pm_pairing_scale(pm_pairing_plan *plan, pm_error *err);

typedef struct {
    const pm_pairing_plan *plan;
    pm_forest forest; /* without the vertices that are matched */
    int32_t *partner; /* M */
    uint32_t *key;    /* sampler/vertex_key.h */
    double *factor;   /* x; 0 of a vertex that is matched; NULL as in the plan */
    int32_t turns;    /* since x was improved */
    int64_t *entry;   /* the choices of the present turn: entries of the row of u */
    double *share;    /* of each choice */
    int32_t choices;
    double total; /* of the shares */
} pm_pairing_state;

/* Bytes of memory of a state. */
size_t pm_pairing_state_bytes(const pm_pairing_plan *plan);
/* No vertex is matched.  memory: any contents, aligned to 8. */
void pm_pairing_start(const pm_pairing_plan *plan, void *memory, pm_pairing_state *out);
/* The vertex whose turn it is; sets the choices, at least one.  Some vertices are left. */
int32_t pm_pairing_turn(pm_pairing_state *s);
/* Matches u, whose turn it is, by a choice. */
void pm_pairing_match(pm_pairing_state *s, int32_t u, int32_t choice);

#endif
