/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/label_map.h: numbers for labels, in the order of their first appearance. */
#ifndef PM_LABEL_MAP_H
#define PM_LABEL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"

/* An integer label is written without plus sign, leading zeros or -0, in at most 18 digits. */
typedef struct {
    pm_labels labels;        /* label of number k */
    bool has_names;          /* some label is no integer */
    int32_t *direct;         /* number + 1 of the integer v < ndirect */
    int64_t ndirect;         /* small integers, as many as there is use for */
    int32_t *slot;           /* hash table of the others, number + 1 */
    int64_t nslots, nhashed; /* a power of two, or 0; numbers in it */
    int64_t cap_pool, cap_offset, cap_direct;
} pm_label_map;

/* The number of a label (no NUL inside), a new one at its first appearance.
 * Fails: PM_ENOMEM, PM_UNABLE 2^31 - 1 labels. */
pm_status pm_label_number(pm_label_map *m, const char *text, int64_t length, int32_t *number,
                          pm_error *err);

/* The value of an integer label; false if it is none. */
bool pm_label_integer(const char *text, int64_t length, int64_t *value);

/* order[k] = the number of the k-th label: ascending when all are integers, else as they
 * appeared.  order: labels.count entries.  Fails: PM_ENOMEM. */
pm_status pm_label_order(const pm_label_map *m, int32_t *order, pm_error *err);

void pm_label_map_free(pm_label_map *m);

#endif
