/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/alternating_forest.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

pm_status pm_forest_make(const pm_matrix *a, const bool *is_left_out, int32_t *partner,
                         pm_forest *out, pm_error *err)
{
    *out = (pm_forest){.a = a, .is_left_out = is_left_out, .partner = partner};
    out->vertex = pm_calloc_array(a->nrows, sizeof *out->vertex);
    out->queue = pm_alloc_array(a->nrows, sizeof *out->queue);
    out->reached = pm_alloc_array(a->nrows, sizeof *out->reached);
    out->path = pm_alloc_array(3 * a->nrows + 4, sizeof *out->path);
    return out->vertex && out->queue && out->reached && out->path
               ? PM_OK
               : pm_fail_memory(err, "the search for a maximum matching");
}

void pm_forest_free(pm_forest *f)
{
    free(f->vertex);
    free(f->queue);
    free(f->reached);
    free(f->path);
    *f = (pm_forest){0};
}

size_t pm_forest_bytes(int64_t n)
{
    return (size_t)n * (sizeof(pm_forest_vertex) + 5 * sizeof(int32_t)) + 4 * sizeof(int32_t);
}

void pm_forest_place(const pm_matrix *a, int32_t *partner, void *memory, pm_forest *out)
{
    const int64_t n = a->nrows;
    *out = (pm_forest){.a = a, .partner = partner, .vertex = memory};
    out->queue = (int32_t *)(out->vertex + n);
    out->reached = out->queue + n;
    out->path = out->reached + n;
    memset(out->vertex, 0, (size_t)n * sizeof *out->vertex);
}

void pm_forest_clear(pm_forest *f)
{
    for (int64_t k = 0; k < f->nreached; ++k)
        f->vertex[f->reached[k]].side = PM_UNREACHED;
    f->nreached = f->head = f->tail = 0;
}

/* ---- vertices ---- */

static void reach(pm_forest *f, int32_t v, int32_t root, pm_forest_side side)
{
    f->vertex[v] = (pm_forest_vertex){.root = root,
                                      .parent = -1,
                                      .bridge = {-1, -1},
                                      .link = v,
                                      .base = v,
                                      .side = (signed char)side,
                                      .was_inner = side == PM_INNER};
    f->reached[f->nreached++] = v;
    if (side == PM_OUTER)
        f->queue[f->tail++] = v;
}

void pm_forest_plant(pm_forest *f, int32_t v)
{
    reach(f, v, v, PM_OUTER);
}

void pm_forest_take_out(pm_forest *f, int32_t v)
{
    reach(f, v, v, PM_INNER);
}

void pm_forest_remove(pm_forest *f, int32_t v)
{
    f->vertex[v].side = PM_INNER; /* not among the reached, so it stays */
}

static int32_t representative(pm_forest *f, int32_t v)
{
    while (f->vertex[v].link != v) {
        f->vertex[v].link = f->vertex[f->vertex[v].link].link;
        v = f->vertex[v].link;
    }
    return v;
}

static void unite(pm_forest *f, int32_t v, int32_t u)
{
    v = representative(f, v);
    u = representative(f, u);
    if (v == u)
        return;
    if (f->vertex[v].rank < f->vertex[u].rank) {
        const int32_t swap = v;
        v = u;
        u = swap;
    }
    f->vertex[v].rank = (signed char)(f->vertex[v].rank + (f->vertex[v].rank == f->vertex[u].rank));
    f->vertex[u].link = v;
}

int32_t pm_forest_base(pm_forest *f, int32_t v)
{
    return f->vertex[representative(f, v)].base;
}

/* ---- blossoms ---- */

/* The base next to this one on the way to the root; -1 at the root. */
static int32_t base_above(pm_forest *f, int32_t base)
{
    ++f->work;
    return f->vertex[base].root == base ? -1
                                        : pm_forest_base(f, f->vertex[f->partner[base]].parent);
}

/* The first base that the ways of v and u to their common root share.  By turns, so that the time is that of the blossom. */
static int32_t common_base(pm_forest *f, int32_t v, int32_t u)
{
    int32_t at[2] = {pm_forest_base(f, v), pm_forest_base(f, u)};
    ++f->marks;
    for (int k = 0;; k = !k) {
        if (at[k] < 0)
            continue;
        if (f->vertex[at[k]].mark == f->marks)
            return at[k];
        f->vertex[at[k]].mark = f->marks;
        at[k] = base_above(f, at[k]);
    }
}

/* The way from v up to the base becomes a part of the blossom that the edge v u closes. */
static void take_side(pm_forest *f, int32_t v, int32_t u, int32_t base)
{
    for (int32_t at = pm_forest_base(f, v), above; at != base; at = above) {
        const int32_t inner = f->partner[at];
        above = base_above(f, at);
        f->vertex[inner].bridge[0] = v;
        f->vertex[inner].bridge[1] = u;
        f->vertex[inner].side = PM_OUTER;
        f->queue[f->tail++] = inner;
        unite(f, at, inner);
        unite(f, inner, above);
    }
    f->vertex[representative(f, base)].base = base;
}

static void make_blossom(pm_forest *f, int32_t v, int32_t u)
{
    const int32_t base = common_base(f, v, u);
    take_side(f, v, u, base);
    take_side(f, u, v, base);
}

/* ---- growing ---- */

pm_forest_step pm_forest_scan(pm_forest *f, int32_t edge[2])
{
    const pm_matrix *a = f->a;
    if (f->head == f->tail)
        return PM_FOREST_DONE;
    const int32_t v = f->queue[f->head++], root = f->vertex[v].root;
    if (f->vertex[root].is_closed)
        return PM_FOREST_GREW;
    f->work += 1 + a->rowptr[v + 1] - a->rowptr[v];
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
        const int32_t u = a->colind[k];
        const pm_forest_vertex *x = &f->vertex[u];
        if (u == v || x->side == PM_INNER || (f->is_left_out && f->is_left_out[k]))
            continue;
        if (x->side == PM_UNREACHED) {
            reach(f, u, root, PM_INNER);
            f->vertex[u].parent = v;
            reach(f, f->partner[u], root, PM_OUTER);
        } else if (x->root == root) {
            if (pm_forest_base(f, u) != pm_forest_base(f, v))
                make_blossom(f, v, u);
        } else if (!f->vertex[x->root].is_closed) {
            edge[0] = v;
            edge[1] = u;
            return PM_FOREST_PATH;
        }
    }
    return PM_FOREST_GREW;
}

/* ---- augmenting ---- */

/* Adds the edges that become matched on the way from v to its root: pairs of vertices from f->path[*top] downwards.  The other
 * end of path is a stack of ways that are still to be followed, each from a vertex to one above it.  Ways share no vertex, and edges
 * share none: they never need more than 3 n elements. */
static void follow(pm_forest *f, int32_t v, int64_t *top)
{
    int32_t *path = f->path;
    int64_t ways = 0;
    path[ways++] = v;
    path[ways++] = f->vertex[v].root;
    while (ways > 0) {
        const int32_t end = path[--ways], from = path[--ways];
        const pm_forest_vertex *x = &f->vertex[from];
        if (from == end)
            continue;
        const int32_t partner = f->partner[from];
        const int32_t outer = x->was_inner ? x->bridge[0] : f->vertex[partner].parent;
        const int32_t other = x->was_inner ? x->bridge[1] : partner;
        path[--*top] = outer;
        path[--*top] = other;
        path[ways++] = x->was_inner ? other : outer;
        path[ways++] = end;
        if (x->was_inner) {
            path[ways++] = outer;
            path[ways++] = partner;
        }
    }
}

/* The end of f->path. */
static int64_t end_of_path(const pm_forest *f)
{
    return 3 * f->a->nrows + 4;
}

const int32_t *pm_forest_path(pm_forest *f, int32_t v, int64_t *count)
{
    int64_t top = end_of_path(f);
    follow(f, v, &top);
    *count = (end_of_path(f) - top) / 2;
    f->work += *count;
    return f->path + top;
}

void pm_forest_augment(pm_forest *f, const int32_t edge[2])
{
    const int64_t end = end_of_path(f);
    int64_t top = end;
    for (int k = 0; k < 2; ++k) {
        f->vertex[f->vertex[edge[k]].root].is_closed = true;
        follow(f, edge[k], &top);
    }
    f->path[--top] = edge[0];
    f->path[--top] = edge[1];
    for (int64_t k = top; k < end; k += 2) {
        f->partner[f->path[k]] = f->path[k + 1];
        f->partner[f->path[k + 1]] = f->path[k];
    }
    f->work += end - top;
}
