/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/state_table.h: the states of one partition of frontier-hash, with their values. */
#ifndef PM_STATE_TABLE_H
#define PM_STATE_TABLE_H

#include <stdint.h>

#include "core/keyed_hash.h"
#include "frontier/ring.h"
#include "pm/settings.h"
#include "pm/status.h"

typedef unsigned __int128 pm_state_key;

/* Keys and values are in the order of insertion.  The index depends on the secret seed
 * (core/keyed_hash.h), since the input decides which keys there are; the order of the states does
 * not.  A zeroed table is empty. */
typedef struct {
    pm_state_key *keys;
    char *values;
    uint32_t *index; /* `slots` entries: 1 + number of the state, or 0; open addressing */
    int64_t count, cap, slots;
} pm_state_table;

void pm_state_table_free(pm_state_table *t);

/* Makes room for more states.  Fails: PM_ENOMEM. */
pm_status pm_state_table_grow(pm_state_table *t, int64_t value_bytes);

static inline uint64_t pm_state_hash(pm_state_key k)
{
    return pm_keyed_mix(pm_settings_get()->hash_seed, (uint64_t)k, (uint64_t)(k >> 64));
}

/* The number of state k, which is inserted with value 0 if it is new; -1 when memory runs out. */
static inline int64_t pm_state_table_find(pm_state_table *t, pm_state_key k, const pm_ring *ring)
{
    if (t->count == t->cap && pm_state_table_grow(t, ring->value_bytes))
        return -1;
    for (uint64_t at = pm_state_hash(k);; ++at) {
        uint32_t *slot = &t->index[at & (uint64_t)(t->slots - 1)];
        if (!*slot) {
            *slot = (uint32_t)(t->count + 1);
            t->keys[t->count] = k;
            ring->zero(ring, t->values + t->count * ring->value_bytes, 1);
            return t->count++;
        }
        if (t->keys[*slot - 1] == k)
            return *slot - 1;
    }
}

#endif
