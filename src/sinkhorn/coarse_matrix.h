/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/coarse_matrix.h: the matrix P^T A P of the clusters of a level of coarse systems (coarse.h), by rows. */
#ifndef PM_COARSE_MATRIX_H
#define PM_COARSE_MATRIX_H

#include "sinkhorn/joined_rows.h"
#include "sinkhorn/short_float.h"

enum { PM_COARSE_PARTS = 64 };

/* Its rows in parts: part p begins with row floor(items p / parts).  Row i of a part has the entries ptr[i] .. ptr[i + 1] - 1: minus
 * an entry of A beside the diagonal is `weight`, above 0, in 16 bits.  The diagonal is the sum of the weights. */
typedef struct {
    uint32_t *ptr;
    int32_t *ind;
    uint16_t *weight;
} pm_coarse_rows;

typedef struct {
    int64_t items;
    int parts;
    pm_coarse_rows part[PM_COARSE_PARTS];
} pm_coarse_matrix;

static inline int64_t pm_coarse_start(int64_t items, int parts, int p)
{
    return items * p / parts;
}

/* (A x)_i, i the row m of a part, from differences: what they have in common would leave its rounding. */
static inline double pm_coarse_image(const pm_coarse_rows *a, int64_t m, const float *x, float of_i)
{
    double sum = 0;
    for (uint32_t k = a->ptr[m]; k < a->ptr[m + 1]; ++k)
        sum += pm_short_value(a->weight[k]) * (double)(of_i - x[a->ind[k]]);
    return sum;
}

/* diagonal: [items] is set.  The caller frees *out, also after a failure.  The number of threads changes no digit.
 * Memory: 6 bytes an entry, 4 a row; while it is made 4 bytes a column of y, 4 an entry of the columns of some parts.
 * Fails: PM_ENOMEM. */
pm_status pm_coarse_matrix_make(const pm_joined *y, int threads, float *diagonal,
                                pm_coarse_matrix *out, pm_error *err);
/* Beside the diagonal; 0 of zeros. */
int64_t pm_coarse_entries(const pm_coarse_matrix *a);
void pm_coarse_matrix_free(pm_coarse_matrix *a);

#endif
