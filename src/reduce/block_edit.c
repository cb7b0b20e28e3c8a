/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "reduce/block_edit.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* ---- order ---- */

pm_status pm_block_transpose(pm_block *b, pm_error *err)
{
    pm_matrix a;
    pm_status status = pm_matrix_transpose(&b->a, &a, err);
    if (status)
        return status;
    pm_matrix_free(&b->a);
    b->a = a;
    int32_t *cap = b->row_cap;
    b->row_cap = b->col_cap;
    b->col_cap = cap;
    return PM_OK;
}

/* out[k] = cap[p[k]] */
static int32_t *select_caps(const int32_t *cap, const int32_t *p, int64_t n)
{
    int32_t *out = pm_alloc_array(n, sizeof *out);
    for (int64_t k = 0; out && k < n; ++k)
        out[k] = cap[p[k]];
    return out;
}

pm_status pm_block_permute(pm_block *b, const int32_t *p, const int32_t *q, pm_error *err)
{
    pm_block c = *b;
    c.a = (pm_matrix){0};
    c.row_cap = select_caps(b->row_cap, p, b->a.nrows);
    c.col_cap = select_caps(b->col_cap, q, b->a.ncols);
    pm_status status = PM_OK;
    if (!c.row_cap || !c.col_cap)
        status = pm_fail_memory(err, "a block");
    else
        status = pm_matrix_select(&b->a, p, b->a.nrows, q, b->a.ncols, &c.a, err);
    if (status) {
        pm_block_free(&c);
        return status;
    }
    pm_block_free(b);
    *b = c;
    return PM_OK;
}

/* ---- entries ---- */

/* Append entry k of a to b, in column j. */
static void append(const pm_matrix *a, int64_t k, pm_matrix *b, int64_t *nnz, int64_t j)
{
    b->colind[*nnz] = (int32_t)j;
    if (b->re && a->re)
        pm_dyadic_set(&b->re[*nnz], &a->re[k]);
    else if (b->re)
        pm_dyadic_set_si(&b->re[*nnz], 1);
    if (b->im && a->im)
        pm_dyadic_set(&b->im[*nnz], &a->im[k]);
    ++*nnz;
}

static void append_row(const pm_matrix *a, int64_t i, pm_matrix *b, int64_t *nnz)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        append(a, k, b, nnz, a->colind[k]);
}

static void append_entries(const pm_matrix *a, const int64_t *keep, int64_t count, pm_matrix *b,
                           int64_t *nnz)
{
    for (int64_t k = 0; k < count; ++k)
        append(a, keep[k], b, nnz, a->colind[keep[k]]);
}

pm_status pm_block_restrict(const pm_block *b, int64_t i, const int64_t *keep, int64_t count,
                            pm_block *out, pm_error *err)
{
    const pm_matrix *a = &b->a;
    bool is_class = b->row_cap[i] > 1;
    int64_t nrows = a->nrows + is_class, nnz = 0;
    int64_t gone = is_class ? 0 : a->rowptr[i + 1] - a->rowptr[i];
    pm_block c = {.n = b->n, .log2_bound = b->log2_bound};
    pm_status status =
        pm_matrix_alloc(&c.a, a->field, nrows, a->ncols, pm_matrix_nnz(a) - gone + count, err);
    if (status)
        return status;
    c.row_cap = pm_alloc_array(nrows, sizeof *c.row_cap);
    c.col_cap = pm_alloc_array(a->ncols, sizeof *c.col_cap);
    if (!c.row_cap || !c.col_cap) {
        pm_block_free(&c);
        return pm_fail_memory(err, "a block");
    }
    memcpy(c.row_cap, b->row_cap, (size_t)a->nrows * sizeof *c.row_cap);
    memcpy(c.col_cap, b->col_cap, (size_t)a->ncols * sizeof *c.col_cap);
    c.row_cap[i] -= is_class;
    c.row_cap[nrows - 1] = is_class ? 1 : c.row_cap[nrows - 1];
    for (int64_t r = 0; r < nrows; ++r) {
        if (r == (is_class ? a->nrows : i))
            append_entries(a, keep, count, &c.a, &nnz);
        else
            append_row(a, r, &c.a, &nnz);
        c.a.rowptr[r + 1] = nnz;
    }
    *out = c;
    return PM_OK;
}

/* Appends row r, without its entry in column i unless r is one of the columns of `keep`. */
static void append_row_restricted(const pm_matrix *a, int64_t r, int64_t i, const int64_t *keep,
                                  int64_t count, pm_matrix *b, int64_t *nnz)
{
    bool has_kept = false;
    for (int64_t k = 0; k < count; ++k)
        has_kept = has_kept || a->colind[keep[k]] == r;
    for (int64_t k = a->rowptr[r]; k < a->rowptr[r + 1]; ++k)
        if (a->colind[k] != i || has_kept)
            append(a, k, b, nnz, a->colind[k]);
}

pm_status pm_block_restrict_vertex(const pm_block *b, int64_t i, const int64_t *keep, int64_t count,
                                   pm_block *out, pm_error *err)
{
    const pm_matrix *a = &b->a;
    int64_t nnz = 0;
    pm_block c = {.n = b->n, .log2_bound = b->log2_bound, .general = true};
    pm_status status = pm_matrix_alloc(&c.a, a->field, a->nrows, a->ncols, pm_matrix_nnz(a), err);
    if (status)
        return status;
    c.row_cap = pm_copy(b->row_cap, (size_t)a->nrows * sizeof *c.row_cap);
    c.col_cap = pm_copy(b->col_cap, (size_t)a->ncols * sizeof *c.col_cap);
    if (!c.row_cap || !c.col_cap) {
        pm_block_free(&c);
        return pm_fail_memory(err, "a block");
    }
    for (int64_t r = 0; r < a->nrows; ++r) {
        if (r == i)
            append_entries(a, keep, count, &c.a, &nnz);
        else
            append_row_restricted(a, r, i, keep, count, &c.a, &nnz);
        c.a.rowptr[r + 1] = nnz;
    }
    *out = c;
    return PM_OK;
}

/* ---- classes written out ---- */

int64_t pm_block_entries_written_out(const pm_block *b)
{
    int64_t count = 0;
    for (int64_t i = 0; i < b->a.nrows; ++i)
        for (int64_t k = b->a.rowptr[i]; k < b->a.rowptr[i + 1]; ++k)
            count += (int64_t)b->row_cap[i] * b->col_cap[b->a.colind[k]];
    return count;
}

static void multiply_factorials(mpz_t times, const int32_t *cap, int64_t n)
{
    mpz_t factorial;
    mpz_init(factorial);
    for (int64_t k = 0; k < n; ++k)
        if (cap[k] > 1) {
            mpz_fac_ui(factorial, (unsigned long)cap[k]);
            mpz_mul(times, times, factorial);
        }
    mpz_clear(factorial);
}

pm_status pm_block_write_out(const pm_block *b, pm_field field, pm_matrix *out, mpz_t times,
                             pm_error *err)
{
    const pm_matrix *a = &b->a;
    int64_t nnz = 0, row = 0;
    int64_t *first = pm_alloc_array(a->ncols + 1, sizeof *first); /* column of each class */
    if (!first)
        return pm_fail_memory(err, "a block");
    pm_status status =
        pm_matrix_alloc(out, field, b->n, b->n, pm_block_entries_written_out(b), err);
    if (status)
        goto done;
    first[0] = 0;
    for (int64_t j = 0; j < a->ncols; ++j)
        first[j + 1] = first[j] + b->col_cap[j];
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int32_t c = 0; c < b->row_cap[i]; ++c) {
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                for (int64_t j = first[a->colind[k]]; j < first[a->colind[k] + 1]; ++j)
                    append(a, k, out, &nnz, j);
            out->rowptr[++row] = nnz;
        }
    mpz_set_ui(times, 1);
    multiply_factorials(times, b->row_cap, a->nrows);
    multiply_factorials(times, b->col_cap, a->ncols);
done:
    free(first);
    return status;
}

/* ---- comparison ---- */

static bool same_caps(const int32_t *a, const int32_t *b, int64_t n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

bool pm_block_equal(const pm_block *a, const pm_block *b)
{
    return a->general == b->general && pm_matrix_equal(&a->a, &b->a)
           && same_caps(a->row_cap, b->row_cap, a->a.nrows)
           && same_caps(a->col_cap, b->col_cap, a->a.ncols);
}
