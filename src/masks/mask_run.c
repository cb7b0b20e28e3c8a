/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/mask_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "pm/alloc.h"

enum {
    THREADED = 1 << 12, /* states: fewer are computed by one thread */
    /* States with consecutive numbers that exchanges of bits go through at a time. */
    ROW = 1 << PM_MASK_LOW
};

static int threads_for(const pm_mask_flat *s, const pm_run *run)
{
    return INT64_C(1) << s->bits >= THREADED ? pm_team(run, pm_run_threads(run)) : 1;
}

/* ---- sums ---- */

/* The states from `number` on, as many as a span has. */
static void run_span(const pm_mask_flat *s, const pm_ring *ring, char *states, uint64_t number)
{
    int64_t from[PM_MASK_SOURCES + 1], entry[PM_MASK_SOURCES + 1];
    int n = 0;
    char *dst = states + (int64_t)number * ring->value_bytes;
    if (!pm_mask_is_written(s, number))
        return;
    if (s->keeps) {
        from[n] = (int64_t)number;
        entry[n++] = PM_UNIT;
    }
    for (int k = 0; k < s->sources; ++k)
        if (pm_mask_has(s, &s->source[k], number)) {
            from[n] = (int64_t)(number ^ s->source[k].flip);
            entry[n++] = s->source[k].weight;
        }
    if (n > s->keeps)
        ring->pull(ring, dst, states, from, entry, n, INT64_C(1) << s->span_bits);
    else if (n == 0)
        ring->zero(ring, dst, INT64_C(1) << s->span_bits);
}

static void run_sum(const pm_mask_flat *s, const pm_ring *ring, const pm_run *run, char *states)
{
    const int64_t spans = INT64_C(1) << (s->bits - s->span_bits);
    const int threads = threads_for(s, run);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t i = 0; i < spans; ++i)
        run_span(s, ring, states, pm_mask_number(s, (uint64_t)i << s->span_bits));
}

/* ---- exchanges ---- */

static void exchange_values(char *a, char *b, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += 8) {
        uint64_t x, y;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        memcpy(a + i, &y, 8);
        memcpy(b + i, &x, 8);
    }
}

/* One bit is turned. */
static void run_turn(const pm_mask_flat *s, const pm_ring *ring, const pm_run *run, char *states)
{
    const int64_t count = INT64_C(1) << s->bits, size = ring->value_bytes;
    const int threads = threads_for(s, run);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t i = 0; i < count; ++i) {
        const uint64_t number = pm_mask_number(s, (uint64_t)i);
        const uint64_t other = pm_mask_partner(s, number);
        if (other > number)
            exchange_values(states + (int64_t)number * size, states + (int64_t)other * size, size);
    }
}

/* What the low bits of a number give to that of its partner: bits above the row, and those that stay. */
typedef struct {
    uint64_t up[ROW], rest[ROW];
} row_map;

static void row_map_make(const pm_mask_flat *s, row_map *out)
{
    uint64_t low_bits = 0;
    for (int k = 0; k < s->pairs; ++k)
        low_bits |= UINT64_C(1) << s->low[k];
    for (uint64_t low = 0; low < ROW; ++low) {
        out->rest[low] = low & ~low_bits;
        out->up[low] = 0;
        for (int k = 0; k < s->pairs; ++k)
            out->up[low] |= (low >> s->low[k] & 1) << s->high[k];
    }
}

/* Exchanges the states of the row that begins at number `first` with those of higher numbers. */
static void exchange_row(const pm_mask_flat *s, const row_map *map, uint64_t first, int64_t size,
                         char *states)
{
    uint64_t down = 0, row = first;
    for (int k = 0; k < s->pairs; ++k) {
        down |= (first >> s->high[k] & 1) << s->low[k];
        row &= ~(UINT64_C(1) << s->high[k]);
    }
    for (uint64_t low = 0; low < ROW; ++low) {
        const uint64_t other = row | map->up[low] | map->rest[low] | down, number = first | low;
        if (other > number)
            exchange_values(states + (int64_t)number * size, states + (int64_t)other * size, size);
    }
}

/* Pairs of bits change places: the lowest bits of an index are those of the number. */
static void run_pairs(const pm_mask_flat *s, const pm_ring *ring, const pm_run *run, char *states)
{
    const int64_t rows = INT64_C(1) << (s->bits - PM_MASK_LOW);
    const int threads = threads_for(s, run);
    row_map map;
    row_map_make(s, &map);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t i = 0; i < rows; ++i)
        exchange_row(s, &map, pm_mask_number(s, (uint64_t)i << PM_MASK_LOW), ring->value_bytes,
                     states);
}

/* ---- all steps ---- */

double pm_mask_bytes(const pm_mask_program *p, int64_t value_bytes)
{
    return exp2(p->most_bits) * (double)value_bytes;
}

/* The states before step i, and other numbers. */
static int64_t states_at(const pm_mask_program *p, int64_t step)
{
    return INT64_C(1) << p->bits[step];
}

pm_status pm_mask_run_steps(const pm_mask_program *p, const pm_mask_engine *e,
                            pm_frontier_pass *pass, const pm_run *run, double done, double share,
                            pm_error *err)
{
    const int64_t stored = pass ? pass->stored.step : 0;
    double worked = 0;
    int32_t first = 0;
    pm_status status = PM_OK;
    if (stored > 0 && stored < p->nsteps)
        status = e->read(e->context, states_at(p, stored), pass, &first, err);
    if (!status && first == 0)
        status = e->begin(e->context, err);
    for (int32_t i = 0; i < first; ++i)
        worked += pm_mask_step_reads(&p->steps[i]);
    for (int32_t i = first; i < p->nsteps && !status; ++i) {
        const bool stops = pm_run_stopped(run);
        status = e->write(e->context, states_at(p, i), pass, i, stops, err);
        if (!status && stops)
            status = pm_fail(err, PM_ESTOPPED, "stopped");
        if (!status)
            status = e->step(e->context, i, err);
        worked += pm_mask_step_reads(&p->steps[i]);
        if (!status && p->transitions > 0)
            pm_run_progress(run, done + share * worked / p->transitions, "frontier");
    }
    return status;
}

/* ---- in the memory of the CPU ---- */

typedef struct {
    const pm_mask_program *p;
    const pm_ring *ring;
    const pm_run *run;
    char *states;
} host;

static pm_status begin(void *context, pm_error *err)
{
    const host *h = context;
    (void)err;
    h->ring->one(h->ring, h->states);
    return PM_OK;
}

static pm_status read_states(void *context, int64_t states, pm_frontier_pass *pass, int32_t *first,
                             pm_error *err)
{
    const host *h = context;
    return pm_frontier_pass_read(pass, h->ring, states, h->states, first, err);
}

static pm_status write_states(void *context, int64_t states, pm_frontier_pass *pass, int32_t step,
                              bool stops, pm_error *err)
{
    const host *h = context;
    return pm_frontier_pass_write(pass, h->ring, states, h->states, step, stops, err);
}

static pm_status step(void *context, int32_t i, pm_error *err)
{
    const host *h = context;
    pm_mask_flat s;
    (void)err;
    pm_mask_flatten(&h->p->steps[i], &s);
    (!s.is_exchange ? run_sum : s.pairs ? run_pairs : run_turn)(&s, h->ring, h->run, h->states);
    return PM_OK;
}

pm_status pm_mask_run(const pm_mask_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                      const pm_run *run, double done, double share, void *value, pm_error *err)
{
    const int64_t size = ring->value_bytes;
    host h = {p, ring, run, pm_alloc_huge(INT64_C(1) << p->most_bits, (size_t)size)};
    const pm_mask_engine e = {&h, begin, read_states, write_states, step};
    if (!h.states)
        return pm_fail_memory(err, "the states of a frontier");
    if (pass && pass->store) /* numbers that are no states are stored too */
        memset(h.states, 0, (size_t)size << p->most_bits);
    pm_status status = pm_mask_run_steps(p, &e, pass, run, done, share, err);
    if (!status)
        memcpy(value, h.states + p->last * size, (size_t)size);
    free(h.states);
    return status;
}
