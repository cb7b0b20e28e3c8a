/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/csr.h"

#include <stdlib.h>

#include "core/team.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "spmv/multiply.h"

void pm_csr_transpose(const pm_csr *a, int64_t *ptr, int32_t *ind, int64_t *place)
{
    pm_transposed_make(a->nrows, a->ncols, a->rowptr, a->colind, 1, ptr, ind, place);
}

static pm_status make_pair(const pm_matrix *pattern, bool has_values, const pm_run *run,
                           pm_csr_pair *out, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(pattern);
    int64_t *ptr = pm_alloc_array(pattern->ncols + 1, sizeof *ptr);
    int32_t *ind = pm_alloc_array(nnz, sizeof *ind);
    double *value = has_values ? pm_calloc_array(nnz, sizeof *value) : NULL,
           *other = has_values ? pm_calloc_array(nnz, sizeof *other) : NULL;
    *out = (pm_csr_pair){
        .a = {pattern->nrows, pattern->ncols, pattern->rowptr, pattern->colind, value, NULL},
        .t = {pattern->ncols, pattern->nrows, ptr, ind, other, NULL},
        .owned = {ptr, ind, value, other},
        .threads = pm_transposed_threads(nnz, run),
    };
    if (!ptr || !ind || (has_values && (!value || !other))) {
        pm_csr_pair_free(out);
        return pm_fail_memory(err, "sparse matrix");
    }
    pm_transposed_make(pattern->nrows, pattern->ncols, pattern->rowptr, pattern->colind,
                       out->threads, ptr, ind, NULL);
    return PM_OK;
}

pm_status pm_csr_pair_make(const pm_matrix *pattern, const pm_run *run, pm_csr_pair *out,
                           pm_error *err)
{
    return make_pair(pattern, true, run, out, err);
}

pm_status pm_csr_pair_make_ones(const pm_matrix *pattern, const pm_run *run, pm_csr_pair *out,
                                pm_error *err)
{
    return make_pair(pattern, false, run, out, err);
}

void pm_csr_pair_free(pm_csr_pair *p)
{
    for (int k = 0; k < 4; ++k)
        free(p->owned[k]);
    *p = (pm_csr_pair){0};
}

/* The next place among the entries of t, for each column of a: t.rowptr, which pm_transposed_rewind puts in order
 * again. */
static int64_t *places(pm_csr_pair *p)
{
    return p->owned[0];
}

void pm_csr_pair_set(pm_csr_pair *p, const double *value)
{
    const pm_csr *a = &p->a;
    const int64_t nnz = a->rowptr[a->nrows];
    int64_t *place = places(p);
#pragma omp parallel for num_threads(p->threads) schedule(static, 1) if (p->threads > 1)
    for (int part = 0; part < p->threads; ++part) {
        const pm_column_range range = pm_column_range_of(a->ncols, part, p->threads);
        const int64_t from = pm_team_first(nnz, part, p->threads),
                      to = pm_team_first(nnz, part + 1, p->threads);
        for (int64_t k = from; k < to && value != a->value; ++k)
            a->value[k] = value[k];
        for (int64_t k = 0; k < nnz; ++k)
            if (pm_column_is_in(range, a->colind[k]))
                p->t.value[place[a->colind[k]]++] = value[k];
    }
    pm_transposed_rewind(place, a->ncols);
}

void pm_csr_pair_by_rows(pm_csr_pair *p, const double *by_columns, double *by_rows)
{
    const pm_csr *a = &p->a;
    int64_t *place = places(p);
#pragma omp parallel for num_threads(p->threads) schedule(static, 1) if (p->threads > 1)
    for (int part = 0; part < p->threads; ++part) {
        const pm_column_range range = pm_column_range_of(a->ncols, part, p->threads);
        for (int64_t k = 0; k < a->rowptr[a->nrows]; ++k)
            if (pm_column_is_in(range, a->colind[k]))
                by_rows[k] = by_columns[place[a->colind[k]]++];
    }
    pm_transposed_rewind(place, a->ncols);
}

void pm_csr_scale(const pm_csr *a, const double *row, const double *col, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        pm_csr_rows rows = pm_csr_share(a, part, threads);
        for (int64_t i = rows.from; i < rows.to; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                const double factor = row ? row[i] * col[a->colind[k]] : col[a->colind[k]];
                if (a->narrow)
                    a->narrow[k] = (float)(a->narrow[k] * factor);
                else
                    a->value[k] *= factor;
            }
    }
}
