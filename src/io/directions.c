/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Row i of the result is the union of row i of d and of its transpose, both from the diagonal on:
 * a merge of two ascending lists. */
#include "config.h"

#include "io/directions.h"

#include <inttypes.h>

typedef struct {
    pm_matrix *d, *t; /* t: the transpose of d */
    bool ignore_values;
    const pm_triples *read;
    const pm_labels *labels;
    const char *name;
} both;

static pm_status fail_unequal(const both *b, int64_t i, int64_t j, pm_error *err)
{
    static const char what[] = "expected one weight for an edge between vertices of one set";
    char number[2][24];
    int64_t first = pm_triples_line(b->read, i, j), second = pm_triples_line(b->read, j, i);
    if (first > second) {
        int64_t line = first;
        first = second;
        second = line;
    }
    if (!first)
        return pm_fail(err, PM_EDATA, "%s: %s, found two (%.100s - %.100s)", b->name, what,
                       pm_label(b->labels, i, number[0]), pm_label(b->labels, j, number[1]));
    return pm_fail(err, PM_EDATA,
                   "%s:%" PRId64 ": %s, found another weight in line %" PRId64
                   ", where the edge has the other direction",
                   b->name, second, what, first);
}

static bool are_equal(const both *b, int64_t k, int64_t l)
{
    const pm_matrix *d = b->d, *t = b->t;
    return b->ignore_values
           || ((!d->re || pm_dyadic_equal(&d->re[k], &t->re[l]))
               && (!d->im || pm_dyadic_equal(&d->im[k], &t->im[l])));
}

static void move(pm_matrix *from, int64_t k, pm_matrix *to, int64_t nnz)
{
    to->colind[nnz] = from->colind[k];
    if (from->re) {
        to->re[nnz] = from->re[k];
        from->re[k] = (pm_dyadic){0};
    }
    if (from->im) {
        to->im[nnz] = from->im[k];
        from->im[k] = (pm_dyadic){0};
    }
}

/* The first entry of row i in column i or later. */
static int64_t from_diagonal(const pm_matrix *a, int64_t i)
{
    int64_t k = a->rowptr[i];
    while (k < a->rowptr[i + 1] && a->colind[k] < i)
        ++k;
    return k;
}

static pm_status join_row(const both *b, int64_t i, pm_matrix *out, pm_error *err)
{
    const pm_matrix *d = b->d, *t = b->t;
    int64_t k = from_diagonal(d, i), l = from_diagonal(t, i), nnz = out->rowptr[i];
    pm_status status = PM_OK;
    while (!status && (k < d->rowptr[i + 1] || l < t->rowptr[i + 1])) {
        int64_t p = k < d->rowptr[i + 1] ? d->colind[k] : INT64_MAX;
        int64_t q = l < t->rowptr[i + 1] ? t->colind[l] : INT64_MAX;
        if (p == q && !are_equal(b, k, l))
            status = fail_unequal(b, i, p, err);
        if (p <= q)
            move(b->d, k++, out, nnz++);
        else
            move(b->t, l, out, nnz++);
        l += q <= p;
    }
    out->rowptr[i + 1] = nnz;
    return status;
}

pm_status pm_directions_join(pm_matrix *d, bool ignore_values, const pm_triples *read,
                             const pm_labels *labels, const char *name, pm_matrix *out,
                             pm_error *err)
{
    pm_matrix t = {0}, upper = {0};
    both b = {d, &t, ignore_values, read, labels, name};
    pm_status status = pm_matrix_transpose(d, &t, err);
    if (!status)
        status = pm_matrix_alloc(&upper, d->field, d->nrows, d->ncols, pm_matrix_nnz(d), err);
    for (int64_t i = 0; i < d->nrows && !status; ++i) {
        status = join_row(&b, i, &upper, err);
        if (status)
            upper.rowptr[upper.nrows] = upper.rowptr[i + 1]; /* the values to be freed */
    }
    if (!status) {
        *out = upper;
        upper = (pm_matrix){0};
    }
    pm_matrix_free(&upper);
    pm_matrix_free(&t);
    return status;
}
