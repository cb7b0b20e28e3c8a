/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/matrix.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "number/root_sum.h"
#include "pm/alloc.h"
#include "pm/matching_kind.h"

pm_status pm_matrix_alloc(pm_matrix *out, pm_field field, int64_t nrows, int64_t ncols, int64_t nnz,
                          pm_error *err)
{
    assert(nrows >= 0 && ncols >= 0 && nnz >= 0);
    if (nrows > INT32_MAX || ncols > INT32_MAX)
        return pm_fail(err, PM_UNABLE,
                       "a matrix of %" PRId64 " x %" PRId64 " is beyond %d rows or columns", nrows,
                       ncols, INT32_MAX);
    pm_matrix a = {.field = field, .nrows = nrows, .ncols = ncols};
    a.rowptr = pm_calloc_array(nrows + 1, sizeof *a.rowptr);
    a.colind = pm_alloc_array(nnz, sizeof *a.colind);
    if (field != PM_PATTERN)
        a.re = pm_calloc_array(nnz, sizeof *a.re);
    if (field == PM_COMPLEX)
        a.im = pm_calloc_array(nnz, sizeof *a.im);
    if (!a.rowptr || !a.colind || (field != PM_PATTERN && !a.re)
        || (field == PM_COMPLEX && !a.im)) {
        pm_matrix_free(&a);
        return pm_fail(err, PM_ENOMEM,
                       "out of memory: a matrix of %" PRId64 " x %" PRId64 " with %" PRId64
                       " entries",
                       nrows, ncols, nnz);
    }
    *out = a;
    return PM_OK;
}

static void free_values(pm_dyadic *v, int64_t n)
{
    if (!v)
        return;
    for (int64_t k = 0; k < n; ++k)
        if (pm_dyadic_is_owner(&v[k])) /* others own nothing */
            pm_dyadic_clear(&v[k]);
    free(v);
}

void pm_matrix_make_pattern(pm_matrix *a)
{
    free_values(a->re, pm_matrix_nnz(a));
    free_values(a->im, pm_matrix_nnz(a));
    a->re = a->im = NULL;
    a->field = PM_PATTERN;
}

static pm_dyadic *zeros(int64_t n)
{
    return pm_calloc_array(n, sizeof(pm_dyadic));
}

pm_status pm_matrix_widen(pm_matrix *a, pm_field field, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    if (field <= a->field)
        return PM_OK;
    pm_dyadic *re = a->re ? a->re : zeros(nnz), *im = field == PM_COMPLEX ? zeros(nnz) : NULL;
    if (!re || (field == PM_COMPLEX && !im)) {
        if (re != a->re)
            free(re);
        free(im);
        return pm_fail_memory(err, "a matrix of another field");
    }
    for (int64_t k = 0; !a->re && k < nnz; ++k)
        pm_dyadic_set_si(&re[k], 1);
    a->re = re;
    a->im = im;
    a->field = field;
    return PM_OK;
}

void pm_matrix_free(pm_matrix *a)
{
    pm_matrix_make_pattern(a);
    free(a->rowptr);
    free(a->colind);
    pm_labels_free(&a->row_labels);
    pm_labels_free(&a->col_labels);
    *a = (pm_matrix){0};
}

/* Entry to of b = entry from of a; the values of b are 0 so far. */
static void copy_value(const pm_matrix *a, int64_t from, pm_matrix *b, int64_t to)
{
    if (a->re)
        pm_dyadic_set(&b->re[to], &a->re[from]);
    if (a->im)
        pm_dyadic_set(&b->im[to], &a->im[from]);
}

static pm_status copy_labels(const pm_matrix *a, pm_labels *rows, pm_labels *cols, pm_error *err)
{
    pm_status status = pm_labels_select(&a->row_labels, NULL, a->nrows, rows, err);
    return status ? status : pm_labels_select(&a->col_labels, NULL, a->ncols, cols, err);
}

pm_status pm_matrix_copy(const pm_matrix *a, pm_matrix *out, pm_error *err)
{
    pm_matrix b = {0};
    int64_t nnz = pm_matrix_nnz(a);
    pm_status status = pm_matrix_alloc(&b, a->field, a->nrows, a->ncols, nnz, err);
    if (status)
        goto done;
    if (a->rowptr)
        memcpy(b.rowptr, a->rowptr, (size_t)(a->nrows + 1) * sizeof *b.rowptr);
    if (nnz)
        memcpy(b.colind, a->colind, (size_t)nnz * sizeof *b.colind);
    for (int64_t k = 0; k < nnz; ++k)
        copy_value(a, k, &b, k);
    status = copy_labels(a, &b.row_labels, &b.col_labels, err);
    if (status)
        goto done;
    *out = b;
    b = (pm_matrix){0};
done:
    pm_matrix_free(&b);
    return status;
}

/* ptr[0..n] with the counts of bucket i in ptr[i + 1] becomes where bucket i starts in ptr[i]. */
static void starts_from_counts(int64_t *ptr, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        ptr[i + 1] += ptr[i];
}

/* ptr[i], moved on from the start of bucket i to its end, goes back to the start. */
static void rewind_starts(int64_t *ptr, int64_t n)
{
    memmove(ptr + 1, ptr, (size_t)n * sizeof *ptr);
    ptr[0] = 0;
}

pm_status pm_matrix_transpose(const pm_matrix *a, pm_matrix *out, pm_error *err)
{
    pm_matrix b = {0};
    int64_t nnz = pm_matrix_nnz(a);
    pm_status status = pm_matrix_alloc(&b, a->field, a->ncols, a->nrows, nnz, err);
    if (status)
        goto done;
    for (int64_t k = 0; k < nnz; ++k)
        ++b.rowptr[a->colind[k] + 1];
    starts_from_counts(b.rowptr, b.nrows);
    for (int64_t i = 0; i < a->nrows && nnz; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t to = b.rowptr[a->colind[k]]++;
            b.colind[to] = (int32_t)i;
            copy_value(a, k, &b, to);
        }
    rewind_starts(b.rowptr, b.nrows);
    status = copy_labels(a, &b.col_labels, &b.row_labels, err);
    if (status)
        goto done;
    *out = b;
    b = (pm_matrix){0};
done:
    pm_matrix_free(&b);
    return status;
}

static bool are_in_range(const pm_dyadic *x, int64_t n)
{
    for (int64_t k = 0; x && k < n; ++k)
        if (!pm_dyadic_is_in_range(&x[k]))
            return false;
    return true;
}

bool pm_matrix_is_in_range(const pm_matrix *a)
{
    int64_t nnz = pm_matrix_nnz(a);
    return are_in_range(a->re, nnz) && are_in_range(a->im, nnz);
}

static bool values_equal(const pm_dyadic *x, const pm_dyadic *y, int64_t n)
{
    if (!x || !y)
        return x == y;
    for (int64_t k = 0; k < n; ++k)
        if (!pm_dyadic_equal(&x[k], &y[k]))
            return false;
    return true;
}

bool pm_matrix_has_roots(const pm_matrix *a)
{
    for (int64_t k = 0; a->im && k < pm_matrix_nnz(a); ++k)
        if (a->re[k].kind == PM_DYADIC_ROOTS || a->im[k].kind == PM_DYADIC_ROOTS)
            return true;
    return false;
}

static bool has_other_root(const pm_dyadic *x)
{
    return x->kind == PM_DYADIC_ROOTS && 4 % x->m.roots->order != 0;
}

bool pm_matrix_has_other_roots(const pm_matrix *a)
{
    for (int64_t k = 0; a->im && k < pm_matrix_nnz(a); ++k)
        if (has_other_root(&a->re[k]) || has_other_root(&a->im[k]))
            return true;
    return false;
}

bool pm_matrix_equal(const pm_matrix *a, const pm_matrix *b)
{
    int64_t nnz = pm_matrix_nnz(a);
    if (a->field != b->field || a->nrows != b->nrows || a->ncols != b->ncols
        || nnz != pm_matrix_nnz(b))
        return false;
    if (nnz == 0)
        return true;
    return memcmp(a->rowptr, b->rowptr, (size_t)(a->nrows + 1) * sizeof *a->rowptr) == 0
           && memcmp(a->colind, b->colind, (size_t)nnz * sizeof *a->colind) == 0
           && values_equal(a->re, b->re, nnz) && values_equal(a->im, b->im, nnz);
}

const char *pm_matching_kind_name(pm_matching_kind kind)
{
    static const char *const names[] = {[PM_MATCHING_PERFECT] = "perfect",
                                        [PM_MATCHING_SATURATING] = "saturate",
                                        [PM_MATCHING_ROWS] = "saturate rows",
                                        [PM_MATCHING_COLUMNS] = "saturate cols",
                                        [PM_MATCHING_MAXIMUM] = "maximum"};
    return names[kind];
}
