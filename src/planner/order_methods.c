/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planner/order_methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "order/column_order.h"
#include "order/vertex_order.h"
#include "pm/alloc.h"
#include "product_tree/tree.h"

void pm_ordering_free(pm_ordering *o)
{
    free(o->rows);
    free(o->cols);
    free(o->vertices);
    *o = (pm_ordering){0};
}

pm_status pm_ordering_apply(const pm_matrix *a, const pm_ordering *o, pm_matrix *out, pm_error *err)
{
    pm_matrix b = {0};
    int64_t n = a->nrows;
    pm_status status = pm_matrix_select(a, o->rows, n, o->cols, n, &b, err);
    if (!status && !pm_labels_exist(&a->row_labels))
        status = pm_labels_select_or_number(&a->row_labels, o->rows, n, &b.row_labels, err);
    if (!status && !pm_labels_exist(&a->col_labels))
        status = pm_labels_select_or_number(&a->col_labels, o->cols, n, &b.col_labels, err);
    if (status)
        pm_matrix_free(&b);
    else
        *out = b;
    return status;
}

static pm_status allocate(int64_t n, pm_ordering *out, pm_error *err)
{
    out->rows = pm_alloc_array(n, sizeof *out->rows);
    out->cols = pm_alloc_array(n, sizeof *out->cols);
    return out->rows && out->cols ? PM_OK : pm_fail_memory(err, "an order");
}

/* ---- the frontier ---- */

pm_status pm_order_block_make(const pm_matrix *a, pm_block *out, pm_error *err)
{
    int64_t n = a->nrows;
    pm_block b = {.a = *a, .n = n};
    b.row_cap = pm_alloc_array(n, sizeof *b.row_cap);
    b.col_cap = pm_alloc_array(n, sizeof *b.col_cap);
    if (!b.row_cap || !b.col_cap) {
        pm_order_block_free(&b);
        return pm_fail_memory(err, "a block");
    }
    for (int64_t i = 0; i < n; ++i)
        b.row_cap[i] = b.col_cap[i] = 1;
    *out = b;
    return PM_OK;
}

void pm_order_block_free(pm_block *b)
{
    free(b->row_cap);
    free(b->col_cap);
    *b = (pm_block){0};
}

/* The order found leaves out vertices that are finished before their turn: they are put behind it.
 * */
static pm_status take_vertices(const pm_block_graph *g, const pm_vertex_order *o, pm_ordering *out,
                               pm_error *err)
{
    int32_t end = o->len;
    out->vertices = pm_alloc_array(g->nv, sizeof *out->vertices);
    if (!out->vertices)
        return pm_fail_memory(err, "an order");
    memcpy(out->vertices, o->seq, (size_t)o->len * sizeof *o->seq);
    for (int32_t v = 0; v < g->nv; ++v)
        if (o->pos[v] == INT32_MAX)
            out->vertices[end++] = v;
    return PM_OK;
}

static pm_status find_frontier(const pm_matrix *a, const pm_order_search *how, pm_ordering *out,
                               pm_error *err)
{
    const pm_search_limits limits = {
        .rival = INFINITY, .left = INFINITY, .least = PM_GLANCE_SECONDS, .most = INFINITY};
    pm_block b = {0};
    pm_block_graph g = {0};
    pm_vertex_order o = {0};
    pm_status status = pm_order_block_make(a, &b, err);
    b.general = how->general;
    if (!status)
        status = pm_block_graph_make(&b, &g, err);
    if (!status)
        status = how->seconds > 0
                     ? pm_vertex_order_search_for(&g, how->seed, how->seconds, how->run, &o, err)
                     : pm_vertex_order_search(&g, how->seed, PM_ORDER_RESIDUE_SECONDS, limits,
                                              how->run, &o, err);
    if (!status)
        status = take_vertices(&g, &o, out, err);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
    pm_order_block_free(&b);
    return status;
}

/* ---- elimination ---- */

/* The columns that a tree of products eliminates, then the others in its sequence. */
static pm_status take_plan(const pm_pattern *a, const pm_tree_plan *p, pm_ordering *out,
                           pm_error *err)
{
    int32_t outer = p->n - p->eliminated;
    pm_status status = allocate(p->n, out, err);
    if (status)
        return status;
    for (int32_t k = 0; k < p->n; ++k)
        out->cols[k] = k < p->eliminated ? p->cols[outer + k] : p->cols[k - p->eliminated];
    return pm_row_order_by_columns(a, out->cols, out->rows, err);
}

static pm_status find_elimination(const pm_matrix *a, const pm_order_search *how, pm_ordering *out,
                                  pm_error *err)
{
    pm_pattern_copy pattern = {0};
    pm_tree_plan plan;
    pm_tree_options options = pm_tree_defaults();
    if (a->nrows > PM_SQUARE_MAX)
        return pm_fail(err, PM_UNABLE, "elimination orders matrices of up to %d rows, not %lld",
                       PM_SQUARE_MAX, (long long)a->nrows);
    options.slow = PM_TREE_SLOW;
    options.seed = how->seed;
    options.run = how->run;
    if (how->seconds > 0) {
        options.effort = INFINITY;
        options.most = (int32_t)fmin(how->seconds / PM_TREE_CANDIDATE_SECONDS, INT32_MAX);
    }
    pm_status status = pm_pattern_make(a, &pattern, err);
    if (!status)
        status = pm_tree_plan_make(&pattern.of, &options, &plan, err);
    if (!status)
        status = take_plan(&pattern.of, &plan, out, err);
    pm_pattern_free(&pattern);
    return status;
}

/* ---- the table ---- */

const pm_order_method pm_order_method_frontier = {"frontier", NULL, find_frontier};
const pm_order_method pm_order_method_sort = {"sort", pm_column_order_sort, NULL};
const pm_order_method pm_order_method_skip = {"skip", pm_column_order_skip, NULL};
const pm_order_method pm_order_method_permanent = {"permanent", pm_column_order_permanent, NULL};
const pm_order_method pm_order_method_elimination = {"elimination", NULL, find_elimination};
const pm_order_method pm_order_method_rcm = {"rcm", pm_column_order_rcm, NULL};
const pm_order_method pm_order_method_none = {"none", NULL, NULL};

#define ENTRY(id) &pm_order_method_##id,
static const pm_order_method *const methods[] = {PM_ORDER_METHODS(ENTRY) NULL};
enum { METHODS = sizeof methods / sizeof *methods - 1 };

const pm_order_method *pm_order_method_at(int i)
{
    return i >= 0 && i < METHODS ? methods[i] : NULL;
}

const pm_order_method *pm_order_method_find(const char *name)
{
    for (int i = 0; i < METHODS; ++i)
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    return NULL;
}

static pm_status find_columns(const pm_order_method *m, const pm_matrix *a, pm_ordering *out,
                              pm_error *err)
{
    pm_pattern_copy pattern = {0};
    pm_status status = pm_pattern_make(a, &pattern, err);
    if (!status)
        status = allocate(a->nrows, out, err);
    if (!status)
        status = m->columns(&pattern.of, out->cols, out->rows, err);
    pm_pattern_free(&pattern);
    return status;
}

pm_status pm_order_find(const pm_order_method *m, const pm_matrix *a, const pm_order_search *how,
                        pm_ordering *out, pm_error *err)
{
    pm_ordering found = {0};
    pm_status status = PM_OK;
    if (how->general && m != &pm_order_method_frontier && m != &pm_order_method_none)
        return pm_fail(err, PM_UNABLE,
                       "%s orders rows and columns; the vertices of a graph that is not bipartite "
                       "are ordered by frontier",
                       m->name);
    if (a->nrows == a->ncols && a->nrows > 0 && m->columns)
        status = find_columns(m, a, &found, err);
    else if (a->nrows == a->ncols && a->nrows > 0 && m->search)
        status = m->search(a, how, &found, err);
    if (!status && pm_run_stopped(how->run))
        status = pm_fail(err, PM_ESTOPPED, "stopped during the search for an order");
    if (status)
        pm_ordering_free(&found);
    else
        *out = found;
    return status;
}
