/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <assert.h>

#include "pm/matrix.h"

/* Entry k of `from` becomes entry *at of a, in this column. */
static void put(const pm_matrix *from, int64_t k, int64_t column, pm_matrix *a, int64_t *at)
{
    a->colind[*at] = (int32_t)column;
    if (a->re)
        pm_dyadic_set(&a->re[*at], &from->re[k]);
    if (a->im)
        pm_dyadic_set(&a->im[*at], &from->im[k]);
    ++*at;
}

static bool has_loop(const pm_matrix *loops, int64_t v)
{
    return loops && loops->rowptr[v] < loops->rowptr[v + 1];
}

static int64_t count_loops(const pm_matrix *loops, const int64_t *times)
{
    int64_t count = 0;
    for (int64_t v = 0; loops && v < loops->nrows; ++v)
        count += has_loop(loops, v) * times[v];
    return count;
}

/* b: a with its copies.  Row i of the result is that of b, with the loop in place of its diagonal. */
static void put_row(const pm_matrix *b, int64_t i, const pm_matrix *loops, int64_t v,
                    pm_matrix *out, int64_t *at)
{
    bool waits = has_loop(loops, v);
    for (int64_t k = b->rowptr[i]; k < b->rowptr[i + 1]; ++k) {
        if (waits && b->colind[k] >= i) {
            put(loops, loops->rowptr[v], i, out, at);
            waits = false;
        }
        if (b->colind[k] != i)
            put(b, k, b->colind[k], out, at);
    }
    if (waits)
        put(loops, loops->rowptr[v], i, out, at);
}

pm_status pm_matrix_repeat_vertices(const pm_matrix *a, const int64_t *times,
                                    const pm_matrix *loops, pm_matrix *out, pm_error *err)
{
    pm_matrix b = {0}, c = {0};
    int64_t at = 0, i = 0;
    assert(!loops || loops->field == a->field);
    pm_status status = pm_matrix_repeat(a, times, times, &b, err);
    if (!status)
        status = pm_matrix_alloc(&c, a->field, b.nrows, b.ncols,
                                 pm_matrix_nnz(&b) + count_loops(loops, times), err);
    for (int64_t v = 0; v < a->nrows && !status; ++v)
        for (int64_t t = 0; t < times[v]; ++t, ++i) {
            put_row(&b, i, loops, v, &c, &at);
            c.rowptr[i + 1] = at;
        }
    if (!status) {
        c.row_labels = b.row_labels;
        c.col_labels = b.col_labels;
        b.row_labels = b.col_labels = (pm_labels){0};
        *out = c;
    }
    pm_matrix_free(&b);
    return status;
}
