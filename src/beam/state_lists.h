/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beam/state_lists.h: sorted lists of states and their weights, and one edge of a beam plan. */
#ifndef PM_STATE_LISTS_H
#define PM_STATE_LISTS_H

#include <stdint.h>

#include "beam/beam_plan.h"

/* keys: words each, most significant first, ascending and no two equal.  The weight of state i is
 * hi[i], or hi[i] + lo[i] where lo is not NULL. */
typedef struct {
    uint64_t *keys;
    double *hi, *lo;
    int64_t n;
} pm_states;

/* *new = the states after the edge; room for 2 old->n.  take, skip: room for old->n, overwritten.
 * All of them have low parts, or none. */
void pm_states_edge(const pm_states *old, const pm_beam_edge *e, int32_t words, pm_states *take,
                    pm_states *skip, pm_states *new);

/* Index of the key among the states, or -1. */
int64_t pm_states_find(const pm_states *s, int32_t words, const uint64_t *key);

static inline uint64_t pm_state_bit(int32_t bit)
{
    return UINT64_C(1) << (bit & 63);
}

#endif
