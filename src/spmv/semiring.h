/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/semiring.h: products of a sparse matrix and a vector over several semirings, and matrices as
 * lists of entries (COO). */
#ifndef PM_SEMIRING_H
#define PM_SEMIRING_H

#include "spmv/csr.h"

/* y_i = sum over j of a_ij x_j, max over j of (a_ij + x_j), or log sum over j of exp(a_ij + x_j).
 * Where entries have no values (a->value is NULL) all are the semiring's one: 1, 0 or 0.  A row
 * without entries has 0 or minus infinity. */
typedef enum { PM_SEMIRING_SUM, PM_SEMIRING_MAX, PM_SEMIRING_LOG } pm_semiring;

/* "sum", "max", "log" */
const char *pm_semiring_name(pm_semiring s);

/* y of a row without entries. */
double pm_semiring_empty(pm_semiring s);

/* x: [ncols], y: [nrows]; they must not overlap.  The number of threads changes no digit.
 * threads: at least 1, what pm_team permits (core/team.h). */
void pm_semiring_multiply(pm_semiring s, const pm_csr *a, const double *x, double *y, int threads);

/* Entry k is value[k] in row row[k], column colind[k]; rows ascend. */
typedef struct {
    int64_t nrows, ncols, nnz;
    const int32_t *row, *colind; /* [nnz] */
    const double *value;         /* [nnz], or NULL */
} pm_coo;

/* *row: [nnz], the row of each entry; the caller frees it.  Fails: PM_ENOMEM. */
pm_status pm_csr_rows_of_entries(const pm_csr *a, int32_t **row, pm_error *err);

/* The same product. */
void pm_semiring_multiply_coo(pm_semiring s, const pm_coo *a, const double *x, double *y,
                              int threads);

#endif
