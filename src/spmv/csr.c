/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/csr.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "spmv/multiply.h"

/* The next place among the entries of t, for each column of a: t.rowptr, which put_back puts in order
 * again. */
static int64_t *places(pm_csr_pair *p)
{
    return p->owned[0];
}

static void put_back(int64_t *place, int64_t ncols)
{
    for (int64_t j = ncols; j > 0; --j)
        place[j] = place[j - 1];
    place[0] = 0;
}

void pm_csr_transpose(const pm_csr *a, int64_t *ptr, int32_t *ind, int64_t *place)
{
    for (int64_t j = 0; j <= a->ncols; ++j)
        ptr[j] = 0;
    for (int64_t k = 0; k < a->rowptr[a->nrows]; ++k)
        ++ptr[a->colind[k] + 1];
    for (int64_t j = 0; j < a->ncols; ++j)
        ptr[j + 1] += ptr[j];
    for (int64_t i = 0; i < a->nrows; ++i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t at = ptr[a->colind[k]]++;
            ind[at] = (int32_t)i;
            if (place)
                place[k] = at;
        }
    }
    put_back(ptr, a->ncols);
}

pm_status pm_csr_pair_make(const pm_matrix *pattern, pm_csr_pair *out, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(pattern);
    int64_t *ptr = pm_alloc_array(pattern->ncols + 1, sizeof *ptr);
    int32_t *ind = pm_alloc_array(nnz, sizeof *ind);
    double *value = pm_calloc_array(nnz, sizeof *value),
           *other = pm_calloc_array(nnz, sizeof *other);
    *out = (pm_csr_pair){
        .a = {pattern->nrows, pattern->ncols, pattern->rowptr, pattern->colind, value},
        .t = {pattern->ncols, pattern->nrows, ptr, ind, other},
        .owned = {ptr, ind, value, other},
    };
    if (!ptr || !ind || !value || !other) {
        pm_csr_pair_free(out);
        return pm_fail_memory(err, "sparse matrix");
    }
    pm_csr_transpose(&out->a, ptr, ind, NULL);
    return PM_OK;
}

void pm_csr_pair_free(pm_csr_pair *p)
{
    for (int k = 0; k < 4; ++k)
        free(p->owned[k]);
    *p = (pm_csr_pair){0};
}

void pm_csr_pair_set(pm_csr_pair *p, const double *value)
{
    int64_t *place = places(p);
    for (int64_t k = 0; k < p->a.rowptr[p->a.nrows]; ++k) {
        p->a.value[k] = value[k];
        p->t.value[place[p->a.colind[k]]++] = value[k];
    }
    put_back(place, p->a.ncols);
}

void pm_csr_pair_by_rows(pm_csr_pair *p, const double *by_columns, double *by_rows)
{
    int64_t *place = places(p);
    for (int64_t k = 0; k < p->a.rowptr[p->a.nrows]; ++k)
        by_rows[k] = by_columns[place[p->a.colind[k]]++];
    put_back(place, p->a.ncols);
}

static void scale_rows(const pm_csr *a, const double *row, const double *col, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        pm_csr_rows rows = pm_csr_share(a, part, threads);
        for (int64_t i = rows.from; i < rows.to; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                a->value[k] *= row[i] * col[a->colind[k]];
    }
}

void pm_csr_pair_scale(pm_csr_pair *p, const double *row, const double *col, int threads)
{
    scale_rows(&p->a, row, col, threads);
    scale_rows(&p->t, col, row, threads);
}
