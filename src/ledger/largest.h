/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger/largest.h: the largest of many numbers.  Which they are does not depend on how the numbers were
 * divided, or on their sequence. */
#ifndef PM_LARGEST_H
#define PM_LARGEST_H

#include <stdbool.h>
#include <stdint.h>

/* An integer of 128 bits; what it stands for is up to the task. */
typedef struct {
    uint64_t high, low;
} pm_wide_key;

/* {.most = N} is the empty list of at most N numbers. */
typedef struct {
    int64_t most, count, cap;
    pm_wide_key *key; /* in no sequence; equal numbers may be there several times */
} pm_largest;

void pm_largest_free(pm_largest *l);
/* Adds numbers, and drops the smallest ones when there are too many.  Returns false when out of memory;
 * the list is as before then. */
bool pm_largest_add(pm_largest *l, const pm_wide_key *key, int64_t count);

#endif
