/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules for vertices of few edges.
 *
 * Degree 0: the vertex stays alone, with the weight of its loop; without a loop the hafnian is 0.
 * Degree 1, an edge of weight w to u: either u is left to the vertex, w, or the vertex stays alone, l.
 *   Without a loop (l = 0) both vertices go, with the factor w.  Otherwise the vertex goes, the edges of u
 *   are multiplied by l, and the loop of u becomes l * (loop of u) + w.
 * Degree 2 without a loop, edges a to u and b to v: the vertex is matched to one of the two, and the other one is
 *   matched to another vertex or stays alone.  So the vertex and the edge u v go, and u and v become one vertex
 *   with the lines b * (line of u) + a * (line of v), loops too (for permanents: Forbert and Marx 2003).
 *   The edges of the vertex with fewer edges are moved to the other one.
 *
 * Merges are done in the sequence of their cost: along a chain this merges pieces of equal length, and vertices of
 * high degree come last. */
#include "config.h"

#include "general/general_graph.h"

/* Bits of the longest mantissa that a rule may make of real or complex numbers.  Integers have no limit, because
 * their count must be exact anyway. */
#define MANTISSA_MAX 4096
/* No common divisor is computed for two values with more bits together. */
#define DIVISOR_MAX 512

static bool is_exact(const pm_general_graph *g)
{
    return g->field == PM_PATTERN || g->field == PM_INTEGER;
}

static int64_t length_of(const pm_cnum *x)
{
    int64_t low, top;
    if (pm_cnum_is_zero(x))
        return 0;
    pm_cnum_range(x, &low, &top);
    return top - low;
}

/* The longest number at v. */
static int64_t longest(const pm_general_graph *g, int32_t v)
{
    int64_t most = length_of(&g->loop[v]);
    for (int32_t e = g->vertex[v].head; e >= 0; e = pm_general_next(g, v, e)) {
        int64_t bits = length_of(&g->value[e]);
        most = bits > most ? bits : most;
    }
    return most;
}

static void take_factor(pm_general_graph *g, const pm_cnum *f)
{
    if (!pm_cnum_is_one(f))
        pm_cproduct_push(&g->factor, f);
}

/* Multiplies the edges of v, but not its loop. */
static void multiply_edges(pm_general_graph *g, int32_t v, const pm_cnum *f)
{
    if (pm_cnum_is_one(f))
        return;
    for (int32_t e = g->vertex[v].head; e >= 0; e = pm_general_next(g, v, e))
        pm_cnum_mul(&g->value[e], &g->value[e], f);
}

/* ---- degree 0 and 1 ---- */

static void leave_alone(pm_general_graph *g, int32_t v)
{
    if (pm_cnum_is_zero(&g->loop[v]))
        g->zero = true;
    else
        take_factor(g, &g->loop[v]);
    pm_general_remove(g, v);
}

/* False, and nothing is done, where real or complex numbers would become too long. */
static bool fold_leaf(pm_general_graph *g, int32_t v)
{
    const int32_t e = g->vertex[v].head, u = pm_general_other(g, v, e);
    if (pm_cnum_is_zero(&g->loop[v])) {
        take_factor(g, &g->value[e]);
        pm_general_remove(g, v);
        pm_general_remove(g, u);
        return true;
    }
    if (!is_exact(g) && longest(g, u) + length_of(&g->loop[v]) > MANTISSA_MAX)
        return false;
    pm_cnum weight = {0}, alone = {0};
    pm_cnum_set(&weight, &g->value[e]);
    pm_cnum_set(&alone, &g->loop[v]);
    pm_general_remove(g, v);
    multiply_edges(g, u, &alone);
    pm_cnum_mul(&g->loop[u], &g->loop[u], &alone);
    pm_cnum_add(&g->loop[u], &g->loop[u], &weight);
    pm_cnum_clear(&weight);
    pm_cnum_clear(&alone);
    return true;
}

/* ---- degree 2 ---- */

typedef struct {
    int32_t large, small; /* the two neighbours, by their degrees */
    pm_cnum to_large, to_small;
} pair;

static void pair_clear(pair *p)
{
    pm_cnum_clear(&p->to_large);
    pm_cnum_clear(&p->to_small);
}

static double merge_cost(const pm_general_graph *g, int32_t v)
{
    const int32_t e = g->vertex[v].head, f = pm_general_next(g, v, e);
    const int32_t a = pm_general_other(g, v, e), b = pm_general_other(g, v, f);
    const int64_t p = longest(g, a), q = longest(g, b);
    return ((double)g->vertex[a].degree + g->vertex[b].degree) * (double)(p > q ? p : q);
}

static pair pair_at(const pm_general_graph *g, int32_t v)
{
    int32_t e = g->vertex[v].head, f = pm_general_next(g, v, e);
    if (g->vertex[pm_general_other(g, v, e)].degree < g->vertex[pm_general_other(g, v, f)].degree) {
        int32_t swap = e;
        e = f;
        f = swap;
    }
    pair p = {.large = pm_general_other(g, v, e), .small = pm_general_other(g, v, f)};
    pm_cnum_set(&p.to_large, &g->value[e]);
    pm_cnum_set(&p.to_small, &g->value[f]);
    return p;
}

/* Divides both weights by their greatest common divisor, which goes into the factor. */
static void divide_out(pm_general_graph *g, pair *p)
{
    pm_cnum divisor = {0};
    if (pm_cnum_is_one(&p->to_large) || pm_cnum_is_one(&p->to_small)
        || pm_cnum_bits(&p->to_large) + pm_cnum_bits(&p->to_small) > DIVISOR_MAX)
        return;
    pm_cnum_set(&divisor, &p->to_large);
    pm_cnum_gcd(&divisor, &p->to_small);
    pm_cnum_div(&p->to_large, &p->to_large, &divisor);
    pm_cnum_div(&p->to_small, &p->to_small, &divisor);
    take_factor(g, &divisor);
    pm_cnum_clear(&divisor);
}

static bool is_too_long(const pm_general_graph *g, const pair *p)
{
    const int64_t large = longest(g, p->large) + length_of(&p->to_small);
    const int64_t small = longest(g, p->small) + length_of(&p->to_large);
    return !is_exact(g) && large + small > MANTISSA_MAX;
}

/* An edge between the two cannot be in a perfect matching: the vertex of degree 2 would have no partner. */
static void unlink_between(pm_general_graph *g, int32_t a, int32_t b)
{
    for (int32_t e = g->vertex[a].head, next; e >= 0; e = next) {
        next = pm_general_next(g, a, e);
        if (pm_general_other(g, a, e) == b)
            pm_general_unlink(g, e);
    }
}

/* The mark of each neighbour of v: the edge to it, or -1. */
static void mark_neighbours(pm_general_graph *g, int32_t v, bool with_edges)
{
    for (int32_t e = g->vertex[v].head; e >= 0; e = pm_general_next(g, v, e))
        g->vertex[pm_general_other(g, v, e)].mark = with_edges ? e : -1;
}

/* Adds the edge e of `small` to the one of `large` to the same vertex, or moves it there. */
static void join_edge(pm_general_graph *g, int32_t e, int32_t small, int32_t large)
{
    const int32_t to = pm_general_other(g, small, e), partner = g->vertex[to].mark;
    g->vertex[to].mark = -1;
    if (partner < 0) {
        pm_general_move(g, e, small, large);
        pm_general_list(g, to);
        return;
    }
    pm_cnum_add(&g->value[partner], &g->value[partner], &g->value[e]);
    pm_general_unlink(g, e);
    if (pm_cnum_is_zero(&g->value[partner])) {
        g->has_cancelled = true;
        pm_general_unlink(g, partner);
    }
}

static bool merge(pm_general_graph *g, int32_t v)
{
    pair p = pair_at(g, v);
    if (is_too_long(g, &p)) {
        pair_clear(&p);
        return false;
    }
    divide_out(g, &p);
    pm_general_remove(g, v);
    unlink_between(g, p.large, p.small);
    /* the line of each is multiplied by the weight of the edge to the other */
    multiply_edges(g, p.large, &p.to_small);
    multiply_edges(g, p.small, &p.to_large);
    pm_cnum_mul(&g->loop[p.large], &g->loop[p.large], &p.to_small);
    pm_cnum_mul(&g->loop[p.small], &g->loop[p.small], &p.to_large);
    pm_cnum_add(&g->loop[p.large], &g->loop[p.large], &g->loop[p.small]);
    pm_cnum_clear(&g->loop[p.small]);
    mark_neighbours(g, p.large, true);
    g->vertex[p.small].is_removed = true;
    for (int32_t e; (e = g->vertex[p.small].head) >= 0;)
        join_edge(g, e, p.small, p.large);
    mark_neighbours(g, p.large, false);
    pm_general_list(g, p.large);
    pair_clear(&p);
    return true;
}

/* ---- all rules ---- */

typedef struct {
    bool degree1, degree2;
    double limit; /* costlier merges are left for a later round */
    bool has_left;
} round_of_rules;

static void apply_rule(pm_general_graph *g, int32_t v, round_of_rules *r)
{
    const pm_general_vertex *x = &g->vertex[v];
    if (x->is_removed)
        return;
    if (x->degree == 0 && r->degree1) {
        leave_alone(g, v);
    } else if (x->degree == 1 && r->degree1) {
        fold_leaf(g, v);
    } else if (x->degree == 2 && r->degree2 && pm_cnum_is_zero(&g->loop[v])) {
        if (merge_cost(g, v) <= r->limit)
            merge(g, v);
        else
            r->has_left = true;
    }
}

static void list_all(pm_general_graph *g)
{
    for (int64_t v = 0; v < g->n; ++v)
        pm_general_list(g, (int32_t)v);
}

pm_status pm_general_apply_rules(pm_general_graph *g, bool degree1, bool degree2, const pm_run *run,
                                 pm_error *err)
{
    round_of_rules r = {degree1, degree2, 16, true};
    for (; r.has_left && !g->zero; r.limit *= 4) {
        r.has_left = false;
        for (int64_t k = 0; g->nlisted > 0 && !g->zero; ++k) {
            const int32_t v = g->listed[--g->nlisted];
            g->vertex[v].is_listed = false;
            if (k % 1024 == 1023 && pm_run_stopped(run))
                return pm_fail(err, PM_ESTOPPED, "stopped during reductions");
            apply_rule(g, v, &r);
        }
        if (r.has_left)
            list_all(g);
    }
    return PM_OK;
}
