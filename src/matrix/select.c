/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A(p,q) in time linear in the selected rows and columns, but for a logarithm: many small blocks
 * are selected from one large matrix, so the cost must not depend on the size of the whole. */
#include "config.h"

#include "pm/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* ---- the new numbers of columns ---- */

typedef struct {
    int32_t old, new;
} renamed;

/* The new index of each selected column.  Either table or pairs is not NULL. */
typedef struct {
    int32_t *table; /* for all columns of A; -1: not selected */
    renamed *pairs; /* (q[j], j), sorted */
    int64_t count;
} numbering;

static int by_old(const void *x, const void *y)
{
    int32_t a = ((const renamed *)x)->old, b = ((const renamed *)y)->old;
    return (a > b) - (a < b);
}

static bool numbering_make(numbering *m, const int32_t *q, int64_t nq, int64_t ncols)
{
    *m = (numbering){.count = nq};
    if (nq > ncols / 64) {
        m->table = pm_alloc_array(ncols, sizeof *m->table);
        if (!m->table)
            return false;
        memset(m->table, 0xff, (size_t)ncols * sizeof *m->table);
        for (int64_t j = 0; j < nq; ++j)
            m->table[q[j]] = (int32_t)j;
        return true;
    }
    m->pairs = pm_alloc_array(nq, sizeof *m->pairs);
    if (!m->pairs)
        return false;
    for (int64_t j = 0; j < nq; ++j)
        m->pairs[j] = (renamed){q[j], (int32_t)j};
    qsort(m->pairs, (size_t)nq, sizeof *m->pairs, by_old);
    return true;
}

static int32_t numbering_find(const numbering *m, int32_t old)
{
    if (m->table)
        return m->table[old];
    renamed key = {old, 0};
    const renamed *found = bsearch(&key, m->pairs, (size_t)m->count, sizeof key, by_old);
    return found ? found->new : -1;
}

/* ---- the entries ---- */

/* A selected entry: its new position, and its index in A. */
typedef struct {
    int32_t row, col;
    int64_t from;
} selected;

/* out = the selected entries, rows ascending; it has room for all entries of the rows p.  Returns
 * their number. */
static int64_t gather(const pm_matrix *a, const int32_t *p, int64_t np, const numbering *m,
                      selected *out)
{
    int64_t n = 0;
    for (int64_t i = 0; i < np; ++i)
        for (int64_t k = a->rowptr[p[i]]; k < a->rowptr[p[i] + 1]; ++k) {
            int32_t col = numbering_find(m, a->colind[k]);
            if (col >= 0)
                out[n++] = (selected){(int32_t)i, col, k};
        }
    return n;
}

/* Sorts the entries by column and then, keeping that order, by row, and writes them into b.
 * start: ncols + 1 zeros; by_col: room for n numbers. */
static void fill(const pm_matrix *a, const selected *entry, int64_t n, int64_t *start,
                 int64_t *by_col, pm_matrix *b)
{
    for (int64_t k = 0; k < n; ++k) {
        ++start[entry[k].col + 1];
        ++b->rowptr[entry[k].row + 1];
    }
    for (int64_t j = 0; j < b->ncols; ++j)
        start[j + 1] += start[j];
    for (int64_t i = 0; i < b->nrows; ++i)
        b->rowptr[i + 1] += b->rowptr[i];
    for (int64_t k = 0; k < n; ++k)
        by_col[start[entry[k].col]++] = k;
    for (int64_t k = 0; k < n; ++k) {
        const selected *e = &entry[by_col[k]];
        int64_t to = b->rowptr[e->row]++;
        b->colind[to] = e->col;
        if (b->re)
            pm_dyadic_set(&b->re[to], &a->re[e->from]);
        if (b->im)
            pm_dyadic_set(&b->im[to], &a->im[e->from]);
    }
    /* rowptr[i] is the end of row i now */
    memmove(b->rowptr + 1, b->rowptr, (size_t)b->nrows * sizeof *b->rowptr);
    b->rowptr[0] = 0;
}

pm_status pm_matrix_select(const pm_matrix *a, const int32_t *p, int64_t np, const int32_t *q,
                           int64_t nq, pm_matrix *out, pm_error *err)
{
    pm_matrix b = {0};
    numbering number = {0};
    selected *entry = NULL;
    int64_t *by_col = NULL, *start = NULL, room = 0;
    pm_status status = PM_ENOMEM;
    for (int64_t i = 0; i < np; ++i)
        room += a->rowptr[p[i] + 1] - a->rowptr[p[i]];
    entry = pm_alloc_array(room, sizeof *entry);
    start = pm_calloc_array(nq + 1, sizeof *start);
    if (!entry || !start || !numbering_make(&number, q, nq, a->ncols))
        goto done;
    int64_t nnz = gather(a, p, np, &number, entry);
    by_col = pm_alloc_array(nnz, sizeof *by_col);
    if (!by_col)
        goto done;

    status = pm_matrix_alloc(&b, a->field, np, nq, nnz, err);
    if (status)
        goto done;
    fill(a, entry, nnz, start, by_col, &b);
    status = pm_labels_select(&a->row_labels, p, np, &b.row_labels, err);
    if (status)
        goto done;
    status = pm_labels_select(&a->col_labels, q, nq, &b.col_labels, err);
    if (status)
        goto done;
    *out = b;
    b = (pm_matrix){0};
done:
    if (status == PM_ENOMEM)
        pm_fail_memory(err, "a submatrix");
    pm_matrix_free(&b);
    free(number.table);
    free(number.pairs);
    free(entry);
    free(by_col);
    free(start);
    return status;
}
