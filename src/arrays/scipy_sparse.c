/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arrays of the formats (scipy/sparse/_matrix_io.py):
 *   all        format, shape, data
 *   csr, csc   indptr, indices: line i (a row, or a column) has the entries k = indptr[i] ..
 *              indptr[i+1]-1, at indices[k]
 *   coo        row, col; or coords, both in one array
 *   bsr        as csr, but data[k] is a block of R x C elements
 *   dia        offsets: data[k, j] is the element in column j and row j - offsets[k] */
#include "config.h"

#include "arrays/scipy_sparse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/array_memory.h"
#include "arrays/npy_element.h"
#include "arrays/npz_member.h"
#include "arrays/row_builder.h"

typedef struct {
    const pm_zip_archive *zip;
    pm_npz_array data;
    pm_triples to;
} sparse;

bool pm_scipy_sparse_is(const pm_zip_archive *z)
{
    return pm_npz_member_find(z, "format") >= 0;
}

static pm_status fail(const sparse *x, const char *expected, pm_error *err)
{
    return pm_fail(err, PM_EDATA, "%s: sparse matrix of SciPy: expected %s", x->zip->name,
                   expected);
}

/* ---- arrays ---- */

/* Element k as an index below `limit`; -1 when it is none. */
static int64_t index_at(const pm_npz_array *a, int64_t k, int64_t limit)
{
    int32_t v;
    if (!pm_npy_index(&a->head, a->bytes + k * a->head.size, &v) || v >= limit)
        return -1;
    return v;
}

/* The failure of element k, counted from 0 as in Python, of an array of indices. */
static pm_status fail_index(const sparse *x, const char *name, const pm_npz_array *a, int64_t k,
                            int64_t least, int64_t most, pm_error *err)
{
    char found[32];
    if (!pm_npy_index_text(&a->head, a->bytes + k * a->head.size, found, sizeof found))
        return pm_fail(err, PM_EDATA, "%s: sparse matrix of SciPy: expected integers in '%s'",
                       x->zip->name, name);
    if (most < least)
        return pm_fail(err, PM_EDATA,
                       "%s: sparse matrix of SciPy: expected no elements of '%s', found %s at "
                       "position %" PRId64,
                       x->zip->name, name, found, k);
    return pm_fail(err, PM_EDATA,
                   "%s: sparse matrix of SciPy: expected elements of '%s' from %" PRId64
                   " to %" PRId64 ", found %s at position %" PRId64,
                   x->zip->name, name, least, most, found, k);
}

/* The array of 1 dimension with `count` elements. */
static pm_status read_vector(const sparse *x, const char *name, int64_t count, pm_npz_array *out,
                             pm_error *err)
{
    pm_status status = pm_npz_array_read(x->zip, name, out, err);
    if (!status && out->head.ndim != 1)
        status = pm_fail(err, PM_EDATA,
                         "%s: sparse matrix of SciPy: expected 1 dimension of '%s', found %d",
                         x->zip->name, name, out->head.ndim);
    if (!status && out->head.count != count)
        status = pm_fail(err, PM_EDATA,
                         "%s: sparse matrix of SciPy: expected %" PRId64
                         " elements in '%s', found %" PRId64,
                         x->zip->name, count, name, out->head.count);
    return status;
}

/* The text of the array "format", which is of bytes or of characters in 4 bytes. */
static pm_status read_name(const sparse *x, char name[8], pm_error *err)
{
    pm_npz_array a = {0};
    pm_status status = pm_npz_array_read(x->zip, "format", &a, err);
    bool wide = a.head.kind == 'U';
    int64_t step = wide ? 4 : 1, at = wide && a.head.is_swapped ? 3 : 0;
    if (!status && (a.head.ndim != 0 || (!wide && a.head.kind != 'S') || a.head.size / step > 7))
        status = fail(x, "a name as the array 'format'", err);
    for (int64_t k = 0; !status && k < a.head.size / step; ++k)
        name[k] = (char)a.bytes[k * step + at];
    free(a.bytes);
    return status;
}

static pm_status read_shape(sparse *x, pm_error *err)
{
    pm_npz_array a = {0};
    pm_status status = read_vector(x, "shape", 2, &a, err);
    if (!status) {
        x->to.nrows = index_at(&a, 0, INT32_MAX);
        x->to.ncols = index_at(&a, 1, INT32_MAX);
        if (x->to.nrows < 0 || x->to.ncols < 0)
            status = fail(x, "a shape of two lengths from 0 to 2^31 - 2", err);
    }
    free(a.bytes);
    return status;
}

/* Says the memory, which the head of the data foretells, and the sizes of all arrays. */
static pm_status foresee(const sparse *x, const pm_read_options *opt, pm_error *err)
{
    pm_npz_member m = {0};
    const int64_t data = pm_npz_member_find(x->zip, "data");
    int64_t bytes = x->zip->size;
    if (data < 0)
        return PM_OK;
    pm_status status = pm_npz_member_open(x->zip, data, &m, err);
    for (int64_t k = 0; k < x->zip->count && !status; ++k)
        bytes += x->zip->members[k].size; /* no more than 1032 times the archive */
    if (!status)
        pm_array_memory_say_sparse(x->zip->name, opt, bytes, m.head.count, x->to.nrows, x->to.ncols,
                                   pm_npy_field(&m.head));
    pm_npz_member_free(&m);
    return status;
}

static pm_status read_data(sparse *x, pm_error *err)
{
    pm_status status = pm_npz_array_read(x->zip, "data", &x->data, err);
    if (!status && (x->data.head.kind == 'S' || x->data.head.kind == 'U'))
        status = fail(x, "numbers as the array 'data'", err);
    if (!status)
        x->to.field = pm_npy_field(&x->data.head);
    return status;
}

/* ---- entries ---- */

/* Adds element k of the data, counted in the order of its bytes. */
static pm_status add(sparse *x, int64_t row, int64_t col, int64_t k, pm_error *err)
{
    const pm_npy_head *head = &x->data.head;
    pm_scalar v = {.field = PM_INTEGER};
    pm_status status = PM_OK;
    const char *wrong = pm_npy_element(head, x->data.bytes + k * head->size, &v);
    if (wrong)
        status =
            pm_fail(err, PM_EDATA,
                    "%s: row %" PRId64 ", column %" PRId64 ": expected a finite number, not %s",
                    x->zip->name, row + 1, col + 1, wrong);
    else if (x->to.field != PM_PATTERN || !pm_scalar_is_zero(&v))
        status = pm_triples_add(&x->to, row, col, 0, x->to.field == PM_PATTERN ? NULL : &v.re,
                                x->to.field == PM_COMPLEX ? &v.im : NULL, err);
    pm_scalar_clear(&v);
    return status;
}

static pm_status add_coordinates(sparse *x, const pm_npz_array *row, int64_t first_row,
                                 const pm_npz_array *col, int64_t first_col, int64_t step,
                                 pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t k = 0; k < x->data.head.count && !status; ++k) {
        int64_t i = index_at(row, first_row + k * step, x->to.nrows);
        int64_t j = index_at(col, first_col + k * step, x->to.ncols);
        if (i < 0)
            status = fail_index(x, row == col ? "coords" : "row", row, first_row + k * step, 0,
                                x->to.nrows - 1, err);
        else if (j < 0)
            status = fail_index(x, row == col ? "coords" : "col", col, first_col + k * step, 0,
                                x->to.ncols - 1, err);
        else
            status = add(x, i, j, k, err);
    }
    return status;
}

static pm_status read_coo(sparse *x, pm_error *err)
{
    pm_npz_array row = {0}, col = {0};
    int64_t count = x->data.head.count;
    pm_status status;
    if (x->data.head.ndim != 1)
        return fail(x, "data of 1 dimension", err);
    if (pm_npz_member_find(x->zip, "coords") >= 0) {
        status = pm_npz_array_read(x->zip, "coords", &row, err);
        bool fortran = row.head.is_fortran;
        if (!status && (row.head.ndim != 2 || row.head.shape[0] != 2 || row.head.shape[1] != count))
            status = fail(x, "two coordinates for each element", err);
        if (!status)
            status = add_coordinates(x, &row, 0, &row, fortran ? 1 : count, fortran ? 2 : 1, err);
    } else {
        status = read_vector(x, "row", count, &row, err);
        if (!status)
            status = read_vector(x, "col", count, &col, err);
        if (!status)
            status = add_coordinates(x, &row, 0, &col, 0, 1, err);
    }
    free(row.bytes);
    free(col.bytes);
    return status;
}

/* ---- compressed lines ---- */

/* Lines of blocks of high x wide elements; by_columns: the lines are columns. */
typedef struct {
    pm_npz_array indptr, indices;
    int64_t high, wide;
    bool by_columns;
} compressed;

/* Adds block k, whose first element is in the given row and column. */
static pm_status add_block(sparse *x, const compressed *c, int64_t k, int64_t row, int64_t col,
                           pm_error *err)
{
    int64_t blocks = c->indices.head.count;
    pm_status status = PM_OK;
    for (int64_t i = 0; i < c->high; ++i)
        for (int64_t j = 0; j < c->wide && !status; ++j) {
            int64_t at = x->data.head.is_fortran ? k + blocks * (i + c->high * j)
                                                 : (k * c->high + i) * c->wide + j;
            status = add(x, row + i, col + j, at, err);
        }
    return status;
}

static pm_status add_lines(sparse *x, const compressed *c, int64_t lines, int64_t limit,
                           pm_error *err)
{
    int64_t blocks = c->indices.head.count;
    int64_t first = index_at(&c->indptr, 0, INT64_MAX);
    pm_status status = first == 0 ? PM_OK : fail_index(x, "indptr", &c->indptr, 0, 0, 0, err);
    for (int64_t i = 0; i < lines && !status; ++i) {
        int64_t last = index_at(&c->indptr, i + 1, INT64_MAX);
        if (last < first || last > blocks)
            return fail_index(x, "indptr", &c->indptr, i + 1, first, blocks, err);
        for (int64_t k = first; k < last && !status; ++k) {
            int64_t j = index_at(&c->indices, k, limit);
            if (j < 0)
                status = fail_index(x, "indices", &c->indices, k, 0, limit - 1, err);
            else if (c->by_columns)
                status = add(x, j, i, k, err);
            else
                status = add_block(x, c, k, i * c->high, j * c->wide, err);
        }
        first = last;
    }
    return status;
}

static pm_status read_compressed(sparse *x, const char *name, pm_error *err)
{
    compressed c = {.high = 1, .wide = 1, .by_columns = strcmp(name, "csc") == 0};
    const pm_npy_head *data = &x->data.head;
    bool blocks = strcmp(name, "bsr") == 0;
    if (data->ndim != (blocks ? 3 : 1))
        return fail(x, blocks ? "data of 3 dimensions" : "data of 1 dimension", err);
    if (blocks) {
        c.high = data->shape[1];
        c.wide = data->shape[2];
        if (c.high < 1 || c.wide < 1 || x->to.nrows % c.high || x->to.ncols % c.wide)
            return fail(x, "blocks that divide the shape", err);
    }
    int64_t rows = x->to.nrows / c.high, cols = x->to.ncols / c.wide;
    int64_t lines = c.by_columns ? cols : rows, limit = c.by_columns ? rows : cols;
    pm_status status = read_vector(x, "indptr", lines + 1, &c.indptr, err);
    if (!status)
        status = read_vector(x, "indices", data->shape[0], &c.indices, err);
    if (!status)
        status = add_lines(x, &c, lines, limit, err);
    free(c.indptr.bytes);
    free(c.indices.bytes);
    return status;
}

/* ---- diagonals ---- */

static pm_status offset_at(const sparse *x, const pm_npz_array *a, int64_t k, int64_t *out,
                           pm_error *err)
{
    pm_scalar v = {.field = PM_INTEGER};
    bool good = a->head.kind == 'i' || a->head.kind == 'u';
    if (good)
        pm_npy_element(&a->head, a->bytes + k * a->head.size, &v);
    double d = pm_dyadic_get_d(&v.re);
    pm_scalar_clear(&v);
    if (!good || d > INT32_MAX || d < -INT32_MAX)
        return fail(x, "diagonals inside the shape", err);
    *out = (int64_t)d;
    return PM_OK;
}

static pm_status read_diagonals(sparse *x, pm_error *err)
{
    pm_npz_array offsets = {0};
    const pm_npy_head *data = &x->data.head;
    if (data->ndim != 2)
        return fail(x, "data of 2 dimensions", err);
    int64_t count = data->shape[0], length = data->shape[1];
    pm_status status = read_vector(x, "offsets", count, &offsets, err);
    for (int64_t k = 0; k < count && !status; ++k) {
        int64_t offset = 0;
        status = offset_at(x, &offsets, k, &offset, err);
        int64_t last = x->to.nrows + offset;
        last = last < x->to.ncols ? last : x->to.ncols;
        last = last < length ? last : length;
        for (int64_t j = offset > 0 ? offset : 0; j < last && !status; ++j)
            status = add(x, j - offset, j, data->is_fortran ? k + count * j : k * length + j, err);
    }
    free(offsets.bytes);
    return status;
}

/* ---- the whole ---- */

static pm_status read_entries(sparse *x, const char *name, pm_error *err)
{
    if (strcmp(name, "csr") == 0 || strcmp(name, "csc") == 0 || strcmp(name, "bsr") == 0)
        return read_compressed(x, name, err);
    if (strcmp(name, "coo") == 0)
        return read_coo(x, err);
    if (strcmp(name, "dia") == 0)
        return read_diagonals(x, err);
    return fail(x, "one of the formats csr, csc, coo, bsr and dia", err);
}

pm_status pm_scipy_sparse_read(const pm_zip_archive *z, const pm_read_options *opt, pm_matrix *out,
                               pm_reading *about, pm_error *err)
{
    sparse x = {.zip = z};
    char name[8] = "";
    pm_matrix a = {0};
    pm_status status = read_name(&x, name, err);
    if (!status)
        status = read_shape(&x, err);
    if (!status)
        status = foresee(&x, opt, err);
    if (!status)
        status = read_data(&x, err);
    if (!status)
        status = read_entries(&x, name, err);
    if (!status)
        status = pm_triples_check_exponents(&x.to, z->name, err);
    if (!status)
        status = pm_matrix_from_triples(&x.to, opt->duplicates, z->name, &a, err);
    if (!status)
        status = pm_adjacency_read(&a, opt, z->name, about, err);
    if (!status) {
        *out = a;
        a = (pm_matrix){0};
    }
    pm_matrix_free(&a);
    pm_triples_free(&x.to);
    free(x.data.bytes);
    return status;
}
