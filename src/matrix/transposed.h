/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/transposed.h: the entries of a matrix by columns, with any number of threads.
 *
 * Each thread has a range of columns.  It reads all entries, in order, and takes those of its columns: so no two
 * threads write to the same place, each column keeps the order of its rows, and what a thread writes out of order
 * is a small part of the memory, which fits into its caches. */
#ifndef PM_TRANSPOSED_H
#define PM_TRANSPOSED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/team.h"
#include "pm/run.h"

/* The columns from .. from + count - 1. */
typedef struct {
    uint32_t from, count;
} pm_column_range;

/* Part `part` of `parts`; all together are the columns 0 .. ncols - 1. */
static inline pm_column_range pm_column_range_of(int64_t ncols, int part, int parts)
{
    const int64_t from = pm_team_first(ncols, part, parts),
                  to = pm_team_first(ncols, part + 1, parts);
    return (pm_column_range){(uint32_t)from, (uint32_t)(to - from)};
}

static inline bool pm_column_is_in(pm_column_range r, int32_t col)
{
    return (uint32_t)col - r.from < r.count;
}

/* The number of threads that is worth starting for so many entries, at least 1.  run: NULL: one thread. */
int pm_transposed_threads(int64_t entries, const pm_run *run);

/* The entries of an nrows x ncols matrix in compressed rows, by columns: those of column j are from ptr[j] on, in
 * rows row[...], which ascend.
 * threads: what pm_transposed_threads permits; ptr: [ncols + 1]; row: [nnz]; place: [nnz], where entry k is
 * among the others now; or NULL. */
void pm_transposed_make(int64_t nrows, int64_t ncols, const int64_t *rowptr, const int32_t *colind,
                        int threads, int64_t *ptr, int32_t *row, int64_t *place);

/* The numbers of entries of the columns.  count: [ncols] */
void pm_transposed_count(int64_t ncols, int64_t nnz, const int32_t *colind, int threads,
                         int64_t *count);

/* ptr[j], moved on from the start of the entries of column j to their end, goes back to the start. */
void pm_transposed_rewind(int64_t *ptr, int64_t ncols);

#endif
