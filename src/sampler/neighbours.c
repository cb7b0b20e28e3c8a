/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/neighbours.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "sampler/scaled_entries.h"

static pm_status make_structure(const pm_matrix *a, pm_neighbours *l, pm_error *err)
{
    int32_t n = l->n, nnz = l->nnz;
    l->rowptr = pm_alloc_array(n + 1, sizeof *l->rowptr);
    l->colind = pm_alloc_array(nnz, sizeof *l->colind);
    l->colptr = pm_calloc_array(n + 1, sizeof *l->colptr);
    l->rowind = pm_alloc_array(nnz, sizeof *l->rowind);
    if (!l->rowptr || !l->colind || !l->colptr || !l->rowind)
        return pm_fail_memory(err, "the lists of neighbours");
    for (int32_t i = 0; i <= n; ++i)
        l->rowptr[i] = (int32_t)a->rowptr[i];
    for (int32_t k = 0; k < nnz; ++k) {
        l->colind[k] = a->colind[k];
        ++l->colptr[a->colind[k] + 1];
    }
    for (int32_t j = 0; j < n; ++j) {
        int32_t in_row = l->rowptr[j + 1] - l->rowptr[j], in_column = l->colptr[j + 1];
        l->max_row_degree = in_row > l->max_row_degree ? in_row : l->max_row_degree;
        l->max_column_degree = in_column > l->max_column_degree ? in_column : l->max_column_degree;
        l->colptr[j + 1] += l->colptr[j];
    }
    return PM_OK;
}

/* Fills rowind and colval.  colptr[j] serves as the next free position of column j, and is reset to
 * the first position at the end. */
static void fill_columns(pm_neighbours *l)
{
    for (int32_t i = 0; i < l->n; ++i)
        for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k) {
            int32_t position = l->colptr[l->colind[k]]++;
            l->rowind[position] = i;
            if (l->colval)
                l->colval[position] = l->rowval[k];
        }
    for (int32_t j = l->n; j > 0; --j)
        l->colptr[j] = l->colptr[j - 1];
    l->colptr[0] = 0;
}

static pm_status make_values(const pm_matrix *a, pm_neighbours *l, pm_error *err)
{
    bool all_one = true;
    for (int32_t k = 0; a->re && k < l->nnz; ++k)
        all_one = all_one && pm_dyadic_is_one(&a->re[k]);
    if (all_one)
        return PM_OK;
    pm_scaled_entries scaled = {0};
    l->rowval = pm_alloc_array(l->nnz, sizeof *l->rowval);
    l->colval = pm_alloc_array(l->nnz, sizeof *l->colval);
    pm_status status = PM_OK;
    if (!l->rowval || !l->colval)
        status = pm_fail_memory(err, "the entries");
    if (!status)
        status = pm_scaled_entries_make(a, NULL, &scaled, err);
    for (int32_t k = 0; !status && k < l->nnz; ++k) {
        l->rowval[k] = scaled.value[k][0];
        if (!(l->rowval[k] > 0x1p-500 && l->rowval[k] < 0x1p100))
            status = pm_fail(err, PM_UNABLE,
                             "the entries differ too much in size: one is still %.2g after "
                             "scaling, too far from 1 for sampling",
                             l->rowval[k]);
    }
    l->exponent = scaled.exp;
    pm_scaled_entries_free(&scaled);
    return status;
}

pm_status pm_neighbours_make(const pm_matrix *a, pm_neighbours *out, pm_error *err)
{
    if (a->nrows > PM_NEIGHBOURS_MAX_ROWS || pm_matrix_nnz(a) > INT32_MAX)
        return pm_fail(err, PM_UNABLE,
                       "%lld rows with %lld entries: sequential sampling has room for %d rows and "
                       "2^31 - 1 entries",
                       (long long)a->nrows, (long long)pm_matrix_nnz(a), PM_NEIGHBOURS_MAX_ROWS);
    pm_neighbours l = {.n = (int32_t)a->nrows, .nnz = (int32_t)pm_matrix_nnz(a)};
    pm_status status = make_structure(a, &l, err);
    if (!status)
        status = make_values(a, &l, err);
    if (!status) {
        fill_columns(&l);
        *out = l;
        l = (pm_neighbours){0};
    }
    pm_neighbours_free(&l);
    return status;
}

static void swap_indices(int32_t **a, int32_t **b)
{
    int32_t *t = *a;
    *a = *b;
    *b = t;
}

static void swap_values(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

pm_status pm_neighbours_masks(const pm_neighbours *l, uint64_t **out, pm_error *err)
{
    uint64_t *mask = *out = pm_calloc_array(2 * (int64_t)l->n, sizeof *mask);
    if (!mask)
        return pm_fail_memory(err, "the masks");
    for (int32_t i = 0; i < l->n; ++i)
        for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k) {
            mask[i] |= UINT64_C(1) << l->colind[k];
            mask[l->n + l->colind[k]] |= UINT64_C(1) << i;
        }
    return PM_OK;
}

void pm_neighbours_transpose(pm_neighbours *l)
{
    swap_indices(&l->rowptr, &l->colptr);
    swap_indices(&l->colind, &l->rowind);
    swap_values(&l->rowval, &l->colval);
    int32_t degree = l->max_row_degree;
    l->max_row_degree = l->max_column_degree;
    l->max_column_degree = degree;
}

void pm_neighbours_free(pm_neighbours *l)
{
    free(l->rowptr);
    free(l->colind);
    free(l->colptr);
    free(l->rowind);
    free(l->rowval);
    free(l->colval);
    *l = (pm_neighbours){0};
}
