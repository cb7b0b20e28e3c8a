/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/csr.h: sparse matrices of doubles in compressed sparse row form (CSR). */
#ifndef PM_CSR_H
#define PM_CSR_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/run.h"

/* Entry k of row i, rowptr[i] <= k < rowptr[i + 1], is value[k] in column colind[k].  The entries of a
 * row need no order. */
typedef struct {
    int64_t nrows, ncols;
    const int64_t *rowptr; /* [nrows + 1], rowptr[0] = 0 */
    const int32_t *colind; /* [rowptr[nrows]] */
    double *value;         /* [rowptr[nrows]]; NULL: all entries are 1, or in `narrow` */
    float *narrow;         /* [rowptr[nrows]]: the entries in single precision; NULL elsewhere */
} pm_csr;

/* A matrix and its transpose: the same entries, once by rows and once by columns. */
typedef struct {
    pm_csr a, t;
    void *owned[4];
    int threads; /* of pm_csr_pair_set and pm_csr_pair_by_rows, at least 1 */
} pm_csr_pair;

/* The pattern of the transpose; its rows ascend.
 * ptr: [ncols + 1]; ind: [nnz]; place: [nnz], where entry k of a is among its entries, or NULL. */
void pm_csr_transpose(const pm_csr *a, int64_t *ptr, int32_t *ind, int64_t *place);

/* The pattern of `pattern`, which must outlive *out; all values are 0.  The rows of the transpose ascend.  The caller
 * frees *out.  run: its threads; NULL: one thread.
 * Memory: 28 bytes for each entry.  Fails: PM_ENOMEM. */
pm_status pm_csr_pair_make(const pm_matrix *pattern, const pm_run *run, pm_csr_pair *out,
                           pm_error *err);
/* The same with values that are all 1 and not stored.  Memory: 4 bytes for each entry, 8 for each column. */
pm_status pm_csr_pair_make_ones(const pm_matrix *pattern, const pm_run *run, pm_csr_pair *out,
                                pm_error *err);
void pm_csr_pair_free(pm_csr_pair *p);

/* Sets the values of both; value[k]: that of entry k of a; p->a.value itself is allowed. */
void pm_csr_pair_set(pm_csr_pair *p, const double *value);

/* by_rows[k] = the element of by_columns, in the order of the entries of t, that belongs to entry k of a. */
void pm_csr_pair_by_rows(pm_csr_pair *p, const double *by_columns, double *by_rows);

/* Multiplies row i by row[i] and column j by col[j]: a_ij becomes a_ij (row_i col_j).  row: NULL: 1. */
void pm_csr_scale(const pm_csr *a, const double *row, const double *col, int threads);

#endif
