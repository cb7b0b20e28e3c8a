/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/existence.h: one matching of a wanted kind, or a Hall violator that shows why there is
 * none. */
#ifndef PM_EXISTENCE_H
#define PM_EXISTENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matching_kind.h"
#include "pm/matrix.h"
#include "pm/status.h"

/* When `exists`: row i is matched to column col_of[i], or to none if that is -1.
 * Otherwise: a Hall violator.  `set` holds rows, or columns when of_columns, and `neighbours` all
 * lines of the other side that have an entry in the set; nneighbours < nset.  Both ascending. */
typedef struct {
    bool exists;
    int32_t *col_of; /* nrows entries; a maximum matching, -1 for an unmatched row */
    bool of_columns;
    int32_t *set, *neighbours;
    int64_t nset, nneighbours;
} pm_existence;

/* Fills *out, which the caller frees with pm_existence_free.  The violator is a set of columns
 * when kind asks for the columns, or for both sides and every row can be matched.
 * Fails: PM_ENOMEM; *out is not changed then. */
pm_status pm_existence_find(const pm_matrix *a, pm_matching_kind kind, pm_existence *out,
                            pm_error *err);
void pm_existence_free(pm_existence *x);

#endif
