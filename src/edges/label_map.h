/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/label_map.h: gives labels the numbers 0, 1, 2, ... in the order of their first appearance. */
#ifndef PM_LABEL_MAP_H
#define PM_LABEL_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"

typedef struct {
    int32_t number; /* of the label, + 1; 0: the slot is free */
    uint32_t hash;
} pm_label_slot;

/* An integer label has at most 18 digits, no plus sign and no leading zeros, and is not -0.
 * A zeroed map is empty. */
typedef struct {
    pm_labels labels; /* labels by number */
    bool has_names;   /* at least one label is not an integer */
    int32_t *direct;  /* for integers v < ndirect: number + 1, or 0 */
    int64_t ndirect;
    pm_label_slot *slot;     /* hash table of the other labels */
    int64_t nslots, nhashed; /* slots (a power of two, or 0); used slots */
    int64_t cap_direct;
} pm_label_map;

/* *number: that of the label; a label that is not in the map is added.  The label has no NUL byte.
 * Fails: PM_ENOMEM, PM_UNABLE more than 2^31 - 1 labels. */
pm_status pm_label_number(pm_label_map *m, const char *text, int64_t length, int32_t *number,
                          pm_error *err);

/* The same for the label that is this integer, 0 or more. */
pm_status pm_label_number_of_integer(pm_label_map *m, int32_t value, int32_t *number,
                                     pm_error *err);

/* The number of the label, or -1 when it is not in the map. */
int32_t pm_label_find(const pm_label_map *m, const char *text, int64_t length);

/* The same for label k of these. */
int32_t pm_label_find_same(const pm_label_map *m, const pm_labels *labels, int64_t k);

/* The value of label k, which is an integer. */
int64_t pm_label_value(const pm_labels *labels, int64_t k);
/* The value of an integer label; returns false when the label is not an integer. */
bool pm_label_integer(const char *text, int64_t length, int64_t *value);

/* value[k]: that of label k; all are integers.  value: labels.count entries. */
void pm_label_values(const pm_label_map *m, int64_t *value);
/* The labels are 1, 2, ..., labels.count. */
bool pm_labels_are_counted(const pm_label_map *m);
/* order[k] is the number of the k-th label.  The labels are sorted when all are integers; otherwise
 * they are in the order of appearance.  order: labels.count entries.  Fails: PM_ENOMEM. */
pm_status pm_label_order(const pm_label_map *m, int32_t *order, pm_error *err);

void pm_label_map_free(pm_label_map *m);

#endif
