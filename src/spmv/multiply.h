/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/multiply.h: the product of a sparse matrix and a vector. */
#ifndef PM_SPMV_MULTIPLY_H
#define PM_SPMV_MULTIPLY_H

#include "matrix/transposed.h"
#include "spmv/csr.h"
#include "spmv/line_products.h"

/* y = A x.
 * x: [ncols]; y: [nrows], 0 for an empty row; they must not overlap.
 * Each sum has a fixed order of additions: the number of threads changes no digit.
 * threads: at least 1, what pm_team permits (core/team.h). */
void pm_spmv_multiply(const pm_csr *a, const double *x, double *y, int threads);

/* Part `part` of `parts` of the rows: consecutive ones, about as many rows and entries in each part. */
typedef struct {
    int64_t from, to;
} pm_csr_rows;
pm_csr_rows pm_csr_share(const pm_csr *a, int part, int parts);
/* The least range that has all columns of some rows. */
pm_column_range pm_csr_columns(const pm_csr *a, pm_csr_rows rows);

/* The same, some rows of y.  between: NULL, or a has no values, and entries are products of factors: x has those of the columns times
 * a vector, and the factors of the rows are left out. */
void pm_spmv_multiply_rows(const pm_csr *a, const pm_line_products *between, pm_csr_rows rows,
                           const double *x, double *y);

/* The same for x = 1, without x; a has values. */
void pm_spmv_sum_rows(const pm_csr *a, pm_csr_rows rows, double *y);

/* y_i = the sum over j of a_ij (z_i - x_j), some rows.  between: as above: x has col_j x_j. */
void pm_spmv_differences_rows(const pm_csr *a, const pm_line_products *between, pm_csr_rows rows,
                              const double *x, const double *z, double *y);

/* Sums of the columns for the second half of the rows, for products with the transpose by two threads. */
typedef struct {
    double *sum;              /* [ncols]; NULL: one thread has all rows */
    pm_column_range range[2]; /* what columns the first and the second half of the rows have */
} pm_spmv_part;

/* sum: memory of the caller, [ncols], which must outlive the part. */
pm_spmv_part pm_spmv_part_make(const pm_csr *a, double *sum);

/* y = A^T x, without the transpose: entries are added to y in the order of the rows.
 * between: NULL, or a has no values, and entries are products of factors: those of the columns are left out.
 * x: [nrows], or NULL: 1, where a has values; y: [ncols]; they must not overlap.
 * part: made for this matrix, its sums are overwritten: then two threads add half of the rows each.  More threads share the columns.
 * The number of threads changes no digit. */
void pm_spmv_multiply_transposed(const pm_csr *a, const pm_line_products *between, const double *x,
                                 double *y, const pm_spmv_part *part, int threads);

/* The number of threads that is worth starting for one product: 1 for a small matrix. */
int pm_spmv_threads(const pm_csr *a, int most);

#endif
