/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/obstruction.h: one matching of a wanted kind, or a Hall violator that shows why there is
 * none. */
#ifndef PM_OBSTRUCTION_H
#define PM_OBSTRUCTION_H

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
} pm_obstruction;

/* Fills *out, which the caller frees with pm_obstruction_free.  The violator is a set of columns
 * when kind asks for the columns, or for both sides and every row can be matched.
 * Fails: PM_ENOMEM; *out is not changed then. */
pm_status pm_obstruction_find(const pm_matrix *a, pm_matching_kind kind, pm_obstruction *out,
                              pm_error *err);
void pm_obstruction_free(pm_obstruction *o);

#endif
