/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/patches.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* Sequences are taken from a patch up to the distance `trusted` from its centre; farther out, vertices
 * may lack neighbours, and parts of the patch may be reflected. */
static const struct {
    int trusted, radius;
} sizes[PM_PATCH_SIZES] = {{6, 9}, {3, 6}, {1, 4}, {1, 3}, {1, 2}};

enum { PATCH_VERTICES = 1000, PATCH_EDGES = 3 * PATCH_VERTICES };

/* A patch has numbers of its own for its vertices and edges. */
typedef struct {
    int32_t nvertices, nedges;
    int32_t vertex[PATCH_VERTICES];
    int32_t distance[PATCH_VERTICES]; /* from the centre, ascending */
    int32_t edge[PATCH_EDGES];        /* the entries of the graph */
    int64_t rowptr[PATCH_VERTICES + 1];
    int32_t colind[PATCH_EDGES];
    int32_t next[2 * PATCH_EDGES]; /* after the arcs of the graph, by numbers in the patch */
} patch;

struct pm_patches {
    const pm_drawn_graph *d;
    int64_t vertices;
    int64_t *start; /* the arcs that begin at vertex v: arc[start[v]] .. arc[start[v + 1] - 1] */
    int32_t *arc;
    int32_t *end;    /* of each arc: the vertex where it ends */
    int32_t *number; /* of each vertex: in the current patch, or -1 */
    bool *is_known;  /* of each vertex: whether its sequence is in next */
    int32_t *queue; /* the vertices with known sequences, in the order in which they became known */
    int64_t known;
    patch now;
};

void pm_patches_close(pm_patches *p)
{
    if (!p)
        return;
    free(p->start);
    free(p->arc);
    free(p->end);
    free(p->number);
    free(p->is_known);
    free(p->queue);
    free(p);
}

static void list_arcs(pm_patches *p)
{
    const pm_matrix *a = p->d->a;
    for (int32_t i = 0; i < a->nrows; ++i)
        for (int32_t k = (int32_t)a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            p->end[2 * k] = pm_drawn_end(p->d, k);
            p->end[2 * k + 1] = i;
        }
    for (int64_t x = 0; x < 2 * pm_matrix_nnz(a); ++x)
        ++p->start[p->end[x] + 1];
    for (int64_t v = 0; v < p->vertices; ++v)
        p->start[v + 1] += p->start[v];
    /* filled from the end of each vertex; then start[v] is the begin */
    for (int64_t x = 2 * pm_matrix_nnz(a) - 1; x >= 0; --x)
        p->arc[--p->start[p->end[x ^ 1] + 1]] = (int32_t)x;
    for (int64_t v = 0; v < p->vertices; ++v)
        p->start[v] = p->start[v + 1];
    p->start[p->vertices] = 2 * pm_matrix_nnz(a);
}

pm_status pm_patches_open(const pm_drawn_graph *d, pm_patches **out, pm_error *err)
{
    int64_t arcs = 2 * pm_matrix_nnz(d->a), n = pm_drawn_vertices(d);
    pm_patches *p = pm_calloc_array(1, sizeof *p);
    *out = NULL;
    if (!p)
        return pm_fail_memory(err, "patches");
    p->d = d;
    p->vertices = n;
    p->start = pm_calloc_array(n + 1, sizeof *p->start);
    p->arc = pm_alloc_array(arcs, sizeof *p->arc);
    p->end = pm_alloc_array(arcs, sizeof *p->end);
    p->number = pm_alloc_array(n, sizeof *p->number);
    p->is_known = pm_alloc_array(n, sizeof *p->is_known);
    p->queue = pm_alloc_array(n, sizeof *p->queue);
    if (!p->start || !p->arc || !p->end || !p->number || !p->is_known || !p->queue) {
        pm_patches_close(p);
        return pm_fail_memory(err, "patches");
    }
    list_arcs(p);
    memset(p->number, 0xff, (size_t)n * sizeof *p->number);
    *out = p;
    return PM_OK;
}

/* ---- one patch ---- */

static bool add_vertex(pm_patches *p, int32_t v, int32_t distance)
{
    patch *s = &p->now;
    if (s->nvertices == PATCH_VERTICES)
        return false;
    p->number[v] = s->nvertices;
    s->vertex[s->nvertices] = v;
    s->distance[s->nvertices++] = distance;
    return true;
}

/* Returns false if there are too many. */
static bool gather_vertices(pm_patches *p, int32_t centre, int radius)
{
    patch *s = &p->now;
    s->nvertices = 0;
    add_vertex(p, centre, 0);
    for (int32_t head = 0; head < s->nvertices && s->distance[head] < radius; ++head) {
        int32_t v = s->vertex[head];
        for (int64_t k = p->start[v]; k < p->start[v + 1]; ++k) {
            int32_t w = p->end[p->arc[k]];
            if (p->number[w] < 0 && !add_vertex(p, w, s->distance[head] + 1))
                return false;
        }
    }
    return true;
}

/* The edges between the vertices; an edge keeps its direction. */
static bool gather_edges(pm_patches *p)
{
    patch *s = &p->now;
    s->nedges = 0;
    s->rowptr[0] = 0;
    for (int32_t u = 0; u < s->nvertices; ++u) {
        int32_t v = s->vertex[u];
        for (int64_t k = p->start[v]; k < p->start[v + 1]; ++k) {
            int32_t x = p->arc[k], other = p->number[p->end[x]];
            if (x % 2 || other < 0)
                continue;
            if (s->nedges == PATCH_EDGES)
                return false;
            s->edge[s->nedges] = x / 2;
            s->colind[s->nedges++] = other;
        }
        s->rowptr[u + 1] = s->nedges;
    }
    return true;
}

static void forget_numbers(pm_patches *p)
{
    for (int32_t u = 0; u < p->now.nvertices; ++u)
        p->number[p->now.vertex[u]] = -1;
}

/* Sets s->next for the arcs of the patch.  *is_drawn: whether there is a drawing. */
static pm_status draw_patch(pm_patches *p, int32_t centre, int radius, bool *is_drawn,
                            pm_error *err)
{
    patch *s = &p->now;
    *is_drawn = gather_vertices(p, centre, radius) && gather_edges(p);
    forget_numbers(p);
    if (!*is_drawn)
        return PM_OK;
    const pm_matrix a = {.field = PM_PATTERN,
                         .nrows = s->nvertices,
                         .ncols = s->nvertices,
                         .rowptr = s->rowptr,
                         .colind = s->colind};
    const pm_drawn_graph d = {&a, 0};
    pm_error why;
    pm_status status = pm_embedding_in_plane(&d, s->next, &why);
    *is_drawn = !status;
    if (status && status != PM_UNABLE && err)
        *err = why;
    return status == PM_UNABLE ? PM_OK : status;
}

/* ---- patches together ---- */

/* The arc of the graph for arc x of the patch. */
static int32_t whole_arc(const patch *s, int32_t x)
{
    return 2 * s->edge[x / 2] + x % 2;
}

/* Sets after[x], for the arcs x at the vertices that are trusted, to the arc that follows in the
 * patch; in the reflected patch if is_reflected.  Vertices whose sequence is known are left out. */
static void take_sequences(pm_patches *p, int trusted, bool is_reflected, int32_t *after)
{
    const patch *s = &p->now;
    for (int32_t x = 0; x < 2 * s->nedges; ++x) {
        int32_t arc = whole_arc(s, x), following = whole_arc(s, s->next[x]);
        if (p->is_known[p->end[arc ^ 1]])
            continue;
        after[is_reflected ? following : arc] = is_reflected ? arc : following;
    }
    for (int32_t u = 0; u < s->nvertices && s->distance[u] <= trusted; ++u) {
        int32_t v = s->vertex[u];
        if (!p->is_known[v])
            p->queue[p->known++] = v;
        p->is_known[v] = true;
    }
}

/* How the sequences of the patch compare with the known ones: bit 0 is set if they are not the same at
 * some vertex, bit 1 if they are not reversed there. */
static unsigned compare(const pm_patches *p, int trusted, const int32_t *after)
{
    const patch *s = &p->now;
    unsigned differ = 0;
    int32_t trusted_vertices = 0;
    while (trusted_vertices < s->nvertices && s->distance[trusted_vertices] <= trusted)
        p->number[s->vertex[trusted_vertices++]] = 0;
    for (int32_t x = 0; x < 2 * s->nedges; ++x) {
        int32_t arc = whole_arc(s, x), following = whole_arc(s, s->next[x]);
        int32_t v = p->end[arc ^ 1];
        if (!p->is_known[v] || p->number[v] < 0)
            continue;
        differ |= (after[arc] != following) | (unsigned)(after[following] != arc) << 1;
    }
    for (int32_t u = 0; u < trusted_vertices; ++u)
        p->number[s->vertex[u]] = -1;
    return differ;
}

static bool has_unknown_neighbour(const pm_patches *p, int32_t v)
{
    for (int64_t k = p->start[v]; k < p->start[v + 1]; ++k)
        if (!p->is_known[p->end[p->arc[k]]])
            return true;
    return false;
}

pm_status pm_patches_cover(pm_patches *p, int size, int32_t *next, bool *is_covered, pm_error *err)
{
    int trusted = sizes[size].trusted;
    memset(p->is_known, 0, (size_t)p->vertices * sizeof *p->is_known);
    p->known = 0;
    pm_status status = draw_patch(p, 0, sizes[size].radius, is_covered, err);
    if (!status && *is_covered)
        take_sequences(p, trusted, false, next);
    for (int64_t head = 0; head < p->known && !status && *is_covered; ++head) {
        int32_t v = p->queue[head];
        if (!has_unknown_neighbour(p, v))
            continue;
        status = draw_patch(p, v, sizes[size].radius, is_covered, err);
        if (status || !*is_covered)
            break;
        unsigned differ = compare(p, trusted, next);
        *is_covered = differ != 3;
        if (*is_covered)
            take_sequences(p, trusted, differ & 1, next);
    }
    *is_covered = !status && *is_covered && p->known == p->vertices;
    return status;
}
