/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/line_classes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "pm/alloc.h"

enum { MAX = PM_LINE_CLASSES_MAX };

/* ---- hashes and comparisons of entries ---- */

static uint64_t mix(uint64_t x)
{
    return pm_rng_next(&x);
}

static uint64_t hash_part(const pm_dyadic *x)
{
    uint64_t m = x->kind == PM_DYADIC_SMALL ? (uint64_t)x->m.small
                 : x->kind == PM_DYADIC_BIG ? (uint64_t)mpz_getlimbn(x->m.big, 0)
                                            : 0;
    return mix(mix(m) + (uint32_t)x->exp);
}

static uint64_t hash_entry(const pm_matrix *a, int64_t k)
{
    uint64_t h = a->re ? hash_part(&a->re[k]) : 1;
    return a->im ? mix(h) + hash_part(&a->im[k]) : h;
}

static bool equal_entries(const pm_matrix *a, int64_t k, int64_t l)
{
    return (!a->re || pm_dyadic_equal(&a->re[k], &a->re[l]))
           && (!a->im || pm_dyadic_equal(&a->im[k], &a->im[l]));
}

/* ---- rows ---- */

typedef struct {
    const pm_block *b;
    pm_line_classes *out;
    int32_t row[MAX]; /* the first row of each class */
    uint64_t row_hash[MAX];
    int64_t column[MAX]; /* the first column of each class */
    int64_t *entry; /* [a.ncols][out->nrows] index of the entry of a column in a class of rows */
    uint64_t *col_hash;   /* of each column of the block's matrix */
    uint64_t *entry_hash; /* of each entry of the block's matrix */
} search;

static pm_status hash_entries(search *x, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(&x->b->a);
    x->entry_hash = pm_alloc_array(nnz, sizeof *x->entry_hash);
    if (!x->entry_hash)
        return pm_fail_memory(err, "classes of rows");
    for (int64_t k = 0; k < nnz; ++k)
        x->entry_hash[k] = hash_entry(&x->b->a, k);
    return PM_OK;
}

static bool equal_rows(const pm_matrix *a, int64_t i, int64_t j)
{
    int64_t count = a->rowptr[i + 1] - a->rowptr[i], k = a->rowptr[i], l = a->rowptr[j];
    if (a->rowptr[j + 1] - l != count)
        return false;
    for (int64_t e = 0; e < count; ++e)
        if (a->colind[k + e] != a->colind[l + e] || !equal_entries(a, k + e, l + e))
            return false;
    return true;
}

static uint64_t hash_row(const search *x, int64_t i)
{
    const pm_matrix *a = &x->b->a;
    uint64_t h = 0;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        h = mix(h ^ (uint64_t)a->colind[k]) + x->entry_hash[k];
    return h;
}

static pm_status too_many(const char *what, pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "the block has more than %d different %s", MAX, what);
}

static pm_status find_rows(search *x, pm_error *err)
{
    pm_line_classes *out = x->out;
    const pm_matrix *a = &x->b->a;
    for (int64_t i = 0; i < a->nrows; ++i) {
        uint64_t h = hash_row(x, i);
        int32_t c = 0;
        while (c < out->nrows && !(x->row_hash[c] == h && equal_rows(a, x->row[c], i)))
            ++c;
        if (c == MAX)
            return too_many("rows", err);
        if (c == out->nrows) {
            x->row[c] = (int32_t)i;
            x->row_hash[c] = h;
            ++out->nrows;
        }
        out->row_times[c] += x->b->row_cap[i];
    }
    return PM_OK;
}

/* ---- columns ---- */

static pm_status list_columns(search *x, pm_error *err)
{
    const pm_matrix *a = &x->b->a;
    const int64_t nrows = x->out->nrows;
    x->entry = pm_alloc_array(a->ncols, (size_t)nrows * sizeof *x->entry);
    x->col_hash = pm_calloc_array(a->ncols, sizeof *x->col_hash);
    if (!x->entry || !x->col_hash)
        return pm_fail_memory(err, "classes of columns");
    for (int64_t k = 0; k < a->ncols * nrows; ++k)
        x->entry[k] = PM_NO_ENTRY;
    for (int64_t c = 0; c < nrows; ++c)
        for (int64_t k = a->rowptr[x->row[c]]; k < a->rowptr[x->row[c] + 1]; ++k) {
            x->entry[a->colind[k] * nrows + c] = k;
            x->col_hash[a->colind[k]] += mix((uint64_t)c ^ x->entry_hash[k]);
        }
    return PM_OK;
}

static bool equal_columns(const search *x, int64_t i, int64_t j)
{
    if (x->col_hash[i] != x->col_hash[j])
        return false;
    const int64_t nrows = x->out->nrows;
    for (int64_t c = 0; c < nrows; ++c) {
        int64_t k = x->entry[i * nrows + c], l = x->entry[j * nrows + c];
        if (k == PM_NO_ENTRY || l == PM_NO_ENTRY ? k != l : !equal_entries(&x->b->a, k, l))
            return false;
    }
    return true;
}

static pm_status find_columns(search *x, pm_error *err)
{
    pm_line_classes *out = x->out;
    pm_status status = list_columns(x, err);
    if (status)
        return status;
    for (int64_t j = 0; j < x->b->a.ncols; ++j) {
        int32_t d = 0;
        while (d < out->ncols && !equal_columns(x, x->column[d], j))
            ++d;
        if (d == MAX)
            return too_many("columns", err);
        if (d == out->ncols) {
            x->column[d] = j;
            for (int32_t c = 0; c < out->nrows; ++c)
                out->entry[c][d] = x->entry[j * out->nrows + c];
            ++out->ncols;
        }
        out->col_times[d] += x->b->col_cap[j];
    }
    return PM_OK;
}

pm_status pm_line_classes_find(const pm_block *b, pm_line_classes *out, pm_error *err)
{
    search x = {.b = b, .out = out};
    out->nrows = out->ncols = 0;
    memset(out->row_times, 0, sizeof out->row_times);
    memset(out->col_times, 0, sizeof out->col_times);
    pm_status status = hash_entries(&x, err);
    if (!status)
        status = find_rows(&x, err);
    if (!status)
        status = find_columns(&x, err);
    free(x.entry_hash);
    free(x.entry);
    free(x.col_hash);
    return status;
}
