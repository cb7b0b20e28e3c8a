/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/mask_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum {
    SMALL_LEVEL = 8, /* slots: up to here every digit is in the number */
    SHORT_SPAN = 6,  /* slots: below this a permutation may be worth it */
    NEVER = INT32_MAX
};

typedef struct {
    const pm_block_graph *g;
    const int64_t *loop;
    const pm_vertex_order *o;
    pm_mask_program *p;
    int64_t cap_steps, cap_levels;
    int32_t *processed; /* of each vertex: neighbours processed */
    int32_t *slot;      /* of each vertex in the last level, or -1 */
    char *gone;         /* of each vertex: it has left */
    int32_t left;       /* vertices that have left */
    bool has_loops;
} compiler;

/* ---- levels ---- */

static pm_mask_level *last_level(compiler *c)
{
    return &c->p->levels[c->p->nlevels - 1];
}

/* Adds an empty level with room for so many slots.  Fails: PM_UNABLE, PM_ENOMEM. */
static pm_status add_level(compiler *c, int32_t nslots, pm_mask_level **out, pm_error *err)
{
    pm_mask_program *p = c->p;
    if (nslots > PM_MASK_SLOTS)
        return pm_fail(err, PM_UNABLE, "a frontier of %d vertices: at most %d can be counted",
                       (int)nslots, (int)PM_MASK_SLOTS);
    if (PM_GROW(p->levels, c->cap_levels, p->nlevels + 1))
        return pm_fail_memory(err, "the program of a frontier");
    pm_mask_level *l = &p->levels[p->nlevels];
    *l = (pm_mask_level){.nslots = nslots, .parity = c->left % 2 != 0};
    l->slots = pm_alloc_array(nslots, sizeof *l->slots);
    if (!l->slots)
        return pm_fail_memory(err, "the program of a frontier");
    ++p->nlevels;
    *out = l;
    return PM_OK;
}

static void measure_level(compiler *c)
{
    const pm_mask_level *l = last_level(c);
    const int32_t bits = pm_mask_bits(l);
    for (int32_t q = 0; q < l->nslots; ++q)
        c->slot[l->slots[q]] = q;
    c->p->most_bits = bits > c->p->most_bits ? bits : c->p->most_bits;
    c->p->states += exp2(bits);
}

/* ---- touches ---- */

/* The index in the order of the first step from t on that touches v, a vertex of the frontier. */
static int32_t next_touch(const compiler *c, int32_t v, int32_t t)
{
    int32_t first = c->o->pos[v] >= t ? c->o->pos[v] : NEVER;
    for (int64_t i = c->g->ptr[v]; i < c->g->ptr[v + 1]; ++i) {
        const int32_t pos = c->o->pos[c->g->adj[i]];
        if (pos >= t && pos < first && !c->gone[c->g->adj[i]])
            first = pos;
    }
    return first;
}

static bool is_touched_by(const compiler *c, int32_t u, int32_t v)
{
    if (u == v)
        return true;
    for (int64_t i = c->g->ptr[v]; i < c->g->ptr[v + 1]; ++i)
        if (c->g->adj[i] == u)
            return true;
    return false;
}

/* The lowest slot of the last level that the step of v touches; the number of slots if there is none. */
static int32_t lowest_touched(const compiler *c, const pm_mask_level *l, int32_t v)
{
    for (int32_t q = 0; q < l->nslots; ++q)
        if (is_touched_by(c, l->slots[q], v))
            return q;
    return l->nslots;
}

/* ---- permutations ---- */

static pm_status add_step(compiler *c, pm_mask_step **out, pm_error *err)
{
    pm_mask_program *p = c->p;
    if (PM_GROW(p->steps, c->cap_steps, p->nsteps + 1))
        return pm_fail_memory(err, "the program of a frontier");
    p->steps[p->nsteps] = (pm_mask_step){.vertex = -1, .own_slot = -1};
    *out = &p->steps[p->nsteps++];
    return PM_OK;
}

/* The slots of the last level by their next touch from step t on, the farthest lowest. */
static pm_status permute(compiler *c, int32_t t, int32_t v, pm_error *err)
{
    pm_mask_step *step = NULL;
    pm_mask_level *l = NULL;
    const int32_t n = last_level(c)->nslots;
    int32_t touch[PM_MASK_SLOTS];
    pm_status status = add_level(c, n, &l, err);
    if (!status)
        status = add_step(c, &step, err);
    if (status)
        return status;
    const pm_mask_level *from = l - 1;
    for (int32_t k = 0; k < n; ++k) { /* an insertion sort: equal ones keep their sequence */
        const int32_t u = from->slots[k], next = next_touch(c, u, t);
        int32_t q = k;
        for (; q > 0 && touch[q - 1] < next; --q) {
            touch[q] = touch[q - 1];
            l->slots[q] = l->slots[q - 1];
        }
        touch[q] = next;
        l->slots[q] = u;
    }
    l->parity = from->parity;
    l->implied = !c->has_loops && n > SMALL_LEVEL && !is_touched_by(c, l->slots[0], v);
    step->transitions = exp2(pm_mask_bits(l));
    c->p->transitions += step->transitions;
    measure_level(c);
    return PM_OK;
}

/* Before the step of v, number t, where its spans would be short or it touches the slot whose digit is implied. */
static pm_status permute_if_needed(compiler *c, int32_t t, int32_t v, pm_error *err)
{
    const pm_mask_level *l = last_level(c);
    const int32_t low = lowest_touched(c, l, v);
    if (l->nslots <= SMALL_LEVEL && !l->implied)
        return PM_OK;
    int32_t untouched = 0;
    for (int32_t q = 0; q < l->nslots; ++q)
        untouched += !is_touched_by(c, l->slots[q], v);
    const bool is_short = low < SHORT_SPAN && low < untouched && untouched >= SHORT_SPAN / 2;
    return is_short || (l->implied && low == 0) ? permute(c, t, v, err) : PM_OK;
}

/* ---- the step of a vertex ---- */

typedef enum { ABSENT, ENTERS, STAYS, LEAVES, BOTH } role;

static bool has_loop(const compiler *c, int32_t u)
{
    return c->loop[u] != PM_MASK_NO_LOOP;
}

/* What the step of v does to its neighbour u. */
static role role_of(const compiler *c, int32_t u)
{
    if (c->gone[u])
        return ABSENT;
    const bool is_last = c->processed[u] + 1 == c->g->ptr[u + 1] - c->g->ptr[u] && !has_loop(c, u);
    return c->processed[u] == 0 ? (is_last ? BOTH : ENTERS) : is_last ? LEAVES : STAYS;
}

/* The level after the step of v: what remains in its sequence, then what enters. */
static pm_status next_level(compiler *c, int32_t v, pm_error *err)
{
    const pm_block_graph *g = c->g;
    const int32_t before = last_level(c)->nslots;
    int32_t leaving = c->slot[v] >= 0, entering = 0, gone = 1;
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i) {
        const role r = role_of(c, g->adj[i]);
        leaving += r == LEAVES;
        entering += r == ENTERS;
        gone += r == LEAVES || r == BOTH;
    }
    pm_mask_level *l = NULL;
    c->left += gone;
    pm_status status = add_level(c, before - leaving + entering, &l, err);
    if (status)
        return status;
    int32_t n = 0;
    for (int32_t q = 0; q < before; ++q) {
        const int32_t u = l[-1].slots[q];
        bool stays = u != v;
        for (int64_t i = g->ptr[v]; i < g->ptr[v + 1] && stays; ++i)
            stays = g->adj[i] != u || role_of(c, u) == STAYS;
        if (stays)
            l->slots[n++] = u;
    }
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i)
        if (role_of(c, g->adj[i]) == ENTERS)
            l->slots[n++] = g->adj[i];
    const pm_mask_level *from = l - 1;
    const bool keeps_lowest = n > 0 && from->nslots > 0 && l->slots[0] == from->slots[0];
    l->implied = !c->has_loops && n > SMALL_LEVEL && (!from->implied || keeps_lowest);
    return PM_OK;
}

/* The number of lowest slots that are equal in both levels and that v does not touch. */
static int32_t common_slots(const compiler *c, const pm_mask_level *from, const pm_mask_level *to,
                            int32_t v)
{
    int32_t low = 0;
    if (from->implied != to->implied)
        return 0;
    while (low < from->nslots && low < to->nslots && from->slots[low] == to->slots[low]
           && !is_touched_by(c, from->slots[low], v))
        ++low;
    return low;
}

/* Transitions of a step with these roles, on average over the digits. */
static double count_transitions(const pm_mask_step *s, int32_t bits, int32_t enter, int32_t stay,
                                int32_t leave, int32_t both)
{
    const double none = (s->own_slot >= 0) + s->has_loop + 0.5 * stay + leave;
    const double share = exp2(-enter);
    const double sources = both == 0 ? none + enter : both == 1 ? 1 : 0;
    return exp2(bits) * fmax(1, share * sources);
}

static pm_status fill_step(compiler *c, int32_t v, pm_mask_step *s, pm_error *err)
{
    const pm_block_graph *g = c->g;
    const pm_mask_level *to = last_level(c), *from = to - 1;
    int32_t count[BOTH + 1] = {0};
    int64_t weighted = 0;
    s->vertex = v;
    s->own_slot = c->slot[v];
    s->has_loop = has_loop(c, v);
    s->loop = c->loop[v];
    s->low = common_slots(c, from, to, v);
    s->touches =
        pm_alloc_array(g->ptr[v + 1] - g->ptr[v] + to->nslots - s->low, sizeof *s->touches);
    if (!s->touches)
        return pm_fail_memory(err, "the program of a frontier");
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i) {
        const int32_t u = g->adj[i];
        const role r = role_of(c, u);
        ++count[r];
        weighted += r != ABSENT && g->entry[i] != PM_UNIT;
        if (r == LEAVES || r == BOTH)
            s->touches[s->ntouches++] = (pm_mask_touch){c->slot[u], -1, g->entry[i], true};
    }
    s->nbefore = s->ntouches;
    for (int32_t q = s->low; q < to->nslots; ++q) {
        pm_mask_touch touch = {c->slot[to->slots[q]], q, PM_UNIT, false};
        for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i)
            if (g->adj[i] == to->slots[q]) {
                touch.is_neighbour = true;
                touch.entry = g->entry[i];
            }
        s->touches[s->ntouches++] = touch;
    }
    s->transitions = count_transitions(s, pm_mask_bits(to), count[ENTERS], count[STAYS],
                                       count[LEAVES], count[BOTH]);
    const int32_t edges = count[ENTERS] + count[STAYS] + count[LEAVES] + count[BOTH];
    c->p->transitions += s->transitions;
    c->p->weighted += edges ? s->transitions * (double)weighted / edges : 0;
    c->p->depth += 2 + edges;
    return PM_OK;
}

/* Marks v and the neighbours that leave with it as gone. */
static void finish_step(compiler *c, int32_t v)
{
    const pm_block_graph *g = c->g;
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i) {
        const int32_t u = g->adj[i];
        const role r = role_of(c, u);
        if (r == LEAVES || r == BOTH) {
            c->gone[u] = true;
            c->slot[u] = -1;
        }
        ++c->processed[u];
    }
    c->gone[v] = true;
    c->slot[v] = -1;
    measure_level(c);
}

static pm_status process(compiler *c, int32_t t, int32_t v, pm_error *err)
{
    pm_mask_step *s = NULL;
    pm_status status = permute_if_needed(c, t, v, err);
    if (!status)
        status = next_level(c, v, err);
    if (!status)
        status = add_step(c, &s, err);
    if (!status)
        status = fill_step(c, v, s, err);
    if (status)
        return status;
    int32_t both = 0;
    for (int32_t k = 0; k < s->nbefore; ++k)
        both += s->touches[k].old_slot < 0;
    finish_step(c, v);
    const pm_mask_level *l = last_level(c);
    if (both > 1 || (!c->has_loops && l->nslots == 0 && l->parity))
        c->p->is_zero = true;
    return PM_OK;
}

/* Neighbours of v with a loop whose neighbours are all processed. */
static pm_status process_finished(compiler *c, int32_t t, int32_t v, pm_error *err)
{
    const pm_block_graph *g = c->g;
    pm_status status = PM_OK;
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1] && !status && !c->p->is_zero; ++i) {
        const int32_t u = g->adj[i];
        if (!c->gone[u] && c->processed[u] == g->ptr[u + 1] - g->ptr[u])
            status = process(c, t, u, err);
    }
    return status;
}

static pm_status compile(compiler *c, pm_error *err)
{
    pm_mask_level *first = NULL;
    pm_status status = add_level(c, 0, &first, err);
    for (int32_t v = 0; v < c->g->nv; ++v) {
        c->slot[v] = -1;
        c->has_loops = c->has_loops || has_loop(c, v);
    }
    for (int32_t t = 0; t < c->o->len && !status && !c->p->is_zero; ++t) {
        const int32_t v = c->o->seq[t];
        if (c->gone[v])
            continue;
        status = process(c, t, v, err);
        if (!status && c->has_loops && !c->p->is_zero)
            status = process_finished(c, t + 1, v, err);
    }
    return status;
}

pm_status pm_mask_program_compile(const pm_block_graph *g, const int64_t *loop,
                                  const pm_vertex_order *o, pm_mask_program *out, pm_error *err)
{
    pm_mask_program p = {0};
    compiler c = {.g = g, .loop = loop, .o = o, .p = &p};
    c.processed = pm_calloc_array(g->nv, sizeof *c.processed);
    c.slot = pm_alloc_array(g->nv, sizeof *c.slot);
    c.gone = pm_calloc_array(g->nv, sizeof *c.gone);
    pm_status status = c.processed && c.slot && c.gone
                           ? compile(&c, err)
                           : pm_fail_memory(err, "the program of a frontier");
    if (!status && p.is_zero) {
        pm_mask_program_free(&p);
        p.is_zero = true;
    }
    if (!status)
        *out = p;
    else
        pm_mask_program_free(&p);
    free(c.processed);
    free(c.slot);
    free(c.gone);
    return status;
}

void pm_mask_program_free(pm_mask_program *p)
{
    for (int32_t i = 0; i < p->nsteps; ++i)
        free(p->steps[i].touches);
    for (int32_t i = 0; i < p->nlevels; ++i)
        free(p->levels[i].slots);
    free(p->steps);
    free(p->levels);
    *p = (pm_mask_program){0};
}
