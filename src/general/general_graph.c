/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/general_graph.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pm/alloc.h"

/* ---- lists ---- */

static void link_edge(pm_general_graph *g, int32_t e, int side)
{
    pm_general_edge *x = &g->edge[e];
    pm_general_vertex *v = &g->vertex[x->end[side]];
    x->prev[side] = -1;
    x->next[side] = v->head;
    if (v->head >= 0)
        g->edge[v->head].prev[pm_general_side(g, x->end[side], v->head)] = e;
    v->head = e;
    ++v->degree;
}

static void unlink_edge(pm_general_graph *g, int32_t e, int side)
{
    const pm_general_edge *x = &g->edge[e];
    const int32_t end = x->end[side], prev = x->prev[side], next = x->next[side];
    if (prev >= 0)
        g->edge[prev].next[pm_general_side(g, end, prev)] = next;
    else
        g->vertex[end].head = next;
    if (next >= 0)
        g->edge[next].prev[pm_general_side(g, end, next)] = prev;
    --g->vertex[end].degree;
}

void pm_general_list(pm_general_graph *g, int32_t v)
{
    pm_general_vertex *x = &g->vertex[v];
    if (x->is_listed || x->is_removed)
        return;
    x->is_listed = true;
    g->listed[g->nlisted++] = v;
}

void pm_general_unlink(pm_general_graph *g, int32_t e)
{
    for (int side = 0; side < 2; ++side) {
        unlink_edge(g, e, side);
        pm_general_list(g, g->edge[e].end[side]);
    }
    pm_cnum_clear(&g->value[e]);
}

void pm_general_remove(pm_general_graph *g, int32_t v)
{
    g->vertex[v].is_removed = true;
    while (g->vertex[v].head >= 0)
        pm_general_unlink(g, g->vertex[v].head);
    pm_cnum_clear(&g->loop[v]);
}

void pm_general_move(pm_general_graph *g, int32_t e, int32_t from, int32_t to)
{
    const int side = pm_general_side(g, from, e);
    unlink_edge(g, e, side);
    g->edge[e].end[side] = to;
    link_edge(g, e, side);
}

/* ---- loading ---- */

static void set_value(const pm_matrix *a, int64_t k, pm_cnum *out)
{
    if (a->re)
        pm_dyadic_set(&out->re, &a->re[k]);
    else
        pm_dyadic_set_si(&out->re, 1);
    if (a->im)
        pm_dyadic_set(&out->im, &a->im[k]);
}

static int64_t count_edges(const pm_matrix *a)
{
    int64_t edges = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            edges += a->colind[k] > i;
    return edges;
}

static pm_status allocate(pm_general_graph *g, int64_t edges, pm_error *err)
{
    if (edges > INT32_MAX)
        return pm_fail(err, PM_UNABLE, "%" PRId64 " edges: reductions work up to %d", edges,
                       INT32_MAX);
    g->vertex = pm_alloc_array(g->n, sizeof *g->vertex);
    g->loop = pm_calloc_array(g->n, sizeof *g->loop);
    g->listed = pm_alloc_array(g->n, sizeof *g->listed);
    g->edge = pm_alloc_array(edges, sizeof *g->edge);
    g->value = pm_calloc_array(edges, sizeof *g->value);
    return g->vertex && g->loop && g->listed && g->edge && g->value
               ? PM_OK
               : pm_fail_memory(err, "reductions");
}

pm_status pm_general_graph_load(const pm_matrix *a, pm_general_graph *out, pm_error *err)
{
    pm_general_graph g = {.n = a->nrows, .field = a->field};
    pm_status status = allocate(&g, count_edges(a), err);
    if (status) {
        pm_general_graph_free(&g);
        return status;
    }
    for (int64_t v = 0; v < g.n; ++v) {
        g.vertex[v] = (pm_general_vertex){.head = -1, .mark = -1};
        pm_general_list(&g, (int32_t)v);
    }
    for (int64_t i = 0; i < g.n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int32_t j = a->colind[k];
            if (j == i) {
                set_value(a, k, &g.loop[i]);
                g.has_loops = true;
            } else if (j > i) {
                const int32_t e = (int32_t)g.nedges++;
                g.edge[e].end[0] = (int32_t)i;
                g.edge[e].end[1] = j;
                link_edge(&g, e, 0);
                link_edge(&g, e, 1);
                set_value(a, k, &g.value[e]);
            }
        }
    *out = g;
    return PM_OK;
}

void pm_general_graph_free(pm_general_graph *g)
{
    pm_cnum rest = {0};
    pm_cproduct_take(&g->factor, &rest);
    pm_cnum_clear(&rest);
    for (int64_t e = 0; e < g->nedges; ++e)
        pm_cnum_clear(&g->value[e]);
    for (int64_t v = 0; g->loop && v < g->n; ++v)
        pm_cnum_clear(&g->loop[v]);
    free(g->vertex);
    free(g->loop);
    free(g->listed);
    free(g->edge);
    free(g->value);
    *g = (pm_general_graph){0};
}
