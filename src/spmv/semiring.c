/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/semiring.h"

#include <math.h>

#include "pm/alloc.h"
#include "spmv/multiply.h"

const char *pm_semiring_name(pm_semiring s)
{
    static const char *const names[] = {"sum", "max", "log"};
    return names[s];
}

double pm_semiring_empty(pm_semiring s)
{
    return s == PM_SEMIRING_SUM ? 0 : -INFINITY;
}

static double add(pm_semiring s, double a, double b)
{
    if (s == PM_SEMIRING_SUM)
        return a + b;
    double most = a > b ? a : b, least = a > b ? b : a;
    return s == PM_SEMIRING_MAX || least == -INFINITY ? most : most + log1p(exp(least - most));
}

static double term(pm_semiring s, const double *value, int64_t k, double x)
{
    return !value ? x : s == PM_SEMIRING_SUM ? value[k] * x : value[k] + x;
}

void pm_semiring_multiply(pm_semiring s, const pm_csr *a, const double *x, double *y, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        pm_csr_rows rows = pm_csr_share(a, part, threads);
        for (int64_t i = rows.from; i < rows.to; ++i) {
            double sum = pm_semiring_empty(s);
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                sum = add(s, sum, term(s, a->value, k, x[a->colind[k]]));
            y[i] = sum;
        }
    }
}

pm_status pm_csr_rows_of_entries(const pm_csr *a, int32_t **row, pm_error *err)
{
    int32_t *of = pm_alloc_array(a->rowptr[a->nrows], sizeof *of);
    if (!of)
        return pm_fail_memory(err, "sparse matrix");
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            of[k] = (int32_t)i;
    *row = of;
    return PM_OK;
}

/* Where part `part` begins: at a row of its own. */
static int64_t part_begin(const pm_coo *a, int part, int parts)
{
    int64_t k = part == parts ? a->nnz : a->nnz / parts * part;
    while (k > 0 && k < a->nnz && a->row[k] == a->row[k - 1])
        ++k;
    return k;
}

void pm_semiring_multiply_coo(pm_semiring s, const pm_coo *a, const double *x, double *y,
                              int threads)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        y[i] = pm_semiring_empty(s);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        int64_t end = part_begin(a, part + 1, threads);
        for (int64_t k = part_begin(a, part, threads); k < end; ++k)
            y[a->row[k]] = add(s, y[a->row[k]], term(s, a->value, k, x[a->colind[k]]));
    }
}
