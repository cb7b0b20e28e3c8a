/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planner/order_figures.h"

#include <math.h>
#include <stdlib.h>

#include "core/philox.h"
#include "number/prime.h"
#include "order/column_order.h"
#include "order/register_partition.h"
#include "order/state_count.h"
#include "order/vertex_order.h"
#include "planner/order_methods.h"
#include "pm/alloc.h"
#include "product_tree/tree_plan.h"
#include "sparse/skip.h"
#include "sparse/sparse_ryser.h"

enum {
    BITS = 61, /* of row sums, see pm_square_make */
    SAMPLE_BITS = 16,
    POPULATION = 4096 /* see pm_skip_predict */
};

pm_order_figures pm_order_sizes(const pm_matrix *a)
{
    pm_order_figures x;
#define FORGET(name) x.name = NAN;
    PM_ORDER_FIGURES(FORGET)
    x.rows = (double)a->nrows;
    x.cols = (double)a->ncols;
    x.nnz = (double)pm_matrix_nnz(a);
    return x;
}

/* ---- terms ---- */

/* zeros: share of the terms (of Glynn's form, with signs) in which a row sum is 0, among all terms
 * or a sample of them. */
static void count_zeros(const pm_terms *t, uint64_t seed, pm_order_figures *x)
{
    bool all = t->flips <= SAMPLE_BITS;
    uint64_t mask = pm_terms_count(t) - 1, samples = all ? mask + 1 : UINT64_C(1) << SAMPLE_BITS;
    uint64_t zeros = 0, at = 0;
    pm_random random = {.seed = seed};
    pm_row_sums sums;
    pm_row_sums_at(t, 0, &sums);
    for (uint64_t k = 0; k < samples; ++k) {
        uint64_t index = all ? k : pm_random_bits(&random) & mask;
        pm_row_sums_move(t, at, index, &sums);
        at = index;
        zeros += sums.zeros != 0;
    }
    x->zeros = (double)zeros / (double)samples;
    x->samples = (double)samples;
}

static pm_status measure_zeros(const pm_square *s, uint64_t seed, pm_order_figures *x,
                               pm_error *err)
{
    pm_terms t = {0};
    pm_column_order order;
    pm_column_order_given(s->n, &order);
    pm_status status = pm_terms_make(s, PM_FORM_SIGNS, &order, &t, err);
    if (!status)
        count_zeros(&t, seed, x);
    pm_terms_free(&t);
    return status;
}

/* Signs or the balanced form, whichever has fewer visits. */
static pm_status measure_visits(const pm_square *s, pm_order_figures *x, pm_error *err)
{
    static const pm_form forms[] = {PM_FORM_SIGNS, PM_FORM_BALANCED};
    double least = INFINITY;
    pm_status status = PM_OK;
    for (int i = 0; i < 2 && !status; ++i) {
        pm_skip_choice choice = {.form = forms[i], .keep_order = true};
        pm_skip_estimate e;
        status = pm_skip_predict(s, &choice, POPULATION, &e, err);
        if (!status)
            least = fmin(least, e.visits);
    }
    if (status == PM_UNABLE) /* n = 64: only signs */
        status = PM_OK;
    if (!status)
        x->visits = ldexp(least, 1 - s->n);
    return status;
}

/* Integers that do not fit a word are taken modulo a prime of 54 bits: a row sum that is not 0
 * becomes 0 with probability about 10^-16. */
static pm_status make_square(const pm_block *b, pm_square *s, pm_error *err)
{
    pm_status status = pm_square_make(b, false, BITS, 0, s, err);
    if (status != PM_UNABLE)
        return status;
    return pm_square_make(b, false, BITS, pm_prime_below(UINT64_C(1) << (BITS - 6)), s, err);
}

static pm_status measure_terms(const pm_block *b, uint64_t seed, pm_order_figures *x, pm_error *err)
{
    pm_square s = {0};
    pm_status status = make_square(b, &s, err);
    if (!status)
        status = measure_zeros(&s, seed, x, err);
    if (!status)
        status = measure_visits(&s, x, err);
    pm_square_free(&s);
    return status;
}

/* ---- trees of products ---- */

static pm_status measure_tree(const pm_pattern *a, pm_order_figures *x, pm_error *err)
{
    pm_tree_plan plan;
    pm_tree_options options = {.eliminated = 0, .keep_order = true};
    pm_status status = pm_tree_plan_make(a, &options, &plan, err);
    if (status)
        return status;
    x->tree = ldexp(pm_tree_operations(&plan), 1 - a->n);
    options.eliminated = PM_TREE_ANY;
    status = pm_tree_plan_make(a, &options, &plan, err);
    if (status)
        return status;
    x->eliminated = plan.eliminated;
    x->eliminating = ldexp(pm_tree_operations(&plan), 1 - a->n);
    return PM_OK;
}

static pm_status measure_columns(const pm_matrix *a, pm_order_figures *x, pm_error *err)
{
    pm_pattern_copy pattern = {0};
    pm_status status = pm_pattern_make(a, &pattern, err);
    if (status)
        return status;
    const pm_pattern *p = &pattern.of;
    pm_register_partition partition = pm_register_partition_choose(p);
    x->updates = pm_column_order_updates(p, NULL);
    x->dense = 2.0 * p->n;
    x->sparse = x->updates + p->n;
    if (partition.c > 0) {
        x->k = partition.k;
        x->c = partition.c;
        x->registers = 2.0 * partition.k;
    }
    if (p->n <= PM_SQUARE_MAX)
        status = measure_tree(p, x, err);
    pm_pattern_free(&pattern);
    return status;
}

/* ---- the frontier ---- */

static void widest(const pm_vertex_order_step *point, int32_t count, pm_order_figures *x)
{
    x->frontier = x->states = 0;
    for (int32_t t = 0; t < count; ++t) {
        x->frontier = fmax(x->frontier, point[t].singles);
        x->states = fmax(x->states, pm_binomial(point[t].singles, point[t].sum));
    }
}

/* g has no twins. */
static pm_status walk(const pm_block_graph *g, const pm_matrix *a, const int32_t *vertices,
                      pm_order_figures *x, pm_error *err)
{
    pm_vertex_order o = {0};
    pm_vertex_order_step *point = pm_alloc_array(g->nv, sizeof *point);
    pm_status status =
        point ? pm_vertex_order_alloc(g, &o, err) : pm_fail_memory(err, "the frontier");
    if (!status && !vertices)
        status = pm_vertex_order_natural(a, o.seq, err);
    if (!status) {
        o.len = g->nv;
        for (int32_t t = 0; t < g->nv; ++t) {
            o.seq[t] = vertices ? vertices[t] : o.seq[t];
            o.pos[o.seq[t]] = t;
        }
        status = pm_vertex_order_cost_steps(g, &o, point, &x->cost, err);
    }
    if (!status)
        widest(point, o.len, x);
    pm_vertex_order_free(&o);
    free(point);
    return status;
}

static pm_status measure_frontier(const pm_block *b, const int32_t *vertices, pm_order_figures *x,
                                  pm_error *err)
{
    pm_block_graph g = {0};
    pm_status status = pm_block_graph_make(b, &g, err);
    if (!status)
        status = walk(&g, &b->a, vertices, x, err);
    pm_block_graph_free(&g);
    return status;
}

/* ---- all ---- */

pm_status pm_order_measure(const pm_matrix *a, const int32_t *vertices, uint64_t seed,
                           pm_order_figures *out, pm_error *err)
{
    pm_order_figures x = pm_order_sizes(a);
    pm_block b = {0};
    pm_status status = PM_OK;
    if (a->nrows == a->ncols && a->nrows > 0) {
        status = pm_order_block_make(a, &b, err);
        if (!status)
            status = measure_columns(a, &x, err);
        if (!status && a->nrows <= PM_SQUARE_MAX)
            status = measure_terms(&b, seed, &x, err);
        if (!status)
            status = measure_frontier(&b, vertices, &x, err);
        pm_order_block_free(&b);
    }
    if (!status)
        *out = x;
    return status;
}
