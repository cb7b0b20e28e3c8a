/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/reduce_graph.h: the bipartite graph that the reductions modify.
 *
 * Vertices are 0 .. nrows-1 (rows) and nrows .. nrows+ncols-1 (columns).  An entry is in two doubly
 * linked lists, the list of its row and the list of its column, so it can be removed, or moved to
 * another vertex, in constant time.  Entries are never added.  After loading, memory is allocated
 * only for the temporary arrays of a step and for large numbers.
 *
 * Invariant: per(A) = product of the factors taken out so far * weighted count (pm/reduce.h) of the
 * graph; no entry joins two vertices of capacity above 1. */
#ifndef PM_REDUCE_GRAPH_H
#define PM_REDUCE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "number/cnum.h"
#include "pm/matrix.h"
#include "pm/reduce.h"
#include "pm/run.h"
#include "pm/status.h"
#include "reduce/bound.h"

typedef struct {
    int32_t end[2];           /* row vertex, column vertex */
    int32_t next[2], prev[2]; /* in the list of end[side]; -1: none */
} pm_rentry;

typedef struct {
    int32_t head;   /* its first entry, or -1 */
    int32_t degree; /* the number of its entries */
    int32_t cap;    /* its capacity; 0: the vertex was removed */
    int32_t origin; /* its block in the last decomposition */
    int32_t
        bits; /* at least those of the longest mantissa of its entries, or those that merge_bits counts */
    int32_t bucket; /* its bucket in the work list, or -1 */
    int32_t queued; /* the next vertex in the bucket, or -1 */
    int32_t mark;   /* temporary, of a merge: an entry, or a negative number */
} pm_rvertex;

#define PM_RBUCKETS 64

typedef struct {
    int64_t nrows, ncols;
    pm_field field;
    pm_rvertex *vertex; /* nrows + ncols */
    pm_rentry *entry;
    pm_cnum *value; /* nentries values */
    int64_t nentries;

    /* Work list: the vertices to which a degree rule may apply, each at most once.  Bucket k has
     * those whose rule costs about 2^k operations. */
    int32_t first[PM_RBUCKETS], last[PM_RBUCKETS];
    bool zero; /* the weighted count is 0: a vertex cannot be matched */
    bool
        is_plain; /* all values are 1, all capacities 0 or 1, and all lists ascend: what follows from
                     * degrees need not be read from lists in random order */
    bool is_split; /* the origins are fully indecomposable blocks; while is_plain, they stay that */
    bool cancelled; /* an entry became 0, so some entries may be in no perfect matching now */

    pm_cproduct factor; /* the factors taken out */
    int64_t norigins;   /* the number of blocks of the last decomposition */
    double *bound;      /* log2 bound of each of these blocks at that time */
    double *taken;      /* the sum of the log2 of the factors taken out of the block since then */
    double *moved;      /* the sum of their absolute values */
    int small;          /* pm_reduce_options.small */
    int merge_bits;     /* pm_reduce_options.merge_bits */
    const pm_run *run;  /* when to stop; NULL: never */
    bool *is_small;     /* of each of these blocks: it is left as it is; NULL: none is */
} pm_rgraph;

/* 0 for a row, 1 for a column. */
static inline int pm_rgraph_side(const pm_rgraph *g, int64_t v)
{
    return v >= g->nrows;
}

/* The block of v is left as it is. */
static inline bool pm_rgraph_is_small(const pm_rgraph *g, int64_t v)
{
    return g->is_small && g->is_small[g->vertex[v].origin];
}

/* The neighbour of v by entry e. */
static inline int32_t pm_rgraph_other(const pm_rgraph *g, int64_t v, int32_t e)
{
    return g->entry[e].end[!pm_rgraph_side(g, v)];
}

/* The entries of v are e = first, then e = next(e), until -1.  Call next before e is unlinked. */
static inline int32_t pm_rgraph_first(const pm_rgraph *g, int64_t v)
{
    return g->vertex[v].head;
}

static inline int32_t pm_rgraph_next(const pm_rgraph *g, int64_t v, int32_t e)
{
    return g->entry[e].next[pm_rgraph_side(g, v)];
}

/* g = the graph of a: all capacities 1, one origin whose bound is not set, an empty work list.  The
 * caller calls pm_rgraph_free.
 * Fails: PM_UNABLE 2^31 or more vertices or entries; PM_ENOMEM. */
pm_status pm_rgraph_load(pm_rgraph *g, const pm_matrix *a, pm_error *err);
/* Capacities of a graph that was loaded; row_cap: [nrows], col_cap: [ncols], at least 1. */
void pm_rgraph_set_capacities(pm_rgraph *g, const int32_t *row_cap, const int32_t *col_cap);
void pm_rgraph_free(pm_rgraph *g);

/* Removes entry e and puts its two vertices on the work list. */
void pm_rgraph_unlink(pm_rgraph *g, int32_t e);
/* Makes v the end of entry e on the side of v.  The vertex that was its end is to be removed. */
void pm_rgraph_move(pm_rgraph *g, int32_t e, int32_t v);
/* Removes v and its entries, and puts the neighbours on the work list. */
void pm_rgraph_remove(pm_rgraph *g, int32_t v);
/* Updates `bits` of the two vertices of entry e after its value has changed. */
void pm_rgraph_update_bits(pm_rgraph *g, int32_t e);
/* Multiplies the factor by f^times, which was taken out of the block of v.  f is not 0. */
void pm_rgraph_factor(pm_rgraph *g, int32_t v, const pm_cnum *f, int64_t times);

/* ---- work list ---- */

/* Puts v into bucket 0 when a degree rule may apply to it and it is not on the work list. */
void pm_rgraph_enqueue(pm_rgraph *g, int32_t v);
/* Puts v into the given bucket; v is not on the work list. */
void pm_rgraph_enqueue_at(pm_rgraph *g, int32_t v, int bucket);
/* Takes the first vertex of the lowest bucket that is not empty off the work list, and sets
 * *bucket. Returns -1 when the list is empty. */
int32_t pm_rgraph_dequeue(pm_rgraph *g, int *bucket);

/* ---- bounds ---- */

/* Adds every vertex v of the graph to bounds[label[v]]; label == NULL: to bounds[origin of v].
 * Fails: PM_ESTOPPED. */
pm_status pm_rgraph_bounds(const pm_rgraph *g, const int32_t *label, pm_bound *bounds,
                           pm_error *err);
/* Computes the bounds of the origins 0 .. count-1, after the origins of the vertices have been set.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rgraph_new_origins(pm_rgraph *g, int64_t count, pm_error *err);

/* ---- the steps, one file each ---- */

/* Fails: PM_ESTOPPED when g->run is to stop. */
pm_status pm_rgraph_check_stop(const pm_rgraph *g, pm_error *err);

/* degree1.c: takes all entries of v into the factor.  The degree of v is its capacity, so every
 * perfect matching contains them. */
void pm_rgraph_force(pm_rgraph *g, int32_t v);
/* degree2.c: true when v has degree 2, v and its two neighbours have capacity 1, and merge_bits permits it.  *cost: about
 * the number of operations of the merge; set for a vertex of degree 2 and capacity 1. */
bool pm_rgraph_can_merge(const pm_rgraph *g, int32_t v, double *cost);
/* Merges the two neighbours of v.  Returns false, and does nothing, when real or complex numbers
 * would become too long. */
bool pm_rgraph_merge(pm_rgraph *g, int32_t v);
/* twins.c: merges proportional rows, and proportional columns.  *changed: true when there were any.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rgraph_twins(pm_rgraph *g, bool *changed, pm_error *err);
/* split.c: removes every entry that is in no perfect matching; sets g->zero when there is none.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rgraph_split(pm_rgraph *g, pm_error *err);
/* reduce.c: repeats all steps until none applies; g->run becomes `run`.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rgraph_rewrite(pm_rgraph *g, const pm_reduce_options *opt, const pm_run *run,
                            pm_error *err);
/* signs.c: changes the signs of rows and columns so that no entry is negative if that is possible,
 * and few are otherwise.  The values are real.
 * Fails: PM_ENOMEM. */
pm_status pm_rgraph_balance_signs(pm_rgraph *g, pm_error *err);
/* blocks.c: moves the values of the graph and the factor into *out: one block for each connected
 * component, or a single block when !split.
 * Fails: PM_UNABLE a number is out of range; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rgraph_extract(pm_rgraph *g, bool split, pm_reduced *out, pm_error *err);

#endif
