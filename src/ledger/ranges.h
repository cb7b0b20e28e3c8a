/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger/ranges.h: sets of 64-bit indices, as disjoint ranges in ascending order. */
#ifndef PM_LEDGER_RANGES_H
#define PM_LEDGER_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* first .. end - 1, not empty */
typedef struct {
    uint64_t first, end;
} pm_range;

/* {0} is the empty set. */
typedef struct {
    int64_t count, cap;
    pm_range *range; /* no two of them adjacent */
} pm_ranges;

void pm_ranges_free(pm_ranges *s);
/* Adds first .. end - 1; nothing if that is empty.  Returns false when out of memory. */
bool pm_ranges_add(pm_ranges *s, uint64_t first, uint64_t end);
/* True when one of first .. end - 1 is in the set. */
bool pm_ranges_meet(const pm_ranges *s, uint64_t first, uint64_t end);
/* The first range of first .. end - 1 that is not in the set; false when there is none. */
bool pm_ranges_gap(const pm_ranges *s, uint64_t first, uint64_t end, pm_range *gap);
/* How many indices the set has. */
uint64_t pm_ranges_size(const pm_ranges *s);

#endif
