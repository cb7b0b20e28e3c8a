/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bethe_estimate/closed_small.h: the exact shares of walks (bethe_estimate/closed_walks.h) that close, of small graphs: the probabilities of
 * all entries, from each entry, step by step. */
#ifndef PM_CLOSED_SMALL_H
#define PM_CLOSED_SMALL_H

#include "pm/matrix.h"
#include "pm/run.h"

/* share[l], l < lengths: of walks from random entries, the part that is back after 2 l + 4 steps, up to rounding.
 * a, in_row, in_col: as in pm_closed_walks_make.  Time: proportional to the square of the number of entries.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_closed_small_make(const pm_matrix *a, const double *in_row, const double *in_col,
                               int lengths, const pm_run *run, double *share, pm_error *err);

#endif
