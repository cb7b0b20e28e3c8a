/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ledger/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

void pm_ranges_free(pm_ranges *s)
{
    free(s->range);
    *s = (pm_ranges){0};
}

/* The first range that ends at `index` or behind it. */
static int64_t find(const pm_ranges *s, uint64_t index)
{
    int64_t low = 0, high = s->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->range[middle].end >= index)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool pm_ranges_add(pm_ranges *s, uint64_t first, uint64_t end)
{
    if (first >= end)
        return true;
    int64_t at = find(s, first), after = at;
    while (after < s->count && s->range[after].first <= end)
        ++after; /* at .. after - 1 become one with the new range */
    if (at == after && PM_GROW(s->range, s->cap, s->count + 1))
        return false;
    if (after > at) {
        first = first < s->range[at].first ? first : s->range[at].first;
        end = end > s->range[after - 1].end ? end : s->range[after - 1].end;
    }
    memmove(s->range + at + 1, s->range + after, (size_t)(s->count - after) * sizeof *s->range);
    s->range[at] = (pm_range){first, end};
    s->count += 1 - (after - at);
    return true;
}

bool pm_ranges_meet(const pm_ranges *s, uint64_t first, uint64_t end)
{
    int64_t at = first < end ? find(s, first + 1) : s->count;
    return at < s->count && s->range[at].first < end;
}

bool pm_ranges_gap(const pm_ranges *s, uint64_t first, uint64_t end, pm_range *gap)
{
    int64_t at = find(s, first);
    if (at < s->count && s->range[at].first <= first)
        first = s->range[at++].end;
    if (first >= end)
        return false;
    bool is_bounded = at < s->count && s->range[at].first < end;
    *gap = (pm_range){first, is_bounded ? s->range[at].first : end};
    return true;
}

uint64_t pm_ranges_size(const pm_ranges *s)
{
    uint64_t size = 0;
    for (int64_t i = 0; i < s->count; ++i)
        size += s->range[i].end - s->range[i].first;
    return size;
}
