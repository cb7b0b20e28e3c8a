/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

static double others(double sum, double own, double least_share)
{
    return fmax(sum - own, least_share * sum);
}

static void add_columns(const pm_matrix *a, const double *x, double *sum)
{
    for (int64_t j = 0; j < a->ncols; ++j)
        sum[j] = 0;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        sum[a->colind[k]] += x[k];
}

/* Updates all messages once.  Returns the largest change of a probability. */
static double sweep(const pm_matrix *a, double (*value)[2], double least_share, double *sum,
                    pm_bethe *b)
{
    double most = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        double row = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            row += b->to_row[k];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            b->to_col[k] = value[k][0] / others(row, b->to_row[k], least_share);
    }
    add_columns(a, b->to_col, sum);
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        b->to_row[k] = value[k][0] / others(sum[a->colind[k]], b->to_col[k], least_share);
        double t = b->to_col[k] * b->to_row[k] / value[k][0], p = t / (1 + t);
        most = fmax(most, fabs(p - b->probability[k]));
        b->probability[k] = p;
    }
    return most;
}

static void balance(int64_t nnz, pm_bethe *b)
{
    double sum = 0;
    for (int64_t k = 0; k < nnz; ++k)
        sum += log2(b->to_row[k]) - log2(b->to_col[k]);
    double factor = exp2(sum / (double)nnz / 2);
    for (int64_t k = 0; k < nnz; ++k) {
        b->to_row[k] /= factor;
        b->to_col[k] *= factor;
    }
}

pm_status pm_bethe_make(const pm_matrix *a, double (*value)[2], double least_share, int sweeps,
                        double tolerance, pm_bethe *out, pm_error *err)
{
    pm_status status = PM_OK;
    int64_t nnz = pm_matrix_nnz(a);
    pm_bethe b = {.to_col = pm_alloc_array(nnz, sizeof *b.to_col),
                  .to_row = pm_alloc_array(nnz, sizeof *b.to_row),
                  .probability = pm_calloc_array(nnz, sizeof *b.probability)};
    double *sum = pm_alloc_array(a->ncols, sizeof *sum);
    if (!b.to_col || !b.to_row || !b.probability || !sum) {
        status = pm_fail_memory(err, "messages");
        goto done;
    }
    for (int64_t k = 0; k < nnz; ++k)
        b.to_row[k] = value[k][0];
    while (sweeps-- > 0 && sweep(a, value, least_share, sum, &b) > tolerance)
        ;
    balance(nnz, &b);
    *out = b;
    b = (pm_bethe){0};
done:
    free(sum);
    pm_bethe_free(&b);
    return status;
}

void pm_bethe_free(pm_bethe *b)
{
    free(b->to_col);
    free(b->to_row);
    free(b->probability);
    *b = (pm_bethe){0};
}
