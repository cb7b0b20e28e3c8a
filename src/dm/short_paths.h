/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/short_paths.h: augmenting paths for the few vertices that are left, by searches from both ends. */
#ifndef PM_SHORT_PATHS_H
#define PM_SHORT_PATHS_H

#include "dm/by_columns.h"
#include "pm/run.h"

/* Augmenting paths, by searches that are breadth first from all unmatched rows and all unmatched columns at once, the shorter queue first.
 * Each row and column is in one tree; where two trees meet is a path, and both are done with until the next search.  The last search is
 * one that finds paths for at most half of the unmatched rows, so the matching may not be maximum.  In a random graph trees meet after some sqrt(n) steps, where a search from one end sees much of the graph; in a
 * mesh a search may see all of it and find few paths.
 * col_of, row_of: a matching, *matched its size; they are improved.
 * Cost: O(entries) for each search.  Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_short_paths(const pm_matrix *a, const pm_columns *columns, const pm_run *run,
                         int32_t *col_of, int32_t *row_of, int64_t *matched, pm_error *err);

#endif
