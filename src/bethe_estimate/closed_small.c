/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bethe_estimate/closed_small.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* The entries of one kind of lines, rows or columns. */
typedef struct {
    const int32_t *line; /* of each entry */
    const double *weight;
} side;

/* Adds to y[k] what comes from the entries of its line that were passed before; entries are passed in ascending, then in
 * descending order.  This subtracts nothing: 1 - weight may be tiny, and a difference of sums would have no correct digit. */
static void pass_on(const side *s, int64_t k, const double *x, double *running, double *y)
{
    double *sum = &running[s->line[k]];
    y[k] += s->weight[k] * *sum;
    *sum += x[k] / (1 - s->weight[k]);
}

/* y: the probabilities after a step to another entry of the line.  running: [n] */
static void step(const side *s, int64_t n, int64_t nnz, const double *x, double *running, double *y)
{
    memset(y, 0, (size_t)nnz * sizeof *y);
    memset(running, 0, (size_t)n * sizeof *running);
    for (int64_t k = 0; k < nnz; ++k)
        pass_on(s, k, x, running, y);
    memset(running, 0, (size_t)n * sizeof *running);
    for (int64_t k = nnz - 1; k >= 0; --k)
        pass_on(s, k, x, running, y);
}

pm_status pm_closed_small_make(const pm_matrix *a, const double *in_row, const double *in_col,
                               int lengths, const pm_run *run, double *share, pm_error *err)
{
    const int64_t n = a->nrows, nnz = pm_matrix_nnz(a);
    int32_t *row = pm_alloc_array(nnz, sizeof *row);
    double *x = pm_alloc_array(nnz, sizeof *x), *y = pm_alloc_array(nnz, sizeof *y);
    double *running = pm_alloc_array(n, sizeof *running);
    pm_status status = row && x && y && running ? PM_OK : pm_fail_memory(err, "closed walks");
    for (int64_t i = 0; i < n && !status; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            row[k] = (int32_t)i;
    const side rows = {row, in_row}, columns = {a->colind, in_col};
    for (int l = 0; l < lengths; ++l)
        share[l] = 0;
    for (int64_t from = 0; from < nnz && !status; ++from) {
        memset(x, 0, (size_t)nnz * sizeof *x);
        x[from] = 1;
        for (int l = 0; l < lengths + 1; ++l) {
            step(&columns, n, nnz, x, running, y);
            step(&rows, n, nnz, y, running, x);
            if (l > 0)
                share[l - 1] += x[from] / (double)nnz;
        }
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the estimate");
    }
    free(row);
    free(x);
    free(y);
    free(running);
    return status;
}
