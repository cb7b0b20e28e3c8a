/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dm/one_block.h: whether a matrix with a perfect matching is one fully indecomposable block. */
#ifndef PM_ONE_BLOCK_H
#define PM_ONE_BLOCK_H

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* a: n x n, n >= 1; col_of, row_of: a perfect matching; run: its threads; NULL: one thread.
 * Cost: two breadth-first searches, which ask for the memory of later steps ahead: a fraction of what finding
 * the blocks takes.
 * Fails: PM_ENOMEM. */
pm_status pm_one_block(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of,
                       const pm_run *run, bool *is_one, pm_error *err);

#endif
