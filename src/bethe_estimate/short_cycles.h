/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bethe_estimate/short_cycles.h: how many short cycles a weighted graph has beyond those of a random graph. */
#ifndef PM_SHORT_CYCLES_H
#define PM_SHORT_CYCLES_H

#include "pm/matrix.h"
#include "pm/run.h"

/* The weight of a cycle is the product of b / (1 - b) over its edges.  Its expectation, over all cycles of length
 * 2 k of a random graph with these b, is 1 / (2 k) (for d-regular ones: Bollobas and McKay 1986). */
typedef struct {
    double excess; /* |weight - 1/4| of length 4 and |weight - 1/6| of length 6 */
    double error;  /* its standard error */
} pm_short_cycles;

/* By random walks: from an entry (i, j) to another one of column j with probability proportional to b, then to another one
 * of that row, and so on.  A walk comes back after 2 k steps to the entry where it began with the weight of the cycles
 * through that entry.
 * b: line sums 1.  tolerance: a standard error that does not matter: fewer walks are made; 0: none.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_short_cycles_make(const pm_matrix *a, const double *b, double tolerance, uint64_t seed,
                               const pm_run *run, pm_short_cycles *out, pm_error *err);

#endif
