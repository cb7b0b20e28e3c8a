/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bethe_estimate/log_determinant.h: the number of weighted spanning trees: the determinant of a Laplacian without
 * one row and column. */
#ifndef PM_LOG_DETERMINANT_H
#define PM_LOG_DETERMINANT_H

#include <stdint.h>

#include "pm/run.h"

/* S: n x n, symmetric, positive semidefinite, S 1 = 0, of rank n - 1. */
typedef struct {
    int64_t n;
    int64_t work;                                                /* of a product, in additions */
    void (*multiply)(void *context, const double *x, double *y); /* y = S x */
    void *context;
    const double *diagonal; /* [n], > 0 */
} pm_laplacian_operator;

typedef struct {
    double value; /* natural logarithm */
    double
        error; /* standard error, and what is missing in quadratures; 0: exact but for rounding */
} pm_log_determinant;

enum { PM_DETERMINANT_DENSE = 1000 }; /* rows, up to which it is exact */

/* tolerance: an error that is small beside what else is not known: fewer products are made, with fewer vectors; 0: none.
 * Up to so many rows by Cholesky's decomposition.  Beyond, log det S = trace log S is the mean of
 * z^T (log S) z over random signs z, and each of these is a Gaussian quadrature by Lanczos' method (Ubaru, Chen and
 * Saad 2017).
 * Fails: PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_log_determinant_make(const pm_laplacian_operator *s, double tolerance, uint64_t seed,
                                  const pm_run *run, pm_log_determinant *out, pm_error *err);

#endif
