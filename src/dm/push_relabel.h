/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/push_relabel.h: a maximum matching from one that lacks few rows, by pushes along labels. */
#ifndef PM_PUSH_RELABEL_H
#define PM_PUSH_RELABEL_H

#include "dm/by_columns.h"
#include "pm/run.h"

/* Goldberg and Tarjan 1988, for bipartite graphs as in Kaya, Langguth, Manne and Ucar 2013.  The label of a column is a lower bound of the
 * number of rows that change their columns until an unmatched column is reached.  An unmatched row takes the column of the least label, whose
 * label grows by 1, and the row that had it goes on.  After some pushes a search from the unmatched columns makes the labels exact again.
 * In meshes, where searches from all unmatched vertices (short_paths.h) find few paths each, this takes less than half of their time.
 * col_of, row_of: a matching, *matched its size; they become a maximum one.
 * Cost: O(entries) for each search.  For few unmatched rows there are O(rows) of them at the worst; 28 at most in what was tried.  Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_push_relabel(const pm_matrix *a, const pm_columns *columns, const pm_run *run,
                          int32_t *col_of, int32_t *row_of, int64_t *matched, pm_error *err);

#endif
