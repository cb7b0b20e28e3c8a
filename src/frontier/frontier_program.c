/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_program.h"

#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "frontier/frontier_compile.h"
#include "pm/alloc.h"

enum { WAIT_ROUNDS = 8 };

pm_frontier_slot pm_compiler_slot(const pm_frontier_compiler *c, int32_t u, int32_t done)
{
    int32_t cap = c->g->cap[u], open = pm_compiler_degree(c, u) - done;
    int32_t lo = cap > open ? cap - open : 0, hi = cap < done ? cap : done;
    return (pm_frontier_slot){u, lo, hi - lo, pm_block_graph_is_row(c->g, u)};
}

/* ---- levels ---- */

/* Other numbers could overflow, even in a small level. */
pm_status pm_frontier_level_count(pm_frontier_level *l, pm_error *err)
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

pm_status pm_compiler_add_level(pm_frontier_compiler *c, const pm_frontier_slot *slots,
                                pm_error *err)
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
        int32_t u = c->slots[i];
        pm_frontier_slot s = slots ? slots[i] : pm_compiler_slot(c, u, c->processed[u]);
        l->slots[i] = s;
        l->sum += s.row ? s.lo + s.range : -s.lo;
    }
    if (l->sum < 0) {
        c->p.is_zero = true;
        return PM_OK;
    }
    pm_status status = pm_frontier_level_count(l, err);
    if (status)
        return status;
    l->states = pm_frontier_level_below(l, l->nslots, l->sum);
    c->p.is_zero = c->p.is_zero || l->states == 0;
    if (l->states > c->p.max_states)
        c->p.max_states = l->states;
    return PM_OK;
}

/* ---- steps ---- */

pm_frontier_step *pm_compiler_add_step(pm_frontier_compiler *c, pm_error *err)
{
    if (PM_GROW(c->p.steps, c->cap_steps, c->p.nsteps + 1)) {
        pm_fail_memory(err, "frontier steps");
        return NULL;
    }
    pm_frontier_step *s = &c->p.steps[c->p.nsteps++];
    *s = (pm_frontier_step){0};
    return s;
}

/* *at: the index among the step's slots, the lowest first, where u enters: below the first slot
 * that changes earlier. */
static void find_insertion(const pm_frontier_compiler *c, pm_frontier_step *s,
                           const int32_t *vertex, int32_t u, int32_t *at)
{
    int32_t i = 0;
    while (i < s->nslots && c->next_change[vertex[i]] >= c->next_change[u])
        ++i;
    *at = i;
}

pm_frontier_role pm_compiler_role(const pm_frontier_compiler *c, int32_t u)
{
    bool enters = c->where[u] == PM_WAITING;
    bool leaves = c->processed[u] + 1 == pm_compiler_degree(c, u);
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
static void collect_slots(pm_frontier_compiler *c, pm_frontier_step *s, int32_t v, int32_t t,
                          int32_t *vertex)
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
        if (c->where[u] == PM_GONE)
            continue;
        pm_frontier_role role = pm_compiler_role(c, u);
        int64_t entry = g->entry[j];
        if (c->where[u] == PM_WAITING) {
            c->next_change[u] = pm_compiler_next_change(c, u, t);
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

int32_t pm_compiler_mark(pm_frontier_compiler *c, int32_t v)
{
    const pm_block_graph *g = c->g;
    int32_t left = 0;
    c->where[v] = PM_GONE;
    c->k += pm_block_graph_is_row(g, v) ? 1 : -1;
    for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j) {
        int32_t u = g->adj[j];
        ++c->processed[u];
        if (c->where[u] == PM_GONE)
            continue;
        c->where[u] = PM_INSIDE;
        if (c->processed[u] == pm_compiler_degree(c, u)) {
            c->where[u] = PM_GONE;
            left += pm_block_graph_is_row(g, u) ? g->cap[u] : -g->cap[u];
        }
    }
    c->k += left;
    return left;
}

void pm_compiler_finish_slots(pm_frontier_compiler *c, pm_frontier_step *s, const int32_t *vertex)
{
    c->nslots = s->low;
    for (int32_t i = 0; i < s->nslots; ++i)
        if (s->slots[i].new_slot >= 0) {
            s->slots[i].new_slot = c->nslots;
            c->slots[c->nslots++] = vertex[i];
        }
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

pm_status pm_compiler_count(pm_frontier_compiler *c, double transitions, pm_error *err)
{
    const pm_frontier_level *l = &c->p.levels[c->p.nsteps];
    pm_frontier_step *s = &c->p.steps[c->p.nsteps - 1];
    if (c->p.is_zero)
        return PM_OK;
    s->transitions = transitions;
    c->p.depth += s->max_branches + 1;
    pm_status status =
        pm_compiler_count_spans(c, l->slots, l->nslots, l->sum, s->low, &s->spans, err);
    c->p.spans += s->spans;
    return status;
}

/* Predecessors of a state, nearly: half of the states have a partner in a slot that stays, all of
 * them one in a slot that leaves. */
static double sources_of(const pm_frontier_step *s)
{
    double sum = 0;
    for (int32_t i = 0; i < s->nslots; ++i) {
        pm_frontier_role role = s->slots[i].role;
        if (role != PM_ROLE_UNTOUCHED)
            sum += role == PM_ROLE_STAYS || role == PM_ROLE_ENTERS ? 0.5 : 1;
    }
    return sum;
}

pm_status pm_compiler_make_slots(pm_frontier_step *s, int32_t room, int32_t **vertex, pm_error *err)
{
    *vertex = pm_alloc_array(room, sizeof **vertex);
    s->slots = pm_alloc_array(room, sizeof *s->slots);
    if (*vertex && s->slots)
        return PM_OK;
    free(*vertex);
    *vertex = NULL;
    return pm_fail_memory(err, "frontier steps");
}

/* The step of v, from one part of the array into another. */
static pm_status add_apart(pm_frontier_compiler *c, int32_t v, int32_t t, pm_error *err)
{
    pm_frontier_step *s = pm_compiler_add_step(c, err);
    if (!s)
        return PM_ENOMEM;
    s->vertex = v;
    s->is_row = pm_block_graph_is_row(c->g, v);
    s->low = pm_compiler_untouched(c, c->slots, t);
    int32_t room = c->nslots - s->low + pm_compiler_degree(c, v) + 1, *vertex;
    pm_status status = pm_compiler_make_slots(s, room, &vertex, err);
    if (status)
        return status;
    collect_slots(c, s, v, t, vertex);
    pm_compiler_mark(c, v);
    for (int32_t i = 0; i < s->nslots; ++i)
        s->slots[i].new_slot = c->where[vertex[i]] == PM_INSIDE ? 0 : -1;
    pm_compiler_finish_slots(c, s, vertex);
    free(vertex);
    status = pm_compiler_add_level(c, NULL, err);
    if (status)
        return status;
    return pm_compiler_count(c, (double)c->p.levels[c->p.nsteps].states * sources_of(s), err);
}

static pm_status add_vertex(pm_frontier_compiler *c, int32_t v, int32_t t, pm_error *err)
{
    pm_compiler_find_next_changes(c, t);
    pm_status status = pm_compiler_permute(c, t, pm_compiler_degree(c, v) + 1, err);
    if (status)
        return status;
    return c->p.in_place && pm_compiler_can_be_in_place(c, v) ? pm_compiler_add_in_place(c, v, err)
                                                              : add_apart(c, v, t, err);
}

/* ---- the program ---- */

/* The transitions of an order are known exactly, those of its steps nearly. */
static void sum_transitions(pm_frontier_program *p, double cost)
{
    double sum = 0;
    for (int32_t i = 0; i < p->nsteps; ++i) {
        sum += p->steps[i].transitions;
        cost -= p->steps[i].kind == PM_STEP_VERTEX ? (double)p->levels[i + 1].states : 0;
    }
    p->transitions = p->in_place ? sum : cost;
    for (int32_t i = 0; i < p->nsteps; ++i)
        p->steps[i].transitions *= sum > 0 ? p->transitions / sum : 0;
}

static pm_status add_all(pm_frontier_compiler *c, pm_error *err)
{
    const pm_vertex_order *o = c->o;
    pm_status status = pm_compiler_add_level(c, NULL, err);
    for (int32_t v = 0; v < c->g->nv; ++v)
        c->p.is_zero = c->p.is_zero || pm_compiler_degree(c, v) < c->g->cap[v];
    for (int32_t t = 0; t < o->len && !status && !c->p.is_zero; ++t)
        if (c->processed[o->seq[t]] < pm_compiler_degree(c, o->seq[t]))
            status = add_vertex(c, o->seq[t], t, err);
    if (status || c->p.is_zero)
        return status;
    sum_transitions(&c->p, o->cost);
    return pm_frontier_place_levels(&c->p, err);
}

/* waits: NULL, or the vertices of a program in place that may be processed later. */
static pm_status compile(const pm_block_graph *g, const pm_vertex_order *o, int64_t value_bytes,
                         const char *waits, pm_frontier_program *out, pm_error *err)
{
    pm_vertex_order later = {0};
    pm_frontier_compiler c = {.g = g, .o = o, .value_bytes = value_bytes};
    c.p.in_place = waits != NULL;
    c.p.weighted = g->weighted;
    c.where = pm_calloc_array(g->nv, sizeof *c.where);
    c.processed = pm_calloc_array(g->nv, sizeof *c.processed);
    c.slots = pm_alloc_array(g->nv, sizeof *c.slots);
    c.sorted = pm_alloc_array(g->nv, sizeof *c.sorted);
    c.next_change = pm_alloc_array(g->nv, sizeof *c.next_change);
    pm_status status = PM_OK;
    if (!c.where || !c.processed || !c.slots || !c.sorted || !c.next_change)
        status = pm_fail_memory(err, "frontier program");
    if (!status && waits) {
        status = pm_compiler_reorder(&c, waits, &later, err);
        c.o = &later;
    }
    if (!status)
        status = add_all(&c, err);
    pm_vertex_order_free(&later);
    free(c.where);
    free(c.processed);
    free(c.slots);
    free(c.sorted);
    free(c.next_change);
    pm_digit_ways_free(&c.ways);
    if (status)
        pm_frontier_program_free(&c.p);
    else
        *out = c.p;
    return status;
}

/* Mark the vertices of steps that need more room than the largest level.  Returns whether others
 * than before are among them. */
static bool mark_large_steps(const pm_frontier_program *p, char *waits)
{
    bool is_changed = false;
    for (int32_t i = 0; i < p->nsteps; ++i) {
        const pm_frontier_step *s = &p->steps[i];
        if (s->in_place || waits[s->vertex]
            || p->levels[i].states + p->levels[i + 1].states <= p->max_states)
            continue;
        waits[s->vertex] = 1;
        is_changed = true;
    }
    return is_changed;
}

/* As long as it needs less room, with more vertices later. */
static pm_status compile_in_place(const pm_block_graph *g, const pm_vertex_order *o,
                                  int64_t value_bytes, pm_frontier_program *out, pm_error *err)
{
    pm_frontier_program p, best = {0};
    char *waits = pm_calloc_array(g->nv, sizeof *waits);
    if (!waits)
        return pm_fail_memory(err, "frontier program");
    pm_status status = compile(g, o, value_bytes, waits, &best, err);
    for (int i = 0; i < WAIT_ROUNDS && !status && mark_large_steps(&best, waits); ++i) {
        status = compile(g, o, value_bytes, waits, &p, err);
        if (status || p.room >= best.room) {
            if (!status)
                pm_frontier_program_free(&p);
            break;
        }
        pm_frontier_program_free(&best);
        best = p;
    }
    free(waits);
    if (status == PM_UNABLE) /* a later program has too many states */
        status = best.nlevels ? PM_OK : status;
    if (status)
        pm_frontier_program_free(&best);
    else
        *out = best;
    return status;
}

pm_status pm_frontier_program_compile(const pm_block_graph *g, const pm_vertex_order *o,
                                      int64_t value_bytes, bool in_place, pm_frontier_program *out,
                                      pm_error *err)
{
    return in_place ? compile_in_place(g, o, value_bytes, out, err)
                    : compile(g, o, value_bytes, NULL, out, err);
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
    double spans = p->spans * pm_compiler_span_seconds(3);
    double permutations = p->permuted * pm_compiler_permute_seconds(value_bytes);
    return p->transitions * per_transition
           + (spans + permutations + p->nsteps * PM_FRONTIER_STEP_SECONDS) * scale;
}

double pm_frontier_program_bytes(const pm_frontier_program *p, int64_t value_bytes)
{
    return (double)p->room * (double)value_bytes;
}
