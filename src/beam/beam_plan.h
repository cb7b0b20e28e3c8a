/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/beam_plan.h: the frontier method divided into steps, one for each edge.
 *
 * An order of the vertices (order/vertex_order.h) gives an order of the edges: for each vertex in
 * turn, its edges to vertices that come later in the order.  The frontier consists of the vertices
 * with some edges processed and some not; a state says which of them are matched, one bit each.  At
 * the edge (v, u) a state has at most two transitions:
 *
 *   skip   the state stays as it is;
 *   take   allowed if v and u are unmatched: both bits are set, the weight is multiplied by the
 *          entry.
 *
 * After its last edge a vertex must be matched; its bit is cleared and may be used for another
 * vertex.  Each transition adds one constant to the keys of all states that it applies to, since
 * the bits that change have known values.  So sorted states stay sorted, and a step is the merge of
 * two sorted lists (state_lists.h).
 *
 * Matched columns minus matched rows of the frontier is k = rows that have left minus columns that
 * have left, the same for all states of a level.  So a frontier of f vertices, b of them rows, has
 * at most C(f, k + b) states after every edge (Vandermonde, as in order/vertex_order.h).
 *
 * Of a graph on one set of vertices (a symmetric matrix) vertices are the rows.  A loop is an edge from a vertex to itself, after
 * all other edges of it: the vertex is alone if it is taken.  Without loops the number of matched frontier vertices
 * is even, or odd, depending on the edge alone, so f vertices have 2^(f - 1) states at most.
 *
 * The entries are brought near to 1 by powers of two for rows and columns
 * (sampler/scaled_entries.h), so that products of thousands of them need one exponent only. */
#ifndef PM_BEAM_PLAN_H
#define PM_BEAM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "order/vertex_order.h"
#include "pm/matrix.h"
#include "pm/run.h"

typedef struct {
    int32_t v, u; /* vertices (pm/matrix.h); v is the earlier one in the order; v = u: a loop */
    int32_t v_bit, u_bit; /* bits of the key; word bit / 64, word 0 is the most significant one */
    bool v_enters, u_enters; /* it enters the frontier before this edge; its bit is 0 until then */
    bool v_leaves, u_leaves; /* it leaves after this edge; its bit must be 1 and is then cleared */
    bool ends;               /* the last edge of v in this order */
    bool is_unit;            /* value is 1 */
    double value[2];         /* the scaled entry: a double-double */
    double states;           /* states after this edge, at most; may be infinite */
    /* after this edge: factors of v and u in the score of a state where they are unmatched; their
     * only neighbours that are processed later, or -1 if there are several (beam_score.h) */
    double v_factor, u_factor;
    int32_t v_last_neighbour, u_last_neighbour;
} pm_beam_edge;

typedef struct {
    bool has_empty_line; /* a row or column without entries: there is no perfect matching */
    int64_t nedges, nvertices;
    pm_beam_edge *edges;
    int32_t words; /* of a key: enough for its bits; never 3 */
    int32_t bits;  /* used bits of a key */
    int64_t exp;   /* the permanent, or loop hafnian, is 2^exp times that of the scaled entries */
    double most_ended; /* largest `states` over the edges with `ends`; may be infinite */
    double most;       /* largest `states` over all edges; may be infinite */
    double total;      /* sum of `states` over the edges with `ends` */
} pm_beam_plan;

/* *out = the plan; the caller frees it.  A function of the matrix, is_general and the seed alone.
 * a: square, entries > 0; is_general: symmetric, its loop hafnian is asked.
 * Fails: PM_UNABLE (entries of too many magnitudes, 2^31 vertices), PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_beam_plan_make(const pm_matrix *a, bool is_general, uint64_t seed, const pm_run *run,
                            pm_beam_plan *out, pm_error *err);
void pm_beam_plan_free(pm_beam_plan *p);

#endif
