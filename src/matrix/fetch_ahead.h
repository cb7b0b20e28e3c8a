/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/fetch_ahead.h: elements of a vector that has one for each column, asked for before a loop over rows reads them.
 *
 * A loop over the rows of a large matrix reads the element for the column of each entry, or adds to it.  Where these columns are
 * anywhere the processor waits for memory, because it runs ahead of the loop by a few rows only.  But the columns of
 * later entries are known: with
 *
 *     __builtin_prefetch(&x[column[k + PM_FETCH_AHEAD]]);
 *
 * for entry k, x[...] is in the cache in time.  This takes a few instructions, so it is done only where it helps. */
#ifndef PM_FETCH_AHEAD_H
#define PM_FETCH_AHEAD_H

#include <stdint.h>

enum { PM_FETCH_AHEAD = 32 }; /* entries */

/* Rows from .. r - 1, r the value returned, are to ask ahead; each of their entries k has an entry k + PM_FETCH_AHEAD before those of row `to`.
 * r is `from` where there are few entries, where all elements fit into the cache, or where most entries have a column near that of
 * one of the 16 entries before, as in a lattice. */
int64_t pm_fetch_ahead_rows(const int64_t *rowptr, const int32_t *column, int64_t ncols,
                            int64_t from, int64_t to);

#endif
