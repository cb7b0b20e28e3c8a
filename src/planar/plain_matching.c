/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/plain_matching.h"

#include <string.h>

#include "general/blossom.h"
#include "pm/dm.h"

/* Columns are vertices after the rows. */
static pm_status match_sides(const pm_matrix *a, int32_t *partner, bool *is_there, pm_error *err)
{
    int64_t rank = 0;
    int32_t *of_row = partner, *of_column = partner + a->nrows;
    pm_status status = pm_matching_maximum(a, NULL, of_row, of_column, &rank, err);
    *is_there = !status && rank == a->nrows;
    for (int64_t i = 0; i < a->nrows && *is_there; ++i)
        of_row[i] += (int32_t)a->nrows;
    return status;
}

/* The full pattern of a graph of which only the entries above the diagonal are listed. */
static pm_status make_symmetric(const pm_matrix *upper, pm_matrix *out, pm_error *err)
{
    int64_t n = upper->nrows, nnz = pm_matrix_nnz(upper);
    pm_status status = pm_matrix_alloc(out, PM_PATTERN, n, n, 2 * nnz, err);
    if (status)
        return status;
    memset(out->rowptr, 0, (size_t)(n + 1) * sizeof *out->rowptr);
    for (int64_t v = 0; v < n; ++v)
        for (int64_t k = upper->rowptr[v]; k < upper->rowptr[v + 1]; ++k) {
            ++out->rowptr[v + 1];
            ++out->rowptr[upper->colind[k] + 1];
        }
    for (int64_t v = 0; v < n; ++v)
        out->rowptr[v + 1] += out->rowptr[v];
    /* Filled from the last entry of each row to the first: larger neighbours, then smaller ones.
     * Then rowptr[v + 1] is the begin of row v. */
    for (int64_t v = n - 1; v >= 0; --v)
        for (int64_t k = upper->rowptr[v + 1] - 1; k >= upper->rowptr[v]; --k)
            out->colind[--out->rowptr[v + 1]] = upper->colind[k];
    for (int64_t v = n - 1; v >= 0; --v)
        for (int64_t k = upper->rowptr[v]; k < upper->rowptr[v + 1]; ++k)
            out->colind[--out->rowptr[upper->colind[k] + 1]] = (int32_t)v;
    memmove(out->rowptr, out->rowptr + 1, (size_t)n * sizeof *out->rowptr);
    out->rowptr[n] = 2 * nnz;
    return PM_OK;
}

static pm_status match_all(const pm_matrix *upper, const pm_run *run, int32_t *partner,
                           bool *is_there, pm_error *err)
{
    int64_t size = 0;
    pm_matrix a = {0};
    pm_status status = make_symmetric(upper, &a, err);
    if (!status)
        status = pm_blossom_matching(&a, run, partner, &size, err);
    *is_there = !status && 2 * size == a.nrows;
    pm_matrix_free(&a);
    return status;
}

pm_status pm_plain_matching_find(const pm_plain_graph *w, const pm_run *run, int32_t *partner,
                                 bool *is_there, pm_error *err)
{
    return w->is_general ? match_all(&w->a, run, partner, is_there, err)
                         : match_sides(&w->a, partner, is_there, err);
}
