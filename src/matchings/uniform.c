/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matchings/uniform.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/size.h"
#include "cuda/sample_sequence.h"
#include "number/dd.h"
#include "pm/alloc.h"
#include "pm/settings.h"

enum {
    MOST_WORDS = 16,         /* a frontier of 1024 vertices */
    RESCALE_BEYOND = 200,    /* binary orders of magnitude */
    FIRST_POSITION = 1 << 30 /* in a random sequence: a beam uses the numbers before it */
};

/* ---- forwards ---- */

typedef struct {
    pm_states s;
    int64_t cap_keys, cap_hi, cap_lo;
} list;

static bool list_reserve(list *l, int64_t n, int32_t words)
{
    return !PM_GROW(l->s.keys, l->cap_keys, n * words + 1) && !PM_GROW(l->s.hi, l->cap_hi, n + 1)
           && !PM_GROW(l->s.lo, l->cap_lo, n + 1);
}

static void states_free(pm_states *s)
{
    free(s->keys);
    free(s->hi);
    free(s->lo);
    *s = (pm_states){0};
}

static int64_t state_bytes(int32_t words)
{
    return (words + 2) * (int64_t)sizeof(uint64_t);
}

static bool copy_level(const pm_states *from, int32_t words, pm_states *to)
{
    *to = (pm_states){.keys = pm_alloc_array(from->n * words, sizeof *to->keys),
                      .hi = pm_alloc_array(from->n, sizeof *to->hi),
                      .lo = pm_alloc_array(from->n, sizeof *to->lo),
                      .n = from->n};
    if (!to->keys || !to->hi || !to->lo)
        return false;
    memcpy(to->keys, from->keys, (size_t)(from->n * words) * sizeof *to->keys);
    memcpy(to->hi, from->hi, (size_t)from->n * sizeof *to->hi);
    memcpy(to->lo, from->lo, (size_t)from->n * sizeof *to->lo);
    return true;
}

/* Rescales the weights of a level: only their ratios are used. */
static void rescale(pm_states *s)
{
    double largest = 0;
    int e = 0;
    for (int64_t i = 0; i < s->n; ++i)
        largest = fmax(largest, s->hi[i]);
    frexp(largest, &e);
    if (e > -RESCALE_BEYOND && e < RESCALE_BEYOND)
        return;
    for (int64_t i = 0; i < s->n; ++i) {
        s->hi[i] = ldexp(s->hi[i], -e);
        s->lo[i] = ldexp(s->lo[i], -e);
    }
}

static pm_status too_much(int64_t memory, pm_error *err)
{
    return pm_fail(err, PM_UNABLE,
                   "refused: the states of the frontier, which all must be kept, need more memory "
                   "than the %s allowed%s",
                   pm_size((double)memory).s, pm_hint_text(PM_HINT_MEMORY));
}

/* Sets `now` to the states after edge e. */
static pm_status pass_edge(const pm_beam_edge *e, int32_t words, list *now, list *next, list *take,
                           list *skip, pm_error *err)
{
    int64_t n = now->s.n;
    if (!list_reserve(next, 2 * n, words) || !list_reserve(take, n, words)
        || !list_reserve(skip, n, words))
        return pm_fail_memory(err, "states of the frontier");
    pm_states_edge(&now->s, e, words, &take->s, &skip->s, &next->s);
    list swap = *now;
    *now = *next;
    *next = swap;
    return PM_OK;
}

static pm_status pass_forwards(pm_uniform *u, const pm_run *run, pm_error *err)
{
    pm_status status = PM_OK;
    const pm_beam_plan *p = &u->plan;
    int64_t memory = pm_run_memory(run), kept = 0;
    list now = {0}, next = {0}, take = {0}, skip = {0};
    if (!list_reserve(&now, 1, p->words)) {
        status = pm_fail_memory(err, "states of the frontier");
        goto done;
    }
    memset(now.s.keys, 0, (size_t)p->words * sizeof *now.s.keys);
    now.s.hi[0] = 1;
    now.s.lo[0] = 0;
    now.s.n = 1;
    for (int64_t t = 0; t <= p->nedges && !status; ++t) {
        if (pm_run_stopped(run)) {
            status = pm_fail(err, PM_ESTOPPED, "stopped");
            break;
        }
        if (t == 0 || p->edges[t - 1].ends) {
            rescale(&now.s);
            u->edges[u->nlevels] = t;
            pm_run_progress(run, (double)t / (double)p->nedges, "states of the frontier");
            kept += now.s.n * state_bytes(p->words);
            if (!copy_level(&now.s, p->words, &u->level[u->nlevels++]))
                status = pm_fail_memory(err, "states of the frontier");
        }
        /* six times: two lists of twice the length, two of the same */
        if (!status && kept + 6 * now.s.n * state_bytes(p->words) > memory)
            status = too_much(memory, err);
        if (!status && t < p->nedges)
            status = pass_edge(&p->edges[t], p->words, &now, &next, &take, &skip, err);
    }
    if (!status && (p->has_empty_line || u->level[u->nlevels - 1].n == 0))
        status = pm_fail(err, PM_EDATA, "there is no perfect matching to draw");
done:
    states_free(&now.s);
    states_free(&next.s);
    states_free(&take.s);
    states_free(&skip.s);
    return status;
}

pm_status pm_uniform_plan(const pm_matrix *a, uint64_t seed, uint32_t block, const pm_run *run,
                          pm_uniform *out, double *bytes, pm_error *err)
{
    pm_uniform u = {.seed = seed, .block = block, .n = a->nrows};
    pm_status status = pm_beam_plan_make(a, false, seed, run, &u.plan, err);
    if (status)
        return status;
    if (u.plan.words > MOST_WORDS) {
        pm_beam_plan_free(&u.plan);
        return pm_fail(err, PM_UNABLE, "the frontier is wider than %d vertices", 64 * MOST_WORDS);
    }
    *bytes = (u.plan.total + 6 * u.plan.most) * (double)state_bytes(u.plan.words);
    *out = u;
    return PM_OK;
}

pm_status pm_uniform_fill(pm_uniform *u, const pm_run *run, pm_error *err)
{
    u->level = pm_calloc_array(u->plan.nvertices + 1, sizeof *u->level);
    u->edges = pm_alloc_array(u->plan.nvertices + 1, sizeof *u->edges);
    return u->level && u->edges ? pass_forwards(u, run, err)
                                : pm_fail_memory(err, "states of the frontier");
}

void pm_uniform_free(pm_uniform *u)
{
    for (int64_t l = 0; l < u->nlevels; ++l)
        states_free(&u->level[l]);
    free(u->level);
    free(u->edges);
    pm_beam_plan_free(&u->plan);
    *u = (pm_uniform){0};
}

double pm_uniform_total_variation(const pm_uniform *u)
{
    return (2.0 * (double)u->plan.nedges + 20.0 * (double)u->plan.nvertices) * 0x1p-103;
}

/* ---- backwards ---- */

static bool bit_is_set(const uint64_t *key, int32_t bit)
{
    return key[bit / 64] & pm_state_bit(bit);
}

/* The key before an edge that the matching does not use; false when there is none. */
static bool undo_skip(const pm_beam_edge *e, uint64_t *key)
{
    if (e->v_leaves)
        key[e->v_bit / 64] |= pm_state_bit(e->v_bit);
    if (e->u_leaves)
        key[e->u_bit / 64] |= pm_state_bit(e->u_bit);
    return !(e->v_enters && bit_is_set(key, e->v_bit))
           && !(e->u_enters && bit_is_set(key, e->u_bit));
}

/* The same for an edge that the matching uses. */
static bool undo_take(const pm_beam_edge *e, uint64_t *key)
{
    if ((!e->v_leaves && !bit_is_set(key, e->v_bit))
        || (!e->u_leaves && !bit_is_set(key, e->u_bit)))
        return false;
    key[e->v_bit / 64] &= ~pm_state_bit(e->v_bit);
    key[e->u_bit / 64] &= ~pm_state_bit(e->u_bit);
    return true;
}

/* The index of the state at level l - 1 from which the key at level l is reached when the vertex
 * between the levels uses edge t, or no edge for t < 0; -1: there is none.  before: its key. */
static int64_t find_before(const pm_uniform *u, int64_t l, const uint64_t *key, int64_t t,
                           uint64_t *before)
{
    int32_t words = u->plan.words;
    memcpy(before, key, (size_t)words * sizeof *before);
    for (int64_t s = u->edges[l] - 1; s >= u->edges[l - 1]; --s) {
        const pm_beam_edge *e = &u->plan.edges[s];
        if (!(s == t ? undo_take(e, before) : undo_skip(e, before)))
            return -1;
    }
    return pm_states_find(&u->level[l - 1], words, before);
}

/* Adds the weight of this transition to sum; returns false when there is no such transition. */
static bool add_transition(const pm_uniform *u, int64_t l, const uint64_t *key, int64_t t,
                           uint64_t *before, double sum[2])
{
    int64_t at = find_before(u, l, key, t, before);
    if (at < 0)
        return false;
    double x[2] = {u->level[l - 1].hi[at], u->level[l - 1].lo[at]};
    if (t >= 0 && !u->plan.edges[t].is_unit) {
        double y[2] = {x[0], x[1]};
        pm_dd_mul(x, y, u->plan.edges[t].value);
    }
    pm_dd_add(sum, x);
    return true;
}

/* Uniform among the multiples of 2^-106 in [0, 1). */
static void uniform(const pm_uniform *u, uint64_t sample, int64_t level, double x[2])
{
    pm_sample_sequence sequence = pm_sample_sequence_of(u->seed, u->block, sample);
    sequence.counter[0] = FIRST_POSITION + (uint32_t)level;
    double high = pm_sample_sequence_unit(&sequence), low = pm_sample_sequence_unit(&sequence);
    pm_fast_two_sum(high, low * 0x1p-53, &x[0], &x[1]);
}

/* Draws the edge that the vertex before level l uses; -1 when it was matched earlier.  key: that of
 * level l; replaced by that of level l - 1. */
static int64_t step_back(const pm_uniform *u, int64_t l, uint64_t sample, uint64_t *key)
{
    uint64_t before[MOST_WORDS], chosen[MOST_WORDS];
    double total[2] = {0, 0}, sum[2] = {0, 0}, random[2], goal[2];
    int64_t first = u->edges[l - 1], end = u->edges[l], taken = -1;
    for (int64_t t = first - 1; t < end; ++t)
        add_transition(u, l, key, t < first ? -1 : t, before, total);
    uniform(u, sample, l, random);
    pm_dd_mul(goal, random, total);
    for (int64_t t = first - 1; t < end; ++t) {
        if (!add_transition(u, l, key, t < first ? -1 : t, before, sum))
            continue;
        /* the last transition, also when by rounding the sum does not reach the goal */
        taken = t < first ? -1 : t;
        memcpy(chosen, before, (size_t)u->plan.words * sizeof *chosen);
        if (sum[0] > goal[0] || (sum[0] == goal[0] && sum[1] > goal[1]))
            break;
    }
    memcpy(key, chosen, (size_t)u->plan.words * sizeof *key);
    return taken;
}

void pm_uniform_draw(const pm_uniform *u, uint64_t sample, int32_t *col_of)
{
    uint64_t key[MOST_WORDS] = {0};
    for (int64_t l = u->nlevels - 1; l > 0; --l) {
        int64_t t = step_back(u, l, sample, key);
        if (t < 0)
            continue;
        const pm_beam_edge *e = &u->plan.edges[t];
        int32_t row = e->v < u->n ? e->v : e->u, column = e->v < u->n ? e->u : e->v;
        col_of[row] = column - (int32_t)u->n;
    }
}
