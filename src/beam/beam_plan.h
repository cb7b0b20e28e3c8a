/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_plan.h: the frontier programme taken apart into edges.
 *
 * An order of the vertices (order/vertex_order.h) gives an order of the edges: vertex after vertex,
 * those to neighbours whose turn is still to come.  The frontier holds the vertices with some edges
 * done and some to come; a state says which of them are matched, one bit each.  At the edge (v, u)
 * a state goes on in two ways at most:
 *
 *   skip   as it is;
 *   take   if neither v nor u is matched: with both bits set, weight times the entry.
 *
 * After its last edge a vertex must be matched; its bit is cleared and free for another one.  Both
 * ways add one constant to every key that they apply to (bits whose value is known change), so they
 * keep sorted states sorted, and a step is one merge of two sorted lists (state_lists.h).
 *
 * Matched columns minus matched rows of the frontier is columns that have left subtracted from rows
 * that have: the same for all states.  So f vertices of which b are rows have at most C(f, k + b)
 * states, k that difference, after every edge (Vandermonde, as in order/vertex_order.h).
 *
 * Weights of entries are brought near to 1 by powers of two for rows and columns (Sinkhorn's
 * scaling, rounded), so that products of thousands of them can share one exponent. */
#ifndef PM_BEAM_PLAN_H
#define PM_BEAM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "order/vertex_order.h"
#include "pm/matrix.h"
#include "pm/run.h"

typedef struct {
    int32_t v, u;            /* vertices (pm/matrix.h); v is the one processed */
    int32_t v_bit, u_bit;    /* places in the key: word bit / 64 from the most significant one */
    bool v_enters, u_enters; /* the frontier, before this edge: the bit is 0 until then */
    bool v_leaves, u_leaves; /* after this edge: the bit must be 1, and is 0 from then on */
    bool ends;               /* the last edge of a vertex of the order */
    bool is_unit;            /* value is 1 */
    double value[2];         /* of the entry, scaled: a double-double */
    double states;           /* after this edge, at most; may be infinite */
    /* of unmatched v and u, after the edge (beam_score.h): what they are worth; the only neighbour
     * to come, or -1 */
    double v_open, u_open;
    int32_t v_last, u_last;
} pm_beam_edge;

typedef struct {
    bool is_void;              /* a line is empty: there is no perfect matching */
    int64_t nedges, nvertices; /* of the block */
    pm_beam_edge *edges;
    int32_t words;     /* of a key, 1 or an even number */
    int32_t bits;      /* of a key that are ever used */
    int64_t exp;       /* permanent = 2^exp times that of the scaled entries */
    double most_ended; /* states after a vertex, at most: largest over the order; may be infinite */
    double most;       /* the same after any edge */
    double total;      /* sum over the ends of vertices */
} pm_beam_plan;

/* a: square, entries > 0.  The same matrix and seed give the same plan everywhere.
 * Fails: PM_UNABLE entries of too many magnitudes, 2^31 vertices; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_beam_plan_make(const pm_matrix *a, uint64_t seed, const pm_run *run, pm_beam_plan *out,
                            pm_error *err);
void pm_beam_plan_free(pm_beam_plan *p);

#endif
