/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/column_forest.h: a spanning forest of large entries, along which the sums of columns are made 1 while those of
 * the rows stay.
 *
 * Its vertices are the columns.  Of each row the largest entry is the hub; an edge of the forest is another entry of the row, and joins its
 * column and that of the hub.  Moving a number from one of both entries to the other changes the sums of these two columns alone.  Together with the
 * hubs these entries are a spanning forest of the rows and columns, of entries as large as possible. */
#ifndef PM_COLUMN_FOREST_H
#define PM_COLUMN_FOREST_H

#include "pm/matrix.h"
#include "pm/status.h"

/* Of a leaf, neighbours is the row of its only edge: no list of the edges is needed. */
typedef struct {
    int32_t *
        degree; /* of each column: edges that are left; negative: settled along an edge to column ~degree */
    int32_t *
        neighbours; /* XOR of the rows of the edges that are left; of a settled column the row of its last one */
    uint64_t *is_hub, *is_edge; /* bits, of each entry */
    int64_t last_row, last_hub; /* the hub that was looked for last */
} pm_column_forest;

/* x: [nnz], from 0 to 2; rows have an entry or more.  Afterwards entries of the forest are multiples of 2^-52, at least one.
 * The caller frees *out.  Memory: 8 bytes a column and a quarter of a byte an entry; meanwhile also one byte an entry, or this and 4 a
 * column and 4 a row.  threads change no digit.  Fails: PM_ENOMEM. */
pm_status pm_column_forest_make(const pm_matrix *a, double *x, int threads, pm_column_forest *out,
                                pm_error *err);

/* Each hub becomes what the other entries of its row leave of 1, maybe less than 0; missing[j] is what column j lacks of 1, before and
 * after.  All numbers are in units of 2^-52.  Returns false where one of them is far too large; other rows have been filled then. */
bool pm_column_forest_fill_rows(const pm_matrix *a, const pm_column_forest *f, int64_t *missing,
                                double *x);

/* After that, from the leaves inwards: what column j lacks comes along its last edge, and stays in missing[j].  Entries may be
 * more than 1 or less than 0 then.  Returns false where a number is far too large, or something is missing in a component.  Once only. */
bool pm_column_forest_settle(const pm_matrix *a, pm_column_forest *f, int64_t *missing, double *x);

/* Takes back what was settled, or where nothing was, with the same `missing`; then entries are between 0 and 1, and hubs are what the
 * others leave, as far as they are between 0 and 1. */
void pm_column_forest_undo(const pm_matrix *a, const pm_column_forest *f, const int64_t *missing,
                           double *x);
void pm_column_forest_free(pm_column_forest *f);

#endif
