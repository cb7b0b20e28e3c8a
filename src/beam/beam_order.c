/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/beam_order.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "order/state_count.h"
#include "pm/alloc.h"

#define LONG_RUN 2 /* seconds, that a search needs no more than PM_ORDER_SEARCH_SHARE of */

/* *bits = log2 of an upper bound of the states of the widest level of the order. */
static pm_status widest_level(const pm_block_graph *g, const pm_vertex_order *o, double *bits,
                              pm_error *err)
{
    pm_vertex_order_step *point = pm_alloc_array(o->len + 1, sizeof *point);
    if (!point)
        return pm_fail_memory(err, "an order");
    double cost;
    pm_status status = pm_vertex_order_cost_steps(g, o, point, &cost, err);
    *bits = 0;
    for (int32_t t = 0; t < o->len && !status; ++t)
        *bits = fmax(*bits, pm_state_bound_log2(g, point[t].singles, point[t].sum));
    free(point);
    return status;
}

static pm_status keep_if_narrower(const pm_block_graph *g, const pm_vertex_order *o,
                                  pm_vertex_order *best, double *least, pm_error *err)
{
    double bits;
    pm_status status = widest_level(g, o, &bits, err);
    if (!status && bits < *least) {
        pm_vertex_order_copy(g, best, o);
        *least = bits;
    }
    return status;
}

static pm_status order_without_search(const pm_block_graph *g, const pm_run *run,
                                      pm_vertex_order *best, pm_error *err)
{
    pm_vertex_order o = {0};
    double least = INFINITY;
    int64_t work = 0;
    pm_status status = pm_vertex_order_alloc(g, &o, err);
    if (!status && !(status = pm_vertex_order_bfs(g, 0, &o, err)))
        status = keep_if_narrower(g, &o, best, &least, err);
    const int last = g->is_partial ? PM_GREEDY_MIXED : PM_GREEDY_COLUMNS; /* one set has no sides */
    for (int mode = PM_GREEDY_MIXED; mode <= last && !status; ++mode) {
        status = pm_vertex_order_greedy(g, 0, (pm_greedy_mode)mode, NULL, run, &o, &work, err);
        if (!status)
            status = keep_if_narrower(g, &o, best, &least, err);
    }
    pm_vertex_order_free(&o);
    return status;
}

pm_status pm_beam_order_find(const pm_matrix *a, bool is_general, uint64_t seed, const pm_run *run,
                             pm_block_graph *g, pm_vertex_order *o, pm_error *err)
{
    const pm_search_limits limits = {
        .rival = LONG_RUN, .left = INFINITY, .least = PM_GLANCE_SECONDS, .most = INFINITY};
    pm_status status;
    int64_t lines = a->nrows > a->ncols ? a->nrows : a->ncols;
    int32_t *ones = pm_alloc_array(lines, sizeof *ones);
    if (!ones)
        return pm_fail_memory(err, "an order");
    for (int64_t i = 0; i < lines; ++i)
        ones[i] = 1;
    const pm_block block = {
        .a = *a, .row_cap = ones, .col_cap = ones, .n = a->nrows, .general = is_general};
    status = pm_block_graph_make(&block, g, err);
    free(ones);
    if (status)
        return status;
    status = pm_vertex_order_search(g, seed, PM_ORDER_BEAM_SECONDS, limits, run, o, err);
    if (status == PM_UNABLE) {
        status = pm_vertex_order_alloc(g, o, err);
        if (!status)
            status = order_without_search(g, run, o, err);
    }
    if (status) {
        pm_vertex_order_free(o);
        pm_block_graph_free(g);
    }
    return status;
}
