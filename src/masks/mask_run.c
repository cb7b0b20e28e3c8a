/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step goes through the spans of the new level.  The digits of its slots above the span give the
 * number of a predecessor in which nothing of the step has happened (`base`): the vertex of the step and the neighbours that
 * are matched now are unmatched, those that leave are matched.  Each way to match the vertex changes one or two
 * digits of it. */
#include "config.h"

#include "masks/mask_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "pm/alloc.h"

enum {
    CHUNK_BITS = 8,
    CHUNKS = 8, /* of CHUNK_BITS bits each: PM_MASK_SLOTS fit */
    MOST_SOURCES = 2 * PM_MASK_SLOTS + 4,
    THREADED = 1 << 12, /* values: a smaller level is computed by one thread */
    GATHERED = 256      /* indices at a time */
};

/* Digits of the new level, by bits of the number of a span. */
typedef struct {
    int32_t nbits; /* digits above the spans that are in the number */
    uint64_t base[CHUNKS]
                 [1 << CHUNK_BITS];  /* what the old number gets from the digits of a chunk */
    uint64_t entering;               /* bits of vertices that enter */
    uint64_t staying;                /* bits of neighbours that stay */
    int64_t entry[PM_MASK_SLOTS];    /* of each bit: the edge to the vertex of the step */
    uint64_t old_bit[PM_MASK_SLOTS]; /* of each bit: what its digit adds to the old number */
    /* The digit of slot 0, where it follows from the parity of all others and is not in a span. */
    bool has_implied;
    bool implied_enters, implied_stays;
    int64_t implied_entry;
    uint64_t implied_old_bit;
    bool parity;
} digits;

typedef struct {
    const pm_mask_step *step;
    const pm_mask_level *from, *to;
    int64_t span;     /* values */
    uint64_t fixed;   /* the old number gets this from the neighbours that leave */
    uint64_t own_bit; /* of the vertex of the step in the old number; 0: it has no slot */
    int64_t both;     /* the edge to the neighbour that must be matched to it */
    int32_t nboth;
    int32_t nleaving;
    uint64_t leaving_bit[PM_MASK_SLOTS];
    int64_t leaving_entry[PM_MASK_SLOTS];
    digits d;
} plan;

/* What a digit 1 of a slot adds to the number of a state. */
static uint64_t bit_of(const pm_mask_level *l, int32_t slot)
{
    return slot < l->implied ? 0 : UINT64_C(1) << (slot - l->implied);
}

/* ---- one step ---- */

static void set_digit(digits *d, int32_t bit, const pm_mask_touch *t, uint64_t old_bit)
{
    d->old_bit[bit] = old_bit;
    d->entry[bit] = t->entry;
    if (t->is_neighbour && t->old_slot < 0)
        d->entering |= UINT64_C(1) << bit;
    else if (t->is_neighbour)
        d->staying |= UINT64_C(1) << bit;
}

static void set_implied(digits *d, const pm_mask_touch *t, uint64_t old_bit)
{
    d->has_implied = true;
    d->implied_enters = t->is_neighbour && t->old_slot < 0;
    d->implied_stays = t->is_neighbour && t->old_slot >= 0;
    d->implied_entry = t->entry;
    d->implied_old_bit = old_bit;
}

static void fill_tables(digits *d)
{
    for (int c = 0; c * CHUNK_BITS < d->nbits; ++c)
        for (int x = 0; x < 1 << CHUNK_BITS; ++x) {
            uint64_t sum = 0;
            for (int b = 0; b < CHUNK_BITS; ++b) {
                const int32_t bit = c * CHUNK_BITS + b;
                if (x >> b & 1 && bit < d->nbits)
                    sum += d->old_bit[bit];
            }
            d->base[c][x] = sum;
        }
}

static void make_plan(const pm_mask_program *p, int32_t i, plan *out)
{
    const pm_mask_step *s = &p->steps[i];
    const pm_mask_level *from = &p->levels[i], *to = &p->levels[i + 1];
    const int32_t first =
        s->low > 0 ? s->low : to->implied; /* slot of the lowest bit of a number */
    plan x = {.step = s, .from = from, .to = to, .both = PM_UNIT};
    x.span = INT64_C(1) << (s->low > to->implied ? s->low - to->implied : 0);
    x.own_bit = s->own_slot >= 0 ? bit_of(from, s->own_slot) : 0;
    x.d.parity = to->parity;
    x.d.nbits = to->nslots - first;
    for (int32_t k = 0; k < s->nbefore; ++k) {
        const pm_mask_touch *t = &s->touches[k];
        if (t->old_slot < 0) {
            ++x.nboth;
            x.both = t->entry;
            continue;
        }
        x.leaving_bit[x.nleaving] = bit_of(from, t->old_slot);
        x.leaving_entry[x.nleaving++] = t->entry;
        x.fixed += bit_of(from, t->old_slot);
    }
    for (int32_t k = s->nbefore; k < s->ntouches; ++k) {
        const pm_mask_touch *t = &s->touches[k];
        const uint64_t old_bit = t->old_slot < 0 ? 0 : bit_of(from, t->old_slot);
        if (t->new_slot >= first)
            set_digit(&x.d, t->new_slot - first, t, old_bit);
        else
            set_implied(&x.d, t, old_bit);
    }
    fill_tables(&x.d);
    *out = x;
}

typedef struct {
    int64_t src[MOST_SOURCES], entry[MOST_SOURCES];
    int count;
} sources;

static void add_source(sources *s, uint64_t src, int64_t entry)
{
    s->src[s->count] = (int64_t)src;
    s->entry[s->count++] = entry;
}

/* The vertex is matched to nobody that enters: before, alone, or to a neighbour of the old level. */
static void find_inner_sources(const plan *x, uint64_t hi, bool implied, uint64_t base, sources *s)
{
    const pm_mask_step *step = x->step;
    if (x->nboth == 1) {
        add_source(s, base, x->both);
        return;
    }
    if (x->step->own_slot >= 0)
        add_source(s, base + x->own_bit, PM_UNIT);
    if (step->has_loop)
        add_source(s, base, step->loop);
    if (implied && x->d.implied_stays)
        add_source(s, base - x->d.implied_old_bit, x->d.implied_entry);
    for (uint64_t rest = hi & x->d.staying; rest; rest &= rest - 1) {
        const int bit = __builtin_ctzll(rest);
        add_source(s, base - x->d.old_bit[bit], x->d.entry[bit]);
    }
    for (int32_t k = 0; k < x->nleaving; ++k)
        add_source(s, base - x->leaving_bit[k], x->leaving_entry[k]);
}

/* The predecessors of span hi: numbers of their first states times the span, in units of values. */
static void find_sources(const plan *x, uint64_t hi, sources *s)
{
    const digits *d = &x->d;
    uint64_t base = x->fixed;
    s->count = 0;
    for (int c = 0; c * CHUNK_BITS < d->nbits; ++c)
        base += d->base[c][hi >> c * CHUNK_BITS & ((1 << CHUNK_BITS) - 1)];
    const bool implied = d->has_implied && (__builtin_popcountll(hi) & 1) != d->parity;
    if (implied)
        base += d->implied_old_bit;
    uint64_t entered = hi & d->entering;
    const int count = __builtin_popcountll(entered) + (implied && d->implied_enters);
    if (count == 0) {
        find_inner_sources(x, hi, implied, base, s);
    } else if (count == 1 && x->nboth == 0) {
        const int64_t entry = entered ? d->entry[__builtin_ctzll(entered)] : d->implied_entry;
        add_source(s, base, entry);
    }
}

static void run_span(const plan *x, const pm_ring *ring, const void *old, void *new, uint64_t hi)
{
    sources s;
    char *dst = (char *)new + (int64_t)hi * x->span * ring->value_bytes;
    find_sources(x, hi, &s);
    if (s.count)
        ring->pull(ring, dst, old, s.src, s.entry, s.count, x->span);
    else
        ring->zero(ring, dst, x->span);
}

static int threads_for(const pm_mask_level *l, const pm_run *run)
{
    return pm_mask_bits(l) < 62 && INT64_C(1) << pm_mask_bits(l) >= THREADED
               ? pm_team(run, pm_run_threads(run))
               : 1;
}

static void run_vertex(const pm_mask_program *p, int32_t i, const pm_ring *ring, const pm_run *run,
                       const void *old, void *new)
{
    plan x;
    make_plan(p, i, &x);
    const int64_t spans = INT64_C(1) << x.d.nbits;
    const int threads = threads_for(x.to, run);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t hi = 0; hi < spans; ++hi)
        run_span(&x, ring, old, new, (uint64_t)hi);
}

/* ---- permutations ---- */

typedef struct {
    uint64_t old_bit[PM_MASK_SLOTS]; /* of each bit of a new number: what it adds to the old one */
    int32_t nbits;
    uint64_t implied; /* what the digit of slot 0 adds, where it is implied in the new level */
    bool parity;
    bool drops; /* the new level has numbers that are no states: implied in the old level only */
} permutation;

static permutation make_permutation(const pm_mask_level *from, const pm_mask_level *to)
{
    permutation m = {
        .nbits = pm_mask_bits(to), .parity = to->parity, .drops = from->implied && !to->implied};
    for (int32_t q = 0; q < to->nslots; ++q)
        for (int32_t r = 0; r < from->nslots; ++r)
            if (to->slots[q] == from->slots[r] && q >= to->implied)
                m.old_bit[q - to->implied] = bit_of(from, r);
            else if (to->slots[q] == from->slots[r])
                m.implied = bit_of(from, r);
    return m;
}

static int64_t old_number(const permutation *m, uint64_t number)
{
    uint64_t old = 0;
    if ((__builtin_popcountll(number) & 1) != m->parity)
        old += m->implied;
    for (uint64_t rest = number; rest; rest &= rest - 1)
        old += m->old_bit[__builtin_ctzll(rest)];
    return (int64_t)old;
}

static void permute_block(const permutation *m, const pm_ring *ring, int64_t first, int64_t count,
                          const void *old, void *new)
{
    int64_t index[GATHERED] = {0};
    char *dst = (char *)new + first * ring->value_bytes;
    for (int64_t i = 0; i < count; ++i)
        index[i] = old_number(m, (uint64_t)(first + i));
    ring->gather(ring, dst, old, index, count);
    for (int64_t i = 0; i < count && m->drops; ++i)
        if ((__builtin_popcountll((uint64_t)(first + i)) & 1) != m->parity)
            ring->zero(ring, dst + i * ring->value_bytes, 1);
}

static void run_permutation(const pm_mask_program *p, int32_t i, const pm_ring *ring,
                            const pm_run *run, const void *old, void *new)
{
    const permutation m = make_permutation(&p->levels[i], &p->levels[i + 1]);
    const int64_t states = INT64_C(1) << m.nbits;
    const int threads = threads_for(&p->levels[i + 1], run);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t first = 0; first < states; first += GATHERED)
        permute_block(&m, ring, first, states - first < GATHERED ? states - first : GATHERED, old,
                      new);
}

/* ---- all steps ---- */

double pm_mask_bytes(const pm_mask_program *p, int64_t value_bytes)
{
    return 2 * exp2(p->most_bits) * (double)value_bytes;
}

pm_status pm_mask_run(const pm_mask_program *p, const pm_ring *ring, const pm_run *run, double done,
                      double share, void *value, pm_error *err)
{
    const int64_t states = INT64_C(1) << p->most_bits;
    char *level[2] = {pm_alloc_huge(states, (size_t)ring->value_bytes),
                      pm_alloc_huge(states, (size_t)ring->value_bytes)};
    pm_status status =
        level[0] && level[1] ? PM_OK : pm_fail_memory(err, "the levels of a frontier");
    double worked = 0;
    if (!status)
        ring->one(ring, level[0]);
    for (int32_t i = 0; i < p->nsteps && !status; ++i) {
        if (pm_run_stopped(run)) {
            status = pm_fail(err, PM_ESTOPPED, "stopped");
            break;
        }
        if (p->steps[i].vertex >= 0)
            run_vertex(p, i, ring, run, level[i & 1], level[!(i & 1)]);
        else
            run_permutation(p, i, ring, run, level[i & 1], level[!(i & 1)]);
        worked += p->steps[i].transitions;
        if (p->transitions > 0)
            pm_run_progress(run, done + share * worked / p->transitions, "frontier");
    }
    if (!status)
        memcpy(value, level[p->nsteps & 1], (size_t)ring->value_bytes);
    free(level[0]);
    free(level[1]);
    return status;
}
