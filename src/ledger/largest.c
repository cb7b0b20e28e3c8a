/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ledger/largest.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

void pm_largest_free(pm_largest *l)
{
    free(l->key);
    *l = (pm_largest){.most = l->most};
}

static int descending(const void *a, const void *b)
{
    const pm_wide_key *x = a, *y = b;
    if (x->high != y->high)
        return x->high < y->high ? 1 : -1;
    return (x->low < y->low) - (x->low > y->low);
}

bool pm_largest_add(pm_largest *l, const pm_wide_key *key, int64_t count)
{
    if (count == 0)
        return true;
    if (PM_GROW(l->key, l->cap, l->count + count))
        return false;
    memcpy(l->key + l->count, key, (size_t)count * sizeof *key);
    l->count += count;
    if (l->count > l->most) {
        qsort(l->key, (size_t)l->count, sizeof *l->key, descending);
        l->count = l->most;
    }
    return true;
}
