/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reduced graph as matrices: after the last decomposition every connected component is one
 * block. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/settings.h"
#include "reduce/fetch_lists.h"
#include "reduce/members.h"
#include "reduce/reduce_graph.h"

/* ---- factors that remain in the graph ---- */

static void take_single_entries(pm_rgraph *g)
{
    for (int64_t v = 0; v < g->nrows; ++v) {
        const pm_rvertex *x = &g->vertex[v];
        if (x->cap != 1 || x->degree != 1)
            continue;
        const pm_rvertex *u = &g->vertex[pm_rgraph_other(g, v, x->head)];
        if (u->cap == 1 && u->degree == 1)
            pm_rgraph_force(g, (int32_t)v);
    }
}

/* Divides every line by the greatest common divisor of its integers: the numbers become smaller,
 * and often the block becomes a pattern. */
static void divide_out(pm_rgraph *g)
{
    for (int64_t v = 0; v < g->nrows + g->ncols; ++v) {
        pm_cnum divisor = {0};
        if (v % PM_RFETCHED == 0)
            pm_rgraph_fetch(g, v);
        for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e)) {
            pm_cnum_gcd(&divisor, &g->value[e]);
            if (pm_cnum_is_one(&divisor))
                break;
        }
        if (g->vertex[v].head >= 0 && !pm_cnum_is_one(&divisor)) {
            pm_rgraph_factor(g, (int32_t)v, &divisor, g->vertex[v].cap);
            for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
                pm_cnum_div(&g->value[e], &g->value[e], &divisor);
        }
        pm_cnum_clear(&divisor);
    }
}

/* ---- components ---- */

typedef struct {
    int32_t *label;  /* the component of each vertex; -1: the vertex was removed */
    int32_t *member; /* the vertices by component, ascending in each: rows, then columns */
    int64_t *start;  /* of each component in member; count + 1 elements */
    int32_t *index;  /* of each vertex among the rows or columns of its component */
    int64_t count;
} components;

static void components_free(components *c)
{
    free(c->label);
    free(c->member);
    free(c->start);
    free(c->index);
    *c = (components){0};
}

/* Labels the component of root.  queue: room for every vertex. */
static void flood(const pm_rgraph *g, int32_t root, int32_t label, int32_t *labels, int32_t *queue)
{
    int64_t head = 0, tail = 0;
    labels[root] = label;
    queue[tail++] = root;
    while (head < tail) {
        if (head % PM_RFETCHED == 0)
            pm_rgraph_fetch_of(g, &queue[head],
                               tail - head < PM_RFETCHED ? (int)(tail - head) : PM_RFETCHED);
        int32_t v = queue[head++];
        for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e)) {
            int32_t u = pm_rgraph_other(g, v, e);
            if (labels[u] < 0) {
                labels[u] = label;
                queue[tail++] = u;
            }
        }
    }
}

/* The components are the blocks of the decomposition, in the order of their first vertices. */
static pm_status label_origins(const pm_rgraph *g, components *c, pm_error *err)
{
    int32_t *label = pm_alloc_array(g->norigins, sizeof *label);
    if (!label)
        return pm_fail_memory(err, "the blocks left by reductions");
    for (int64_t b = 0; b < g->norigins; ++b)
        label[b] = -1;
    for (int64_t v = 0; v < g->nrows + g->ncols; ++v) {
        const pm_rvertex *x = &g->vertex[v];
        if (x->cap == 0)
            continue;
        if (label[x->origin] < 0)
            label[x->origin] = (int32_t)c->count++;
        c->label[v] = label[x->origin];
    }
    free(label);
    return PM_OK;
}

static void flood_all(const pm_rgraph *g, bool split, components *c)
{
    for (int64_t v = 0; v < g->nrows + g->ncols; ++v) {
        if (g->vertex[v].cap == 0 || c->label[v] >= 0)
            continue;
        if (split)
            flood(g, (int32_t)v, (int32_t)c->count++, c->label, c->member);
        else
            c->label[v] = 0, c->count = 1;
    }
}

static pm_status find_components(const pm_rgraph *g, bool split, components *c, pm_error *err)
{
    int64_t nvertices = g->nrows + g->ncols;
    c->label = pm_alloc_array(nvertices, sizeof *c->label);
    c->member = pm_alloc_array(nvertices, sizeof *c->member);
    c->index = pm_alloc_array(nvertices, sizeof *c->index);
    if (!c->label || !c->member || !c->index)
        return pm_fail_memory(err, "the blocks left by reductions");
    for (int64_t v = 0; v < nvertices; ++v)
        c->label[v] = -1;
    if (split && g->is_plain && g->is_split) {
        pm_status status = label_origins(g, c, err);
        if (status)
            return status;
    } else {
        flood_all(g, split, c);
    }
    return pm_members_sort(c->label, nvertices, c->count, c->member, &c->start, err);
}

/* ---- one block ---- */

static bool all_ones(const pm_rgraph *g, const int32_t *rows, int64_t nrows)
{
    if (g->is_plain)
        return true;
    for (int64_t i = 0; i < nrows; ++i)
        for (int32_t e = pm_rgraph_first(g, rows[i]); e >= 0; e = pm_rgraph_next(g, rows[i], e))
            if (!pm_cnum_is_one(&g->value[e]))
                return false;
    return true;
}

/* All entries are 1, and the lists of rows ascend. */
static void fill_pattern(const pm_rgraph *g, const int32_t *index, const int32_t *rows,
                         pm_matrix *b)
{
    int64_t k = 0;
    for (int64_t i = 0; i < b->nrows; ++i) {
        b->rowptr[i] = k;
        for (int32_t e = pm_rgraph_first(g, rows[i]); e >= 0; e = pm_rgraph_next(g, rows[i], e))
            b->colind[k++] = index[g->entry[e].end[1]];
    }
    b->rowptr[b->nrows] = k;
}

/* The entries of a row, by their columns in the block. */
typedef struct {
    int32_t column, entry;
} place;

static int by_column(const void *x, const void *y)
{
    const place *a = x, *b = y;
    return (a->column > b->column) - (a->column < b->column);
}

/* Moves the values into b, the columns in each row ascending.  places: room for the longest row. */
static void fill_matrix(pm_rgraph *g, const int32_t *index, const int32_t *rows, place *places,
                        pm_matrix *b)
{
    int64_t k = 0;
    for (int64_t i = 0; i < b->nrows; ++i) {
        int64_t count = 0;
        bool is_sorted = true;
        for (int32_t e = pm_rgraph_first(g, rows[i]); e >= 0; e = pm_rgraph_next(g, rows[i], e)) {
            places[count] = (place){index[g->entry[e].end[1]], e};
            is_sorted = is_sorted && (!count || places[count - 1].column < places[count].column);
            ++count;
        }
        if (!is_sorted)
            qsort(places, (size_t)count, sizeof *places, by_column);
        b->rowptr[i] = k;
        for (int64_t c = 0; c < count; ++c, ++k) {
            pm_cnum *value = &g->value[places[c].entry];
            b->colind[k] = places[c].column;
            if (b->re) {
                b->re[k] = value->re;
                value->re = (pm_dyadic){0};
            }
            if (b->im) {
                b->im[k] = value->im;
                value->im = (pm_dyadic){0};
            }
        }
    }
    b->rowptr[b->nrows] = k;
}

static pm_status make_block(pm_rgraph *g, const int32_t *index, const int32_t *rows, int64_t nrows,
                            int64_t ncols, pm_block *out, pm_error *err)
{
    pm_block b = {0};
    pm_field field = g->field == PM_PATTERN ? PM_INTEGER : g->field;
    int64_t nnz = 0, longest = 0;
    for (int64_t i = 0; i < nrows; ++i) {
        const int64_t degree = g->vertex[rows[i]].degree;
        nnz += degree;
        longest = degree > longest ? degree : longest;
    }
    if (all_ones(g, rows, nrows))
        field = PM_PATTERN;
    pm_status status = pm_matrix_alloc(&b.a, field, nrows, ncols, nnz, err);
    if (status)
        return status;
    b.row_cap = pm_alloc_array(nrows, sizeof *b.row_cap);
    b.col_cap = pm_alloc_array(ncols, sizeof *b.col_cap);
    place *places = pm_alloc_array(longest, sizeof *places);
    if (!b.row_cap || !b.col_cap || !places) {
        pm_block_free(&b);
        free(places);
        return pm_fail_memory(err, "a block");
    }
    for (int64_t i = 0; i < nrows; ++i) {
        const pm_rvertex *x = &g->vertex[rows[i]];
        b.row_cap[i] = x->cap;
        b.n += x->cap;
    }
    for (int64_t j = 0; j < ncols; ++j)
        b.col_cap[j] = g->vertex[rows[nrows + j]].cap;
    if (g->is_plain)
        fill_pattern(g, index, rows, &b.a);
    else
        fill_matrix(g, index, rows, places, &b.a);
    free(places);
    *out = b;
    return PM_OK;
}

/* The smaller one of two bounds: of the block as it is now, and of the block that it was made from,
 * less the factors taken out since. */
static double block_bound(const pm_rgraph *g, int32_t origin, const pm_bound *current)
{
    double as_is = pm_bound_log2(current), before = g->bound[origin];
    double slack = 1e-6 + 1e-8 * (fabs(before) + g->moved[origin]);
    return fmin(as_is, before - g->taken[origin] + slack);
}

static pm_status take_blocks(pm_rgraph *g, components *c, pm_reduced *out, pm_error *err)
{
    pm_status status = PM_OK;
    pm_bound *bounds = pm_calloc_array(c->count, sizeof *bounds);
    out->blocks = pm_calloc_array(c->count, sizeof *out->blocks);
    if (!bounds || !out->blocks) {
        status = pm_fail_memory(err, "the blocks left by reductions");
        goto done;
    }
    status = pm_rgraph_bounds(g, c->label, bounds, err);
    if (status)
        goto done;
    for (int64_t b = 0; b < c->count; ++b) {
        const int32_t *rows = &c->member[c->start[b]];
        int64_t size = c->start[b + 1] - c->start[b], nrows = 0;
        while (nrows < size && !pm_rgraph_side(g, rows[nrows]))
            ++nrows;
        for (int64_t k = 0; k < size; ++k)
            c->index[rows[k]] = (int32_t)(k < nrows ? k : k - nrows);
        int32_t origin = g->vertex[rows[0]].origin;
        status = make_block(g, c->index, rows, nrows, size - nrows, &out->blocks[b], err);
        if (status)
            goto done;
        out->blocks[b].log2_bound = block_bound(g, origin, &bounds[b]);
        ++out->nblocks;
    }
done:
    free(bounds);
    return status;
}

static bool is_in_range(const pm_reduced *r)
{
    bool all = pm_dyadic_is_in_range(&r->factor_re) && pm_dyadic_is_in_range(&r->factor_im);
    for (int64_t b = 0; b < r->nblocks; ++b)
        all = all && pm_matrix_is_in_range(&r->blocks[b].a);
    return all;
}

pm_status pm_rgraph_extract(pm_rgraph *g, bool split, pm_reduced *out, pm_error *err)
{
    components c = {0};
    pm_reduced r = {0};
    if (split)
        take_single_entries(g);
    if (!g->is_plain && (g->field == PM_PATTERN || g->field == PM_INTEGER))
        divide_out(g);
    pm_status status = pm_rgraph_check_stop(g, err);
    if (!status && !g->is_plain && g->field != PM_COMPLEX)
        status = pm_rgraph_balance_signs(g, err);
    if (status)
        goto done;
    status = find_components(g, split, &c, err);
    if (!status)
        status = pm_rgraph_check_stop(g, err);
    if (status)
        goto done;
    status = take_blocks(g, &c, &r, err);
    if (status)
        goto done;
    pm_cnum factor = {0};
    pm_cproduct_take(&g->factor, &factor);
    r.factor_re = factor.re;
    r.factor_im = factor.im;
    if (!is_in_range(&r)) {
        status = pm_fail(err, PM_UNABLE,
                         "a product of entries is too large or too small: its binary exponent is "
                         "beyond 2^31, or its digits do not fit into memory%s",
                         pm_hint_text(PM_HINT_MEMORY));
        goto done;
    }
    *out = r;
    r = (pm_reduced){0};
done:
    components_free(&c);
    pm_reduced_free(&r);
    return status;
}
