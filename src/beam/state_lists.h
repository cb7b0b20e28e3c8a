/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/state_lists.h: sorted lists of states with weights, and the step over one edge. */
#ifndef PM_STATE_LISTS_H
#define PM_STATE_LISTS_H

#include <stdint.h>

#include "beam/beam_plan.h"

/* n states.  keys: a fixed number of words each, most significant word first; ascending, no two
 * equal.  The weight of state i is hi[i], or hi[i] + lo[i] where lo is not NULL. */
typedef struct {
    uint64_t *keys;
    double *hi, *lo;
    int64_t n;
} pm_states;

/* *new = the states after the edge, with the weights of equal states added.
 * words:      of a key.
 * new:        room for 2 old->n states.
 * take, skip: working memory, room for old->n states each.
 * Either all four lists have lo, or none. */
void pm_states_edge(const pm_states *old, const pm_beam_edge *e, int32_t words, pm_states *take,
                    pm_states *skip, pm_states *new);

/* Index of the state with this key, or -1. */
int64_t pm_states_find(const pm_states *s, int32_t words, const uint64_t *key);

/* The mask of a bit within its word, which is number bit / 64. */
static inline uint64_t pm_state_bit(int32_t bit)
{
    return UINT64_C(1) << (bit & 63);
}

#endif
