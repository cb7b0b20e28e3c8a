/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bethe_estimate/closed_four.h: the exact share of walks (bethe_estimate/closed_walks.h) that close after four steps, by products of
 * sparse matrices. */
#ifndef PM_CLOSED_FOUR_H
#define PM_CLOSED_FOUR_H

#include "pm/matrix.h"
#include "pm/run.h"

/* *share: of walks from random entries, the part that is back after four steps.  Walks around a cycle of length
 * 4 take its entries in turn with probability u / (1 - v) and v / (1 - u), u and v their weights in the column and in
 * the row.
 * a, in_row, in_col: as in pm_closed_walks_make.
 * Time and memory: proportional to the pairs of entries in the same column; less than 0 and nothing is
 * done where they are more than `most`.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_closed_four_make(const pm_matrix *a, const double *in_row, const double *in_col,
                              int64_t most, const pm_run *run, double *share, pm_error *err);

#endif
