/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulated annealing over vertex orders.
 *
 * A move takes one vertex out of the order and inserts it elsewhere.  The frontier after a step
 * depends only on the set of processed vertices, so only the cost of the steps between the two
 * positions is computed again.  All other vertices keep their sequence, so only the neighbours of
 * the vertex can get another first or last neighbour.  The objective is log2 of the total cost; the
 * temperature falls geometrically. */
#include "config.h"

#include "order/vertex_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "pm/alloc.h"

enum { CHECK_MOVES = 256 }; /* moves from one check of the stop flag to the next */

#define HOT  0.5
#define COLD 0.003
#define HOT_MOVES                                                                                  \
    400 /* for each vertex; fewer moves begin colder, or they end far from a good order */
/* A cost that is worse by so many times the temperature is taken with a probability below 2^-40. */
#define NEVER 40

typedef struct {
    const pm_block_graph *g;
    pm_vertex_order *o;
    pm_vertex_order_step *step, *trial; /* o->len entries; trial: with the current move */
    pm_vertex_ends *ends;               /* of o */
    pm_vertex_ends *before;  /* of the neighbours of the vertex that moves, before the move */
    int64_t work, step_work; /* of all cost functions so far; of a step that is computed again */
    int64_t cost_work;       /* of pm_vertex_order_cost_all */
} annealing;

/* Append the vertices that are not in the order, where they cost nothing, so that moves can choose
 * them. */
static void complete(const pm_block_graph *g, pm_vertex_order *o)
{
    for (int32_t v = 0; v < g->nv; ++v)
        if (g->cap[v] == 1 && o->pos[v] == INT32_MAX) {
            o->pos[v] = o->len;
            o->seq[o->len++] = v;
        }
}

/* Move the vertex at position `from` to position `to`. */
static void shift(pm_vertex_order *o, int32_t from, int32_t to)
{
    int32_t v = o->seq[from];
    int32_t step = from < to ? 1 : -1;
    for (int32_t t = from; t != to; t += step) {
        o->seq[t] = o->seq[t + step];
        o->pos[o->seq[t]] = t;
    }
    o->seq[to] = v;
    o->pos[v] = to;
}

/* Of the neighbours of u, the one that comes first (sign 1) or last (-1). */
static int32_t outermost(const annealing *s, int32_t u, int32_t sign)
{
    const pm_block_graph *g = s->g;
    int32_t best = g->adj[g->ptr[u]];
    for (int64_t i = g->ptr[u] + 1; i < g->ptr[u + 1]; ++i)
        if (sign * s->o->pos[g->adj[i]] < sign * s->o->pos[best])
            best = g->adj[i];
    return best;
}

/* Updates the ends after v has moved, to a later position or to an earlier one. */
static void update_ends(annealing *s, int32_t v, bool is_later)
{
    const int32_t *pos = s->o->pos;
    for (int64_t i = s->g->ptr[v]; i < s->g->ptr[v + 1]; ++i) {
        int32_t u = s->g->adj[i];
        pm_vertex_ends *e = &s->ends[u];
        s->before[i - s->g->ptr[v]] = *e;
        if (is_later) {
            e->last = pos[v] > pos[e->last] ? v : e->last;
            e->first = e->first == v ? outermost(s, u, 1) : e->first;
        } else {
            e->first = pos[v] < pos[e->first] ? v : e->first;
            e->last = e->last == v ? outermost(s, u, -1) : e->last;
        }
    }
}

static void restore_ends(annealing *s, int32_t v)
{
    for (int64_t i = s->g->ptr[v]; i < s->g->ptr[v + 1]; ++i)
        s->ends[s->g->adj[i]] = s->before[i - s->g->ptr[v]];
}

/* Mostly a near position; sometimes any position, but so rarely that long windows do not dominate
 * the work. */
static int32_t draw_target(uint64_t *rng, int32_t from, int32_t len)
{
    int32_t reach = 2 << pm_rng_below(rng, 5);
    if (reach >= len || pm_rng_below(rng, len < 512 ? 64 : (uint32_t)len / 8) == 0)
        return (int32_t)pm_rng_below(rng, (uint32_t)len);
    int32_t d = 1 + (int32_t)pm_rng_below(rng, (uint32_t)reach);
    int32_t to = pm_rng_next(rng) & 1 ? from + d : from - d;
    return to < 0 ? 0 : to >= len ? len - 1 : to;
}

/* The cost after the move, or NAN when memory runs out. */
static double cost_after(annealing *s, int32_t first, int32_t last, double total, pm_error *err)
{
    if (!s->g->all_single) {
        s->work += s->cost_work;
        return pm_vertex_order_cost_all(s->g, s->o, err) ? NAN : s->o->cost;
    }
    if (first)
        s->trial[first - 1] = s->step[first - 1];
    double after = pm_vertex_order_cost_range(s->g, s->o, s->ends, first, last, s->trial);
    double before = 0;
    for (int32_t t = first; t <= last; ++t)
        before += s->step[t].cost;
    s->work += (int64_t)(last - first + 1) * s->step_work;
    return total - before + after;
}

static double recount(annealing *s, pm_error *err)
{
    if (s->g->all_single)
        return s->o->cost =
                   pm_vertex_order_cost_range(s->g, s->o, s->ends, 0, s->o->len - 1, s->step);
    return pm_vertex_order_cost_all(s->g, s->o, err) ? NAN : s->o->cost;
}

/* Whether a cost that is so many times the cost before is taken. */
static bool is_taken(double ratio, double temperature, uint64_t *rng)
{
    if (ratio <= 1)
        return true;
    double worse = log2(ratio), unit = pm_rng_unit(rng);
    return worse < NEVER * temperature && unit < exp2(-worse / temperature);
}

/* Make the moves, and leave the best order in s->o.  best: scratch. */
static pm_status run_moves(annealing *s, pm_vertex_order *best, uint64_t rng, int64_t moves,
                           const pm_run *run, pm_error *err)
{
    const pm_block_graph *g = s->g;
    pm_vertex_order *o = s->o;
    const double hot = fmax(COLD, HOT * fmin(1, (double)moves / o->len / HOT_MOVES));
    const double cooling = pow(COLD / hot, 1 / (double)moves);
    double total = recount(s, err), temperature = hot;
    pm_vertex_order_copy(g, best, o);
    for (int64_t m = 0; m < moves && isfinite(total); ++m) {
        if (m % CHECK_MOVES == 0 && pm_run_stopped(run))
            break;
        if (m % 4096 == 4095) { /* the running total has rounding errors */
            total = recount(s, err);
            if (total < best->cost)
                pm_vertex_order_copy(g, best, o);
        }
        temperature *= cooling;
        int32_t from = (int32_t)pm_rng_below(&rng, (uint32_t)o->len);
        int32_t to = draw_target(&rng, from, o->len);
        if (from == to)
            continue;
        int32_t first = from < to ? from : to, last = from < to ? to : from;
        int32_t v = o->seq[from];
        shift(o, from, to);
        if (g->all_single)
            update_ends(s, v, from < to);
        double after = cost_after(s, first, last, total, err);
        if (is_taken(after / total, temperature, &rng)) {
            total = after;
            if (g->all_single)
                memcpy(s->step + first, s->trial + first,
                       (size_t)(last - first + 1) * sizeof *s->step);
        } else {
            shift(o, to, from);
            if (g->all_single)
                restore_ends(s, v);
        }
    }
    total = recount(s, err);
    if (isnan(total))
        return PM_ENOMEM; /* pm_vertex_order_cost_all has set the message */
    if (best->cost < total)
        pm_vertex_order_copy(g, o, best);
    return PM_OK;
}

pm_status pm_vertex_order_anneal(const pm_block_graph *g, pm_vertex_order *o, uint64_t seed,
                                 uint64_t chain, int64_t moves, const pm_run *run, int64_t *work,
                                 pm_error *err)
{
    pm_status status = PM_OK;
    annealing s = {.g = g, .o = o, .cost_work = pm_vertex_order_cost_work(g)};
    pm_vertex_order best = {0};
    uint64_t rng = seed * UINT64_C(0x2545f4914f6cdd1d) + chain;

    complete(g, o);
    if (o->len < 3)
        return PM_OK;
    int64_t degree = 0;
    for (int32_t v = 0; v < g->nv; ++v)
        degree = g->ptr[v + 1] - g->ptr[v] > degree ? g->ptr[v + 1] - g->ptr[v] : degree;
    s.step_work = pm_vertex_order_step_work(g);
    s.step = pm_alloc_array(o->len, sizeof *s.step);
    s.trial = pm_alloc_array(o->len, sizeof *s.trial);
    s.ends = pm_alloc_array(g->all_single ? g->nv : 0, sizeof *s.ends);
    s.before = pm_alloc_array(degree, sizeof *s.before);
    if (!s.step || !s.trial || !s.ends || !s.before)
        status = pm_fail_memory(err, "annealing");
    if (!status && g->all_single)
        pm_vertex_order_find_ends(g, o, s.ends);
    if (!status)
        status = pm_vertex_order_alloc(g, &best, err);
    if (!status)
        status = run_moves(&s, &best, rng, moves, run, err);
    if (!status)
        *work += s.work;
    free(s.step);
    free(s.trial);
    free(s.ends);
    free(s.before);
    pm_vertex_order_free(&best);
    return status;
}
