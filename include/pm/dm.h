/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/dm.h: maximum matchings and the Dulmage-Mendelsohn decomposition.
 * Sources: Hopcroft and Karp 1973; Karp and Sipser 1981; Dulmage and Mendelsohn 1958; Pothen and
 * Fan 1990; Tarjan 1972.  Linear memory, no recursion. */
#ifndef PM_DM_H
#define PM_DM_H

#include "pm/matrix.h"
#include "pm/status.h"

/* A maximum matching of a.
 * row_of: ncols entries, the row matched to column j, or -1;  col_of: nrows entries.
 * *rank: its size, the structural rank.  Arrays are the caller's. */
pm_status pm_matching_maximum(const pm_matrix *a, int32_t *col_of, int32_t *row_of, int64_t *rank,
                              pm_error *err);

/* A Hall violator: rows R with fewer than |R| neighbours N(R), found from a maximum matching
 * that leaves row `row` unmatched.  rows, cols: room for nrows, ncols; filled ascending. */
pm_status pm_matching_hall(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of,
                           int64_t row, int32_t *rows, int64_t *nrows, int32_t *cols,
                           int64_t *ncols, pm_error *err);

/* Names as in CSparse's dmperm: row k of the block triangular form is row p[k], column k is q[k].
 * Coarse parts: columns cc[0]..cc[1] (no row: unmatched columns), cc[1]..cc[2] under-determined
 * with rows rr[0]..rr[1]; square part rows rr[1]..rr[2], columns cc[2]..cc[3]; over-determined
 * part rows rr[2]..rr[3], columns cc[3]..cc[4]; unmatched rows rr[3]..rr[4].
 * Fine blocks: block b has rows r[b]..r[b+1], columns s[b]..s[b+1]; the blocks of the square part
 * are its fully indecomposable diagonal blocks. */
typedef struct {
    int64_t nrows, ncols;
    int32_t *p, *q; /* nrows, ncols entries */
    int64_t *r, *s; /* nblocks + 1 entries each */
    int64_t nblocks;
    int64_t square_first,
        square_last; /* blocks square_first .. square_last-1 are the square part */
    int64_t rr[5], cc[5];
    int64_t rank;
} pm_dm;

pm_status pm_dm_decompose(const pm_matrix *a, pm_dm *out, pm_error *err);
void pm_dm_free(pm_dm *d);

static inline bool pm_dm_has_perfect_matching(const pm_dm *d)
{
    return d->rank == d->nrows && d->rank == d->ncols;
}

/* How many entries of a stand in each diagonal block: nblocks numbers, for free().  These are the
 * entries that lie in some maximum matching. */
pm_status pm_dm_count_entries(const pm_matrix *a, const pm_dm *d, int64_t **out, pm_error *err);

/* ---- the square blocks as matrices ---- */

/* Rows and columns of each block in the order in which they stand in a. */
typedef struct {
    const pm_matrix *a; /* lent, as d is */
    const pm_dm *d;
    int32_t *q;      /* as d->q, but ascending within each square block */
    int32_t *col_at; /* column j of a is column q[col_at[j]] */
} pm_dm_cut;

/* Memory: 8 bytes a column. */
pm_status pm_dm_cut_open(const pm_matrix *a, const pm_dm *d, pm_dm_cut *out, pm_error *err);
/* Block b, of the square part, with all its values.  Its rows and columns are labelled as in a;
 * where a has no labels, by their numbers in a, unless these are the numbers in the block.
 * Cost: linear in the rows of a that are in the block. */
pm_status pm_dm_cut_block(const pm_dm_cut *c, int64_t b, pm_matrix *out, pm_error *err);
/* An order of the vertices of a (pm/matrix.h), which has a perfect matching, taken apart into
 * orders of the blocks: that of block b is out[2 * r[b]] .. out[2 * r[b+1] - 1].
 * out: nrows + ncols entries, the caller's. */
pm_status pm_dm_cut_order(const pm_dm_cut *c, const int32_t *order, int32_t *out, pm_error *err);
void pm_dm_cut_close(pm_dm_cut *c);

#endif
