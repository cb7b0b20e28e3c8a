/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/state_lists.h"

#include <stdbool.h>
#include <string.h>

#include "number/dd.h"

#define INLINE static inline __attribute__((always_inline))

/* One transition of an edge: the states that it applies to, the change of their keys, and the
 * factor of their weights.  The bits of v and u may be in the same word. */
typedef struct {
    int32_t v_word, u_word;
    uint64_t v_mask, u_mask;         /* bits that decide */
    uint64_t v_required, u_required; /* the values that they must have */
    uint64_t v_flip, u_flip;         /* bits that change */
    bool is_unit;
    double factor[2];
} transition;

static transition take_transition(const pm_beam_edge *e)
{
    uint64_t v = pm_state_bit(e->v_bit), u = e->u == e->v ? 0 : pm_state_bit(e->u_bit);
    return (transition){.v_word = e->v_bit / 64,
                        .u_word = e->u_bit / 64,
                        .v_mask = v,
                        .u_mask = u,
                        .v_flip = e->v_leaves ? 0 : v,
                        .u_flip = e->u_leaves ? 0 : u,
                        .is_unit = e->is_unit,
                        .factor = {e->value[0], e->value[1]}};
}

static transition skip_transition(const pm_beam_edge *e)
{
    uint64_t v = e->v_leaves ? pm_state_bit(e->v_bit) : 0;
    uint64_t u = e->u_leaves && e->u != e->v ? pm_state_bit(e->u_bit) : 0;
    return (transition){.v_word = e->v_bit / 64,
                        .u_word = e->u_bit / 64,
                        .v_mask = v,
                        .u_mask = u,
                        .v_required = v,
                        .u_required = u,
                        .v_flip = v,
                        .u_flip = u,
                        .is_unit = true};
}

INLINE void copy_key(uint64_t *to, const uint64_t *from, int32_t words)
{
    for (int32_t w = 0; w < words; ++w)
        to[w] = from[w];
}

/* *to = the states after the transition, of those that it applies to.  Without branches, since a
 * branch for each state could not be predicted.  has_low: weights have low parts. */
INLINE void select_states(const pm_states *old, const transition *given, int32_t words,
                          bool has_low, pm_states *to)
{
    const transition g = *given;
    int64_t n = 0;
    for (int64_t i = 0; i < old->n; ++i) {
        const uint64_t *from = old->keys + i * words;
        uint64_t *key = to->keys + n * words;
        uint64_t bad = ((from[g.v_word] ^ g.v_required) & g.v_mask)
                       | ((from[g.u_word] ^ g.u_required) & g.u_mask);
        copy_key(key, from, words);
        key[g.v_word] ^= g.v_flip;
        key[g.u_word] ^= g.u_flip;
        if (has_low) {
            double x[2] = {old->hi[i], old->lo[i]}, y[2] = {x[0], x[1]};
            if (!g.is_unit)
                pm_dd_mul(y, x, g.factor);
            to->hi[n] = y[0];
            to->lo[n] = y[1];
        } else {
            to->hi[n] = g.is_unit ? old->hi[i] : old->hi[i] * g.factor[0];
        }
        n += bad == 0;
    }
    to->n = n;
}

/* -1, 0 or 1 when a < b, a = b or a > b. */
INLINE int compare_keys(const uint64_t *a, const uint64_t *b, int32_t words)
{
    int32_t w = 0;
    while (w < words - 1 && a[w] == b[w])
        ++w;
    return (a[w] > b[w]) - (a[w] < b[w]);
}

INLINE void copy_states(const pm_states *from, int64_t first, int32_t words, bool has_low,
                        pm_states *to, int64_t at)
{
    int64_t n = from->n - first;
    memcpy(to->keys + at * words, from->keys + first * words,
           (size_t)n * (size_t)words * sizeof *to->keys);
    memcpy(to->hi + at, from->hi + first, (size_t)n * sizeof *to->hi);
    if (has_low)
        memcpy(to->lo + at, from->lo + first, (size_t)n * sizeof *to->lo);
}

INLINE void merge_states(const pm_states *a, const pm_states *b, int32_t words, bool has_low,
                         pm_states *to)
{
    int64_t i = 0, j = 0, n = 0;
    while (i < a->n && j < b->n) {
        const uint64_t *x = a->keys + i * words, *y = b->keys + j * words;
        int order = compare_keys(x, y, words);
        bool first = order <= 0, second = order >= 0;
        copy_key(to->keys + n * words, first ? x : y, words);
        if (has_low) {
            double s[2] = {first ? a->hi[i] : b->hi[j], first ? a->lo[i] : b->lo[j]};
            double t[2] = {b->hi[j], b->lo[j]};
            if (order == 0)
                pm_dd_add(s, t);
            to->hi[n] = s[0];
            to->lo[n] = s[1];
        } else {
            to->hi[n] = (first ? a->hi[i] : 0) + (second ? b->hi[j] : 0);
        }
        i += first;
        j += second;
        ++n;
    }
    copy_states(a, i, words, has_low, to, n);
    n += a->n - i;
    copy_states(b, j, words, has_low, to, n);
    to->n = n + b->n - j;
}

INLINE void edge_with(const pm_states *old, const pm_beam_edge *e, int32_t words, bool has_low,
                      pm_states *take, pm_states *skip, pm_states *new)
{
    transition taken = take_transition(e), skipped = skip_transition(e);
    select_states(old, &taken, words, has_low, take);
    const pm_states *rest = old;
    if (e->v_leaves || e->u_leaves) {
        select_states(old, &skipped, words, has_low, skip);
        rest = skip;
    }
    merge_states(rest, take, words, has_low, new);
}

void pm_states_edge(const pm_states *old, const pm_beam_edge *e, int32_t words, pm_states *take,
                    pm_states *skip, pm_states *new)
{
    /* the compiler makes one copy of edge_with for keys of one, two and four words each */
    if (old->lo)
        edge_with(old, e, words, true, take, skip, new);
    else if (words == 1)
        edge_with(old, e, 1, false, take, skip, new);
    else if (words == 2)
        edge_with(old, e, 2, false, take, skip, new);
    else if (words == 4)
        edge_with(old, e, 4, false, take, skip, new);
    else
        edge_with(old, e, words, false, take, skip, new);
}

int64_t pm_states_find(const pm_states *s, int32_t words, const uint64_t *key)
{
    int64_t low = 0, high = s->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (compare_keys(s->keys + middle * words, key, words) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n && compare_keys(s->keys + low * words, key, words) == 0 ? low : -1;
}
