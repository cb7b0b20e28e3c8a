/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/faces.h"

#include <stdlib.h>
#include <string.h>

#include "core/union_find.h"
#include "pm/alloc.h"

void pm_faces_free(pm_faces *f)
{
    free(f->of);
    free(f->start);
    free(f->walk);
    *f = (pm_faces){0};
}

/* Returns false if a walk meets an arc twice before it closes: then next is no permutation. */
static bool walk_all(const int32_t *next, pm_faces *f)
{
    int64_t walked = 0;
    memset(f->of, 0xff, (size_t)f->narcs * sizeof *f->of);
    for (int32_t first = 0; first < f->narcs; ++first) {
        if (f->of[first] >= 0)
            continue;
        f->start[f->count] = (int32_t)walked;
        int32_t x = first;
        do {
            if (x < 0 || x >= f->narcs || f->of[x] >= 0)
                return false;
            f->of[x] = (int32_t)f->count;
            f->walk[walked++] = x;
            x = next[x ^ 1];
        } while (x != first);
        ++f->count;
    }
    f->start[f->count] = (int32_t)walked;
    return true;
}

/* ---- components ---- */

/* The number of components with edges, and of the vertices in them. */
static pm_status count_parts(const pm_drawn_graph *d, int64_t *parts, int64_t *vertices,
                             pm_error *err)
{
    const pm_matrix *a = d->a;
    int64_t all = pm_drawn_vertices(d);
    int32_t *up = pm_alloc_array(all, sizeof *up);
    char *has_edge = pm_calloc_array(all, 1);
    *parts = *vertices = 0;
    if (!up || !has_edge) {
        free(up);
        free(has_edge);
        return pm_fail_memory(err, "components");
    }
    for (int32_t v = 0; v < all; ++v)
        up[v] = v;
    for (int32_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int32_t j = pm_drawn_end(d, k);
            up[pm_union_root(up, i)] = pm_union_root(up, j);
            has_edge[i] = has_edge[j] = 1;
        }
    for (int32_t v = 0; v < all; ++v) {
        *vertices += has_edge[v];
        *parts += has_edge[v] && up[v] == v;
    }
    free(up);
    free(has_edge);
    return PM_OK;
}

pm_status pm_faces_walk(const pm_drawn_graph *d, const int32_t *next, pm_faces *out, pm_error *err)
{
    int64_t vertices, edges = pm_matrix_nnz(d->a);
    pm_faces f = {.narcs = 2 * edges};
    pm_status status = count_parts(d, &f.parts, &vertices, err);
    f.of = pm_alloc_array(f.narcs, sizeof *f.of);
    f.walk = pm_alloc_array(f.narcs, sizeof *f.walk);
    f.start = pm_alloc_array(f.narcs + 1, sizeof *f.start);
    if (!status && (!f.of || !f.walk || !f.start))
        status = pm_fail_memory(err, "faces");
    if (!status && !walk_all(next, &f))
        status = pm_fail_internal(err, "a rotation system does not close");
    /* Euler's formula, summed over the components */
    f.handles = (2 * f.parts - vertices + edges - f.count) / 2;
    if (status)
        pm_faces_free(&f);
    else
        *out = f;
    return status;
}
