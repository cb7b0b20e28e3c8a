/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe_ascent.h"

#include <math.h>

#define LEAST_REST 0x1p-40 /* for entries that are 1: their tangent has no limit */

/* Each row is divided by the largest factor of its columns. */
void pm_bethe_ascent_start(const pm_matrix *a, double (*entry)[2], int threads, pm_sinkhorn *s)
{
    double *x = s->x;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        double most = -INFINITY;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int32_t j = a->colind[k];
            most = fmax(most, log2(s->col[j]) + pm_sinkhorn_col_exponent(s, j));
        }
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int32_t j = a->colind[k];
            const double col = exp2(log2(s->col[j]) + pm_sinkhorn_col_exponent(s, j) - most);
            x[k] = (entry ? entry[k][0] : 1) * col / fmax(1 - x[k], LEAST_REST);
        }
    }
    pm_sinkhorn_start_again(s, x);
}
