/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A(p,q) in time linear in what is selected, but for a logarithm: many small blocks are cut out
 * of one large matrix, so nothing here may cost the size of the large one. */
#include "config.h"

#include "pm/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* ---- the new numbers of columns ---- */

typedef struct {
    int32_t old, new;
} renamed;

/* One of the two is there: a table over all columns of A, or the pairs (q[j], j), sorted. */
typedef struct {
    int32_t *table; /* -1: not selected */
    renamed *pairs;
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

/* Where an entry of A goes. */
typedef struct {
    int32_t row, col;
    int64_t from;
} moved;

/* The selected entries, rows ascending; room: all entries of the rows p.  Returns how many. */
static int64_t gather(const pm_matrix *a, const int32_t *p, int64_t np, const numbering *m,
                      moved *out)
{
    int64_t n = 0;
    for (int64_t i = 0; i < np; ++i)
        for (int64_t k = a->rowptr[p[i]]; k < a->rowptr[p[i] + 1]; ++k) {
            int32_t col = numbering_find(m, a->colind[k]);
            if (col >= 0)
                out[n++] = (moved){(int32_t)i, col, k};
        }
    return n;
}

/* Spread the entries over the columns, then over the rows in the order of columns, so that every
 * row comes out ascending.  start: ncols + 1 zeros; by_col: n entries. */
static void place(const pm_matrix *a, const moved *entry, int64_t n, int64_t *start,
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
        const moved *e = &entry[by_col[k]];
        int64_t to = b->rowptr[e->row]++;
        b->colind[to] = e->col;
        if (b->re)
            pm_dyadic_set(&b->re[to], &a->re[e->from]);
        if (b->im)
            pm_dyadic_set(&b->im[to], &a->im[e->from]);
    }
    /* every start has moved on to the end of its row */
    memmove(b->rowptr + 1, b->rowptr, (size_t)b->nrows * sizeof *b->rowptr);
    b->rowptr[0] = 0;
}

pm_status pm_matrix_select(const pm_matrix *a, const int32_t *p, int64_t np, const int32_t *q,
                           int64_t nq, pm_matrix *out, pm_error *err)
{
    pm_matrix b = {0};
    numbering number = {0};
    moved *entry = NULL;
    int64_t *by_col = NULL, *start = NULL, room = 0;
    pm_status s = PM_ENOMEM;
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

    s = pm_matrix_alloc(&b, a->field, np, nq, nnz, err);
    if (s)
        goto done;
    place(a, entry, nnz, start, by_col, &b);
    s = pm_labels_select(&a->row_labels, p, np, &b.row_labels, err);
    if (s)
        goto done;
    s = pm_labels_select(&a->col_labels, q, nq, &b.col_labels, err);
    if (s)
        goto done;
    *out = b;
    b = (pm_matrix){0};
done:
    if (s == PM_ENOMEM)
        pm_fail_memory(err, "a submatrix");
    pm_matrix_free(&b);
    free(number.table);
    free(number.pairs);
    free(entry);
    free(by_col);
    free(start);
    return s;
}
