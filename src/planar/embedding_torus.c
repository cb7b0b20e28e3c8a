/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Most graphs on a torus are drawn patch by patch (planar/patches.h).  In a small square grid a patch
 * meets itself; but its embedding follows from its squares.  Let v have the neighbours
 * a, b, c, d in this cyclic sequence.  The square between a and b has a fourth corner x, the other
 * common neighbour of a and b; the square between d and a has a fourth corner y.  So the sequence
 * around a is x, v, y and the last neighbour of a.  The sequence around one vertex thus determines
 * all others; the three sequences around vertex 0 are tried. */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/union_find.h"
#include "planar/embedding.h"
#include "planar/faces.h"
#include "planar/patches.h"
#include "pm/alloc.h"

enum { DEGREE = 4 };

typedef struct {
    int64_t vertices;
    int32_t (*arc)[DEGREE];    /* of each vertex: the arcs that begin at it */
    int32_t *end;              /* of each arc: the vertex where it ends */
    int32_t (*around)[DEGREE]; /* of each vertex: its arcs in cyclic sequence; around[v][0] < 0 if
                                * it is not known yet */
    int32_t *queue;
} torus;

static void torus_free(torus *t)
{
    free(t->arc);
    free(t->end);
    free(t->around);
    free(t->queue);
}

/* Returns false unless every vertex has four neighbours. */
static bool list_arcs(const pm_drawn_graph *d, torus *t, int32_t *degree)
{
    const pm_matrix *a = d->a;
    for (int32_t i = 0; i < a->nrows; ++i)
        for (int32_t k = (int32_t)a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int32_t j = pm_drawn_end(d, k);
            if (degree[i] == DEGREE || degree[j] == DEGREE)
                return false;
            t->arc[i][degree[i]++] = 2 * k;
            t->arc[j][degree[j]++] = 2 * k + 1;
            t->end[2 * k] = j;
            t->end[2 * k + 1] = i;
        }
    for (int64_t v = 0; v < t->vertices; ++v)
        if (degree[v] != DEGREE)
            return false;
    return true;
}

/* The arc from `from` to the only common neighbour of `from` and `other` besides v, or -1. */
static int32_t corner(const torus *t, int32_t from, int32_t other, int32_t v)
{
    int32_t found = -1;
    for (int i = 0; i < DEGREE; ++i)
        for (int j = 0; j < DEGREE; ++j) {
            int32_t x = t->end[t->arc[from][i]];
            if (x == v || x != t->end[t->arc[other][j]])
                continue;
            if (found >= 0)
                return -1;
            found = t->arc[from][i];
        }
    return found;
}

/* The sequence around the neighbour of v on arc i.  False: the graph is not such a grid. */
static bool find_sequence(const torus *t, int32_t v, int i, int32_t around[DEGREE])
{
    const int32_t *mine = t->around[v];
    int32_t w = t->end[mine[i]], back = mine[i] ^ 1;
    int32_t x = corner(t, w, t->end[mine[(i + 1) % DEGREE]], v);
    int32_t y = corner(t, w, t->end[mine[(i + 3) % DEGREE]], v);
    if (x < 0 || y < 0 || x == y)
        return false;
    int32_t last = -1;
    for (int j = 0; j < DEGREE; ++j)
        if (t->arc[w][j] != x && t->arc[w][j] != y && t->arc[w][j] != back)
            last = t->arc[w][j];
    memcpy(around, (const int32_t[DEGREE]){x, back, y, last}, DEGREE * sizeof *around);
    return true;
}

/* Whether a and b are the same cyclic sequence. */
static bool is_same(const int32_t a[DEGREE], const int32_t b[DEGREE])
{
    int at = 0;
    while (at < DEGREE && b[at] != a[0])
        ++at;
    for (int i = 0; i < DEGREE; ++i)
        if (b[(at + i) % DEGREE] != a[i])
            return false;
    return true;
}

/* Find all sequences; the arc with index `opposite` is opposite to arc 0 around vertex 0. */
static bool wrap(torus *t, int opposite)
{
    const int32_t *arc = t->arc[0];
    int side = opposite == 1 ? 2 : 1, other = opposite == 3 ? 2 : 3;
    int64_t head = 0, tail = 0;
    for (int64_t v = 0; v < t->vertices; ++v)
        t->around[v][0] = -1;
    memcpy(t->around[0], (const int32_t[DEGREE]){arc[0], arc[side], arc[opposite], arc[other]},
           sizeof t->around[0]);
    t->queue[tail++] = 0;
    while (head < tail) {
        int32_t v = t->queue[head++];
        for (int i = 0; i < DEGREE; ++i) {
            int32_t found[DEGREE], w = t->end[t->around[v][i]];
            if (!find_sequence(t, v, i, found))
                return false;
            if (t->around[w][0] < 0) {
                memcpy(t->around[w], found, sizeof found);
                t->queue[tail++] = w;
            } else if (!is_same(found, t->around[w])) {
                return false;
            }
        }
    }
    return tail == t->vertices;
}

static void take_sequences(const torus *t, int32_t *next)
{
    for (int64_t v = 0; v < t->vertices; ++v)
        for (int i = 0; i < DEGREE; ++i)
            next[t->around[v][i]] = t->around[v][(i + 1) % DEGREE];
}

/* Join the ends of the edges that have two faces, or of those that have the same face on both sides.
 * Returns whether an edge closes a cycle. */
static bool join_ends(const pm_drawn_graph *d, const pm_faces *f, bool one_face, int32_t *up)
{
    bool is_closed = false;
    for (int32_t i = 0; i < d->a->nrows; ++i)
        for (int64_t k = d->a->rowptr[i]; k < d->a->rowptr[i + 1]; ++k) {
            if ((f->of[2 * k] == f->of[2 * k + 1]) != one_face)
                continue;
            int32_t p = pm_union_root(up, i), q = pm_union_root(up, pm_drawn_end(d, k));
            is_closed = is_closed || p == q;
            up[p] = q;
        }
    return is_closed;
}

/* Whether the graph is planar without one edge: an edge, but no bridge, that has the same face on both
 * sides.  Then a sum of two terms (planar/splitting.h) takes half of the time of a torus. */
static pm_status needs_one_edge(const pm_drawn_graph *d, const pm_faces *f, bool *out,
                                pm_error *err)
{
    int64_t vertices = pm_drawn_vertices(d);
    int32_t *up = pm_alloc_array(vertices, sizeof *up);
    if (!up)
        return pm_fail_memory(err, "a torus");
    for (int32_t v = 0; v < vertices; ++v)
        up[v] = v;
    join_ends(d, f, false, up);
    *out = join_ends(d, f, true, up);
    free(up);
    return PM_OK;
}

static pm_status check_torus(const pm_drawn_graph *d, const int32_t *next, bool *is_torus,
                             pm_error *err)
{
    pm_faces f;
    bool is_nearly_planar = false;
    pm_status status = pm_faces_walk(d, next, &f, err);
    if (status)
        return status;
    if (f.handles == 1)
        status = needs_one_edge(d, &f, &is_nearly_planar, err);
    *is_torus = !status && f.handles == 1 && !is_nearly_planar;
    pm_faces_free(&f);
    return status;
}

static pm_status by_squares(const pm_drawn_graph *d, int32_t *next, bool *is_torus, pm_error *err)
{
    torus t = {.vertices = pm_drawn_vertices(d)};
    pm_status status = PM_OK;
    if (pm_matrix_nnz(d->a) != 2 * t.vertices)
        return PM_OK;
    int32_t *degree = pm_calloc_array(t.vertices, sizeof *degree);
    t.arc = pm_alloc_array(t.vertices, sizeof *t.arc);
    t.end = pm_alloc_array(2 * pm_matrix_nnz(d->a), sizeof *t.end);
    t.around = pm_alloc_array(t.vertices, sizeof *t.around);
    t.queue = pm_alloc_array(t.vertices, sizeof *t.queue);
    if (!degree || !t.arc || !t.end || !t.around || !t.queue)
        status = pm_fail_memory(err, "a torus");
    else if (list_arcs(d, &t, degree))
        for (int opposite = 1; opposite < DEGREE && !status && !*is_torus; ++opposite)
            if (wrap(&t, opposite)) {
                take_sequences(&t, next);
                status = check_torus(d, next, is_torus, err);
            }
    free(degree);
    torus_free(&t);
    return status;
}

static pm_status by_patches(const pm_drawn_graph *d, int32_t *next, bool *is_torus, pm_error *err)
{
    pm_patches *patches;
    pm_status status = pm_patches_open(d, &patches, err);
    for (int size = 0; size < PM_PATCH_SIZES && !status && !*is_torus; ++size) {
        bool is_covered;
        status = pm_patches_cover(patches, size, next, &is_covered, err);
        if (!status && is_covered)
            status = check_torus(d, next, is_torus, err);
    }
    pm_patches_close(patches);
    return status;
}

pm_status pm_embedding_on_torus(const pm_drawn_graph *d, int32_t *next, pm_error *err)
{
    bool is_torus = false;
    pm_status status = PM_OK;
    /* Euler: at most 3 edges for each vertex, 2 if all faces have an even number of them */
    int64_t most = (d->first_column > 0 ? 2 : 3) * pm_drawn_vertices(d);
    if (pm_drawn_vertices(d) > 0 && pm_matrix_nnz(d->a) <= most)
        status = by_squares(d, next, &is_torus, err);
    if (!status && !is_torus && pm_drawn_vertices(d) > 0 && pm_matrix_nnz(d->a) <= most)
        status = by_patches(d, next, &is_torus, err);
    return status || is_torus ? status : pm_fail(err, PM_UNABLE, "not a recognised torus");
}
