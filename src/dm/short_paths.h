/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/short_paths.h: augmenting paths for the few vertices that are left, by searches from both ends. */
#ifndef PM_SHORT_PATHS_H
#define PM_SHORT_PATHS_H

#include "dm/by_columns.h"
#include "pm/run.h"

/* Looks for an augmenting path from each unmatched row, until there is none: breadth first from the row and from all
 * unmatched columns at once, the shorter queue first.  In a random graph the two searches meet after some
 * sqrt(n) steps, where a search from one end sees much of the graph.
 * col_of, row_of: a matching, *matched its size; they are improved.
 * Cost: O(rows + columns + steps) for each path.  Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_short_paths(const pm_matrix *a, const pm_columns *columns, const pm_run *run,
                         int32_t *col_of, int32_t *row_of, int64_t *matched, pm_error *err);

#endif
