/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/heap.h: a priority queue of the numbers 0 .. n-1, whose keys can change.  The number with
 * the least key comes first; among equal keys the lowest number. */
#ifndef PM_HEAP_H
#define PM_HEAP_H

#include <stdint.h>

#include "pm/status.h"

typedef struct {
    int32_t count;
    int32_t *item;     /* a binary heap: the children of position k are 2k + 1 and 2k + 2 */
    int32_t *position; /* of each number: its index in item, or -1 if it was removed */
    int64_t *key;      /* of each number */
} pm_heap;

/* A heap of all n numbers with key 0.  Fails: PM_ENOMEM. */
pm_status pm_heap_make(int32_t n, pm_heap *out, pm_error *err);
void pm_heap_free(pm_heap *h);

/* Removes and returns the first number.  The heap must not be empty. */
int32_t pm_heap_pop(pm_heap *h);
/* Adds `change` to the key of a number.  Does nothing if the number was removed. */
void pm_heap_add_to_key(pm_heap *h, int32_t number, int64_t change);

#endif
