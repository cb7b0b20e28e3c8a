/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/dm.h: maximum matchings and the Dulmage-Mendelsohn decomposition.
 * Sources: Hopcroft and Karp 1973; Karp and Sipser 1981; Dulmage and Mendelsohn 1958; Pothen and
 * Fan 1990; Tarjan 1972.  Linear memory, no recursion. */
#ifndef PM_DM_H
#define PM_DM_H

#include "pm/matching_kind.h"
#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* A maximum matching of a.
 * col_of: a->nrows entries, the column that is matched to row i, or -1; row_of: a->ncols entries,
 * the row that is matched to column j, or -1.  The caller allocates both.
 * *rank: the size of the matching, the structural rank of a.
 * run: checked between passes over the entries.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_matching_maximum(const pm_matrix *a, const pm_run *run, int32_t *col_of,
                              int32_t *row_of, int64_t *rank, pm_error *err);

/* Does a matrix of this structural rank have a matching of this kind? */
bool pm_matching_exists(const pm_matrix *a, int64_t rank, pm_matching_kind kind);

/* A Hall violator: rows R with fewer than |R| neighbours N(R).
 * col_of, row_of: a maximum matching; row: a row that it leaves unmatched, and a member of R.
 * rows, cols: R and N(R), ascending; the caller allocates a->nrows and a->ncols entries.
 * *nrows, *ncols: their sizes; *ncols = *nrows - 1.
 * Fails: PM_ENOMEM. */
pm_status pm_matching_hall(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of,
                           int64_t row, int32_t *rows, int64_t *nrows, int32_t *cols,
                           int64_t *ncols, pm_error *err);

/* The Dulmage-Mendelsohn decomposition, with the names of CSparse's dmperm.  Row k of the block
 * triangular form is row p[k] of the matrix, column k is column q[k].  Ranges are half-open: rows
 * x..y are rows x, ..., y-1 of the block triangular form.
 *
 * Coarse decomposition:    rows          columns
 *   unmatched columns      -             cc[0]..cc[1]
 *   under-determined       rr[0]..rr[1]  cc[1]..cc[2]
 *   square                 rr[1]..rr[2]  cc[2]..cc[3]
 *   over-determined        rr[2]..rr[3]  cc[3]..cc[4]
 *   unmatched rows         rr[3]..rr[4]  -
 *
 * Fine decomposition: block b has the rows r[b]..r[b+1] and the columns s[b]..s[b+1].  The blocks
 * of the square part are its fully indecomposable diagonal blocks; the first and the last block are
 * the other parts where these are not empty. */
typedef struct {
    int64_t nrows, ncols;
    int32_t *p, *q; /* nrows, ncols entries */
    int64_t *r, *s; /* nblocks + 1 entries each */
    int64_t nblocks;
    int64_t square_first,
        square_last; /* blocks square_first .. square_last-1 are the square part */
    int64_t rr[5], cc[5];
    int64_t rank; /* the structural rank */
} pm_dm;

/* out: freed by the caller with pm_dm_free.
 * run: checked between passes over the entries.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_dm_decompose(const pm_matrix *a, const pm_run *run, pm_dm *out, pm_error *err);
void pm_dm_free(pm_dm *d);

static inline bool pm_dm_has_perfect_matching(const pm_dm *d)
{
    return d->rank == d->nrows && d->rank == d->ncols;
}

/* The number of entries of a in each diagonal block.  These are the entries that are in some
 * maximum matching.
 * *out: d->nblocks numbers; the caller frees it.
 * Fails: PM_ENOMEM. */
pm_status pm_dm_count_entries(const pm_matrix *a, const pm_dm *d, int64_t **out, pm_error *err);

/* ---- the square blocks as matrices ---- */

/* A matrix and its decomposition, prepared for cutting out blocks.  The rows and columns of a block
 * are in the same order as in a. */
typedef struct {
    const pm_matrix *a; /* a and d are not owned; they must outlive this struct */
    const pm_dm *d;
    int32_t *q;      /* as d->q, but ascending within each square block */
    int32_t *col_at; /* column j of a is column q[col_at[j]] */
} pm_dm_cut;

/* Memory: 8 bytes a column.  Fails: PM_ENOMEM. */
pm_status pm_dm_cut_open(const pm_matrix *a, const pm_dm *d, pm_dm_cut *out, pm_error *err);
/* Block b of the square part, square_first <= b < square_last, as a matrix.  It has the labels of
 * a; when a has no labels, the numbers of its rows and columns in a become labels, unless they are
 * 1, 2, ....
 * out: freed by the caller.
 * Cost: linear in the entries of the rows of a that are in the block.
 * Fails: PM_ENOMEM. */
pm_status pm_dm_cut_block(const pm_dm_cut *c, int64_t b, pm_matrix *out, pm_error *err);
/* The same without labels. */
pm_status pm_dm_cut_unlabelled(const pm_dm_cut *c, int64_t b, pm_matrix *out, pm_error *err);
/* Splits an order of the vertices of a (pm/matrix.h) into orders of the vertices of the blocks.
 * The matrix a must have a perfect matching.
 * out: nrows + ncols entries, allocated by the caller; the order of block b is out[2 * r[b]] ..
 * out[2 * r[b+1] - 1].
 * Fails: PM_ENOMEM. */
pm_status pm_dm_cut_order(const pm_dm_cut *c, const int32_t *order, int32_t *out, pm_error *err);
void pm_dm_cut_close(pm_dm_cut *c);

#endif
