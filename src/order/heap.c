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
    h.position = pm_alloc_array(n, sizeof *h.position);
    h.key = pm_calloc_array(n, sizeof *h.key);
    if (!h.item || !h.position || !h.key) {
        pm_heap_free(&h);
        return pm_fail_memory(err, "a queue");
    }
    for (int32_t i = 0; i < n; ++i)
        h.item[i] = h.position[i] = i;
    *out = h;
    return PM_OK;
}

void pm_heap_free(pm_heap *h)
{
    free(h->item);
    free(h->position);
    free(h->key);
    *h = (pm_heap){0};
}

static bool is_before(const pm_heap *h, int32_t a, int32_t b)
{
    return h->key[a] < h->key[b] || (h->key[a] == h->key[b] && a < b);
}

static void set_item(pm_heap *h, int32_t position, int32_t number)
{
    h->item[position] = number;
    h->position[number] = position;
}

/* Insert the number at the free position, or above or below it where the heap order requires. */
static void sift(pm_heap *h, int32_t position, int32_t number)
{
    for (int32_t up; position > 0; position = up) {
        up = (position - 1) / 2;
        if (!is_before(h, number, h->item[up]))
            break;
        set_item(h, position, h->item[up]);
    }
    for (int64_t down; (down = 2 * (int64_t)position + 1) < h->count; position = (int32_t)down) {
        if (down + 1 < h->count && is_before(h, h->item[down + 1], h->item[down]))
            ++down;
        if (!is_before(h, h->item[down], number))
            break;
        set_item(h, position, h->item[down]);
    }
    set_item(h, position, number);
}

int32_t pm_heap_pop(pm_heap *h)
{
    int32_t first = h->item[0], last = h->item[--h->count];
    if (h->count > 0)
        sift(h, 0, last);
    h->position[first] = -1;
    return first;
}

void pm_heap_add_to_key(pm_heap *h, int32_t number, int64_t change)
{
    if (h->position[number] < 0)
        return;
    h->key[number] += change;
    sift(h, h->position[number], number);
}
