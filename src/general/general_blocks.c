/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/general_blocks.h"

#include <stdlib.h>

#include "general/general_bound.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "reduce/members.h"

/* ---- components ---- */

typedef struct {
    int32_t *label;      /* the component of each vertex; -1: not seen, or removed */
    signed char *colour; /* 0 or 1, the distance from the first vertex modulo 2 */
    int32_t *member;     /* the vertices by component, ascending in each */
    int64_t *start;      /* of each component in member; count + 1 elements */
    int32_t *index;      /* of each vertex: in its block */
    int64_t count;
} components;

static void components_free(components *c)
{
    free(c->label);
    free(c->colour);
    free(c->member);
    free(c->start);
    free(c->index);
    *c = (components){0};
}

/* Labels and colours the component of root.  queue: room for every vertex. */
static void flood(const pm_general_graph *g, int32_t root, components *c, int32_t *queue)
{
    int64_t head = 0, tail = 0;
    c->label[root] = (int32_t)c->count;
    c->colour[root] = 0;
    queue[tail++] = root;
    while (head < tail) {
        const int32_t v = queue[head++];
        for (int32_t e = g->vertex[v].head; e >= 0; e = pm_general_next(g, v, e)) {
            const int32_t u = pm_general_other(g, v, e);
            if (c->label[u] >= 0)
                continue;
            c->label[u] = (int32_t)c->count;
            c->colour[u] = !c->colour[v];
            queue[tail++] = u;
        }
    }
}

static void label_all(const pm_general_graph *g, bool split, components *c, int32_t *queue)
{
    bool has_vertex = false;
    for (int64_t v = 0; v < g->n; ++v)
        c->label[v] = -1;
    for (int64_t v = 0; v < g->n; ++v) {
        if (g->vertex[v].is_removed || c->label[v] >= 0)
            continue;
        has_vertex = true;
        flood(g, (int32_t)v, c, queue);
        c->count += split;
    }
    if (!split)
        c->count = has_vertex;
}

static pm_status components_find(const pm_general_graph *g, bool split, components *c,
                                 pm_error *err)
{
    c->label = pm_alloc_array(g->n, sizeof *c->label);
    c->colour = pm_calloc_array(g->n, sizeof *c->colour);
    c->member = pm_alloc_array(g->n, sizeof *c->member);
    c->index = pm_alloc_array(g->n, sizeof *c->index);
    if (!c->label || !c->colour || !c->member || !c->index)
        return pm_fail_memory(err, "the blocks left by reductions");
    label_all(g, split, c, c->member);
    return pm_members_sort(c->label, g->n, c->count, c->member, &c->start, err);
}

/* Without loops and odd cycles. */
static bool is_bipartite(const pm_general_graph *g, const components *c, int64_t b)
{
    for (int64_t k = c->start[b]; k < c->start[b + 1]; ++k) {
        const int32_t v = c->member[k];
        if (!pm_cnum_is_zero(&g->loop[v]))
            return false;
        for (int32_t e = g->vertex[v].head; e >= 0; e = pm_general_next(g, v, e))
            if (c->colour[pm_general_other(g, v, e)] == c->colour[v])
                return false;
    }
    return true;
}

/* ---- one matrix ---- */

/* How the vertices of a component become rows and columns. */
typedef struct {
    pm_general_graph *g;
    const components *c;
    const int32_t *member;
    int64_t size;
    bool is_bipartite; /* colour 0: rows, 1: columns; else all are both */
} shape;

static bool is_row(const shape *s, int32_t v)
{
    return !s->is_bipartite || s->c->colour[v] == 0;
}

/* Sets the indices of the vertices and the numbers of rows, columns and entries.  *is_pattern: all are 1. */
static void measure(const shape *s, int64_t *nrows, int64_t *ncols, int64_t *nnz, bool *is_pattern)
{
    *nrows = *ncols = *nnz = 0;
    *is_pattern = true;
    for (int64_t k = 0; k < s->size; ++k) {
        const int32_t v = s->member[k];
        const bool has_loop = !pm_cnum_is_zero(&s->g->loop[v]);
        s->c->index[v] = (int32_t)(is_row(s, v) ? *nrows : *ncols);
        *nrows += is_row(s, v);
        *ncols += !s->is_bipartite || !is_row(s, v);
        if (!is_row(s, v))
            continue;
        *nnz += s->g->vertex[v].degree + has_loop;
        if (has_loop && !pm_cnum_is_one(&s->g->loop[v]))
            *is_pattern = false;
        for (int32_t e = s->g->vertex[v].head; e >= 0; e = pm_general_next(s->g, v, e))
            *is_pattern = *is_pattern && pm_cnum_is_one(&s->g->value[e]);
    }
}

static void put(pm_matrix *a, int64_t row, int32_t column, const pm_cnum *value)
{
    const int64_t k = a->rowptr[row]++;
    a->colind[k] = column;
    if (a->re)
        pm_dyadic_set(&a->re[k], &value->re);
    if (a->im)
        pm_dyadic_set(&a->im[k], &value->im);
}

/* Column after column, so that the columns in each row are ascending; rowptr holds where each row begins, and then
 * where it ends. */
static void fill(const shape *s, pm_matrix *a)
{
    const pm_general_graph *g = s->g;
    for (int64_t k = 0; k < s->size; ++k) {
        const int32_t v = s->member[k], column = s->c->index[v];
        if (s->is_bipartite && is_row(s, v))
            continue;
        if (!pm_cnum_is_zero(&g->loop[v]))
            put(a, column, column, &g->loop[v]);
        for (int32_t e = g->vertex[v].head; e >= 0; e = pm_general_next(g, v, e))
            put(a, s->c->index[pm_general_other(g, v, e)], column, &g->value[e]);
    }
}

static pm_status make_matrix(const shape *s, pm_matrix *out, pm_error *err)
{
    int64_t nrows, ncols, nnz, row = 0;
    bool is_pattern;
    measure(s, &nrows, &ncols, &nnz, &is_pattern);
    const pm_field field = is_pattern                  ? PM_PATTERN
                           : s->g->field == PM_PATTERN ? PM_INTEGER
                                                       : s->g->field;
    pm_status status = pm_matrix_alloc(out, field, nrows, ncols, nnz, err);
    if (status)
        return status;
    for (int64_t k = 0, at = 0; k < s->size; ++k) {
        const int32_t v = s->member[k];
        if (!is_row(s, v))
            continue;
        out->rowptr[row++] = at;
        at += s->g->vertex[v].degree + !pm_cnum_is_zero(&s->g->loop[v]);
    }
    fill(s, out);
    for (int64_t i = nrows; i > 0; --i)
        out->rowptr[i] = out->rowptr[i - 1];
    out->rowptr[0] = 0;
    return PM_OK;
}

/* ---- blocks ---- */

typedef struct {
    pm_reduced r;
    int64_t cap;
    pm_cproduct factor;
} collection;

static void collection_free(collection *c)
{
    pm_cnum rest = {0};
    pm_reduced_free(&c->r);
    pm_cproduct_take(&c->factor, &rest);
    pm_cnum_clear(&rest);
}

static pm_status add_block(collection *to, pm_block *b, pm_error *err)
{
    if (PM_GROW(to->r.blocks, to->cap, to->r.nblocks + 1))
        return pm_fail_memory(err, "the blocks left by reductions");
    to->r.blocks[to->r.nblocks++] = *b;
    *b = (pm_block){0};
    return PM_OK;
}

/* Labels of the vertices, or their numbers from 1 on. */
static pm_status set_labels(const shape *s, pm_labels *out, pm_error *err)
{
    const pm_labels *all = s->g->labels;
    pm_status status = PM_OK;
    if (pm_labels_exist(all))
        return pm_labels_select(all, s->member, s->size, out, err);
    for (int64_t k = 0; k < s->size && !status; ++k)
        status = pm_labels_append_integer(out, s->member[k] + 1, err);
    return status;
}

/* Where they are asked for. */
static pm_status take_labels(const shape *s, pm_matrix *a, pm_error *err)
{
    if (!s->g->labels)
        return PM_OK;
    pm_status status = set_labels(s, &a->row_labels, err);
    return status ? status : set_labels(s, &a->col_labels, err);
}

static pm_status add_general(collection *to, const shape *s, pm_error *err)
{
    pm_block b = {.n = s->size, .general = true};
    pm_status status = make_matrix(s, &b.a, err);
    if (status)
        return status;
    b.row_cap = pm_alloc_array(s->size, sizeof *b.row_cap);
    b.col_cap = pm_alloc_array(s->size, sizeof *b.col_cap);
    if (!b.row_cap || !b.col_cap)
        status = pm_fail_memory(err, "a block");
    for (int64_t i = 0; i < s->size && !status; ++i)
        b.row_cap[i] = b.col_cap[i] = 1;
    b.log2_bound = pm_general_log2_bound(&b.a);
    if (!status)
        status = take_labels(s, &b.a, err);
    if (!status)
        status = add_block(to, &b, err);
    pm_block_free(&b);
    return status;
}

/* Moves the blocks and the factor of r. */
static pm_status add_reduced(collection *to, pm_reduced *r, pm_error *err)
{
    pm_status status = PM_OK;
    pm_cnum factor = {r->factor_re, r->factor_im};
    r->factor_re = r->factor_im = (pm_dyadic){0};
    pm_cproduct_push(&to->factor, &factor);
    pm_cnum_clear(&factor);
    for (int64_t b = 0; b < r->nblocks && !status; ++b)
        status = add_block(to, &r->blocks[b], err);
    return status;
}

static pm_status add_bipartite(collection *to, const shape *s, const pm_reduce_options *opt,
                               const pm_run *run, pm_error *err)
{
    pm_matrix a = {0};
    pm_reduced r = {0};
    pm_status status = make_matrix(s, &a, err);
    if (!status && a.nrows != a.ncols)
        to->r.zero = true;
    else if (!status)
        status = pm_reduce(&a, opt, run, &r, err);
    if (!status && r.zero)
        to->r.zero = true;
    else if (!status && a.nrows == a.ncols)
        status = add_reduced(to, &r, err);
    pm_reduced_free(&r);
    pm_matrix_free(&a);
    return status;
}

static bool is_in_range(const pm_reduced *r)
{
    bool all = pm_dyadic_is_in_range(&r->factor_re) && pm_dyadic_is_in_range(&r->factor_im);
    for (int64_t b = 0; b < r->nblocks; ++b)
        all = all && pm_matrix_is_in_range(&r->blocks[b].a);
    return all;
}

/* Sets the factor of all.  Fails: PM_UNABLE. */
static pm_status take_factor(collection *to, pm_error *err)
{
    pm_cnum factor = {0};
    pm_cproduct_take(&to->factor, &factor);
    to->r.factor_re = factor.re;
    to->r.factor_im = factor.im;
    if (is_in_range(&to->r))
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "a product of entries is too large or too small: its binary exponent is "
                   "beyond 2^31, or its digits do not fit into memory%s",
                   pm_hint_text(PM_HINT_MEMORY));
}

pm_status pm_general_blocks(pm_general_graph *g, const pm_reduce_options *opt, bool keep_general,
                            const pm_run *run, pm_reduced *out, pm_error *err)
{
    components c = {0};
    collection to = {.factor = g->factor};
    g->factor = (pm_cproduct){.count = 0};
    pm_status status = components_find(g, opt->blocks, &c, err);
    for (int64_t b = 0; b < c.count && !status && !to.r.zero; ++b) {
        const int64_t size = c.start[b + 1] - c.start[b];
        const shape s = {g, &c, c.member + c.start[b], size,
                         !keep_general && is_bipartite(g, &c, b)};
        status = s.is_bipartite ? add_bipartite(&to, &s, opt, run, err) : add_general(&to, &s, err);
        if (pm_run_stopped(run) && !status)
            status = pm_fail(err, PM_ESTOPPED, "stopped during reductions");
    }
    if (!status && to.r.zero)
        *out = (pm_reduced){.zero = true};
    else if (!status)
        status = take_factor(&to, err);
    if (!status && !to.r.zero) {
        *out = to.r;
        to.r = (pm_reduced){0};
    }
    components_free(&c);
    collection_free(&to);
    return status;
}
