/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/state_table.h"

#include <stdlib.h>

#include "pm/alloc.h"

void pm_state_table_free(pm_state_table *t)
{
    free(t->keys);
    free(t->values);
    free(t->index);
    *t = (pm_state_table){0};
}

static void index_state(pm_state_table *t, int64_t i)
{
    uint64_t at = pm_state_hash(t->keys[i]);
    while (t->index[at & (uint64_t)(t->slots - 1)])
        ++at;
    t->index[at & (uint64_t)(t->slots - 1)] = (uint32_t)(i + 1);
}

pm_status pm_state_table_grow(pm_state_table *t, int64_t value_bytes)
{
    int64_t cap = t->cap ? 2 * t->cap : 32, cap_values = t->cap;
    if (cap > UINT32_MAX / 2)
        return PM_ENOMEM;
    uint32_t *index = pm_calloc_array(2 * cap, sizeof *index);
    if (!index)
        return PM_ENOMEM;
    free(t->index);
    t->index = index;
    t->slots = 2 * cap;
    int64_t cap_keys = t->cap;
    if (PM_GROW(t->keys, cap_keys, cap)
        || pm_grow_array((void **)&t->values, &cap_values, cap, (size_t)value_bytes))
        return PM_ENOMEM;
    t->cap = cap;
    for (int64_t i = 0; i < t->count; ++i)
        index_state(t, i);
    return PM_OK;
}
