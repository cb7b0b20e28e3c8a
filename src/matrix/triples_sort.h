/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/triples_sort.h: from entries in any order to rows, in linear time: the entries are sorted by column and
 * then by row.  Both sorts are stable, so entries of equal position become neighbours, in the
 * order in which they were added.  The sorts move columns, rows and, where values or messages need them, numbers
 * of entries, so all reads are sequential and only the writes are not.  Entries that come
 * by rows are sorted row by row. */
#ifndef PM_TRIPLES_SORT_H
#define PM_TRIPLES_SORT_H

#include <stdbool.h>

#include "pm/matrix.h"

/* Entries by rows; those of row i from start[i] on, by columns. */
typedef struct {
    int64_t *start;  /* nrows + 1 */
    int32_t *col;    /* of each entry */
    int64_t *number; /* their indices in pm_triples; NULL: not wanted */
} pm_sorted_entries;

/* *out: freed by the caller.  Fails: PM_ENOMEM. */
pm_status pm_triples_sort(const pm_triples *t, bool with_numbers, pm_sorted_entries *out,
                          pm_error *err);
void pm_sorted_entries_free(pm_sorted_entries *x);

#endif
