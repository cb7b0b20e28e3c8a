/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/embedding.h: embeddings of a graph in a surface, as rotation systems: for each vertex the
 * cyclic sequence of the edges around it.
 *
 * Entry k of a matrix has two arcs, 2k from its row and 2k + 1 from its column, so x ^ 1 is the
 * reverse of arc x.  next[x] is the arc after x around the vertex where x begins.  The walk that
 * goes on from x with next[x ^ 1] keeps one face on the same side: these closed walks are the
 * faces. */
#ifndef PM_EMBEDDING_H
#define PM_EMBEDDING_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* Entry (i, j) of a is an edge between the vertices i and first_column + j.  In a bipartite graph
 * first_column is the number of rows.  In a graph on one set of vertices it is 0, and every edge is
 * one entry, not two. */
typedef struct {
    const pm_matrix *a;
    int64_t first_column;
} pm_drawn_graph;

static inline pm_drawn_graph pm_drawn_bipartite(const pm_matrix *a)
{
    return (pm_drawn_graph){a, a->nrows};
}

static inline int64_t pm_drawn_vertices(const pm_drawn_graph *d)
{
    return d->first_column + d->a->ncols;
}

/* The vertex where entry k ends; it begins at the vertex of its row. */
static inline int32_t pm_drawn_end(const pm_drawn_graph *d, int64_t k)
{
    return (int32_t)d->first_column + d->a->colind[k];
}

/* False if the library was built without libplanarity: the functions that need it then fail with
 * PM_UNABLE. */
bool pm_embedding_is_built(void);

/* An embedding of d in the plane (values are ignored).  next: 2 * nnz entries, the caller's.
 * Cost: linear.
 * Fails: PM_UNABLE "not planar: ..." with the reason, or built without libplanarity; PM_ENOMEM;
 * PM_EINTERNAL libplanarity does not return a rotation system of d.
 * Source: Boyer and Myrvold 2004, as in libplanarity. */
pm_status pm_embedding_in_plane(const pm_drawn_graph *d, int32_t *next, pm_error *err);

/* An obstruction to planarity: a Kuratowski subgraph (a subdivision of K5 or K3,3) of d without the
 * entries k with deleted[k].  Which one it is depends on the random numbers.
 * rng: state of the random numbers, advanced.
 * entries: room for nnz, the caller's; the first *count are set to the entries of the subgraph.
 * *count is 0 if there is none: the graph is planar.
 * Cost: linear.
 * Fails: PM_UNABLE too large, or built without libplanarity; PM_ENOMEM; PM_EINTERNAL. */
pm_status pm_embedding_obstruction(const pm_drawn_graph *d, const uint8_t *deleted, uint64_t *rng,
                                   int32_t *entries, int32_t *count, pm_error *err);

/* An embedding of d in a torus, if it is found: d is a square grid that is wrapped around in both
 * directions, with or without a twist, or a graph whose small parts can be drawn in the plane in one
 * way only (planar/patches.h).  d is not planar, also without any one edge: such a graph is better
 * counted as a nearly planar one.
 * next: 2 * nnz entries, the caller's.
 * Cost: linear, as a few planarity tests.  Fails: PM_UNABLE none was found; PM_ENOMEM; PM_EINTERNAL. */
pm_status pm_embedding_on_torus(const pm_drawn_graph *d, int32_t *next, pm_error *err);

#endif
