/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "reduce/reduce_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "reduce/fetch_lists.h"

/* ---- lists ---- */

static void link_entry(pm_rgraph *g, int32_t e, int side)
{
    pm_rentry *x = &g->entry[e];
    pm_rvertex *v = &g->vertex[x->end[side]];
    x->prev[side] = -1;
    x->next[side] = v->head;
    if (v->head >= 0)
        g->entry[v->head].prev[side] = e;
    v->head = e;
    ++v->degree;
}

static void unlink_entry(pm_rgraph *g, int32_t e, int side)
{
    pm_rentry *x = &g->entry[e];
    pm_rvertex *v = &g->vertex[x->end[side]];
    if (x->prev[side] >= 0)
        g->entry[x->prev[side]].next[side] = x->next[side];
    else
        v->head = x->next[side];
    if (x->next[side] >= 0)
        g->entry[x->next[side]].prev[side] = x->prev[side];
    --v->degree;
}

void pm_rgraph_unlink(pm_rgraph *g, int32_t e)
{
    for (int side = 0; side < 2; ++side) {
        unlink_entry(g, e, side);
        pm_rgraph_enqueue(g, g->entry[e].end[side]);
    }
    pm_cnum_clear(&g->value[e]);
}

void pm_rgraph_move(pm_rgraph *g, int32_t e, int32_t v)
{
    int side = pm_rgraph_side(g, v);
    unlink_entry(g, e, side);
    g->entry[e].end[side] = v;
    link_entry(g, e, side);
}

void pm_rgraph_remove(pm_rgraph *g, int32_t v)
{
    g->vertex[v].cap = 0;
    while (g->vertex[v].head >= 0)
        pm_rgraph_unlink(g, g->vertex[v].head);
}

void pm_rgraph_update_bits(pm_rgraph *g, int32_t e)
{
    int64_t bits = pm_cnum_bits(&g->value[e]);
    if (g->merge_bits) {
        int64_t low, top;
        pm_cnum_range(&g->value[e], &low, &top);
        bits = low < -top ? -low : top;
    }
    for (int side = 0; side < 2; ++side) {
        pm_rvertex *v = &g->vertex[g->entry[e].end[side]];
        if (bits > v->bits)
            v->bits = bits < INT32_MAX ? (int32_t)bits : INT32_MAX;
    }
}

void pm_rgraph_factor(pm_rgraph *g, int32_t v, const pm_cnum *f, int64_t times)
{
    if (pm_cnum_is_one(f))
        return;
    double logarithm = pm_cnum_log2(f) * (double)times;
    g->taken[g->vertex[v].origin] += logarithm;
    g->moved[g->vertex[v].origin] += fabs(logarithm);
    for (int64_t k = 0; k < times; ++k)
        pm_cproduct_push(&g->factor, f);
}

/* ---- loading ---- */

static pm_status allocate(pm_rgraph *g, const pm_matrix *a, pm_error *err)
{
    int64_t nvertices = a->nrows + a->ncols, nnz = pm_matrix_nnz(a);
    if (nvertices > INT32_MAX || nnz > INT32_MAX)
        return pm_fail(err, PM_UNABLE,
                       "%" PRId64 " vertices and %" PRId64
                       " entries: reductions work up to %d of each",
                       nvertices, nnz, INT32_MAX);
    g->nrows = a->nrows;
    g->ncols = a->ncols;
    g->field = a->field;
    g->vertex = pm_alloc_array(nvertices, sizeof *g->vertex);
    g->entry = pm_alloc_array(nnz, sizeof *g->entry);
    g->value = pm_calloc_array(nnz, sizeof *g->value);
    g->norigins = 1;
    g->bound = pm_calloc_array(1, sizeof *g->bound);
    g->taken = pm_calloc_array(1, sizeof *g->taken);
    g->moved = pm_calloc_array(1, sizeof *g->moved);
    if (!g->vertex || !g->entry || !g->value || !g->bound || !g->taken || !g->moved)
        return pm_fail(err, PM_ENOMEM,
                       "out of memory: reductions of %" PRId64 " vertices and %" PRId64 " entries",
                       nvertices, nnz);
    g->nentries = nnz;
    return PM_OK;
}

/* Asks for the vertex of a column that comes soon, and for the head of its list. */
static inline __attribute__((always_inline)) void ask_for_column(const pm_rgraph *g,
                                                                 const pm_matrix *a, int64_t k)
{
    enum { AHEAD = 16 };
    if (k >= 2 * AHEAD)
        __builtin_prefetch(&g->vertex[g->nrows + a->colind[k - 2 * AHEAD]], 1);
    if (k >= AHEAD) {
        const int32_t head = g->vertex[g->nrows + a->colind[k - AHEAD]].head;
        if (head >= 0)
            __builtin_prefetch(&g->entry[head], 1);
    }
}

pm_status pm_rgraph_load(pm_rgraph *g, const pm_matrix *a, pm_error *err)
{
    *g = (pm_rgraph){0};
    pm_status status = allocate(g, a, err);
    if (status) {
        pm_rgraph_free(g);
        return status;
    }
    for (int64_t v = 0; v < g->nrows + g->ncols; ++v)
        g->vertex[v] =
            (pm_rvertex){.head = -1, .cap = 1, .bits = 1, .bucket = -1, .queued = -1, .mark = -1};
    for (int b = 0; b < PM_RBUCKETS; ++b)
        g->first[b] = g->last[b] = -1;
    g->is_plain = !a->re;
    /* backwards, so that lists ascend */
    for (int64_t i = g->nrows - 1; i >= 0; --i)
        for (int64_t k = a->rowptr ? a->rowptr[i + 1] - 1 : -1; k >= 0 && k >= a->rowptr[i]; --k) {
            int32_t e = (int32_t)k;
            ask_for_column(g, a, k);
            g->entry[e].end[0] = (int32_t)i;
            g->entry[e].end[1] = (int32_t)(g->nrows + a->colind[k]);
            link_entry(g, e, 0);
            link_entry(g, e, 1);
            if (a->re)
                pm_dyadic_set(&g->value[e].re, &a->re[k]);
            else
                pm_dyadic_set_si(&g->value[e].re, 1);
            if (a->im)
                pm_dyadic_set(&g->value[e].im, &a->im[k]);
            pm_rgraph_update_bits(g, e);
        }
    return PM_OK;
}

void pm_rgraph_set_capacities(pm_rgraph *g, const int32_t *row_cap, const int32_t *col_cap)
{
    for (int64_t v = 0; v < g->nrows + g->ncols; ++v) {
        g->vertex[v].cap = v < g->nrows ? row_cap[v] : col_cap[v - g->nrows];
        g->is_plain = g->is_plain && g->vertex[v].cap == 1;
    }
}

void pm_rgraph_free(pm_rgraph *g)
{
    pm_cnum rest = {0};
    pm_cproduct_take(&g->factor, &rest);
    pm_cnum_clear(&rest);
    for (int64_t e = 0; e < g->nentries; ++e)
        pm_cnum_clear(&g->value[e]);
    free(g->vertex);
    free(g->entry);
    free(g->value);
    free(g->bound);
    free(g->taken);
    free(g->moved);
    free(g->is_small);
    *g = (pm_rgraph){0};
}

/* ---- work list ---- */

void pm_rgraph_enqueue_at(pm_rgraph *g, int32_t v, int bucket)
{
    g->vertex[v].bucket = bucket;
    g->vertex[v].queued = -1;
    if (g->last[bucket] >= 0)
        g->vertex[g->last[bucket]].queued = v;
    else
        g->first[bucket] = v;
    g->last[bucket] = v;
}

void pm_rgraph_enqueue(pm_rgraph *g, int32_t v)
{
    const pm_rvertex *x = &g->vertex[v];
    if (x->cap > 0 && x->bucket < 0 && (x->degree <= x->cap || x->degree == 2)
        && !pm_rgraph_is_small(g, v))
        pm_rgraph_enqueue_at(g, v, 0);
}

int32_t pm_rgraph_dequeue(pm_rgraph *g, int *bucket)
{
    for (int b = 0; b < PM_RBUCKETS; ++b) {
        int32_t v = g->first[b];
        if (v < 0)
            continue;
        g->first[b] = g->vertex[v].queued;
        if (g->first[b] < 0)
            g->last[b] = -1;
        g->vertex[v].bucket = g->vertex[v].queued = -1;
        *bucket = b;
        return v;
    }
    return -1;
}

/* ---- bounds ---- */

pm_status pm_rgraph_check_stop(const pm_rgraph *g, pm_error *err)
{
    return pm_run_stopped(g->run) ? pm_fail(err, PM_ESTOPPED, "stopped during reductions") : PM_OK;
}

static pm_line line_of(const pm_rgraph *g, int64_t v)
{
    const pm_rvertex *x = &g->vertex[v];
    pm_line line = {.cap = x->cap};
    if (g->is_plain)
        line.degree = line.ones = x->degree;
    for (int32_t e = g->is_plain ? -1 : pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
        pm_line_add(&line, &g->value[e], g->vertex[pm_rgraph_other(g, v, e)].cap);
    return line;
}

/* The lines of some vertices are read by all threads, then added in their order. */
pm_status pm_rgraph_bounds(const pm_rgraph *g, const int32_t *label, pm_bound *bounds,
                           pm_error *err)
{
    enum { LINES = 1 << 15 }; /* a multiple of PM_RFETCHED */
    const int64_t vertices = g->nrows + g->ncols;
    const int threads = g->is_plain ? 1 : pm_transposed_threads(g->nentries, g->run);
    pm_line *line = pm_alloc_array(vertices < LINES ? vertices : LINES, sizeof *line);
    pm_status status = line ? PM_OK : pm_fail_memory(err, "the bounds of blocks");
    for (int64_t from = 0; from < vertices && !status; from += LINES) {
        const int64_t end = from + LINES < vertices ? from + LINES : vertices;
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static, PM_RFETCHED)
        for (int64_t v = from; v < end; ++v) {
            if (v % PM_RFETCHED == 0 && !g->is_plain)
                pm_rgraph_fetch(g, v);
            if (g->vertex[v].cap > 0 && (label || !pm_rgraph_is_small(g, v)))
                line[v - from] = line_of(g, v);
        }
        for (int64_t v = from; v < end; ++v)
            if (g->vertex[v].cap > 0 && (label || !pm_rgraph_is_small(g, v)))
                pm_bound_add(&bounds[label ? label[v] : g->vertex[v].origin], pm_rgraph_side(g, v),
                             &line[v - from]);
        status = end - from == LINES ? pm_rgraph_check_stop(g, err) : PM_OK;
    }
    free(line);
    return status;
}

pm_status pm_rgraph_new_origins(pm_rgraph *g, int64_t count, pm_error *err)
{
    pm_status status = PM_OK;
    pm_bound *bounds = pm_calloc_array(count, sizeof *bounds);
    double *bound = pm_alloc_array(count, sizeof *bound);
    double *taken = pm_calloc_array(count, sizeof *taken);
    double *moved = pm_calloc_array(count, sizeof *moved);
    if (!bounds || !bound || !taken || !moved)
        status = pm_fail_memory(err, "the bounds of blocks");
    if (!status)
        status = pm_rgraph_bounds(g, NULL, bounds, err);
    if (status) {
        free(bound);
        free(taken);
        free(moved);
        goto done;
    }
    for (int64_t b = 0; b < count; ++b)
        bound[b] = g->is_small && g->is_small[b] ? INFINITY : pm_bound_log2(&bounds[b]);
    free(g->bound);
    free(g->taken);
    free(g->moved);
    g->bound = bound;
    g->taken = taken;
    g->moved = moved;
    g->norigins = count;
done:
    free(bounds);
    return status;
}
