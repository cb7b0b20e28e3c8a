/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "frontier/frontier_rank.h"
#include "frontier/ring.h"
#include "pm/alloc.h"

#define PERMUTE_GAIN 0.7      /* permute when a step gains this share of what it costs */
enum { PERMUTE_FROM = 1024 }; /* states */

enum { WAITING, INSIDE, GONE };

typedef struct {
    const pm_block_graph *g;
    const pm_vertex_order *o;
    int64_t value_bytes;
    char *where;        /* of each vertex: WAITING, INSIDE the frontier, GONE */
    int32_t *processed; /* neighbours processed */
    int32_t *slots;     /* the layout: vertices, bottom first */
    int32_t nslots;
    int32_t *sorted; /* scratch layout */
    int32_t *touch;  /* time of the next touch, by vertex */
    double *ways;    /* scratch for counting */
    int64_t cap_ways;
    int32_t k; /* rows done - columns done, by capacity */
    pm_frontier_program p;
    int64_t cap_steps, cap_levels;
} compiler;

static int32_t degree(const pm_block_graph *g, int32_t v)
{
    return (int32_t)(g->ptr[v + 1] - g->ptr[v]);
}

static pm_slot slot_of(const compiler *c, int32_t u)
{
    int32_t cap = c->g->cap[u], done = c->processed[u], open = degree(c->g, u) - done;
    int32_t lo = cap > open ? cap - open : 0, hi = cap < done ? cap : done;
    return (pm_slot){u, lo, hi - lo, pm_block_graph_is_row(c->g, u)};
}

/* ---- levels ---- */

/* below[q][s], for the sums s that the slots from q on can make up to the whole: what lies outside
 * may have any size, though the level is small. */
static pm_status count_below(pm_level *l, pm_error *err)
{
    int64_t width = l->sum + 1, above = 0;
    l->below = pm_calloc_array((l->nslots + 1) * width, sizeof *l->below);
    if (!l->below)
        return pm_fail_memory(err, "frontier levels");
    for (int32_t q = 0; q < l->nslots; ++q)
        above += l->slots[q].range;
    l->below[0] = 1;
    for (int32_t q = 0; q < l->nslots; ++q) {
        const int64_t *from = l->below + q * width, range = l->slots[q].range;
        int64_t *to = l->below + (q + 1) * width, window = 0;
        above -= range;
        int64_t least = l->sum > above ? l->sum - above : 0;
        int64_t first = least > range ? least - range : 0;
        for (int64_t s = first; s < width; ++s) {
            if (__builtin_add_overflow(window, from[s], &window) || window >= INT64_C(1) << 62)
                return pm_fail(err, PM_UNABLE,
                               "the frontier has 2^62 states or more, whatever the order tried");
            if (s > first + range)
                window -= from[s - range - 1];
            if (s >= least)
                to[s] = window;
        }
    }
    return PM_OK;
}

static pm_status add_level(compiler *c, pm_error *err)
{
    if (PM_GROW(c->p.levels, c->cap_levels, c->p.nsteps + 1))
        return pm_fail_memory(err, "frontier levels");
    pm_level *l = &c->p.levels[c->p.nsteps];
    *l = (pm_level){.nslots = c->nslots, .sum = c->k};
    ++c->p.nlevels;
    l->slots = pm_alloc_array(c->nslots, sizeof *l->slots);
    if (!l->slots)
        return pm_fail_memory(err, "frontier levels");
    for (int32_t i = 0; i < c->nslots; ++i) {
        pm_slot s = slot_of(c, c->slots[i]);
        l->slots[i] = s;
        l->sum += s.row ? s.lo + s.range : -s.lo;
    }
    if (l->sum < 0) {
        c->p.empty = true;
        return PM_OK;
    }
    pm_status rc = count_below(l, err);
    if (rc)
        return rc;
    l->states = pm_level_below(l, l->nslots, l->sum);
    c->p.empty = c->p.empty || l->states == 0;
    int64_t *side = c->p.nsteps % 2 ? &c->p.odd_states : &c->p.even_states;
    if (l->states > *side)
        *side = l->states;
    if (l->states > c->p.max_states)
        c->p.max_states = l->states;
    return PM_OK;
}

static pm_step *add_step(compiler *c, pm_error *err)
{
    if (PM_GROW(c->p.steps, c->cap_steps, c->p.nsteps + 1)) {
        pm_fail_memory(err, "frontier steps");
        return NULL;
    }
    pm_step *s = &c->p.steps[c->p.nsteps++];
    *s = (pm_step){0};
    return s;
}

/* ---- layouts ---- */

static void note_touches(compiler *c, int32_t t)
{
    for (int32_t i = 0; i < c->nslots; ++i) {
        int32_t u = c->slots[i], next = c->o->pos[u] >= t ? c->o->pos[u] : INT32_MAX;
        for (int64_t j = c->g->ptr[u]; j < c->g->ptr[u + 1]; ++j) {
            int32_t at = c->o->pos[c->g->adj[j]];
            if (at >= t && at < next)
                next = at;
        }
        c->touch[u] = next;
    }
}

/* Lowest slots that step t leaves alone. */
static int32_t untouched(const compiler *c, const int32_t *slots, int32_t t)
{
    int32_t q = 0;
    while (q < c->nslots && c->touch[slots[q]] > t)
        ++q;
    return q;
}

/* Runs that a step falls into when its lowest `low` slots are left alone: the patterns of the
 * upper slots that some lower pattern completes. */
static pm_status count_runs(compiler *c, const int32_t *slots, int32_t low, double *runs,
                            pm_error *err)
{
    int64_t sum = c->k, low_max = 0, nways = 1;
    if (PM_GROW(c->ways, c->cap_ways, 1))
        return pm_fail_memory(err, "frontier layout");
    c->ways[0] = 1;
    for (int32_t i = 0; i < c->nslots; ++i) {
        pm_slot s = slot_of(c, slots[i]);
        sum += s.row ? s.lo + s.range : -s.lo;
        if (i < low) {
            low_max += s.range;
            continue;
        }
        if (PM_GROW(c->ways, c->cap_ways, nways + s.range))
            return pm_fail_memory(err, "frontier layout");
        for (int32_t e = 0; e < s.range; ++e)
            c->ways[nways++] = 0;
        for (int64_t d = nways - 1; d >= 0; --d)
            for (int64_t e = 1; e <= s.range && e <= d; ++e)
                c->ways[d] += c->ways[d - e];
    }
    *runs = 0;
    for (int64_t d = sum - low_max > 0 ? sum - low_max : 0; d < nways && d <= sum; ++d)
        *runs += c->ways[d];
    return PM_OK;
}

typedef struct {
    int32_t touch, vertex;
} touch_of;

static int farthest_first(const void *a, const void *b)
{
    const touch_of *x = a, *y = b;
    if (x->touch != y->touch)
        return x->touch < y->touch ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static pm_status sort_layout(compiler *c, pm_error *err)
{
    touch_of *order = pm_alloc_array(c->nslots, sizeof *order);
    if (!order)
        return pm_fail_memory(err, "frontier layout");
    for (int32_t i = 0; i < c->nslots; ++i)
        order[i] = (touch_of){c->touch[c->slots[i]], c->slots[i]};
    qsort(order, (size_t)c->nslots, sizeof *order, farthest_first);
    for (int32_t i = 0; i < c->nslots; ++i)
        c->sorted[i] = order[i].vertex;
    free(order);
    return PM_OK;
}

static double seconds_of_run(int branches)
{
    return PM_FRONTIER_RUN_SECONDS + branches * PM_FRONTIER_BRANCH_SECONDS;
}

/* Of a state. */
static double seconds_to_permute(int64_t value_bytes)
{
    return PM_FRONTIER_PERMUTE_SECONDS + (double)value_bytes * PM_FRONTIER_COPY_SECONDS;
}

/* Sort the slots before step t if the step gains enough by it. */
static pm_status maybe_permute(compiler *c, int32_t t, int32_t branches, pm_error *err)
{
    pm_status rc;
    double now, then;
    const pm_level *l = &c->p.levels[c->p.nsteps];
    int32_t low = untouched(c, c->slots, t);
    if (l->states < PERMUTE_FROM || low == c->nslots || !pm_rank_can_permute(l))
        return PM_OK;
    if ((rc = sort_layout(c, err)) || (rc = count_runs(c, c->slots, low, &now, err))
        || (rc = count_runs(c, c->sorted, untouched(c, c->sorted, t), &then, err)))
        return rc;
    double price = (double)l->states * seconds_to_permute(c->value_bytes);
    if ((now - then) * seconds_of_run(branches) < PERMUTE_GAIN * price)
        return PM_OK;
    pm_step *s = add_step(c, err);
    if (!s)
        return PM_ENOMEM;
    s->vertex = -1;
    c->p.permuted += (double)l->states;
    while (s->low < c->nslots && c->slots[s->low] == c->sorted[s->low])
        ++s->low;
    memcpy(c->slots, c->sorted, (size_t)c->nslots * sizeof *c->slots);
    return add_level(c, err);
}

/* ---- one vertex ---- */

/* Where a vertex that enters belongs among the items, which stand bottom first: below the first
 * one that is touched earlier. */
static void insert_item(const compiler *c, pm_step *s, const int32_t *vertex, int32_t u,
                        int32_t *at)
{
    int32_t i = 0;
    while (i < s->nitems && c->touch[vertex[i]] >= c->touch[u])
        ++i;
    *at = i;
}

static int32_t next_touch(const compiler *c, int32_t u, int32_t t)
{
    int32_t next = c->o->pos[u] > t ? c->o->pos[u] : INT32_MAX;
    for (int64_t j = c->g->ptr[u]; j < c->g->ptr[u + 1]; ++j) {
        int32_t at = c->o->pos[c->g->adj[j]];
        if (at > t && at < next)
            next = at;
    }
    return next;
}

static pm_item_kind kind_of(const compiler *c, int32_t u)
{
    bool enters = c->where[u] == WAITING, leaves = c->processed[u] + 1 == degree(c->g, u);
    if (enters)
        return leaves ? PM_ITEM_THROUGH : PM_ITEM_ENTER;
    return leaves ? PM_ITEM_LEAVE : PM_ITEM_TOUCH;
}

static void place_item(pm_step *s, int32_t *vertex, int32_t at, int32_t u, pm_item item)
{
    memmove(s->items + at + 1, s->items + at, (size_t)(s->nitems - at) * sizeof *s->items);
    memmove(vertex + at + 1, vertex + at, (size_t)(s->nitems - at) * sizeof *vertex);
    s->items[at] = item;
    vertex[at] = u;
    ++s->nitems;
}

/* Items of the step, bottom first; vertex[i] is the vertex of item i. */
static void collect_items(compiler *c, pm_step *s, int32_t v, int32_t t, int32_t *vertex)
{
    const pm_block_graph *g = c->g;
    for (int32_t i = s->low; i < c->nslots; ++i) {
        int32_t u = c->slots[i];
        pm_item item = {.kind = u == v ? PM_ITEM_SELF : PM_ITEM_KEEP,
                        .old_slot = i,
                        .new_slot = -1,
                        .entry = PM_UNIT};
        place_item(s, vertex, s->nitems, u, item);
    }
    for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j) {
        int32_t u = g->adj[j], at;
        if (c->where[u] == GONE)
            continue;
        pm_item_kind kind = kind_of(c, u);
        int64_t entry = g->entry[j];
        if (c->where[u] == WAITING) {
            c->touch[u] = next_touch(c, u, t);
            at = s->nitems;
            if (kind == PM_ITEM_ENTER)
                insert_item(c, s, vertex, u, &at);
            place_item(s, vertex, at, u,
                       (pm_item){.kind = kind, .old_slot = -1, .new_slot = -1, .entry = entry});
        } else {
            for (at = 0; vertex[at] != u; ++at)
                ;
            s->items[at].kind = kind;
            s->items[at].entry = entry;
        }
    }
}

/* The new layout, from the items; v and its neighbours are marked. */
static void move_on(compiler *c, pm_step *s, int32_t v, const int32_t *vertex)
{
    const pm_block_graph *g = c->g;
    c->where[v] = GONE;
    c->k += pm_block_graph_is_row(g, v) ? 1 : -1;
    for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j) {
        int32_t u = g->adj[j];
        ++c->processed[u];
        if (c->where[u] == GONE)
            continue;
        c->where[u] = INSIDE;
        if (c->processed[u] == degree(g, u)) {
            c->where[u] = GONE;
            c->k += pm_block_graph_is_row(g, u) ? g->cap[u] : -g->cap[u];
        }
    }
    c->nslots = s->low;
    for (int32_t i = 0; i < s->nitems; ++i)
        if (c->where[vertex[i]] == INSIDE) {
            s->items[i].new_slot = c->nslots;
            c->slots[c->nslots++] = vertex[i];
        }
}

/* From bottom-first to top-first, and what the kernel wants to know on the way down. */
static void finish_items(pm_step *s)
{
    for (int32_t i = 0, j = s->nitems - 1; i < j; ++i, --j) {
        pm_item t = s->items[i];
        s->items[i] = s->items[j];
        s->items[j] = t;
    }
    int32_t below = s->low, picks = 0;
    for (int32_t i = s->nitems - 1; i >= 0; --i) {
        pm_item *item = &s->items[i];
        below += item->new_slot >= 0;
        item->new_below = below;
        item->picks_after = picks;
        picks += item->kind != PM_ITEM_KEEP;
    }
    s->max_branches = picks + 2;
}

static pm_status add_vertex(compiler *c, int32_t v, int32_t t, pm_error *err)
{
    pm_status rc;
    note_touches(c, t);
    if ((rc = maybe_permute(c, t, degree(c->g, v) + 1, err)))
        return rc;
    int32_t low = untouched(c, c->slots, t);
    pm_step *s = add_step(c, err);
    if (!s)
        return PM_ENOMEM;
    s->vertex = v;
    s->is_row = pm_block_graph_is_row(c->g, v);
    s->low = low;
    int32_t room = c->nslots - low + degree(c->g, v) + 1;
    int32_t *vertex = pm_alloc_array(room, sizeof *vertex);
    s->items = pm_alloc_array(room, sizeof *s->items);
    if (!vertex || !s->items) {
        free(vertex);
        return pm_fail_memory(err, "frontier steps");
    }
    collect_items(c, s, v, t, vertex);
    move_on(c, s, v, vertex);
    free(vertex);
    finish_items(s);
    c->p.depth += s->max_branches + 1;
    if ((rc = add_level(c, err)) || c->p.empty
        || (rc = count_runs(c, c->slots, low, &s->runs, err)))
        return rc;
    c->p.runs += s->runs;
    c->p.transitions -= (double)c->p.levels[c->p.nsteps].states;
    return PM_OK;
}

pm_status pm_frontier_program_compile(const pm_block_graph *g, const pm_vertex_order *o,
                                      int64_t value_bytes, pm_frontier_program *out, pm_error *err)
{
    pm_status rc;
    compiler c = {.g = g, .o = o, .value_bytes = value_bytes};
    c.where = pm_calloc_array(g->nv, sizeof *c.where);
    c.processed = pm_calloc_array(g->nv, sizeof *c.processed);
    c.slots = pm_alloc_array(g->nv, sizeof *c.slots);
    c.sorted = pm_alloc_array(g->nv, sizeof *c.sorted);
    c.touch = pm_alloc_array(g->nv, sizeof *c.touch);
    if (!c.where || !c.processed || !c.slots || !c.sorted || !c.touch) {
        rc = pm_fail_memory(err, "frontier programme");
        goto done;
    }
    /* o->cost counts states and transitions; the states come off level by level */
    c.p.transitions = o->cost;
    c.p.weighted = g->weighted;
    rc = add_level(&c, err);
    for (int32_t v = 0; v < g->nv; ++v)
        c.p.empty = c.p.empty || degree(g, v) < g->cap[v];
    for (int32_t t = 0; t < o->len && !rc && !c.p.empty; ++t)
        if (c.processed[o->seq[t]] < degree(g, o->seq[t]))
            rc = add_vertex(&c, o->seq[t], t, err);
done:
    free(c.where);
    free(c.processed);
    free(c.slots);
    free(c.sorted);
    free(c.touch);
    free(c.ways);
    if (rc) {
        pm_frontier_program_free(&c.p);
        return rc;
    }
    *out = c.p;
    return PM_OK;
}

void pm_frontier_program_free(pm_frontier_program *p)
{
    for (int32_t i = 0; i < p->nsteps; ++i)
        free(p->steps[i].items);
    for (int32_t i = 0; i < p->nlevels; ++i) {
        free(p->levels[i].slots);
        free(p->levels[i].below);
    }
    free(p->steps);
    free(p->levels);
    *p = (pm_frontier_program){0};
}

double pm_frontier_program_seconds(const pm_frontier_program *p, int64_t value_bytes, double unit,
                                   double weighted, double scale)
{
    double per_transition = p->weighted * weighted + (1 - p->weighted) * unit;
    double runs = p->runs * seconds_of_run(3);
    double permutations = p->permuted * seconds_to_permute(value_bytes);
    return p->transitions * per_transition
           + (runs + permutations + p->nsteps * PM_FRONTIER_STEP_SECONDS) * scale;
}

double pm_frontier_program_bytes(const pm_frontier_program *p, int64_t value_bytes)
{
    return ((double)p->even_states + (double)p->odd_states) * (double)value_bytes;
}
