/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "arrays/npy_matrices.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/array_memory.h"
#include "arrays/npy_element.h"
#include "arrays/row_builder.h"

/* ---- the shape ---- */

/* A head of 128 bytes may announce billions of rows without columns, or of matrices without elements;
 * they must take neither gigabytes nor hours. */
static pm_status check_empty(const pm_npy_matrices *x, const char *name, pm_error *err)
{
    enum { EMPTY_LINES = 1 << 26, EMPTY_MATRICES = 1 << 16 };
    if (x->head.count)
        return PM_OK;
    if (x->nrows + x->ncols > EMPTY_LINES)
        return pm_fail(err, PM_UNABLE,
                       "%s: refused: an array without elements, of shape %" PRId64 " x %" PRId64
                       ": check its shape",
                       name, x->nrows, x->ncols);
    if (x->count > EMPTY_MATRICES)
        return pm_fail(err, PM_UNABLE,
                       "%s: refused: a batch of %" PRId64
                       " matrices without elements: check its shape",
                       name, x->count);
    return PM_OK;
}

pm_status pm_npy_matrices_begin(pm_npy_matrices *x, const pm_byte_source *in, pm_error *err)
{
    x->in = *in;
    pm_status status = pm_npy_head_read(in, &x->head, err);
    if (status)
        return status;
    const pm_npy_head *head = &x->head;
    if (head->kind == 'S' || head->kind == 'U')
        return pm_fail(err, PM_EDATA,
                       "%s: expected an array of numbers, not of text: save it with dtype=int or "
                       "dtype=float",
                       in->name);
    if (head->ndim < 2)
        return pm_fail(err, PM_EDATA,
                       "%s: expected a matrix (2 dimensions) or a batch of matrices (3), not an "
                       "array of %d dimension%s",
                       in->name, head->ndim, head->ndim == 1 ? "" : "s");
    x->count = head->ndim == 3 ? head->shape[0] : 1;
    x->nrows = head->shape[head->ndim - 2];
    x->ncols = head->shape[head->ndim - 1];
    if (x->nrows > INT32_MAX || x->ncols > INT32_MAX)
        return pm_fail(err, PM_EDATA,
                       "%s: expected at most %d rows and columns, not %" PRId64 " x %" PRId64,
                       in->name, INT32_MAX, x->nrows, x->ncols);
    return check_empty(x, in->name, err);
}

/* ---- elements ---- */

/* Where the elements of a matrix are: that in row i and column j is at first + i * down + j * right. */
typedef struct {
    const unsigned char *first;
    int64_t down, right; /* bytes */
} view;

static bool is_interleaved(const pm_npy_matrices *x)
{
    return x->head.ndim == 3 && x->head.is_fortran;
}

/* The view of the next matrix.  *owned: its bytes, freed by the caller, or NULL. */
static pm_status get_view(pm_npy_matrices *x, unsigned char **owned, view *out, pm_error *err)
{
    int64_t size = x->head.size;
    bool all = is_interleaved(x);
    pm_status status = PM_OK;
    if (!all || !x->batch)
        status = pm_npy_bytes(&x->in, (all ? x->head.count : x->nrows * x->ncols) * size,
                              "the elements of an array", all ? &x->batch : owned, err);
    if (status)
        return status;
    int64_t step = all ? x->count * size : size;
    out->first = all ? x->batch + x->done * size : *owned;
    out->down = x->head.is_fortran ? step : step * x->ncols;
    out->right = x->head.is_fortran ? step * x->nrows : step;
    return PM_OK;
}

/* For messages: the name of the input, and in a batch the number of the matrix. */
static const char *name_matrix(const pm_npy_matrices *x, char *out, size_t room)
{
    if (x->head.ndim == 3)
        snprintf(out, room, "%s: matrix %" PRId64, x->in.name, x->done + 1);
    else
        snprintf(out, room, "%s", x->in.name);
    return out;
}

static pm_status fail_element(const pm_npy_matrices *x, int64_t i, int64_t j, const char *wrong,
                              pm_error *err)
{
    char name[512];
    return pm_fail(err, PM_EDATA, "%s: row %" PRId64 ", column %" PRId64 ": expected %s, not %s",
                   name_matrix(x, name, sizeof name), i + 1, j + 1,
                   x->head.kind == 'b' ? "a bool, 0 or 1" : "a finite number", wrong);
}

static pm_status add_element(const pm_npy_matrices *x, const unsigned char *at, int64_t i,
                             int64_t j, pm_row_builder *to, pm_error *err)
{
    pm_scalar value = {.field = PM_INTEGER};
    const char *wrong = pm_npy_element(&x->head, at, &value);
    if (!wrong)
        return pm_row_builder_add(to, j, &value, err);
    pm_scalar_clear(&value);
    return fail_element(x, i, j, wrong, err);
}

/* Some elements of row i, columns first .. end - 1: that of column 0 is at `at`, the others are `step`
 * bytes apart. */
typedef struct {
    const unsigned char *at;
    int64_t step, i, first, end;
} span;

/* Adds a span, for which room is reserved. */
typedef pm_status add_function(const pm_npy_matrices *x, const span *s, pm_row_builder *to,
                               pm_error *err);

static pm_status add_elements(const pm_npy_matrices *x, const span *s, pm_row_builder *to,
                              pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t j = s->first; j < s->end && !status; ++j)
        status = add_element(x, s->at + j * s->step, s->i, j, to, err);
    return status;
}

/* The usual elements, quicker: float64, complex128 and int64 in the byte order of this machine, single bytes, and
 * other integers. */

static pm_status add_doubles(const pm_npy_matrices *x, const span *s, pm_row_builder *to,
                             pm_error *err)
{
    for (int64_t j = s->first; j < s->end; ++j) {
        const unsigned char *at = s->at + j * s->step;
        double v;
        memcpy(&v, at, sizeof v);
        if (!isfinite(v))
            return add_element(x, at, s->i, j, to, err);
        pm_row_builder_put_double(to, j, v);
    }
    return PM_OK;
}

static pm_status add_complexes(const pm_npy_matrices *x, const span *s, pm_row_builder *to,
                               pm_error *err)
{
    for (int64_t j = s->first; j < s->end; ++j) {
        const unsigned char *at = s->at + j * s->step;
        double v[2];
        memcpy(v, at, sizeof v);
        if (!isfinite(v[0]) || !isfinite(v[1]))
            return add_element(x, at, s->i, j, to, err);
        pm_row_builder_put_complex(to, j, v[0], v[1]);
    }
    return PM_OK;
}

static pm_status add_int64s(const pm_npy_matrices *x, const span *s, pm_row_builder *to,
                            pm_error *err)
{
    (void)x, (void)err;
    for (int64_t j = s->first; j < s->end; ++j) {
        int64_t v;
        memcpy(&v, s->at + j * s->step, sizeof v);
        pm_row_builder_put_integer(to, j, v);
    }
    return PM_OK;
}

/* Integers of one byte, and truth values: bytes 0 and 1.  About half of them are often 0, in no order. */
static pm_status add_bytes(const pm_npy_matrices *x, const span *s, pm_row_builder *to,
                           pm_error *err)
{
    for (int64_t j = s->first; j < s->end && x->head.kind == 'b'; ++j)
        if (s->at[j * s->step] > 1)
            return add_element(x, s->at + j * s->step, s->i, j, to, err);
    if (x->head.kind == 'i')
        pm_row_builder_put_bytes(to, s->at, s->step, s->first, s->end, true);
    else
        pm_row_builder_put_bytes(to, s->at, s->step, s->first, s->end, false);
    return PM_OK;
}

/* Unsigned integers above INT64_MAX are elements as any others. */
static pm_status add_integers(const pm_npy_matrices *x, const span *s, pm_row_builder *to,
                              pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t j = s->first; j < s->end && !status; ++j) {
        const unsigned char *at = s->at + j * s->step;
        int64_t v;
        if (pm_npy_integer(&x->head, at, &v))
            pm_row_builder_put_integer(to, j, v);
        else
            status = add_element(x, at, s->i, j, to, err);
    }
    return status;
}

static add_function *choose_add(const pm_npy_head *head)
{
    bool is_double = !head->is_swapped && head->kind == 'f' && head->size == sizeof(double);
    bool is_complex = !head->is_swapped && head->kind == 'c' && head->size == 2 * sizeof(double);
    bool is_int64 = !head->is_swapped && head->kind == 'i' && head->size == sizeof(int64_t);
    bool is_integer = head->kind == 'i' || head->kind == 'u' || head->kind == 'b';
    return is_double                       ? add_doubles
           : is_complex                    ? add_complexes
           : is_int64                      ? add_int64s
           : is_integer && head->size == 1 ? add_bytes
           : is_integer                    ? add_integers
                                           : add_elements;
}

static pm_status add_row(const pm_npy_matrices *x, add_function *add, span s, pm_row_builder *to,
                         pm_error *err)
{
    enum { LONGEST = 4096 }; /* zeros need no room, so that of a row may be too much */
    pm_status status = PM_OK;
    for (; s.first < x->ncols && !status; s.first = s.end) {
        s.end = x->ncols - s.first > LONGEST ? s.first + LONGEST : x->ncols;
        status = pm_row_builder_reserve(to, s.end - s.first, err);
        if (!status)
            status = add(x, &s, to, err);
    }
    return status ? status : pm_row_builder_end_row(to, err);
}

static pm_status add_rows(const pm_npy_matrices *x, const view *v, pm_row_builder *to,
                          pm_error *err)
{
    add_function *add = choose_add(&x->head);
    pm_status status = pm_row_builder_expect(to, x->nrows, x->nrows * x->ncols, err);
    for (int64_t i = 0; i < x->nrows && !status; ++i)
        status = add_row(x, add, (span){.at = v->first + i * v->down, .step = v->right, .i = i}, to,
                         err);
    return status;
}

void pm_npy_matrices_note_none(const pm_npy_matrices *x, pm_reading *about)
{
    if (x->count == 0 && !about->warning[0])
        snprintf(about->warning, sizeof about->warning,
                 "read as a batch of 0 matrices: there is no answer");
}

void pm_npy_matrices_note(const pm_reading *found, const char *which, pm_reading *about)
{
    if (found->warning[0] && !about->warning[0])
        snprintf(about->warning, sizeof about->warning, "%.100s%.400s", which, found->warning);
    if (found->note[0] && !about->note[0])
        snprintf(about->note, sizeof about->note, "%.80s%.170s", which, found->note);
    about->general = found->general;
}

/* Matrices of a batch take the same. */
static pm_status foresee(const pm_npy_matrices *x, const pm_read_options *opt, pm_error *err)
{
    const int64_t elements = x->nrows * x->ncols;
    return pm_array_memory_foresee(&x->in, opt,
                                   (is_interleaved(x) ? x->head.count : elements) * x->head.size,
                                   elements, x->nrows, pm_npy_field(&x->head), err);
}

pm_status pm_npy_matrices_next(pm_npy_matrices *x, const pm_read_options *opt, pm_matrix *out,
                               pm_reading *about, pm_error *err)
{
    pm_row_builder rows = {.a.field = pm_npy_field(&x->head)};
    unsigned char *bytes = NULL;
    char name[512], which[48] = "";
    pm_reading found = {.note = ""};
    view v;
    pm_status status = x->done == 0 ? foresee(x, opt, err) : PM_OK;
    if (!status)
        status = get_view(x, &bytes, &v, err);
    if (!status && (x->done + 1 == x->count))
        status = pm_npy_end(&x->in, err);
    if (!status)
        status = add_rows(x, &v, &rows, err);
    free(bytes); /* before the step that may need most memory */
    if (!status)
        status = pm_row_builder_matrix(&rows, x->ncols, opt,
                                       opt->graph ? name_matrix(x, name, sizeof name)
                                                  : x->in.name, /* only graphs are checked */
                                       out, &found, err);
    if (x->head.ndim == 3 && (found.warning[0] || found.note[0]))
        snprintf(which, sizeof which, "matrix %" PRId64 ": ", x->done + 1);
    pm_npy_matrices_note(&found, which, about);
    ++x->done;
    pm_row_builder_free(&rows);
    return status;
}

void pm_npy_matrices_free(pm_npy_matrices *x)
{
    free(x->batch);
    *x = (pm_npy_matrices){0};
}
