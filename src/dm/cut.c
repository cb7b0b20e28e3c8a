/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows and columns of a block are ascending, so its entries have the order of the matrix and
 * only get new indices: no sorting, and no memory except that of the block. */
#include "config.h"

#include "pm/dm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* at[p[k]] = k */
static int32_t *inverse(const int32_t *p, int64_t n)
{
    int32_t *at = pm_alloc_array(n, sizeof *at);
    for (int64_t k = 0; at && k < n; ++k)
        at[p[k]] = (int32_t)k;
    return at;
}

/* The number of entries of row i in columns q[first] .. q[last-1]. */
static int64_t entries_between(const pm_matrix *a, int64_t i, const int32_t *col_at, int64_t first,
                               int64_t last)
{
    int64_t count = 0;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        count += col_at[a->colind[k]] >= first && col_at[a->colind[k]] < last;
    return count;
}

static int64_t entries_of_block(const pm_matrix *a, const pm_dm *d, int64_t b,
                                const int32_t *col_at)
{
    int64_t count = 0;
    for (int64_t k = d->r[b]; k < d->r[b + 1]; ++k)
        count += entries_between(a, d->p[k], col_at, d->s[b], d->s[b + 1]);
    return count;
}

pm_status pm_dm_count_entries(const pm_matrix *a, const pm_dm *d, int64_t **out, pm_error *err)
{
    int32_t *col_at = inverse(d->q, d->ncols);
    int64_t *count = pm_alloc_array(d->nblocks, sizeof *count);
    pm_status status = PM_OK;
    if (!col_at || !count) {
        free(count);
        status = pm_fail_memory(err, "the sizes of blocks");
        goto done;
    }
    for (int64_t b = 0; b < d->nblocks; ++b)
        count[b] = entries_of_block(a, d, b, col_at);
    *out = count;
done:
    free(col_at);
    return status;
}

/* ---- cutting ---- */

/* Sorts the columns of each square block: one pass over all columns in ascending order, which
 * appends each to its block. */
static pm_status sort_columns(pm_dm_cut *c, pm_error *err)
{
    const pm_dm *d = c->d;
    int64_t first = d->square_first, count = d->square_last - first;
    int64_t *end = pm_alloc_array(count, sizeof *end);
    int32_t *block = pm_alloc_array(d->ncols, sizeof *block);
    pm_status status = PM_OK;
    if (!end || !block) {
        status = pm_fail_memory(err, "the blocks of a matrix");
        goto done;
    }
    memset(block, 0xff, (size_t)d->ncols * sizeof *block);
    for (int64_t b = 0; b < count; ++b) {
        end[b] = d->s[first + b];
        for (int64_t k = d->s[first + b]; k < d->s[first + b + 1]; ++k)
            block[d->q[k]] = (int32_t)b;
    }
    for (int64_t j = 0; j < d->ncols; ++j)
        if (block[j] >= 0)
            c->q[end[block[j]]++] = (int32_t)j;
done:
    free(end);
    free(block);
    return status;
}

pm_status pm_dm_cut_open(const pm_matrix *a, const pm_dm *d, pm_dm_cut *out, pm_error *err)
{
    pm_dm_cut c = {.a = a, .d = d};
    pm_status status = PM_OK;
    c.q = pm_alloc_array(d->ncols, sizeof *c.q);
    if (!c.q) {
        status = pm_fail_memory(err, "the blocks of a matrix");
        goto done;
    }
    if (d->ncols)
        memcpy(c.q, d->q, (size_t)d->ncols * sizeof *c.q);
    status = sort_columns(&c, err);
    if (status)
        goto done;
    c.col_at = inverse(c.q, d->ncols);
    if (!c.col_at) {
        status = pm_fail_memory(err, "the blocks of a matrix");
        goto done;
    }
    *out = c;
    c = (pm_dm_cut){0};
done:
    pm_dm_cut_close(&c);
    return status;
}

void pm_dm_cut_close(pm_dm_cut *c)
{
    free(c->q);
    free(c->col_at);
    *c = (pm_dm_cut){0};
}

static void cut_entries(const pm_dm_cut *c, int64_t b, pm_matrix *out)
{
    const pm_matrix *a = c->a;
    int64_t first = c->d->s[b], last = c->d->s[b + 1], to = 0;
    for (int64_t i = 0; i < out->nrows; ++i) {
        int32_t from = c->d->p[c->d->r[b] + i];
        for (int64_t k = a->rowptr[from]; k < a->rowptr[from + 1]; ++k) {
            int32_t at = c->col_at[a->colind[k]];
            if (at < first || at >= last)
                continue;
            out->colind[to] = (int32_t)(at - first);
            if (a->re)
                pm_dyadic_set(&out->re[to], &a->re[k]);
            if (a->im)
                pm_dyadic_set(&out->im[to], &a->im[k]);
            ++to;
        }
        out->rowptr[i + 1] = to;
    }
}

pm_status pm_dm_cut_unlabelled(const pm_dm_cut *c, int64_t b, pm_matrix *out, pm_error *err)
{
    const pm_matrix *a = c->a;
    const pm_dm *d = c->d;
    assert(b >= d->square_first && b < d->square_last);
    const int64_t n = d->r[b + 1] - d->r[b];
    pm_status status =
        pm_matrix_alloc(out, a->field, n, n, entries_of_block(a, d, b, c->col_at), err);
    if (!status)
        cut_entries(c, b, out);
    return status;
}

pm_status pm_dm_cut_block(const pm_dm_cut *c, int64_t b, pm_matrix *out, pm_error *err)
{
    const pm_matrix *a = c->a;
    const pm_dm *d = c->d;
    const int64_t n = d->r[b + 1] - d->r[b];
    pm_matrix block = {0};
    pm_status status = pm_dm_cut_unlabelled(c, b, &block, err);
    if (status)
        return status;
    status = pm_labels_select_or_number(&a->row_labels, d->p + d->r[b], n, &block.row_labels, err);
    if (!status)
        status =
            pm_labels_select_or_number(&a->col_labels, c->q + d->s[b], n, &block.col_labels, err);
    if (!status) {
        *out = block;
        block = (pm_matrix){0};
    }
    pm_matrix_free(&block);
    return status;
}

/* ---- orders ---- */

pm_status pm_dm_cut_order(const pm_dm_cut *c, const int32_t *order, int32_t *out, pm_error *err)
{
    const pm_dm *d = c->d;
    int64_t n = d->nrows;
    assert(pm_dm_has_perfect_matching(d));
    pm_status status = PM_OK;
    int32_t *row_at = inverse(d->p, n);
    int32_t *block = pm_alloc_array(n, sizeof *block); /* of row p[k] and column q[k] */
    int64_t *end = pm_alloc_array(d->nblocks, sizeof *end);
    if (!row_at || !block || !end) {
        status = pm_fail_memory(err, "an order");
        goto done;
    }
    for (int64_t b = 0; b < d->nblocks; ++b) {
        end[b] = 2 * d->r[b];
        for (int64_t k = d->r[b]; k < d->r[b + 1]; ++k)
            block[k] = (int32_t)b;
    }
    for (int64_t k = 0; k < 2 * n; ++k) {
        bool is_row = order[k] < n;
        int32_t at = is_row ? row_at[order[k]] : c->col_at[order[k] - n], b = block[at];
        int64_t first = d->r[b], size = d->r[b + 1] - first;
        out[end[b]++] = (int32_t)(at - first + (is_row ? 0 : size));
    }
done:
    free(row_at);
    free(block);
    free(end);
    return status;
}
