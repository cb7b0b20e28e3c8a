/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dual graph has a vertex for each face and an edge for each entry, between the faces on its
 * sides.  In a spanning tree of it each face, from the leaves to the root, is corrected by the sign
 * of the entry between it and its parent.
 *
 * On a torus two entries are neither in that tree nor in a spanning tree of the graph.  Each closes
 * a curve through faces; changing the signs along the curve leaves every face correct. */
#include "config.h"

#include "planar/kasteleyn.h"

#include <stdlib.h>
#include <string.h>

#include "core/union_find.h"
#include "pm/alloc.h"

typedef struct {
    const pm_drawn_graph *d;
    const pm_faces *f;
    int32_t *up;    /* of each face: the arc of its parent on the common entry, or -1 for a root */
    int32_t *queue; /* faces, parents before children */
    int32_t *depth;
} dual_tree;

static void tree_free(dual_tree *t)
{
    free(t->up);
    free(t->queue);
    free(t->depth);
}

static pm_status grow_tree(const pm_drawn_graph *d, const pm_faces *f, dual_tree *t, pm_error *err)
{
    int64_t head = 0, tail = 0;
    *t = (dual_tree){.d = d, .f = f};
    t->up = pm_alloc_array(f->count, sizeof *t->up);
    t->queue = pm_alloc_array(f->count, sizeof *t->queue);
    t->depth = pm_alloc_array(f->count, sizeof *t->depth);
    if (!t->up || !t->queue || !t->depth) {
        tree_free(t);
        return pm_fail_memory(err, "the tree of faces");
    }
    memset(t->depth, 0xff, (size_t)f->count * sizeof *t->depth);
    for (int32_t root = 0; root < f->count; ++root) {
        if (t->depth[root] >= 0)
            continue;
        t->up[root] = -1;
        t->depth[root] = 0;
        t->queue[tail++] = root;
        while (head < tail) {
            int32_t face = t->queue[head++];
            for (int32_t s = f->start[face]; s < f->start[face + 1]; ++s) {
                int32_t turned = f->walk[s] ^ 1, other = f->of[turned];
                if (t->depth[other] >= 0)
                    continue;
                t->depth[other] = t->depth[face] + 1;
                t->up[other] = turned;
                t->queue[tail++] = other;
            }
        }
    }
    return PM_OK;
}

/* ---- signs ---- */

/* Bit c: whether the number of entries in the direction of the walk of the face is even in class c.
 * An even arc has the direction of a positive entry. */
static unsigned fault(const pm_faces *f, int32_t face, const uint8_t *sign)
{
    const unsigned all = (1u << PM_KASTELEYN_CLASSES_MAX) - 1;
    unsigned odd = all;
    for (int32_t s = f->start[face]; s < f->start[face + 1]; ++s)
        odd ^= sign[f->walk[s] / 2] ^ (f->walk[s] % 2 ? 0 : all);
    return odd;
}

static void correct_faces(const dual_tree *t, uint8_t *sign)
{
    for (int64_t s = t->f->count - 1; s >= 0; --s) {
        int32_t face = t->queue[s];
        if (t->up[face] >= 0)
            sign[t->up[face] / 2] ^= (uint8_t)fault(t->f, face, sign);
    }
}

static pm_status check_faces(const dual_tree *t, const uint8_t *sign, pm_error *err)
{
    for (int32_t face = 0; face < t->f->count; ++face)
        if (fault(t->f, face, sign))
            return pm_fail_internal(err, "a face has the wrong signs");
    return PM_OK;
}

/* ---- handles ---- */

/* Change the signs of the classes `bits` along the closed curve through arc x: up the tree from
 * both of its faces. */
static void change_curve(const dual_tree *t, int32_t x, uint8_t bits, uint8_t *sign)
{
    int32_t left = t->f->of[x], right = t->f->of[x ^ 1];
    sign[x / 2] ^= bits;
    while (left != right) {
        int32_t *deeper = t->depth[left] >= t->depth[right] ? &left : &right;
        sign[t->up[*deeper] / 2] ^= bits;
        *deeper = t->f->of[t->up[*deeper] ^ 1];
    }
}

/* Classes 1 and 3 differ from class 0 along the first such curve, classes 2 and 3 along the
 * second. */
static pm_status change_curves(const dual_tree *t, uint8_t *sign, pm_error *err)
{
    static const uint8_t differ[2] = {0xa, 0xc};
    const pm_matrix *a = t->d->a;
    int found = 0;
    int32_t *up = pm_alloc_array(pm_drawn_vertices(t->d), sizeof *up);
    char *crossed = pm_calloc_array(pm_matrix_nnz(a), 1);
    if (!up || !crossed) {
        free(up);
        free(crossed);
        return pm_fail_memory(err, "the curves on a torus");
    }
    for (int32_t face = 0; face < t->f->count; ++face)
        if (t->up[face] >= 0)
            crossed[t->up[face] / 2] = 1;
    for (int32_t v = 0; v < pm_drawn_vertices(t->d); ++v)
        up[v] = v;
    for (int32_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int32_t p = pm_union_root(up, i), q = pm_union_root(up, pm_drawn_end(t->d, k));
            if (crossed[k])
                continue;
            if (p != q)
                up[p] = q;
            else if (found < 2)
                change_curve(t, 2 * (int32_t)k, differ[found++], sign);
        }
    free(up);
    free(crossed);
    return found == 2 ? PM_OK : pm_fail_internal(err, "a torus lacks its curves");
}

pm_status pm_kasteleyn_signs(const pm_drawn_graph *d, const pm_faces *f, uint8_t *sign,
                             int *classes, pm_error *err)
{
    dual_tree t;
    if (f->handles > 1)
        return pm_fail(
            err, PM_UNABLE,
            "planar counts graphs in the plane and on a torus, not on a surface with %lld handles",
            (long long)f->handles);
    *classes = f->handles ? 4 : 1;
    memset(sign, 0, (size_t)pm_matrix_nnz(d->a));
    pm_status status = grow_tree(d, f, &t, err);
    if (status)
        return status;
    correct_faces(&t, sign);
    if (f->handles)
        status = change_curves(&t, sign, err);
    if (!status)
        status = check_faces(&t, sign, err);
    tree_free(&t);
    return status;
}

/* ---- drawings ---- */

/* If there is no embedding, the message says why the graph is not planar. */
static pm_status embed(const pm_drawn_graph *d, int32_t *next, pm_error *err)
{
    pm_error why;
    pm_status status = pm_embedding_in_plane(d, next, &why);
    if (status == PM_UNABLE) {
        pm_error torus_why;
        pm_status torus_status = pm_embedding_on_torus(d, next, &torus_why);
        if (torus_status != PM_UNABLE) {
            status = torus_status;
            why = torus_why;
        }
    }
    if (status && err)
        *err = why;
    return status;
}

pm_status pm_kasteleyn_draw(const pm_drawn_graph *d, uint8_t *sign, int *classes, pm_error *err)
{
    pm_faces f = {0};
    int32_t *next = pm_alloc_array(2 * pm_matrix_nnz(d->a), sizeof *next);
    if (!next)
        return pm_fail_memory(err, "an embedding");
    pm_status status = embed(d, next, err);
    if (!status)
        status = pm_faces_walk(d, next, &f, err);
    if (!status)
        status = pm_kasteleyn_signs(d, &f, sign, classes, err);
    pm_faces_free(&f);
    free(next);
    return status;
}
