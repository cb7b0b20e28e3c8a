/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/heap.h: the numbers 0 .. n-1 by keys that change, the least key first and among equal keys
 * the lowest number. */
#ifndef PM_HEAP_H
#define PM_HEAP_H

#include <stdint.h>

#include "pm/status.h"

typedef struct {
    int32_t count;
    int32_t *item;  /* a binary heap: the children of place k are 2k + 1 and 2k + 2 */
    int32_t *place; /* of each number, or -1: taken */
    int64_t *key;   /* of each number */
} pm_heap;

/* All n numbers, with the key 0.  Fails: PM_ENOMEM. */
pm_status pm_heap_make(int32_t n, pm_heap *out, pm_error *err);
void pm_heap_free(pm_heap *h);

/* Take out the first one; there must be one. */
int32_t pm_heap_pop(pm_heap *h);
/* Raise or lower the key of a number; nothing if it was taken. */
void pm_heap_add_to_key(pm_heap *h, int32_t number, int64_t to_key);

#endif
