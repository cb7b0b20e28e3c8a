/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_state.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "pm/alloc.h"

/* ---- the program ---- */

static void add_level(pm_sha256 *s, const pm_frontier_level *l)
{
    pm_sha256_add_number(s, l->nslots);
    pm_sha256_add_number(s, l->sum);
    pm_sha256_add_number(s, l->states);
    pm_sha256_add_number(s, l->offset);
    for (int32_t q = 0; q < l->nslots; ++q) {
        const pm_frontier_slot *x = &l->slots[q];
        pm_sha256_add_number(s, x->vertex);
        pm_sha256_add_number(s, x->lo);
        pm_sha256_add_number(s, x->range);
        pm_sha256_add_number(s, x->row);
    }
}

static void add_step(pm_sha256 *s, const pm_frontier_step *t)
{
    pm_sha256_add_number(s, t->kind);
    pm_sha256_add_number(s, t->vertex);
    pm_sha256_add_number(s, t->is_row);
    pm_sha256_add_number(s, t->in_place);
    pm_sha256_add_number(s, t->before);
    pm_sha256_add_number(s, t->low);
    for (int32_t i = 0; i < t->nslots; ++i) {
        const pm_frontier_step_slot *x = &t->slots[i];
        pm_sha256_add_number(s, x->role);
        pm_sha256_add_number(s, x->old_slot);
        pm_sha256_add_number(s, x->new_slot);
        pm_sha256_add_number(s, x->kept);
        pm_sha256_add_number(s, x->entry);
    }
}

static pm_ledger_key key_of(const pm_frontier_program *p)
{
    pm_sha256 s;
    pm_ledger_key key;
    pm_sha256_begin(&s);
    pm_sha256_add_number(&s, p->nsteps);
    pm_sha256_add_number(&s, p->room);
    for (int32_t i = 0; i <= p->nsteps; ++i)
        add_level(&s, &p->levels[i]);
    for (int32_t i = 0; i < p->nsteps; ++i)
        add_step(&s, &p->steps[i]);
    pm_sha256_end(&s, key.byte);
    return key;
}

pm_frontier_states pm_frontier_states_new(const pm_job *job, int32_t nsteps)
{
    pm_frontier_states s = {.store = pm_ledger_store(&job->scope)};
    if (!s.store)
        return s;
    s.scope = job->scope.key;
    s.nsteps = nsteps;
    s.bits = job->nmoduli ? 64 : 0;
    return s;
}

pm_frontier_states pm_frontier_states_of(const pm_job *job, const pm_frontier_program *p)
{
    pm_frontier_states s = pm_frontier_states_new(job, p->nsteps);
    if (s.store)
        s.engine = key_of(p);
    return s;
}

/* ---- the order ---- */

#define ORDER_PLAN "frontier"
enum { VERTEX_BITS = 15, PACKED = 4 }; /* vertices of a number of the plan */

pm_status pm_frontier_record_order(const pm_job *job, const pm_block_graph *g,
                                   const pm_vertex_order *o, pm_error *err)
{
    pm_ledger_plan plan = {.name = ORDER_PLAN, .count = 1 + (o->len + PACKED - 1) / PACKED};
    if (!pm_ledger_store(&job->scope) || !g->all_single || plan.count > PM_LEDGER_PLAN)
        return PM_OK;
    plan.number[0] = o->len;
    for (int32_t t = 0; t < o->len; ++t)
        plan.number[1 + t / PACKED] |= (int64_t)o->seq[t] << (t % PACKED * VERTEX_BITS);
    return pm_ledger_put_plan(&job->scope, &plan, err);
}

pm_status pm_frontier_recorded_order(const pm_job *job, const pm_block_graph *g, int32_t **order,
                                     int64_t *len, pm_error *err)
{
    pm_ledger_plan plan;
    *order = NULL;
    if (!pm_ledger_store(&job->scope) || !g->all_single || !pm_ledger_get_plan(&job->scope, &plan)
        || strcmp(plan.name, ORDER_PLAN) != 0 || plan.count == 0 || plan.number[0] > g->nv
        || plan.count != 1 + (plan.number[0] + PACKED - 1) / PACKED)
        return PM_OK;
    *len = plan.number[0];
    int32_t *seq = pm_alloc_array(*len, sizeof *seq);
    if (!seq)
        return pm_fail_memory(err, "frontier order");
    bool is_good = true;
    for (int64_t t = 0; t < *len; ++t) {
        const int64_t packed = plan.number[1 + t / PACKED] >> (t % PACKED * VERTEX_BITS);
        seq[t] = (int32_t)(packed & ((1 << VERTEX_BITS) - 1));
        is_good &= seq[t] < g->nv;
    }
    if (is_good)
        *order = seq;
    else
        free(seq);
    return PM_OK;
}

/* ---- stored levels ---- */

static bool is_equal(const pm_ledger_key *a, const pm_ledger_key *b)
{
    return memcmp(a->byte, b->byte, sizeof a->byte) == 0;
}

bool pm_frontier_is_stored(const pm_job *job, const pm_frontier_program *p)
{
    pm_state_head h;
    const pm_frontier_states s = pm_frontier_states_of(job, p);
    for (int slot = 0; pm_ledger_next_state(&job->scope, &slot, &h);)
        if (is_equal(&h.engine, &s.engine))
            return true;
    return false;
}

bool pm_frontier_other_is_stored(const pm_job *job, const pm_frontier_program *p)
{
    pm_state_head h;
    int slot = 0;
    return pm_ledger_next_state(&job->scope, &slot, &h) && !pm_frontier_is_stored(job, p);
}

/* ---- passes ---- */

pm_frontier_pass pm_frontier_pass_new(const pm_frontier_states *s, int slot, int bits,
                                      const uint64_t *modulus, int lanes, int wanted)
{
    pm_frontier_pass p = {.store = s->store, .slot = slot, .since = pm_clock()};
    if (!s->store)
        return p;
    p.head = (pm_state_head){.scope = s->scope, .engine = s->engine, .steps = s->nsteps};
    if (s->bits) {
        p.head.bits = bits;
        p.head.lanes = lanes;
        p.head.wanted = wanted;
        memcpy(p.head.modulus, modulus, (size_t)lanes * sizeof *modulus);
    }
    return p;
}

/* The number of the first modulus of the pass; -1: they are done, or not of this run. */
static int find_moduli(const pm_state_head *h, const uint64_t *moduli, int n)
{
    if (h->wanted == 0)
        return 0;
    for (int k = 0; k + h->wanted <= n; ++k)
        if (memcmp(moduli + k, h->modulus, (size_t)h->wanted * sizeof *moduli) == 0)
            return k;
    return -1;
}

bool pm_frontier_pass_stored(const pm_frontier_states *s, const uint64_t *moduli, int n, int *slot,
                             pm_frontier_pass *out, int *first)
{
    pm_state_head h;
    for (int k = *slot; s->store && k < s->store->slots; ++k) {
        if (!s->store->head(s->store->context, k, &h) || !is_equal(&h.scope, &s->scope)
            || (h.bits > 0) != (s->bits > 0) || (h.bits > 0) != (h.wanted > 0))
            continue;
        *first = find_moduli(&h, moduli, n);
        if (*first < 0)
            continue;
        if (!is_equal(&h.engine, &s->engine) || h.steps != s->nsteps) {
            s->store->refuse(s->store->context, k,
                             "it is of another order or program; the pass is begun anew");
            continue;
        }
        *slot = k + 1;
        *out = (pm_frontier_pass){
            .store = s->store, .slot = k, .head = h, .stored = h, .from = k, .since = pm_clock()};
        return true;
    }
    return false;
}

int64_t pm_frontier_pass_stored_bytes(const pm_frontier_pass *p, int64_t inexact)
{
    return p->stored.bits ? p->stored.bits / 8 * (int64_t)p->stored.lanes : inexact;
}

pm_status pm_frontier_pass_load(pm_frontier_pass *p, int64_t bytes, pm_state_copy *copy,
                                void *engine, int32_t *step, pm_error *err)
{
    const pm_state_store *s = p->store;
    const int64_t done = s ? p->stored.step : 0;
    *step = 0;
    if (done == 0)
        return PM_OK;
    pm_status status = PM_EDATA;
    if (p->stored.bytes == (uint64_t)bytes)
        status = s->get(s->context, p->from, copy, engine, err);
    else
        s->refuse(s->context, p->from, "its length is wrong; the pass is begun anew");
    if (status == PM_EDATA)
        p->head.step = 0;
    else if (!status)
        *step = (int32_t)done;
    return status == PM_EDATA ? PM_OK : status;
}

pm_status pm_frontier_pass_store(pm_frontier_pass *p, int32_t step, double bytes, bool stops,
                                 pm_state_copy *copy, void *engine, pm_error *err)
{
    const pm_state_store *s = p->store;
    if (!s || step <= p->head.step || step >= p->head.steps
        || !s->is_due(s->context, pm_clock() - p->since, bytes, stops))
        return PM_OK;
    p->head.step = step;
    p->head.bytes = (uint64_t)bytes;
    pm_status status = s->put(s->context, p->slot, &p->head, copy, engine, err);
    p->since = pm_clock();
    return status;
}

/* ---- levels in the memory of the CPU ---- */

/* The bytes of a level, of which a store has `lanes` words of each value, and the array `wide`. */
typedef struct {
    char *bytes;
    size_t word;
    uint64_t lanes, wide;
} level_bytes;

static pm_status take_bytes(void *engine, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    const level_bytes *l = engine;
    const char *from = buffer;
    (void)err;
    if (l->lanes == l->wide) {
        memcpy(l->bytes + at, from, count);
        return PM_OK;
    }
    for (uint64_t i = at / l->word, end = i + count / l->word; i < end; ++i, from += l->word) {
        char *value = l->bytes + i / l->lanes * l->wide * l->word;
        memcpy(value + i % l->lanes * l->word, from, l->word);
        for (uint64_t k = l->lanes; k < l->wide && i % l->lanes == 0; ++k)
            memcpy(value + k * l->word, from, l->word);
    }
    return PM_OK;
}

pm_status pm_frontier_pass_read(pm_frontier_pass *p, const pm_ring *ring, int64_t states,
                                void *level, int32_t *step, pm_error *err)
{
    *step = 0;
    if (!p)
        return PM_OK;
    level_bytes l = {.bytes = level,
                     .word = ring->lanes ? (size_t)(ring->value_bytes / ring->lanes) : 1,
                     .lanes = ring->lanes ? (uint64_t)p->stored.lanes : 1,
                     .wide = ring->lanes ? (uint64_t)ring->lanes : 1};
    return pm_frontier_pass_load(p, states * pm_frontier_pass_stored_bytes(p, ring->value_bytes),
                                 take_bytes, &l, step, err);
}

static pm_status give_bytes(void *engine, uint64_t at, void *buffer, size_t count, pm_error *err)
{
    const char *level = engine;
    (void)err;
    memcpy(buffer, level + at, count);
    return PM_OK;
}

pm_status pm_frontier_pass_write(pm_frontier_pass *p, const pm_ring *ring, int64_t states,
                                 const void *level, int32_t step, bool stops, pm_error *err)
{
    const double bytes = (double)(states * ring->value_bytes);
    return p ? pm_frontier_pass_store(p, step, bytes, stops, give_bytes, (void *)level, err)
             : PM_OK;
}
