/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/near_paths.h: augmenting paths between vertices that are near each other. */
#ifndef PM_NEAR_PATHS_H
#define PM_NEAR_PATHS_H

#include "pm/matrix.h"
#include "pm/run.h"

/* From each unmatched row in turn breadth first to the nearest unmatched column, over at most `most` rows.  In a lattice of which Karp and
 * Sipser leave some hundredths unmatched nearly all find one, where each phase of Hopcroft and Karp goes over the whole graph.
 * col_of, row_of: a matching, *matched its size; they are improved.
 * It ends early where most rows search in vain: many of them have no path at all.
 * Cost: O(rows) and the entries of `most` rows for each unmatched row.  Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_near_paths(const pm_matrix *a, int64_t most, const pm_run *run, int32_t *col_of,
                        int32_t *row_of, int64_t *matched, pm_error *err);

#endif
