/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts of a frontier program: spans, and permutations that make them longer.  A program in place
 * permutes by an involution, disjoint swaps of two slots: so a state changes places with one other
 * state, or with none, and no second array is needed. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "frontier/frontier_compile.h"
#include "frontier/frontier_permute.h"
#include "pm/alloc.h"

#define PERMUTE_GAIN 0.7 /* permute when a step gains this share of what it costs */

enum {
    PERMUTE_FROM = 1024, /* states */
    SWAP_SLOTS = 12      /* a swap moves the slots that change latest below this one: spans of some
                          * hundred states */
};

void pm_compiler_find_next_changes(pm_frontier_compiler *c, int32_t t)
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

int32_t pm_compiler_next_change(const pm_frontier_compiler *c, int32_t u, int32_t t)
{
    int32_t next = c->o->pos[u] > t ? c->o->pos[u] : INT32_MAX;
    for (int64_t j = c->g->ptr[u]; j < c->g->ptr[u + 1]; ++j) {
        int32_t at = c->o->pos[c->g->adj[j]];
        if (at > t && at < next)
            next = at;
    }
    return next;
}

int32_t pm_compiler_untouched(const pm_frontier_compiler *c, const int32_t *slots, int32_t t)
{
    int32_t q = 0;
    while (q < c->nslots && c->next_change[slots[q]] > t)
        ++q;
    return q;
}

pm_status pm_compiler_count_spans(pm_frontier_compiler *c, const pm_frontier_slot *slots,
                                  int32_t nslots, int64_t sum, int32_t low, double *spans,
                                  pm_error *err)
{
    int64_t low_max = 0;
    pm_status status = pm_digit_ways_begin(&c->ways, err);
    for (int32_t i = 0; i < low && i < nslots; ++i)
        low_max += slots[i].range;
    for (int32_t i = low; i < nslots && !status; ++i)
        status = pm_digit_ways_add(&c->ways, slots[i].range, err);
    if (status)
        return status;
    *spans = 0;
    for (int64_t d = sum - low_max > 0 ? sum - low_max : 0; d < c->ways.n && d <= sum; ++d)
        *spans += c->ways.of[d];
    return PM_OK;
}

/* ---- the layout to permute to ---- */

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

/* Set c->sorted to the vertices whose slots change latest, swapped below slot SWAP_SLOTS: the i-th
 * of them that is above with the i-th vertex below that is none of them.  Slots of different ranges
 * cannot be swapped. */
static void swap_layout(pm_frontier_compiler *c, const pm_frontier_slot *slots,
                        const slot_change *latest)
{
    int32_t most = c->nslots < SWAP_SLOTS ? c->nslots : SWAP_SLOTS, at = 0;
    memcpy(c->sorted, c->slots, (size_t)c->nslots * sizeof *c->slots);
    for (int32_t i = 0; i < most; ++i) {
        int32_t up = most, is_late = 1;
        while (up < c->nslots && c->slots[up] != latest[i].vertex)
            ++up;
        if (up == c->nslots)
            continue; /* it is low already */
        for (; at < most && is_late; ++at) {
            is_late = slots[at].range != slots[up].range;
            for (int32_t k = 0; k < most && !is_late; ++k)
                is_late = latest[k].vertex == c->slots[at];
            if (!is_late) {
                c->sorted[at] = c->slots[up];
                c->sorted[up] = c->slots[at];
            }
        }
    }
}

static pm_status sort_layout(pm_frontier_compiler *c, const pm_frontier_slot *slots, pm_error *err)
{
    slot_change *order = pm_alloc_array(c->nslots, sizeof *order);
    if (!order)
        return pm_fail_memory(err, "frontier layout");
    for (int32_t i = 0; i < c->nslots; ++i)
        order[i] = (slot_change){c->next_change[c->slots[i]], c->slots[i]};
    qsort(order, (size_t)c->nslots, sizeof *order, latest_first);
    if (c->p.in_place)
        swap_layout(c, slots, order);
    else
        for (int32_t i = 0; i < c->nslots; ++i)
            c->sorted[i] = order[i].vertex;
    free(order);
    return PM_OK;
}

double pm_compiler_span_seconds(int branches)
{
    return PM_FRONTIER_SPAN_SECONDS + branches * PM_FRONTIER_BRANCH_SECONDS;
}

double pm_compiler_permute_seconds(int64_t value_bytes)
{
    return PM_FRONTIER_PERMUTE_SECONDS + (double)value_bytes * PM_FRONTIER_COPY_SECONDS;
}

/* Spans of the last level with the slots of c->sorted, before step t. */
static pm_status count_sorted_spans(pm_frontier_compiler *c, int32_t t, double *spans,
                                    pm_error *err)
{
    const pm_frontier_level *l = &c->p.levels[c->p.nsteps];
    pm_frontier_slot *slots = pm_alloc_array(c->nslots, sizeof *slots);
    if (!slots)
        return pm_fail_memory(err, "frontier layout");
    for (int32_t i = 0; i < c->nslots; ++i)
        slots[i] = pm_compiler_slot(c, c->sorted[i], c->processed[c->sorted[i]]);
    pm_status status = pm_compiler_count_spans(c, slots, c->nslots, l->sum,
                                               pm_compiler_untouched(c, c->sorted, t), spans, err);
    free(slots);
    return status;
}

pm_status pm_compiler_permute(pm_frontier_compiler *c, int32_t t, int32_t branches, pm_error *err)
{
    double now, then;
    const pm_frontier_level *l = &c->p.levels[c->p.nsteps];
    int32_t low = pm_compiler_untouched(c, c->slots, t);
    if (l->states < PERMUTE_FROM || low == c->nslots || !pm_frontier_can_permute(l))
        return PM_OK;
    pm_status status = sort_layout(c, l->slots, err);
    if (!status)
        status = pm_compiler_count_spans(c, l->slots, c->nslots, l->sum, low, &now, err);
    if (!status)
        status = count_sorted_spans(c, t, &then, err);
    if (status)
        return status;
    double price = (double)l->states * pm_compiler_permute_seconds(c->value_bytes);
    if ((now - then) * pm_compiler_span_seconds(branches) < PERMUTE_GAIN * price)
        return PM_OK;
    c->p.permuted += (double)l->states;
    pm_frontier_step *s = pm_compiler_add_step(c, err);
    if (!s)
        return PM_ENOMEM;
    s->kind = PM_STEP_PERMUTE;
    s->vertex = -1;
    s->in_place = c->p.in_place;
    while (s->low < c->nslots && c->slots[s->low] == c->sorted[s->low])
        ++s->low;
    memcpy(c->slots, c->sorted, (size_t)c->nslots * sizeof *c->slots);
    return pm_compiler_add_level(c, NULL, err);
}
