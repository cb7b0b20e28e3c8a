/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "arrays/row_builder.h"

#include <stdlib.h>
#include <string.h>

#include "matrix/exponents.h"
#include "pm/alloc.h"

static pm_status fail_entries(pm_error *err)
{
    return pm_fail_memory(err, "entries of an array");
}

pm_status pm_row_builder_expect(pm_row_builder *b, int64_t rows, int64_t entries, pm_error *err)
{
    enum { LITTLE = 4096 };
    bool is_little = rows < LITTLE && entries < LITTLE;
    if (is_little
        && (PM_GROW(b->a.rowptr, b->cap_row, rows + 1) || PM_GROW(b->a.colind, b->cap_col, entries)
            || (b->a.field != PM_PATTERN && PM_GROW(b->a.re, b->cap_re, entries))
            || (b->a.field == PM_COMPLEX && PM_GROW(b->a.im, b->cap_im, entries))))
        return fail_entries(err);
    return PM_OK;
}

/* Imaginary parts that are not there yet are 0. */
static pm_status reserve_imaginary(pm_row_builder *b, int64_t want, pm_error *err)
{
    if (PM_GROW(b->a.im, b->cap_im, want))
        return fail_entries(err);
    memset(b->a.im + b->im_count, 0, (size_t)(b->nnz - b->im_count) * sizeof *b->a.im);
    b->im_count = b->nnz;
    return PM_OK;
}

pm_status pm_row_builder_reserve(pm_row_builder *b, int64_t count, pm_error *err)
{
    bool has_values = b->a.field != PM_PATTERN;
    int64_t want = b->nnz + count;
    if (PM_GROW(b->a.colind, b->cap_col, want) || (has_values && PM_GROW(b->a.re, b->cap_re, want)))
        return fail_entries(err);
    return b->a.field == PM_COMPLEX ? reserve_imaginary(b, want, err) : PM_OK;
}

pm_status pm_row_builder_add(pm_row_builder *b, int64_t col, pm_scalar *v, pm_error *err)
{
    bool has_values = b->a.field != PM_PATTERN;
    if (has_values && v->field > b->a.field)
        b->a.field = v->field;
    if (pm_scalar_is_zero(v))
        return PM_OK;
    pm_status status = pm_row_builder_reserve(b, 1, err);
    b->has_scalars = true;
    if (!status && has_values) {
        b->a.re[b->nnz] = v->re;
        v->re = (pm_dyadic){0};
    }
    if (!status && b->a.field == PM_COMPLEX) {
        b->a.im[b->im_count++] = v->im;
        v->im = (pm_dyadic){0};
    }
    pm_scalar_clear(v);
    if (status)
        return status;
    b->a.colind[b->nnz++] = (int32_t)col;
    return PM_OK;
}

pm_status pm_row_builder_end_row(pm_row_builder *b, pm_error *err)
{
    if (b->a.nrows == INT32_MAX)
        return pm_fail(err, PM_UNABLE, "expected at most %d rows, found more", INT32_MAX);
    if (PM_GROW(b->a.rowptr, b->cap_row, b->a.nrows + 2))
        return fail_entries(err);
    b->a.rowptr[0] = 0;
    b->a.rowptr[++b->a.nrows] = b->nnz;
    return PM_OK;
}

/* Arrays that were never needed. */
static pm_status complete(pm_row_builder *b, pm_error *err)
{
    if (PM_GROW(b->a.rowptr, b->cap_row, 1) || PM_GROW(b->a.colind, b->cap_col, 1)
        || (b->a.field != PM_PATTERN && PM_GROW(b->a.re, b->cap_re, 1)))
        return fail_entries(err);
    b->a.rowptr[0] = 0;
    return b->a.field == PM_COMPLEX ? reserve_imaginary(b, b->nnz + 1, err) : PM_OK;
}

static pm_status check_spread(const pm_row_builder *b, const char *name, pm_error *err)
{
    const pm_matrix *a = &b->a;
    if (a->field <= PM_INTEGER || !b->has_scalars)
        return PM_OK;
    pm_exponents s = pm_exponents_of(a->re, a->im, pm_matrix_nnz(a));
    if (!pm_exponents_are_wide(&s))
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "%s: refused: " PM_EXPONENTS_REFUSAL PM_EXPONENTS_REMEDY, name,
                   (long long)PM_EXPONENTS_MAX, (long long)s.low, (long long)s.high);
}

pm_status pm_row_builder_matrix(pm_row_builder *b, int64_t ncols, const pm_read_options *opt,
                                const char *name, pm_matrix *out, pm_reading *about, pm_error *err)
{
    pm_status status = complete(b, err);
    b->a.ncols = ncols;
    if (!status)
        status = check_spread(b, name, err);
    if (!status)
        status = pm_adjacency_read(&b->a, opt, name, about, err);
    if (status)
        return status;
    *out = b->a;
    *b = (pm_row_builder){0};
    return PM_OK;
}

void pm_row_builder_free(pm_row_builder *b)
{
    for (int64_t k = 0; b->a.re && k < b->nnz; ++k)
        pm_dyadic_clear(&b->a.re[k]);
    for (int64_t k = 0; b->a.im && k < b->im_count; ++k)
        pm_dyadic_clear(&b->a.im[k]);
    free(b->a.rowptr);
    free(b->a.colind);
    free(b->a.re);
    free(b->a.im);
    *b = (pm_row_builder){0};
}
