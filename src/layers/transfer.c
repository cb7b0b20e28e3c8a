/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of states is an array of bit masks, ascending.  Bit i is vertex v + i of the layer and the next
 * one, where v is the vertex that is matched next. */
#include "config.h"

#include "layers/transfer.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum { RING_BITS = 22 /* vertices of the layer where a ring is cut */ };

typedef struct {
    uint64_t *mask;
    int64_t count;
} states;

typedef struct {
    uint64_t mask; /* after the step */
    int32_t source, entry;
} transition;

typedef struct {
    const pm_layered *g;
    const pm_run *run;
    int64_t most, transitions; /* so far */
    transition *found, *merged;
    int64_t count, cap, cap_merged;
} building;

static void free_step(pm_transfer_step *s)
{
    free(s->start);
    free(s->source);
    free(s->entry);
    *s = (pm_transfer_step){0};
}

static void free_steps(pm_transfer *t)
{
    for (int k = 0; t->step && k < t->head + t->cycle + t->tail; ++k)
        free_step(&t->step[k]);
}

void pm_transfer_free(pm_transfer *t)
{
    free_steps(t);
    free(t->step);
    free(t->component);
    *t = (pm_transfer){0};
}

static pm_status fail_memory(pm_error *err)
{
    return pm_fail_memory(err, "states of layers");
}

/* ---- one step ---- */

/* What is done with vertex v, which is bit 0: it is matched already, or an edge matches it. */
typedef struct {
    uint64_t bit; /* of its other end; 0: it is matched */
    int32_t entry;
} choice;

static bool is_allowed(const choice *c, uint64_t mask)
{
    return c->bit ? !(mask & 1) && !(mask & c->bit) : mask & 1;
}

/* The transitions by one choice, at the end of found[].  As `in` ascends, so do they. */
static pm_status list_choice(building *b, const states *in, const choice *c, pm_error *err)
{
    if (PM_GROW(b->found, b->cap, b->count + in->count)
        || PM_GROW(b->merged, b->cap_merged, b->cap))
        return fail_memory(err);
    for (int64_t s = 0; s < in->count; ++s)
        if (is_allowed(c, in->mask[s]))
            b->found[b->count++] = (transition){(in->mask[s] | c->bit) >> 1, (int32_t)s, c->entry};
    return PM_OK;
}

/* Merges found[0 .. first - 1] and found[first .. count - 1]. */
static void merge(building *b, int64_t first)
{
    int64_t i = 0, j = first;
    for (int64_t k = 0; k < b->count; ++k) {
        const bool takes_i = j == b->count || (i < first && b->found[i].mask <= b->found[j].mask);
        b->merged[k] = b->found[takes_i ? i++ : j++];
    }
    transition *swap = b->found;
    b->found = b->merged;
    b->merged = swap;
    int64_t cap = b->cap;
    b->cap = b->cap_merged;
    b->cap_merged = cap;
}

/* All transitions that match vertex v of the layer, by their masks; edge[]: its edges, `degree` of them. */
static pm_status find_transitions(building *b, const states *in, int v, const pm_layer_edge *edge,
                                  int degree, pm_error *err)
{
    pm_status status = PM_OK;
    b->count = 0;
    for (int k = -1; k < degree && !status; ++k) {
        const choice matched = {0, -1};
        const choice c = k < 0 ? matched : (choice){UINT64_C(1) << (edge[k].to - v), edge[k].entry};
        const int64_t first = b->count;
        status = list_choice(b, in, &c, err);
        if (!status)
            merge(b, first);
        if (!status && b->transitions + b->count > b->most)
            status = pm_fail(err, PM_UNABLE,
                             "refused: the states of a part have more than %lld transitions",
                             (long long)b->most);
        if (!status && pm_run_stopped(b->run))
            status = PM_ESTOPPED;
    }
    b->transitions += b->count;
    return status;
}

/* The states that the transitions lead to. */
static pm_status list_states(const building *b, states *out, pm_error *err)
{
    out->count = 0;
    out->mask = pm_alloc_array(b->count, sizeof *out->mask);
    if (!out->mask)
        return fail_memory(err);
    for (int64_t k = 0; k < b->count; ++k)
        if (k == 0 || b->found[k].mask != b->found[k - 1].mask)
            out->mask[out->count++] = b->found[k].mask;
    return PM_OK;
}

/* Transitions to states that are not in `to` are left out. */
static pm_status make_step(const building *b, int64_t from, const states *to, pm_transfer_step *out,
                           pm_error *err)
{
    bool has_entries = false;
    for (int64_t k = 0; k < b->count && !has_entries; ++k)
        has_entries = b->found[k].entry >= 0;
    pm_transfer_step s = {.from = from, .to = to->count};
    s.start = pm_alloc_array(to->count + 1, sizeof *s.start);
    s.source = pm_alloc_array(b->count, sizeof *s.source);
    s.entry = has_entries ? pm_alloc_array(b->count, sizeof *s.entry) : NULL;
    if (!s.start || !s.source || (has_entries && !s.entry)) {
        free_step(&s);
        return fail_memory(err);
    }
    int64_t k = 0, count = 0;
    for (int64_t d = 0; d < to->count; ++d) {
        s.start[d] = count;
        while (k < b->count && b->found[k].mask < to->mask[d])
            ++k;
        for (; k < b->count && b->found[k].mask == to->mask[d]; ++k) {
            s.source[count] = b->found[k].source;
            if (s.entry)
                s.entry[count] = b->found[k].entry;
            ++count;
        }
    }
    s.start[to->count] = count;
    *out = s;
    return PM_OK;
}

/* ---- layers ---- */

/* The steps of `count` layers from `in` on, which is replaced by the states after them.
 * only: the states after the last step are these; NULL: all that are reached.  step: NULL: only the states are
 * wanted. */
static pm_status run_layers(building *b, const pm_layer *layer, int count, const states *only,
                            states *in, pm_transfer_step *step, pm_error *err)
{
    pm_status status = PM_OK;
    for (int l = 0; l < count; ++l) {
        const pm_layer_edge *edge = layer[l].edge, *end = edge + layer[l].nedges;
        for (int v = 0; v < layer[l].size && !status; ++v) {
            const pm_layer_edge *first = edge;
            bool is_last = l + 1 == count && v + 1 == layer[l].size;
            states out = {0};
            while (edge < end && edge->from == v)
                ++edge;
            status = find_transitions(b, in, v, first, (int)(edge - first), err);
            if (!status)
                status = list_states(b, &out, err);
            if (!status && step)
                status = make_step(b, in->count, is_last && only ? only : &out, step++, err);
            free(in->mask);
            *in = out;
        }
    }
    return status;
}

/* *a = *a and *b together, and *b those of them that *a had not. */
static pm_status unite(states *a, states *b, pm_error *err)
{
    uint64_t *both = pm_alloc_array(a->count + b->count, sizeof *both);
    int64_t i = 0, j = 0, count = 0, fresh = 0;
    if (!both)
        return fail_memory(err);
    while (i < a->count || j < b->count) {
        const bool takes_a = j == b->count || (i < a->count && a->mask[i] <= b->mask[j]);
        const uint64_t next = takes_a ? a->mask[i++] : b->mask[j];
        if (j < b->count && b->mask[j] == next) {
            ++j;
            if (!takes_a)
                b->mask[fresh++] = next;
        }
        both[count++] = next;
    }
    free(a->mask);
    *a = (states){both, count};
    b->count = fresh;
    return PM_OK;
}

static pm_status copy_states(const states *a, states *out, pm_error *err)
{
    *out = (states){pm_copy(a->mask, (size_t)a->count * sizeof *a->mask), a->count};
    return out->mask ? PM_OK : fail_memory(err);
}

/* Adds the states that the cycle leads to, from `at` and from those that were added. */
static pm_status add_reached(building *b, states *at, pm_error *err)
{
    states fresh;
    pm_status status = copy_states(at, &fresh, err);
    while (!status && fresh.count > 0) {
        b->transitions = 0;
        status = run_layers(b, b->g->layer + b->g->head, b->g->cycle, NULL, &fresh, NULL, err);
        if (!status)
            status = unite(at, &fresh, err);
    }
    free(fresh.mask);
    return status;
}

/* Leaves only states that the cycle leads to from states that are left. */
static pm_status leave_reached(building *b, states *at, pm_error *err)
{
    pm_status status = PM_OK;
    int64_t before = at->count + 1;
    while (!status && at->count < before) {
        before = at->count;
        b->transitions = 0;
        status = run_layers(b, b->g->layer + b->g->head, b->g->cycle, NULL, at, NULL, err);
    }
    return status;
}

/* The steps of the cycle between the states `at`, to which those are added that it leads to; in a ring, those that
 * it does not lead to are left out. */
static pm_status close_cycle(building *b, states *at, bool is_ring, pm_transfer *t, pm_error *err)
{
    states reached = {0};
    pm_status status = is_ring ? leave_reached(b, at, err) : add_reached(b, at, err);
    if (!status)
        status = copy_states(at, &reached, err);
    b->transitions = 0;
    if (!status)
        status = run_layers(b, b->g->layer + b->g->head, b->g->cycle, at, &reached,
                            t->step + t->head, err);
    t->transitions = b->transitions;
    free(reached.mask);
    return status;
}

static pm_status first_states(const pm_layered *g, states *out, pm_error *err)
{
    const int bits = g->is_ring ? g->layer[0].size : 0;
    if (bits > RING_BITS)
        return pm_fail(err, PM_UNABLE, "refused: a part of a ring has more than %d vertices",
                       RING_BITS);
    out->count = INT64_C(1) << bits;
    out->mask = pm_alloc_array(out->count, sizeof *out->mask);
    if (!out->mask)
        return fail_memory(err);
    for (int64_t k = 0; k < out->count; ++k)
        out->mask[k] = (uint64_t)k;
    return PM_OK;
}

/* The steps of the head, to the states `at` of the cycle.  Without a head the first state, 0, is the first of them. */
static pm_status make_head(building *b, const states *at, pm_transfer_step *step, pm_error *err)
{
    states first = {0};
    if (b->g->head == 0)
        return PM_OK;
    pm_status status = first_states(b->g, &first, err);
    b->transitions = 0;
    if (!status)
        status = run_layers(b, b->g->layer, b->g->head, at, &first, step, err);
    free(first.mask);
    return status;
}

static int count_vertices(const pm_layer *layer, int count)
{
    int sum = 0;
    for (int l = 0; l < count; ++l)
        sum += layer[l].size;
    return sum;
}

/* ---- components ---- */

static int32_t root_of(int32_t *parent, int32_t x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

static void join_roots(int32_t *parent, int32_t a, int32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    parent[a > b ? a : b] = a < b ? a : b;
}

/* Within a step, states with a common successor are joined; at its end each has a state of the first level that it
 * comes from. */
static pm_status find_components(pm_transfer *t, pm_error *err)
{
    int32_t *parent = pm_alloc_array(t->states, sizeof *parent);
    int32_t *from = pm_alloc_array(t->widest, sizeof *from);
    int32_t *to = pm_alloc_array(t->widest, sizeof *to);
    t->component = pm_alloc_array(t->states, sizeof *t->component);
    pm_status status = parent && from && to && t->component ? PM_OK : fail_memory(err);
    for (int64_t s = 0; s < t->states && !status; ++s)
        parent[s] = from[s] = (int32_t)s;
    for (int k = t->head; k < t->head + t->cycle && !status; ++k) {
        const pm_transfer_step *step = &t->step[k];
        for (int64_t d = 0; d < step->to; ++d) {
            to[d] = -1;
            for (int64_t e = step->start[d]; e < step->start[d + 1]; ++e) {
                const int32_t origin = from[step->source[e]];
                if (to[d] < 0)
                    to[d] = origin;
                else if (origin >= 0)
                    join_roots(parent, to[d], origin);
            }
        }
        int32_t *swap = from;
        from = to;
        to = swap;
    }
    for (int64_t s = 0; s < t->states && !status; ++s)
        if (from[s] >= 0)
            join_roots(parent, (int32_t)s, from[s]);
    for (int64_t s = 0; s < t->states && !status; ++s) {
        const int32_t root = root_of(parent, (int32_t)s); /* at most s */
        t->component[s] = root == s ? t->ncomponents++ : t->component[root];
    }
    free(parent);
    free(from);
    free(to);
    return status;
}

static pm_status make_one_component(pm_transfer *t, pm_error *err)
{
    t->component = pm_calloc_array(t->states, sizeof *t->component);
    t->ncomponents = t->states > 0;
    return t->component ? PM_OK : fail_memory(err);
}

/* ---- the whole ---- */

static void find_widest(pm_transfer *t)
{
    t->widest = t->states;
    for (int k = 0; k < t->head + t->cycle + t->tail; ++k) {
        t->widest = t->step[k].from > t->widest ? t->step[k].from : t->widest;
        t->widest = t->step[k].to > t->widest ? t->step[k].to : t->widest;
    }
}

pm_status pm_transfer_make(const pm_layered *g, int64_t most, const pm_run *run, pm_transfer *out,
                           pm_error *err)
{
    building b = {.g = g, .run = run, .most = most};
    states at = {0};
    pm_transfer t = {.head = count_vertices(g->layer, g->head),
                     .cycle = count_vertices(g->layer + g->head, g->cycle),
                     .tail = count_vertices(g->layer + g->head + g->cycle, g->tail)};
    t.step = pm_calloc_array(t.head + t.cycle + t.tail, sizeof *t.step);
    pm_status status = t.step ? first_states(g, &at, err) : fail_memory(err);
    if (!status)
        status = run_layers(&b, g->layer, g->head, NULL, &at, NULL, err);
    if (!status)
        status = close_cycle(&b, &at, g->is_ring, &t, err);
    if (!status)
        status = make_head(&b, &at, t.step, err);
    t.states = at.count;
    if (!status) {
        /* the states of the tail are masks over no vertices: the empty one */
        status = run_layers(&b, g->layer + g->head + g->cycle, g->tail, NULL, &at,
                            t.step + t.head + t.cycle, err);
    }
    if (!status) {
        find_widest(&t);
        status = g->is_ring ? find_components(&t, err) : make_one_component(&t, err);
    }
    free(b.found);
    free(b.merged);
    free(at.mask);
    if (status)
        pm_transfer_free(&t);
    else
        *out = t;
    return status;
}
