/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/general_graph.h: the graph on one set of vertices that the rules modify.
 *
 * An edge is in two doubly linked lists, those of its ends, so it can be removed, or get another end, in constant time.
 * Edges are never added.
 *
 * Invariant: hafnian of the input = product of the factors taken out so far * hafnian of the graph. */
#ifndef PM_GENERAL_GRAPH_H
#define PM_GENERAL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "number/cnum.h"
#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    int32_t end[2];           /* two vertices */
    int32_t next[2], prev[2]; /* in the list of end[side]; -1: none */
} pm_general_edge;

typedef struct {
    int32_t head;   /* its first edge, or -1 */
    int32_t degree; /* the number of its edges */
    int32_t mark;   /* temporary, of a merge: an edge, or -1 */
    bool is_removed;
    bool is_listed; /* in the work list */
} pm_general_vertex;

typedef struct {
    int64_t n;
    pm_field field;
    bool has_loops;          /* some vertex has a loop that is not 0 */
    const pm_labels *labels; /* of the vertices, for the blocks, borrowed; NULL: these get none */
    pm_general_vertex *vertex;
    pm_cnum *loop; /* n: the weight of leaving a vertex alone */
    pm_general_edge *edge;
    pm_cnum *value; /* nedges */
    int64_t nedges;
    int32_t *listed; /* the work list: vertices to which a rule may apply */
    int64_t nlisted;
    bool zero;          /* the hafnian is 0: a vertex cannot be matched */
    bool has_cancelled; /* an edge became 0 when two vertices were merged */
    pm_cproduct factor;
} pm_general_graph;

/* The side of edge e at which v is. */
static inline int pm_general_side(const pm_general_graph *g, int32_t v, int32_t e)
{
    return g->edge[e].end[1] == v;
}

static inline int32_t pm_general_other(const pm_general_graph *g, int32_t v, int32_t e)
{
    return g->edge[e].end[!pm_general_side(g, v, e)];
}

/* The edges of v are e = vertex[v].head, then e = next(e), until -1.  Call next before e is removed. */
static inline int32_t pm_general_next(const pm_general_graph *g, int32_t v, int32_t e)
{
    return g->edge[e].next[pm_general_side(g, v, e)];
}

/* a: symmetric.  All vertices are in the work list.  The caller calls pm_general_graph_free.
 * Fails: PM_UNABLE 2^31 or more vertices or edges; PM_ENOMEM. */
pm_status pm_general_graph_load(const pm_matrix *a, pm_general_graph *g, pm_error *err);
void pm_general_graph_free(pm_general_graph *g);

/* Puts v into the work list unless it is there or was removed. */
void pm_general_list(pm_general_graph *g, int32_t v);
/* Removes edge e and lists its ends. */
void pm_general_unlink(pm_general_graph *g, int32_t e);
/* Removes v with its edges, and lists the neighbours. */
void pm_general_remove(pm_general_graph *g, int32_t v);
/* Makes `to` the end of edge e that was `from`. */
void pm_general_move(pm_general_graph *g, int32_t e, int32_t from, int32_t to);

/* ---- the steps, one file each ---- */

/* general_rules.c: applies the rules of degrees 0, 1 and 2 until none does.
 * Fails: PM_ESTOPPED. */
pm_status pm_general_apply_rules(pm_general_graph *g, bool degree1, bool degree2, const pm_run *run,
                                 pm_error *err);

/* general_prune.c: for a graph without loops.  Sets `zero` if there is no perfect matching; otherwise removes edges that are in none,
 * which may leave several components.  All such edges are removed, except from large graphs where looking for them would
 * take longer than counting should (allowed_edges.h).
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_general_prune(pm_general_graph *g, const pm_run *run, pm_error *err);

#endif
