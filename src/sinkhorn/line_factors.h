/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/line_factors.h: the factors of Sinkhorn's scaling for a matrix of any field. */
#ifndef PM_LINE_FACTORS_H
#define PM_LINE_FACTORS_H

#include "pm/matrix.h"
#include "pm/run.h"

/* log2 of positive factors: with row i multiplied by 2^row[i] and column j by 2^col[j], the absolute
 * values of each row and column sum to 1. */
typedef struct {
    double *row, *col; /* [n] */
    double residual;   /* the largest difference of a sum from 1, but for rounding */
} pm_line_factors;

/* a: square.  The caller frees *out.  Multiplying all row factors by a number and dividing the column
 * factors by it changes nothing; here the sums of their logarithms are equal.
 * Fails: PM_UNABLE an entry is in no perfect matching, so that there is no scaling; the magnitudes
 * of the entries differ too much; the scaling did not converge; PM_ENOMEM; PM_ESTOPPED. */
pm_status pm_line_factors_make(const pm_matrix *a, const pm_run *run, pm_line_factors *out,
                               pm_error *err);
void pm_line_factors_free(pm_line_factors *f);

#endif
