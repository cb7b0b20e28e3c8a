/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bethe_estimate/contracted.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

enum { NONE = -1 };

#define LEAST     0x1p-52 /* of b and 1 - b */
#define LOG_LEAST -600.0  /* of entries */

/* An edge is in the list of its row and in that of its column, side 0 and 1. */
typedef struct {
    int32_t end[2]; /* vertices (pm/matrix.h) */
    int32_t before[2], after[2];
    double b, log_a; /* log_a: up to factors of rows and columns */
} edge;

typedef struct {
    edge *edge;
    int32_t *first, *degree; /* [2 n]: of the vertices; 0: it is gone */
    int32_t *waiting;        /* vertices that got the degree 2 */
    int64_t n, rows, nwaiting;
    double log_factor;
} graph;

static void graph_free(graph *g)
{
    free(g->edge);
    free(g->first);
    free(g->degree);
    free(g->waiting);
}

static void put(graph *g, int32_t e, int side, int32_t v)
{
    edge *x = &g->edge[e];
    x->end[side] = v;
    x->before[side] = NONE;
    x->after[side] = g->first[v];
    if (g->first[v] != NONE)
        g->edge[g->first[v]].before[side] = e;
    g->first[v] = e;
    ++g->degree[v];
}

static void take(graph *g, int32_t e, int side)
{
    const edge *x = &g->edge[e];
    const int32_t v = x->end[side];
    if (x->before[side] == NONE)
        g->first[v] = x->after[side];
    else
        g->edge[x->before[side]].after[side] = x->after[side];
    if (x->after[side] != NONE)
        g->edge[x->after[side]].before[side] = x->before[side];
    --g->degree[v];
}

static void wait_for(graph *g, int32_t v)
{
    if (g->degree[v] == 2)
        g->waiting[g->nwaiting++] = v;
}

static double within(double b)
{
    return fmin(fmax(b, LEAST), 1 - LEAST);
}

/* log_factor: the permanent of a over that of b (1 - b) exp(off), since F differs by it. */
static pm_status graph_make(const pm_matrix *a, const pm_bethe_point *point, graph *g,
                            pm_error *err)
{
    const int64_t n = a->nrows, nnz = pm_matrix_nnz(a);
    *g = (graph){.edge = pm_alloc_array(nnz, sizeof *g->edge),
                 .first = pm_alloc_array(2 * n, sizeof *g->first),
                 .degree = pm_calloc_array(2 * n, sizeof *g->degree),
                 .waiting = pm_alloc_array(3 * n + nnz, sizeof *g->waiting),
                 .n = n,
                 .rows = n,
                 .log_factor = point->bethe};
    if (!g->edge || !g->first || !g->degree || !g->waiting)
        return pm_fail_memory(err, "an estimate");
    for (int64_t v = 0; v < 2 * n; ++v)
        g->first[v] = NONE;
    for (int64_t i = n - 1; i >= 0; --i)
        for (int64_t k = a->rowptr[i + 1] - 1; k >= a->rowptr[i]; --k) {
            const double p = within(point->b[k]);
            g->edge[k].b = p;
            g->edge[k].log_a = log(p) + log1p(-p) + point->off[k];
            g->log_factor -= log1p(-p) + p * point->off[k];
            put(g, (int32_t)k, 0, (int32_t)i);
            put(g, (int32_t)k, 1, (int32_t)n + a->colind[k]);
        }
    for (int32_t v = 0; v < 2 * n; ++v)
        wait_for(g, v);
    return PM_OK;
}

static int32_t edge_between(const graph *g, int32_t v, int32_t w, int side_of_w)
{
    const bool by_w = g->degree[w] < g->degree[v];
    const int side = by_w ? side_of_w : !side_of_w;
    const int32_t other = by_w ? v : w;
    int32_t e = g->first[by_w ? w : v];
    while (e != NONE && g->edge[e].end[!side] != other)
        e = g->edge[e].after[side];
    return e;
}

static double log_sum(double x, double y)
{
    return fmax(x, y) + log1p(exp(-fabs(x - y)));
}

/* The edges of `from` get to `to`, a vertex of the same side, with their a times exp(factor). */
static void merge(graph *g, int32_t from, int32_t to, int side, double factor)
{
    while (g->first[from] != NONE) {
        const int32_t e = g->first[from], far = g->edge[e].end[!side];
        const int32_t parallel = edge_between(g, to, far, !side);
        g->edge[e].log_a += factor;
        take(g, e, side);
        if (parallel == NONE) {
            put(g, e, side, to);
            continue;
        }
        edge *x = &g->edge[parallel];
        x->b += g->edge[e].b;
        x->log_a = log_sum(x->log_a, g->edge[e].log_a);
        take(g, e, !side);
        wait_for(g, far);
    }
    wait_for(g, to);
}

/* v, with two edges, goes away. */
static void contract(graph *g, int32_t v)
{
    const int side = v >= g->n;
    int32_t one = g->first[v], two = g->edge[one].after[side];
    if (g->degree[g->edge[one].end[!side]] > g->degree[g->edge[two].end[!side]]) {
        const int32_t e = one;
        one = two;
        two = e;
    }
    const int32_t from = g->edge[one].end[!side], to = g->edge[two].end[!side];
    g->log_factor += g->edge[one].log_a;
    for (int s = 0; s < 2; ++s) {
        take(g, one, s);
        take(g, two, s);
    }
    merge(g, from, to, !side, g->edge[two].log_a - g->edge[one].log_a);
    --g->rows;
}

/* From logarithms to entries, each row divided by its largest one, which goes into log_factor. */
static void divide_rows(pm_contracted *c)
{
    for (int64_t i = 0; i < c->a.nrows; ++i) {
        double most = -INFINITY;
        for (int64_t k = c->a.rowptr[i]; k < c->a.rowptr[i + 1]; ++k)
            most = fmax(most, c->entry[k][0]);
        for (int64_t k = c->a.rowptr[i]; k < c->a.rowptr[i + 1]; ++k)
            c->entry[k][0] = exp(fmax(c->entry[k][0] - most, LOG_LEAST));
        c->log_factor += most;
    }
}

/* The entries are logarithms. */
static pm_status list(const graph *g, pm_contracted *out, pm_error *err)
{
    int64_t nnz = 0, *at = pm_alloc_array(g->n, sizeof *at);
    for (int64_t i = 0; i < g->n; ++i)
        nnz += g->degree[i];
    out->b = pm_alloc_array(nnz, sizeof *out->b);
    out->entry = pm_alloc_array(nnz, sizeof *out->entry);
    pm_status status = at && out->b && out->entry
                           ? pm_matrix_alloc(&out->a, PM_PATTERN, g->rows, g->rows, nnz, err)
                           : pm_fail_memory(err, "an estimate");
    int64_t row = 0;
    int32_t column = 0;
    for (int64_t i = 0; i < g->n && !status; ++i) {
        at[i] = out->a.rowptr[row];
        if (g->degree[i]) {
            out->a.rowptr[row + 1] = at[i] + g->degree[i];
            ++row;
        }
    }
    for (int64_t j = g->n; j < 2 * g->n && !status; ++j) {
        for (int32_t e = g->first[j]; e != NONE; e = g->edge[e].after[1]) {
            const int64_t k = at[g->edge[e].end[0]]++;
            out->a.colind[k] = column;
            out->b[k] = within(g->edge[e].b);
            out->entry[k][0] = g->edge[e].log_a;
            out->entry[k][1] = 0;
        }
        column += g->degree[j] > 0;
    }
    free(at);
    return status;
}

pm_status pm_contracted_make(const pm_matrix *a, const pm_bethe_point *point, pm_contracted *out,
                             pm_error *err)
{
    graph g;
    pm_contracted c = {0};
    pm_status status = graph_make(a, point, &g, err);
    while (!status && g.nwaiting && g.rows > 1) {
        const int32_t v = g.waiting[--g.nwaiting];
        if (g.degree[v] == 2)
            contract(&g, v);
    }
    if (!status)
        status = list(&g, &c, err);
    c.log_factor = g.log_factor;
    if (!status)
        divide_rows(&c);
    graph_free(&g);
    if (status)
        pm_contracted_free(&c);
    else
        *out = c;
    return status;
}

void pm_contracted_free(pm_contracted *c)
{
    pm_matrix_free(&c->a);
    free(c->b);
    free(c->entry);
    *c = (pm_contracted){0};
}
