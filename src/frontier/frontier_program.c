/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "frontier/frontier_permute.h"
#include "pm/alloc.h"

#define PERMUTE_GAIN 0.7      /* permute when a step gains this share of what it costs */
enum { PERMUTE_FROM = 1024 }; /* states */

enum { WAITING, INSIDE, GONE };

typedef struct {
    const pm_block_graph *g;
    const pm_vertex_order *o;
    int64_t value_bytes;
    char *where;        /* of each vertex: WAITING (before the frontier), INSIDE it, or GONE */
    int32_t *processed; /* of each vertex: neighbours processed */
    int32_t *slots;     /* the layout: vertices, the lowest slot first */
    int32_t nslots;
    int32_t *sorted;      /* scratch layout */
    int32_t *next_change; /* time of the next touch, by vertex */
    double *ways;         /* scratch for counting */
    int64_t cap_ways;
    int32_t k; /* rows done - columns done, by capacity */
    pm_frontier_program p;
    int64_t cap_steps, cap_levels;
} compiler;

static int32_t degree(const pm_block_graph *g, int32_t v)
{
    return (int32_t)(g->ptr[v + 1] - g->ptr[v]);
}

static pm_frontier_slot slot_of(const compiler *c, int32_t u)
{
    int32_t cap = c->g->cap[u], done = c->processed[u], open = degree(c->g, u) - done;
    int32_t lo = cap > open ? cap - open : 0, hi = cap < done ? cap : done;
    return (pm_frontier_slot){u, lo, hi - lo, pm_block_graph_is_row(c->g, u)};
}

/* ---- levels ---- */

/* below[q][s] for the sums s that the slots from q on can complete.  Other numbers could overflow,
 * even in a small level. */
static pm_status count_below(pm_frontier_level *l, pm_error *err)
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
    pm_frontier_level *l = &c->p.levels[c->p.nsteps];
    *l = (pm_frontier_level){.nslots = c->nslots, .sum = c->k};
    ++c->p.nlevels;
    l->slots = pm_alloc_array(c->nslots, sizeof *l->slots);
    if (!l->slots)
        return pm_fail_memory(err, "frontier levels");
    for (int32_t i = 0; i < c->nslots; ++i) {
        pm_frontier_slot s = slot_of(c, c->slots[i]);
        l->slots[i] = s;
        l->sum += s.row ? s.lo + s.range : -s.lo;
    }
    if (l->sum < 0) {
        c->p.is_zero = true;
        return PM_OK;
    }
    pm_status status = count_below(l, err);
    if (status)
        return status;
    l->states = pm_frontier_level_below(l, l->nslots, l->sum);
    c->p.is_zero = c->p.is_zero || l->states == 0;
    int64_t *side = c->p.nsteps % 2 ? &c->p.odd_states : &c->p.even_states;
    if (l->states > *side)
        *side = l->states;
    if (l->states > c->p.max_states)
        c->p.max_states = l->states;
    return PM_OK;
}

static pm_frontier_step *add_step(compiler *c, pm_error *err)
{
    if (PM_GROW(c->p.steps, c->cap_steps, c->p.nsteps + 1)) {
        pm_fail_memory(err, "frontier steps");
        return NULL;
    }
    pm_frontier_step *s = &c->p.steps[c->p.nsteps++];
    *s = (pm_frontier_step){0};
    return s;
}

/* ---- layouts ---- */

static void find_next_changes(compiler *c, int32_t t)
{
    for (int32_t i = 0; i < c->nslots; ++i) {
        int32_t u = c->slots[i], next = c->o->pos[u] >= t ? c->o->pos[u] : INT32_MAX;
        for (int64_t j = c->g->ptr[u]; j < c->g->ptr[u + 1]; ++j) {
            int32_t at = c->o->pos[c->g->adj[j]];
            if (at >= t && at < next)
                next = at;
        }
        c->next_change[u] = next;
    }
}

/* The number of lowest slots that step t does not change. */
static int32_t untouched_slots(const compiler *c, const int32_t *slots, int32_t t)
{
    int32_t q = 0;
    while (q < c->nslots && c->next_change[slots[q]] > t)
        ++q;
    return q;
}

/* The number of spans of a level whose lowest `low` slots a step does not change: the digit vectors
 * of the other slots that the lowest slots can complete. */
static pm_status count_spans(compiler *c, const int32_t *slots, int32_t low, double *spans,
                             pm_error *err)
{
    int64_t sum = c->k, low_max = 0, nways = 1;
    if (PM_GROW(c->ways, c->cap_ways, 1))
        return pm_fail_memory(err, "frontier layout");
    c->ways[0] = 1;
    for (int32_t i = 0; i < c->nslots; ++i) {
        pm_frontier_slot s = slot_of(c, slots[i]);
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
    *spans = 0;
    for (int64_t d = sum - low_max > 0 ? sum - low_max : 0; d < nways && d <= sum; ++d)
        *spans += c->ways[d];
    return PM_OK;
}

typedef struct {
    int32_t next_change, vertex;
} slot_change;

static int latest_first(const void *a, const void *b)
{
    const slot_change *x = a, *y = b;
    if (x->next_change != y->next_change)
        return x->next_change < y->next_change ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static pm_status sort_layout(compiler *c, pm_error *err)
{
    slot_change *order = pm_alloc_array(c->nslots, sizeof *order);
    if (!order)
        return pm_fail_memory(err, "frontier layout");
    for (int32_t i = 0; i < c->nslots; ++i)
        order[i] = (slot_change){c->next_change[c->slots[i]], c->slots[i]};
    qsort(order, (size_t)c->nslots, sizeof *order, latest_first);
    for (int32_t i = 0; i < c->nslots; ++i)
        c->sorted[i] = order[i].vertex;
    free(order);
    return PM_OK;
}

static double seconds_of_span(int branches)
{
    return PM_FRONTIER_SPAN_SECONDS + branches * PM_FRONTIER_BRANCH_SECONDS;
}

/* Seconds to permute one state. */
static double seconds_to_permute(int64_t value_bytes)
{
    return PM_FRONTIER_PERMUTE_SECONDS + (double)value_bytes * PM_FRONTIER_COPY_SECONDS;
}

/* Add a permutation step before step t if that gains enough. */
static pm_status permute_if_useful(compiler *c, int32_t t, int32_t branches, pm_error *err)
{
    double now, then;
    const pm_frontier_level *l = &c->p.levels[c->p.nsteps];
    int32_t low = untouched_slots(c, c->slots, t);
    if (l->states < PERMUTE_FROM || low == c->nslots || !pm_frontier_can_permute(l))
        return PM_OK;
    pm_status status = sort_layout(c, err);
    if (!status)
        status = count_spans(c, c->slots, low, &now, err);
    if (!status)
        status = count_spans(c, c->sorted, untouched_slots(c, c->sorted, t), &then, err);
    if (status)
        return status;
    double price = (double)l->states * seconds_to_permute(c->value_bytes);
    if ((now - then) * seconds_of_span(branches) < PERMUTE_GAIN * price)
        return PM_OK;
    pm_frontier_step *s = add_step(c, err);
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

/* *at: the index among the step's slots, the lowest first, where u enters: below the first slot
 * that changes earlier. */
static void find_insertion(const compiler *c, pm_frontier_step *s, const int32_t *vertex, int32_t u,
                           int32_t *at)
{
    int32_t i = 0;
    while (i < s->nslots && c->next_change[vertex[i]] >= c->next_change[u])
        ++i;
    *at = i;
}

static int32_t next_change_of(const compiler *c, int32_t u, int32_t t)
{
    int32_t next = c->o->pos[u] > t ? c->o->pos[u] : INT32_MAX;
    for (int64_t j = c->g->ptr[u]; j < c->g->ptr[u + 1]; ++j) {
        int32_t at = c->o->pos[c->g->adj[j]];
        if (at > t && at < next)
            next = at;
    }
    return next;
}

static pm_frontier_role role_of(const compiler *c, int32_t u)
{
    bool enters = c->where[u] == WAITING, leaves = c->processed[u] + 1 == degree(c->g, u);
    if (enters)
        return leaves ? PM_ROLE_ENTERS_AND_LEAVES : PM_ROLE_ENTERS;
    return leaves ? PM_ROLE_LEAVES : PM_ROLE_STAYS;
}

static void insert_slot(pm_frontier_step *s, int32_t *vertex, int32_t at, int32_t u,
                        pm_frontier_step_slot slot)
{
    memmove(s->slots + at + 1, s->slots + at, (size_t)(s->nslots - at) * sizeof *s->slots);
    memmove(vertex + at + 1, vertex + at, (size_t)(s->nslots - at) * sizeof *vertex);
    s->slots[at] = slot;
    vertex[at] = u;
    ++s->nslots;
}

/* Set the slots of the step, the lowest first; vertex[i] is the vertex of slot i. */
static void collect_slots(compiler *c, pm_frontier_step *s, int32_t v, int32_t t, int32_t *vertex)
{
    const pm_block_graph *g = c->g;
    for (int32_t i = s->low; i < c->nslots; ++i) {
        int32_t u = c->slots[i];
        pm_frontier_step_slot slot = {.role = u == v ? PM_ROLE_SELF : PM_ROLE_UNTOUCHED,
                                      .old_slot = i,
                                      .new_slot = -1,
                                      .entry = PM_UNIT};
        insert_slot(s, vertex, s->nslots, u, slot);
    }
    for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j) {
        int32_t u = g->adj[j], at;
        if (c->where[u] == GONE)
            continue;
        pm_frontier_role role = role_of(c, u);
        int64_t entry = g->entry[j];
        if (c->where[u] == WAITING) {
            c->next_change[u] = next_change_of(c, u, t);
            at = s->nslots;
            if (role == PM_ROLE_ENTERS)
                find_insertion(c, s, vertex, u, &at);
            insert_slot(s, vertex, at, u,
                        (pm_frontier_step_slot){
                            .role = role, .old_slot = -1, .new_slot = -1, .entry = entry});
        } else {
            for (at = 0; vertex[at] != u; ++at)
                ;
            s->slots[at].role = role;
            s->slots[at].entry = entry;
        }
    }
}

/* Set the new layout from the step's slots, and mark v and the neighbours that leave. */
static void finish_step(compiler *c, pm_frontier_step *s, int32_t v, const int32_t *vertex)
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
    for (int32_t i = 0; i < s->nslots; ++i)
        if (c->where[vertex[i]] == INSIDE) {
            s->slots[i].new_slot = c->nslots;
            c->slots[c->nslots++] = vertex[i];
        }
}

/* Reverse the slots, so that the highest comes first, and set the members that engines need on the
 * way down. */
static void finish_slots(pm_frontier_step *s)
{
    for (int32_t i = 0, j = s->nslots - 1; i < j; ++i, --j) {
        pm_frontier_step_slot t = s->slots[i];
        s->slots[i] = s->slots[j];
        s->slots[j] = t;
    }
    int32_t below = s->low, picks = 0;
    for (int32_t i = s->nslots - 1; i >= 0; --i) {
        pm_frontier_step_slot *slot = &s->slots[i];
        below += slot->new_slot >= 0;
        slot->new_count = below;
        slot->partners_after = picks;
        picks += slot->role != PM_ROLE_UNTOUCHED;
    }
    s->max_branches = picks + 2;
}

static pm_status add_vertex_step(compiler *c, int32_t v, int32_t t, pm_error *err)
{
    find_next_changes(c, t);
    pm_status status = permute_if_useful(c, t, degree(c->g, v) + 1, err);
    if (status)
        return status;
    int32_t low = untouched_slots(c, c->slots, t);
    pm_frontier_step *s = add_step(c, err);
    if (!s)
        return PM_ENOMEM;
    s->vertex = v;
    s->is_row = pm_block_graph_is_row(c->g, v);
    s->low = low;
    int32_t room = c->nslots - low + degree(c->g, v) + 1;
    int32_t *vertex = pm_alloc_array(room, sizeof *vertex);
    s->slots = pm_alloc_array(room, sizeof *s->slots);
    if (!vertex || !s->slots) {
        free(vertex);
        return pm_fail_memory(err, "frontier steps");
    }
    collect_slots(c, s, v, t, vertex);
    finish_step(c, s, v, vertex);
    free(vertex);
    finish_slots(s);
    c->p.depth += s->max_branches + 1;
    status = add_level(c, err);
    if (!status && !c->p.is_zero)
        status = count_spans(c, c->slots, low, &s->spans, err);
    if (status || c->p.is_zero)
        return status;
    c->p.spans += s->spans;
    c->p.transitions -= (double)c->p.levels[c->p.nsteps].states;
    return PM_OK;
}

pm_status pm_frontier_program_compile(const pm_block_graph *g, const pm_vertex_order *o,
                                      int64_t value_bytes, pm_frontier_program *out, pm_error *err)
{
    pm_status status = PM_OK;
    compiler c = {.g = g, .o = o, .value_bytes = value_bytes};
    c.where = pm_calloc_array(g->nv, sizeof *c.where);
    c.processed = pm_calloc_array(g->nv, sizeof *c.processed);
    c.slots = pm_alloc_array(g->nv, sizeof *c.slots);
    c.sorted = pm_alloc_array(g->nv, sizeof *c.sorted);
    c.next_change = pm_alloc_array(g->nv, sizeof *c.next_change);
    if (!c.where || !c.processed || !c.slots || !c.sorted || !c.next_change)
        status = pm_fail_memory(err, "frontier program");
    /* o->cost counts states and transitions; add_vertex_step subtracts the states of each level */
    c.p.transitions = o->cost;
    c.p.weighted = g->weighted;
    if (!status)
        status = add_level(&c, err);
    for (int32_t v = 0; v < g->nv; ++v)
        c.p.is_zero = c.p.is_zero || degree(g, v) < g->cap[v];
    for (int32_t t = 0; t < o->len && !status && !c.p.is_zero; ++t)
        if (c.processed[o->seq[t]] < degree(g, o->seq[t]))
            status = add_vertex_step(&c, o->seq[t], t, err);
    free(c.where);
    free(c.processed);
    free(c.slots);
    free(c.sorted);
    free(c.next_change);
    free(c.ways);
    if (status) {
        pm_frontier_program_free(&c.p);
        return status;
    }
    *out = c.p;
    return PM_OK;
}

void pm_frontier_program_free(pm_frontier_program *p)
{
    for (int32_t i = 0; i < p->nsteps; ++i)
        free(p->steps[i].slots);
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
    double spans = p->spans * seconds_of_span(3);
    double permutations = p->permuted * seconds_to_permute(value_bytes);
    return p->transitions * per_transition
           + (spans + permutations + p->nsteps * PM_FRONTIER_STEP_SECONDS) * scale;
}

double pm_frontier_program_bytes(const pm_frontier_program *p, int64_t value_bytes)
{
    return ((double)p->even_states + (double)p->odd_states) * (double)value_bytes;
}
