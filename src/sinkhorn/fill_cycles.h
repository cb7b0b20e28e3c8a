/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/fill_cycles.h: entries that are not above 0 are filled along short cycles, while the sums of all lines stay. */
#ifndef PM_FILL_CYCLES_H
#define PM_FILL_CYCLES_H

#include <stdbool.h>

#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* An entry in row i and column j grows, one in column j becomes smaller, another entry in the same row grows, and so on, until one in row i
 * becomes smaller.  Such a cycle is found by two searches breadth first, one from column j and one back from row i.  No entry loses more than half of
 * its value at once.  First these entries must be at least 2^-4; where no such cycle is found, at least 2^-8, and so on.
 * Meant for few entries: each search sees at most 2^15 columns, all together see about 2^22 entries, or four times those of a.
 * a: square; x: [nnz], from -2 to 2; lines sum to 1 in units of 2^-52, where a number from 0 to 1 counts as stochastic_units.h rounds it.
 * *found: all entries are at least one unit, and lines sum to 1 as before; false: x is as before, but rounded to units.
 * Memory: 4 bytes an entry and 8 a column, and 20 MB at most.
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_fill_cycles(const pm_matrix *a, double *x, int threads, const pm_run *run, bool *found,
                         pm_error *err);

#endif
