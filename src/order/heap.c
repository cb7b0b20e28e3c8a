/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/heap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "pm/alloc.h"

pm_status pm_heap_make(int32_t n, pm_heap *out, pm_error *err)
{
    pm_heap h = {.count = n};
    h.item = pm_alloc_array(n, sizeof *h.item);
    h.place = pm_alloc_array(n, sizeof *h.place);
    h.key = pm_calloc_array(n, sizeof *h.key);
    if (!h.item || !h.place || !h.key) {
        pm_heap_free(&h);
        return pm_fail_memory(err, "a queue");
    }
    for (int32_t i = 0; i < n; ++i)
        h.item[i] = h.place[i] = i;
    *out = h;
    return PM_OK;
}

void pm_heap_free(pm_heap *h)
{
    free(h->item);
    free(h->place);
    free(h->key);
    *h = (pm_heap){0};
}

static bool comes_before(const pm_heap *h, int32_t a, int32_t b)
{
    return h->key[a] < h->key[b] || (h->key[a] == h->key[b] && a < b);
}

static void put(pm_heap *h, int32_t place, int32_t number)
{
    h->item[place] = number;
    h->place[number] = place;
}

/* The place is free; put the number there or where it belongs above or below. */
static void settle(pm_heap *h, int32_t place, int32_t number)
{
    for (int32_t up; place > 0; place = up) {
        up = (place - 1) / 2;
        if (!comes_before(h, number, h->item[up]))
            break;
        put(h, place, h->item[up]);
    }
    for (int64_t down; (down = 2 * (int64_t)place + 1) < h->count; place = (int32_t)down) {
        if (down + 1 < h->count && comes_before(h, h->item[down + 1], h->item[down]))
            ++down;
        if (!comes_before(h, h->item[down], number))
            break;
        put(h, place, h->item[down]);
    }
    put(h, place, number);
}

int32_t pm_heap_pop(pm_heap *h)
{
    int32_t first = h->item[0], last = h->item[--h->count];
    if (h->count > 0)
        settle(h, 0, last);
    h->place[first] = -1;
    return first;
}

void pm_heap_add_to_key(pm_heap *h, int32_t number, int64_t to_key)
{
    if (h->place[number] < 0)
        return;
    h->key[number] += to_key;
    settle(h, h->place[number], number);
}
