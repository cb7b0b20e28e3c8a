/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a frontier program in place, so that one array of states does for two.
 *
 * The step of v, which has a slot of range 1, and whose neighbours u_1, u_2, ... enter with range 1.
 * u_1, whose edge has the weight 1, takes the slot of v, and all other slots stay where they are;
 * u_2, ... become the highest slots.  Let T be the digits of all other slots, and write v and u_1 for
 * "is matched", -v and -u_1 for "is not".  Then
 *     new(T, u_1)  = old(T, -v)                                      v takes u_1
 *     new(T, -u_1) = old(T, v) + sum over w of a_vw old(T - w, -v)   v has a partner; v takes w
 * and the digit of u_1 equals that of v in each line, as u_1 is on the other side and rows count the
 * other way round.  So the first half of the states remains as it is, and a state of the second half
 * is itself plus states of the first: each can be computed in place, in any sequence, by any number
 * of threads.
 *
 * If v has no slot: a neighbour x that leaves, with weight 1, gives its slot.  It is full after the
 * step, so
 *     new(T, u_1)  = old(T, x)                                       v takes u_1
 *     new(T, -u_1) = old(T, -x) + sum over w of a_vw old(T - w, x)   v takes x; v takes w
 * If none leaves, u_1 becomes a high slot, and all old states remain: new(T, u_1) = old(T).  If none
 * enters either, the step cannot be in place.  Where two levels of this size would need too much room,
 * the vertex is processed later, as soon as one of its neighbours was processed, so that it has a slot,
 * or has no other neighbour left, so that it leaves.
 *
 * u_2, ...: all states in which each has the digit of an unmatched vertex have consecutive numbers, in
 * the sequence of the old states.  The others are new(T, -u_1, u_i) = a_i old(T, -v), from the first
 * half, or 0.  They come behind the old states or before them, by the digits.
 *
 * Nothing enters: a vertex of the other side that does not exist takes the slot as u_1.  A second
 * step then drops this slot, with the digit of an unmatched vertex.  In the same way a neighbour that
 * leaves keeps its slot in the first step, and the second one drops it with the digit of a full
 * vertex.  States keep their sequence when slots are dropped, so this is possible in one array, too
 * (frontier/frontier_rounds.h). */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/frontier_compile.h"
#include "pm/alloc.h"

static bool is_same_slot(pm_frontier_slot a, pm_frontier_slot b)
{
    return a.lo == b.lo && a.range == b.range;
}

/* A neighbour of v that is not gone: whether its digit after the step is as above. */
static bool fits(const pm_frontier_compiler *c, int32_t u)
{
    pm_frontier_slot was = pm_compiler_slot(c, u, c->processed[u]);
    pm_frontier_slot is = pm_compiler_slot(c, u, c->processed[u] + 1);
    switch (pm_compiler_role(c, u)) {
    case PM_ROLE_ENTERS: return is.lo == 0 && is.range == 1;
    case PM_ROLE_STAYS: return is_same_slot(was, is);
    case PM_ROLE_LEAVES: return was.range == 1 && was.lo + 1 == c->g->cap[u];
    default: return false;
    }
}

/* The vertices of a step in place, or -1. */
typedef struct {
    int32_t giver; /* whose slot is taken: v, or a neighbour that leaves */
    int32_t taker; /* u_1 */
    bool is_possible;
} exchange;

static exchange find_exchange(const pm_frontier_compiler *c, int32_t v)
{
    exchange x = {-1, -1, true};
    bool enter = false;
    for (int64_t j = c->g->ptr[v]; j < c->g->ptr[v + 1]; ++j) {
        int32_t u = c->g->adj[j];
        if (c->where[u] == PM_GONE)
            continue;
        bool is_unit = c->g->entry[j] == PM_UNIT;
        enter |= c->where[u] == PM_WAITING;
        if (c->where[u] == PM_WAITING && is_unit && x.taker < 0)
            x.taker = u;
        if (pm_compiler_role(c, u) == PM_ROLE_LEAVES && is_unit && x.giver < 0)
            x.giver = u;
        x.is_possible = x.is_possible && fits(c, u);
    }
    if (c->where[v] == PM_INSIDE)
        x.giver = v;
    x.is_possible = x.is_possible && (x.giver >= 0 || x.taker >= 0) && (x.taker >= 0 || !enter);
    return x;
}

bool pm_compiler_can_be_in_place(const pm_frontier_compiler *c, int32_t v)
{
    return find_exchange(c, v).is_possible;
}

static bool is_neighbour(const pm_frontier_compiler *c, int32_t v, int32_t u, int64_t *entry)
{
    for (int64_t j = c->g->ptr[v]; j < c->g->ptr[v + 1]; ++j)
        if (c->g->adj[j] == u) {
            *entry = c->g->entry[j];
            return true;
        }
    return false;
}

/* ---- the order ---- */

static void append(pm_frontier_compiler *c, pm_vertex_order *o, int32_t v)
{
    pm_compiler_mark(c, v);
    o->pos[v] = o->len;
    o->seq[o->len++] = v;
}

static bool is_open(const pm_frontier_compiler *c, int32_t v)
{
    return c->processed[v] < pm_compiler_degree(c, v);
}

/* Append those of the n vertices that wait whose steps can be in place, or all of them.  Returns how
 * many still wait. */
static int32_t append_waiting(pm_frontier_compiler *c, pm_vertex_order *o, int32_t *waiting,
                              int32_t n, bool all)
{
    for (int32_t i = 0; i < n;) {
        int32_t v = waiting[i];
        if (is_open(c, v) && !all && !pm_compiler_can_be_in_place(c, v)) {
            ++i;
            continue;
        }
        if (is_open(c, v))
            append(c, o, v);
        memmove(waiting + i, waiting + i + 1, (size_t)(--n - i) * sizeof *waiting);
        i = 0; /* others may be possible now */
    }
    return n;
}

pm_status pm_compiler_reorder(pm_frontier_compiler *c, const char *waits, pm_vertex_order *out,
                              pm_error *err)
{
    int32_t n = 0;
    const pm_vertex_order *o = c->o;
    int32_t *waiting = pm_alloc_array(o->len, sizeof *waiting);
    pm_status status =
        waiting ? pm_vertex_order_alloc(c->g, out, err) : pm_fail_memory(err, "frontier order");
    for (int32_t v = 0; v < c->g->nv && !status; ++v)
        out->pos[v] = INT32_MAX;
    for (int32_t t = 0; t < o->len && !status; ++t) {
        int32_t v = o->seq[t];
        if (!is_open(c, v))
            continue;
        if (waits[v] && !pm_compiler_can_be_in_place(c, v)) {
            waiting[n++] = v;
        } else {
            append(c, out, v);
            n = append_waiting(c, out, waiting, n, false);
        }
    }
    if (!status) {
        append_waiting(c, out, waiting, n, true);
        out->cost = o->cost;
        memset(c->where, 0, (size_t)c->g->nv * sizeof *c->where);
        memset(c->processed, 0, (size_t)c->g->nv * sizeof *c->processed);
        c->k = 0;
    }
    free(waiting);
    return status;
}

/* ---- the first step ---- */

static void push(pm_frontier_step *s, int32_t *vertex, int32_t u, pm_frontier_step_slot slot)
{
    vertex[s->nslots] = u;
    s->slots[s->nslots++] = slot;
}

/* The slots of the first step, the lowest first; vertex: of each of them. */
static void collect(const pm_frontier_compiler *c, pm_frontier_step *s, int32_t v, exchange x,
                    int32_t *vertex)
{
    const pm_block_graph *g = c->g;
    const pm_frontier_step_slot enters = {.role = PM_ROLE_ENTERS, .old_slot = -1, .entry = PM_UNIT};
    for (int32_t i = s->low; i < c->nslots; ++i) {
        int32_t u = c->slots[i];
        pm_frontier_step_slot slot = {.old_slot = i, .entry = PM_UNIT};
        if (is_neighbour(c, v, u, &slot.entry))
            slot.role = PM_ROLE_STAYS;
        if (u == x.giver) {
            slot.role = u == v ? PM_ROLE_SELF : PM_ROLE_LEAVES;
            slot.new_slot = -1;
        }
        push(s, vertex, u, slot);
        if (u == x.giver)
            push(s, vertex, x.taker < 0 ? v : x.taker, enters);
    }
    if (x.giver < 0)
        push(s, vertex, x.taker, enters);
    for (int64_t j = g->ptr[v]; j < g->ptr[v + 1]; ++j)
        if (c->where[g->adj[j]] == PM_WAITING && g->adj[j] != x.taker)
            push(s, vertex, g->adj[j],
                 (pm_frontier_step_slot){
                     .role = PM_ROLE_ENTERS, .old_slot = -1, .entry = g->entry[j]});
}

/* The level after the first step: neighbours that leave have the slots that they had, but for the
 * one that has given its slot.  left: the change of c->k by those that leave. */
static pm_status add_level(pm_frontier_compiler *c, int32_t v, exchange x, int32_t left,
                           pm_error *err)
{
    pm_frontier_slot *slots = pm_alloc_array(c->nslots, sizeof *slots);
    if (!slots)
        return pm_fail_memory(err, "frontier levels");
    for (int32_t i = 0; i < c->nslots; ++i) {
        int32_t u = c->slots[i];
        if (u == v)
            slots[i] = (pm_frontier_slot){v, 0, 1, !pm_block_graph_is_row(c->g, v)};
        else
            slots[i] = pm_compiler_slot(c, u, c->processed[u] - (c->where[u] == PM_GONE));
    }
    if (x.giver >= 0 && x.giver != v) {
        int32_t cap = c->g->cap[x.giver];
        left -= pm_block_graph_is_row(c->g, x.giver) ? cap : -cap;
    }
    c->k -= left;
    pm_status status = pm_compiler_add_level(c, slots, err);
    c->k += left;
    free(slots);
    return status;
}

/* The number in the new level of the first old state: the highest slots are new, and their digits are
 * those of unmatched vertices, except that of u_1. */
static int64_t states_before(const pm_frontier_compiler *c, int32_t nold, exchange x)
{
    const pm_frontier_level *l = &c->p.levels[c->p.nsteps];
    int32_t rest = l->sum;
    int64_t before = 0;
    for (int32_t q = l->nslots - 1; q >= nold; --q) {
        bool is_matched = l->slots[q].vertex == x.taker;
        int32_t d = l->slots[q].row == is_matched ? 0 : 1;
        before += pm_frontier_level_offset(l, q, rest, d);
        rest -= d;
    }
    return before;
}

/* Half of the old states, or none of them, change.  Such a state has one source of its own, and one
 * in half of the cases for each neighbour. */
static double transitions_of(const pm_frontier_program *p, exchange x)
{
    const pm_frontier_step *s = &p->steps[p->nsteps - 1];
    double was = (double)p->levels[p->nsteps - 1].states, sources = 0;
    double more = (double)p->levels[p->nsteps].states - was;
    for (int32_t i = 0; i < s->nslots; ++i)
        sources += s->slots[i].role == PM_ROLE_STAYS ? 0.5 : 0;
    return x.giver < 0 ? more * sources : 0.5 * (was * (1 + sources) + more);
}

static pm_status add_vertex(pm_frontier_compiler *c, int32_t v, pm_error *err)
{
    exchange x = find_exchange(c, v);
    pm_frontier_step *s = pm_compiler_add_step(c, err);
    if (!s)
        return PM_ENOMEM;
    s->vertex = v;
    s->is_row = pm_block_graph_is_row(c->g, v);
    s->in_place = true;
    int64_t entry;
    int32_t nold = c->nslots;
    while (s->low < c->nslots && c->slots[s->low] != v
           && !is_neighbour(c, v, c->slots[s->low], &entry))
        ++s->low;
    int32_t room = nold - s->low + pm_compiler_degree(c, v) + 1, *vertex;
    pm_status status = pm_compiler_make_slots(s, room, &vertex, err);
    if (status)
        return status;
    collect(c, s, v, x, vertex);
    pm_compiler_finish_slots(c, s, vertex);
    free(vertex);
    status = add_level(c, v, x, pm_compiler_mark(c, v), err);
    if (status || c->p.is_zero)
        return status;
    s->before = states_before(c, nold, x);
    return pm_compiler_count(c, transitions_of(&c->p, x), err);
}

/* ---- the second step ---- */

static bool is_dropped(const pm_frontier_compiler *c, int32_t slot)
{
    return c->where[c->slots[slot]] == PM_GONE;
}

/* The digit of the states that remain: of a full vertex, or of the unmatched one that does not
 * exist. */
static int32_t kept_digit(const pm_frontier_slot *s, int32_t v)
{
    bool is_matched = s->vertex != v;
    return s->row == is_matched ? 0 : 1;
}

static pm_status add_drop(pm_frontier_compiler *c, int32_t v, pm_error *err)
{
    int32_t low = 0;
    while (low < c->nslots && !is_dropped(c, low))
        ++low;
    if (low == c->nslots)
        return PM_OK;
    pm_frontier_step *s = pm_compiler_add_step(c, err);
    if (!s)
        return PM_ENOMEM;
    s->kind = PM_STEP_DROP;
    s->vertex = -1;
    s->in_place = true;
    s->low = low;
    int32_t *vertex;
    pm_status status = pm_compiler_make_slots(s, c->nslots - low, &vertex, err);
    if (status)
        return status;
    const pm_frontier_level *from = &c->p.levels[c->p.nsteps - 1];
    for (int32_t i = low; i < c->nslots; ++i) {
        bool goes = is_dropped(c, i);
        vertex[s->nslots] = c->slots[i];
        s->slots[s->nslots++] =
            (pm_frontier_step_slot){.role = goes ? PM_ROLE_DROPPED : PM_ROLE_UNTOUCHED,
                                    .old_slot = i,
                                    .new_slot = goes ? -1 : 0,
                                    .kept = goes ? kept_digit(&from->slots[i], v) : 0,
                                    .entry = PM_UNIT};
    }
    pm_compiler_finish_slots(c, s, vertex);
    free(vertex);
    status = pm_compiler_add_level(c, NULL, err);
    return status ? status : pm_compiler_count(c, (double)c->p.levels[c->p.nsteps].states, err);
}

pm_status pm_compiler_add_in_place(pm_frontier_compiler *c, int32_t v, pm_error *err)
{
    pm_status status = add_vertex(c, v, err);
    return status || c->p.is_zero ? status : add_drop(c, v, err);
}
