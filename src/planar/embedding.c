/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Embeddings by libplanarity; the only file that includes its headers.  The library keeps edges in
 * the sequence in which they were added, so its arcs are ours, reversed, but for a constant. */
#include "config.h"

#include "planar/embedding.h"

#include <planarity/graph.h>
#include <stdlib.h>

#include "core/rng.h"
#include "pm/alloc.h"

bool pm_embedding_is_built(void)
{
    return true;
}

/* ---- reasons why a graph is not planar ---- */

/* Euler: a planar graph on v >= 3 vertices has at most 3v - 6 edges, a bipartite one 2v - 4. */
static pm_status refuse_dense(const pm_drawn_graph *d, pm_error *err)
{
    bool is_bipartite = d->first_column > 0;
    int64_t vertices = pm_drawn_vertices(d), edges = pm_matrix_nnz(d->a);
    int64_t most = is_bipartite ? 2 * vertices - 4 : 3 * vertices - 6;
    if (vertices < 3 || edges <= most)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "not planar: %lld edges; on %lld vertices a planar %s has %lld at most",
                   (long long)edges, (long long)vertices,
                   is_bipartite ? "bipartite graph" : "graph", (long long)most);
}

/* g consists of a subdivision of K5 or K3,3. */
static pm_status refuse_subgraph(graphP g, pm_error *err)
{
    int largest = 0;
    for (int v = gp_GetFirstVertex(g); gp_VertexInRange(g, v); ++v) {
        int degree = gp_GetVertexDegree(g, v);
        largest = degree > largest ? degree : largest;
    }
    return pm_fail(err, PM_UNABLE, "not planar: it holds a subdivision of %s",
                   largest == 4 ? "K5" : "K3,3");
}

/* ---- conversion ---- */

static bool add_edges(graphP g, const pm_drawn_graph *d)
{
    int first = gp_GetFirstVertex(g);
    for (int i = 0; i < (int)d->a->nrows; ++i)
        for (int64_t k = d->a->rowptr[i]; k < d->a->rowptr[i + 1]; ++k)
            if (gp_AddEdge(g, first + i, 0, first + pm_drawn_end(d, k), 0) != OK)
                return false;
    return true;
}

/* Our arc from arc x of libplanarity, and the reverse. */
static int ours(int x)
{
    return (x - gp_GetFirstEdge(g)) ^ 1;
}

static int theirs(int x)
{
    return (x ^ 1) + gp_GetFirstEdge(g);
}

/* Whether the arcs of entry k still join its ends in g. */
static bool is_kept(graphP g, const pm_drawn_graph *d, int row, int64_t k)
{
    int first = gp_GetFirstVertex(g), x = 2 * (int)k;
    return gp_GetNeighbor(g, theirs(x)) == first + pm_drawn_end(d, k)
           && gp_GetNeighbor(g, theirs(x + 1)) == first + row;
}

static bool take_rotations(graphP g, const pm_drawn_graph *d, int32_t *next)
{
    int64_t arcs = 0;
    for (int i = 0; i < (int)d->a->nrows; ++i)
        for (int64_t k = d->a->rowptr[i]; k < d->a->rowptr[i + 1]; ++k)
            if (!is_kept(g, d, i, k))
                return false;
    for (int v = gp_GetFirstVertex(g); gp_VertexInRange(g, v); ++v)
        for (int x = gp_GetFirstArc(g, v); gp_IsArc(x); x = gp_GetNextArc(g, x), ++arcs) {
            int after = gp_IsArc(gp_GetNextArc(g, x)) ? gp_GetNextArc(g, x) : gp_GetFirstArc(g, v);
            next[ours(x)] = ours(after);
        }
    return arcs == 2 * pm_matrix_nnz(d->a);
}

static bool prepare(graphP g, const pm_drawn_graph *d)
{
    int64_t arcs = 2 * pm_matrix_nnz(d->a);
    if (gp_EnsureArcCapacity(g, (int)arcs) == OK
        && gp_InitGraph(g, (int)pm_drawn_vertices(d)) == OK)
        return true;
    /* version 3.0.2 has freed it when memory ends, but keeps the pointer, and gp_Free frees it again */
    g->VI = NULL;
    return false;
}

static pm_status embed(graphP g, const pm_drawn_graph *d, int32_t *next, pm_error *err)
{
    if (!prepare(g, d) || !add_edges(g, d))
        return pm_fail_memory(err, "the embedding in the plane");
    int drawn = gp_Embed(g, EMBEDFLAGS_PLANAR);
    if (drawn == NONEMBEDDABLE)
        return refuse_subgraph(g, err);
    if (drawn != OK || gp_SortVertices(g) != OK)
        return pm_fail_memory(err, "the embedding in the plane");
    if (!take_rotations(g, d, next))
        return pm_fail_internal(err, "libplanarity did not return an edge");
    return PM_OK;
}

static pm_status refuse_large(const pm_drawn_graph *d, pm_error *err)
{
    if (pm_drawn_vertices(d) <= INT32_MAX / 16)
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "planar counts graphs of up to %d vertices", INT32_MAX / 16);
}

pm_status pm_embedding_in_plane(const pm_drawn_graph *d, int32_t *next, pm_error *err)
{
    pm_status status = refuse_dense(d, err);
    if (!status)
        status = refuse_large(d, err);
    if (status || pm_matrix_nnz(d->a) == 0)
        return status;
    graphP g = gp_New();
    if (!g)
        return pm_fail_memory(err, "the embedding in the plane");
    status = embed(g, d, next, err);
    gp_Free(&g);
    return status;
}

/* ---- obstructions ---- */

/* Vertex v of the matrix becomes vertex name[v] of g, counted from its first one. */
static bool add_renamed(graphP g, const pm_drawn_graph *d, const uint8_t *deleted,
                        const int32_t *name)
{
    const pm_matrix *a = d->a;
    int first = gp_GetFirstVertex(g);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (!deleted[k]
                && gp_AddEdge(g, first + name[i], 0, first + name[pm_drawn_end(d, k)], 0) != OK)
                return false;
    return true;
}

/* The edges that are left in g are the obstruction. */
static int32_t list_edges(graphP g, const pm_drawn_graph *d, const int32_t *name, int32_t *entries)
{
    const pm_matrix *a = d->a;
    int first = gp_GetFirstVertex(g);
    int32_t count = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i];
             k < a->rowptr[i + 1] && gp_GetVertexDegree(g, first + name[i]); ++k)
            if (gp_IsNeighbor(g, first + name[i], first + name[pm_drawn_end(d, k)]))
                entries[count++] = (int32_t)k;
    return count;
}

static pm_status find_obstruction(graphP g, const pm_drawn_graph *d, const uint8_t *deleted,
                                  const int32_t *name, int32_t *entries, int32_t *count,
                                  pm_error *err)
{
    *count = 0;
    if (!prepare(g, d) || !add_renamed(g, d, deleted, name))
        return pm_fail_memory(err, "a search for an obstruction");
    int drawn = gp_Embed(g, EMBEDFLAGS_PLANAR);
    if (drawn == OK)
        return PM_OK;
    if (drawn != NONEMBEDDABLE || gp_SortVertices(g) != OK)
        return pm_fail_memory(err, "a search for an obstruction");
    *count = list_edges(g, d, name, entries);
    return *count ? PM_OK : pm_fail_internal(err, "libplanarity found no obstruction");
}

static void shuffle(uint64_t *rng, int32_t *name, int64_t n)
{
    for (int64_t v = 0; v < n; ++v) {
        int64_t other = pm_rng_below(rng, (uint32_t)v + 1);
        name[v] = name[other];
        name[other] = (int32_t)v;
    }
}

pm_status pm_embedding_obstruction(const pm_drawn_graph *d, const uint8_t *deleted, uint64_t *rng,
                                   int32_t *entries, int32_t *count, pm_error *err)
{
    const int64_t vertices = pm_drawn_vertices(d);
    pm_status status = refuse_large(d, err);
    if (status)
        return status;
    graphP g = gp_New();
    int32_t *name = pm_alloc_array(vertices, sizeof *name);
    if (!g || !name) {
        status = pm_fail_memory(err, "a search for an obstruction");
    } else {
        shuffle(rng, name, vertices);
        status = find_obstruction(g, d, deleted, name, entries, count, err);
    }
    if (g)
        gp_Free(&g);
    free(name);
    return status;
}
