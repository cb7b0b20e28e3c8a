/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/reduce_graph.h: the bipartite graph that the reductions rewrite.
 *
 * Vertices are 0 .. nrows-1 (rows) and nrows .. nrows+ncols-1 (columns).  An entry sits in two
 * doubly linked lists, that of its row and that of its column, so it is dropped, or moved to
 * another vertex, in constant time.  Entries only vanish; nothing is allocated after loading but
 * the scratch of a pass and large numbers.
 *
 * Invariant: per(A) = product of the factors so far * weighted count (pm/reduce.h) of the live
 * part; no entry joins two vertices of capacity above 1. */
#ifndef PM_REDUCE_GRAPH_H
#define PM_REDUCE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "number/cnum.h"
#include "pm/matrix.h"
#include "pm/reduce.h"
#include "pm/status.h"
#include "reduce/bound.h"

typedef struct {
    int32_t end[2];           /* row vertex, column vertex */
    int32_t next[2], prev[2]; /* in the list of end[side]; -1 at the ends */
} pm_rentry;

typedef struct {
    int32_t head;   /* first entry or -1 */
    int32_t degree; /* entries */
    int32_t cap;    /* 0: gone */
    int32_t origin; /* block of the last decomposition that it belongs to */
    int32_t bits;   /* about the longest mantissa among its entries; guides the order of work */
    int32_t bucket; /* of the work list, or -1 */
    int32_t queued; /* the vertex behind it in its bucket, or -1 */
    int32_t mark;   /* scratch of a merge: an entry or -1 */
} pm_rvertex;

#define PM_RBUCKETS 64

typedef struct {
    int64_t nrows, ncols;
    pm_field field;
    pm_rvertex *vertex; /* nrows + ncols */
    pm_rentry *entry;
    pm_cnum *value; /* of each entry */
    int64_t nentries;

    /* Vertices that a degree rule may fit, each at most once; bucket k holds those whose rule
     * costs about 2^k. */
    int32_t first[PM_RBUCKETS], last[PM_RBUCKETS];
    bool zero;      /* a vertex cannot be matched */
    bool cancelled; /* an entry became 0: edges may be in no matching now */

    pm_cproduct factor;
    int64_t norigins;
    double *bound; /* of each origin: log2 bound when it was made */
    double *taken; /* log2 of the factors taken out of it since, */
    double *moved; /* and the sum of their absolute values */
} pm_rgraph;

static inline int pm_rgraph_side(const pm_rgraph *g, int64_t v)
{
    return v >= g->nrows;
}

/* The neighbour of v by entry e. */
static inline int32_t pm_rgraph_other(const pm_rgraph *g, int64_t v, int32_t e)
{
    return g->entry[e].end[!pm_rgraph_side(g, v)];
}

/* The entries of v: e = first, then next until -1; next(e) is asked before e is unlinked. */
static inline int32_t pm_rgraph_first(const pm_rgraph *g, int64_t v)
{
    return g->vertex[v].head;
}

static inline int32_t pm_rgraph_next(const pm_rgraph *g, int64_t v, int32_t e)
{
    return g->entry[e].next[pm_rgraph_side(g, v)];
}

/* All of a, capacities 1, one origin without a bound yet; nothing on the work list.
 * Fails: PM_UNABLE rows and columns, or entries, beyond 2^31 - 1; PM_ENOMEM. */
pm_status pm_rgraph_load(pm_rgraph *g, const pm_matrix *a, pm_error *err);
void pm_rgraph_free(pm_rgraph *g);

/* Forget entry e; its ends stay and go on the work list. */
void pm_rgraph_unlink(pm_rgraph *g, int32_t e);
/* Entry e changes its end on the side of v to v (its row or column so far is dying). */
void pm_rgraph_move(pm_rgraph *g, int32_t e, int32_t v);
/* v and its entries vanish; the neighbours go on the work list. */
void pm_rgraph_remove(pm_rgraph *g, int32_t v);
/* Account for a new value of entry e in the size of the numbers at its ends. */
void pm_rgraph_touch(pm_rgraph *g, int32_t e);
/* Multiply the factor by f^times, taken out of the block of v. */
void pm_rgraph_factor(pm_rgraph *g, int32_t v, const pm_cnum *f, int64_t times);

/* ---- work list ---- */

void pm_rgraph_enqueue(pm_rgraph *g, int32_t v);
/* Append v to a given bucket; v is on no list. */
void pm_rgraph_enqueue_at(pm_rgraph *g, int32_t v, int bucket);
/* The next vertex of the lowest bucket, or -1; *bucket says which one. */
int32_t pm_rgraph_dequeue(pm_rgraph *g, int *bucket);

/* ---- bounds ---- */

/* Add every live vertex v to bounds[label(v)]; label == NULL: its origin. */
void pm_rgraph_bounds(const pm_rgraph *g, const int32_t *label, pm_bound *bounds);
/* Origins 0 .. count-1 were given to the vertices: bound them, with no factors taken out. */
pm_status pm_rgraph_new_origins(pm_rgraph *g, int64_t count, pm_error *err);

/* ---- the rules, one file each ---- */

/* degree1.c: v has as many entries as its capacity, so all are in every matching. */
void pm_rgraph_force(pm_rgraph *g, int32_t v);
/* degree2.c: whether v and its two neighbours have capacity 1, and what a merge costs. */
bool pm_rgraph_can_merge(const pm_rgraph *g, int32_t v, double *cost);
/* Merge the neighbours; false, and nothing done, when real numbers would become too long. */
bool pm_rgraph_merge(pm_rgraph *g, int32_t v);
/* twins.c: merge proportional rows, and columns; *changed: whether there were any. */
pm_status pm_rgraph_twins(pm_rgraph *g, bool *changed, pm_error *err);
/* split.c: drop every entry that is in no matching; sets zero when there is no matching. */
pm_status pm_rgraph_split(pm_rgraph *g, pm_error *err);
/* reduce.c: all rules in turn until none fits. */
pm_status pm_rgraph_rewrite(pm_rgraph *g, const pm_reduce_options *opt, const pm_run *run,
                            pm_error *err);
/* signs.c: negative entries, none if signs of rows and columns account for all of them, few
 * otherwise.  The values are real. */
pm_status pm_rgraph_take_signs(pm_rgraph *g, pm_error *err);
/* blocks.c: what is left, as blocks (one block if !split), and the factor. */
pm_status pm_rgraph_take(pm_rgraph *g, bool split, pm_reduced *out, pm_error *err);

#endif
