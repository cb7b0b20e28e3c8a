/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of an order, from the positions of neighbours alone.
 *
 * Step t processes v.  An unprocessed neighbour u of v (they are all on the other side)
 *   enters  if v is the first neighbour of u that is processed,
 *   leaves  if v is the last one: u must be matched after the step,
 *   stays   if it is neither, and is `both` if it enters and leaves in the same step.
 * A predecessor of the step has fixed digits for v, for the neighbour that v is matched to and for
 * all neighbours that leave.  Only the sum of its other digits is fixed, so each choice of a
 * partner counts C(free digits, remaining sum) transitions. */
#include "config.h"

#include "order/vertex_order.h"

#include <math.h>
#include <stdlib.h>

#include "order/state_count.h"
#include "pm/alloc.h"

typedef struct {
    bool v_inside; /* v is in the frontier before the step */
    int32_t enter, leave, stay, both;
} step_kinds;

void pm_vertex_order_find_ends(const pm_block_graph *g, const pm_vertex_order *o,
                               pm_vertex_ends *ends)
{
    for (int32_t u = 0; u < g->nv; ++u) {
        pm_vertex_ends e = {u, u};
        for (int64_t i = g->ptr[u]; i < g->ptr[u + 1]; ++i) {
            int32_t w = g->adj[i];
            if (i == g->ptr[u] || o->pos[w] < o->pos[e.first])
                e.first = w;
            if (i == g->ptr[u] || o->pos[w] > o->pos[e.last])
                e.last = w;
        }
        ends[u] = e;
    }
}

/* Returns false when v has left before step t, that is, when all its neighbours come earlier. */
static bool classify(const pm_block_graph *g, const int32_t *pos, const pm_vertex_ends *ends,
                     int32_t v, int32_t t, step_kinds *s)
{
    *s = (step_kinds){.v_inside = pos[ends[v].first] < t};
    if (pos[ends[v].last] <= t)
        return false;
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i) {
        int32_t u = g->adj[i];
        if (pos[u] < t)
            continue;
        bool enters = ends[u].first == v, leaves = ends[u].last == v;
        s->both += enters && leaves;
        s->enter += enters && !leaves;
        s->leave += leaves && !enters;
        s->stay += !enters && !leaves;
    }
    return true;
}

/* Transitions of a step where all vertices must be matched in the end.
 * f, sum: vertices of the frontier and their digit sum before the step. */
static double transitions(bool is_row, const step_kinds *s, int32_t f, int64_t sum)
{
    int32_t in = s->v_inside, rest = f - in - s->leave;
    double c = 0;
    if (is_row) {
        /* v matched: digit 0, unmatched 1; neighbours (columns) matched 1 */
        if (!s->both) {
            if (in)
                c += pm_binomial(rest, sum - s->leave);
            if (s->stay)
                c += s->stay * pm_binomial(rest - 1, sum - in - s->leave);
            if (s->leave)
                c += s->leave * pm_binomial(rest, sum - in - s->leave + 1);
        }
        if (s->both < 2)
            c += (s->both ? s->both : s->enter) * pm_binomial(rest, sum - in - s->leave);
    } else {
        /* v matched: digit 1, unmatched 0; neighbours (rows) matched 0, unmatched 1 */
        if (!s->both) {
            if (in)
                c += pm_binomial(rest, sum - 1);
            if (s->stay)
                c += s->stay * pm_binomial(rest - 1, sum - 1);
            if (s->leave)
                c += s->leave * pm_binomial(rest, sum - 1);
        }
        if (s->both < 2)
            c += (s->both ? s->both : s->enter) * pm_binomial(rest, sum);
    }
    return c;
}

/* The same where vertices may stay unmatched: v is matched to each neighbour in half of the states,
 * or to none. */
static double partial_transitions(const step_kinds *s, int32_t f)
{
    int32_t in = s->v_inside, edges = s->enter + s->leave + s->stay + s->both;
    return exp2(f - in + s->enter + s->both) * (1 + in + 0.5 * edges);
}

double pm_vertex_order_cost_range(const pm_block_graph *g, const pm_vertex_order *o,
                                  const pm_vertex_ends *ends, int32_t first, int32_t last,
                                  pm_vertex_order_step *step)
{
    double total = 0;
    pm_vertex_order_step p = first ? step[first - 1] : (pm_vertex_order_step){0};
    for (int32_t t = first; t <= last; ++t) {
        int32_t v = o->seq[t];
        bool is_row = pm_block_graph_is_row(g, v);
        step_kinds s;
        p.cost = 0;
        if (classify(g, o->pos, ends, v, t, &s)) {
            int32_t in = s.v_inside;
            p.cost = g->is_partial ? partial_transitions(&s, p.singles)
                                   : transitions(is_row, &s, p.singles, p.sum);
            p.sum += is_row ? 1 - in - s.leave - s.both : s.enter + s.both - 1;
            p.singles += s.enter - in - s.leave;
            p.cost += pm_state_bound(g, p.singles, p.sum);
        }
        step[t] = p;
        total += p.cost;
    }
    return total;
}

int64_t pm_vertex_order_step_work(const pm_block_graph *g)
{
    return 10 + 5 * g->ptr[g->nv] / (2 * g->nv);
}

pm_status pm_vertex_order_cost_steps(const pm_block_graph *g, const pm_vertex_order *o,
                                     pm_vertex_order_step *step, double *cost, pm_error *err)
{
    pm_vertex_ends *ends = pm_alloc_array(g->nv, sizeof *ends);
    if (!ends)
        return pm_fail_memory(err, "frontier cost");
    pm_vertex_order_find_ends(g, o, ends);
    *cost = pm_vertex_order_cost_range(g, o, ends, 0, o->len - 1, step);
    free(ends);
    return PM_OK;
}

/* ---- larger capacities ---- */

/* The frontier while an order is followed. */
typedef struct {
    const pm_block_graph *g;
    int32_t *processed; /* of each vertex: neighbours processed */
    int32_t *wide;      /* frontier vertices of capacity above 1 */
    int32_t nwide;
    int32_t singles;    /* frontier vertices of capacity 1 */
    int32_t sum_single; /* rows among them */
    int32_t k;          /* finished rows less finished columns, by capacity */
    pm_digit_ways ways; /* of the wide digits */
} frontier;

/* How often a class of twins can be matched: lo to hi times. */
static void bounds(const frontier *w, int32_t u, int32_t *lo, int32_t *hi)
{
    int32_t done = w->processed[u], cap = w->g->cap[u];
    int32_t open = (int32_t)(w->g->ptr[u + 1] - w->g->ptr[u]) - done;
    *lo = cap > open ? cap - open : 0;
    *hi = cap < done ? cap : done;
}

/* The number of states after a step. */
static pm_status count_states(frontier *w, double *states, pm_error *err)
{
    int64_t sum = w->k + w->sum_single;
    pm_status status = pm_digit_ways_begin(&w->ways, err);
    for (int32_t i = 0; i < w->nwide && !status; ++i) {
        int32_t lo, hi;
        bounds(w, w->wide[i], &lo, &hi);
        sum += pm_block_graph_is_row(w->g, w->wide[i]) ? hi : -lo;
        if (hi < lo) {
            *states = 0;
            return PM_OK;
        }
        status = pm_digit_ways_add(&w->ways, hi - lo, err);
    }
    if (status)
        return status;
    *states = w->g->is_partial ? exp2(w->singles) : pm_state_count(w->singles, &w->ways, sum);
    return PM_OK;
}

/* u leaves the frontier: all its neighbours are processed, or u itself is. */
static void leave(frontier *w, int32_t u)
{
    if (w->g->cap[u] == 1) {
        --w->singles;
        w->sum_single -= pm_block_graph_is_row(w->g, u);
        return;
    }
    for (int32_t i = 0; i < w->nwide; ++i)
        if (w->wide[i] == u) {
            w->wide[i] = w->wide[--w->nwide];
            return;
        }
}

static void enter(frontier *w, int32_t u)
{
    if (w->g->cap[u] == 1) {
        ++w->singles;
        w->sum_single += pm_block_graph_is_row(w->g, u);
    } else {
        w->wide[w->nwide++] = u;
    }
}

/* Add up the cost of all steps in o->cost. */
static pm_status follow_order(frontier *w, pm_vertex_order *o, pm_error *err)
{
    const pm_block_graph *g = w->g;
    o->cost = 0;
    for (int32_t t = 0; t < o->len; ++t) {
        int32_t v = o->seq[t];
        int32_t degree = (int32_t)(g->ptr[v + 1] - g->ptr[v]), open = 0;
        if (w->processed[v] == degree)
            continue;
        if (w->processed[v])
            leave(w, v);
        w->k += pm_block_graph_is_row(g, v) ? 1 : -1;
        for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i) {
            int32_t u = g->adj[i];
            int32_t before = w->processed[u]++;
            if (o->pos[u] < t)
                continue;
            ++open;
            if (!before)
                enter(w, u);
            if (before + 1 == g->ptr[u + 1] - g->ptr[u]) {
                leave(w, u);
                w->k += pm_block_graph_is_row(g, u) ? g->cap[u] : -g->cap[u];
            }
        }
        double states;
        pm_status status = count_states(w, &states, err);
        if (status)
            return status;
        /* about half of the neighbours are free in a state */
        o->cost += states * (1.5 + 0.5 * open);
    }
    return PM_OK;
}

pm_status pm_vertex_order_cost_all(const pm_block_graph *g, pm_vertex_order *o, pm_error *err)
{
    frontier w = {.g = g};
    w.processed = pm_calloc_array(g->nv, sizeof *w.processed);
    w.wide = pm_alloc_array(g->nv, sizeof *w.wide);
    pm_status status =
        w.processed && w.wide ? follow_order(&w, o, err) : pm_fail_memory(err, "frontier cost");
    free(w.processed);
    free(w.wide);
    pm_digit_ways_free(&w.ways);
    return status;
}

int64_t pm_vertex_order_cost_work(const pm_block_graph *g)
{
    int64_t wide = 0, digits = 0;
    for (int32_t v = 0; v < g->nv && !g->all_single; ++v)
        if (g->cap[v] > 1) {
            ++wide;
            digits += g->cap[v];
        }
    /* sums of some of the wide digits, which reach half of their capacities on average */
    return 2 * g->ptr[g->nv] + g->nv * digits * (wide + 1) / 4;
}
