/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "reduce/matching_block.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/dm.h"

/* ---- parts and components ---- */

enum { UNDER, SQUARE, OVER }; /* the parts of the coarse decomposition */

/* Vertices are numbered as in pm/matrix.h. */
typedef struct {
    const pm_matrix *a;
    signed char *part; /* of each vertex */
    int32_t *root;     /* of each vertex: a vertex of its component, itself for the last one */
    int32_t *surplus;  /* of the root of a component: columns - rows */
    int32_t *number;   /* of the root of a component: that of its added row or column, or -1 */
    int64_t added_rows, added_cols, added_entries, kept; /* kept: entries of a */
} split;

static void split_free(split *x)
{
    free(x->part);
    free(x->root);
    free(x->surplus);
    free(x->number);
}

static pm_status split_alloc(split *x, pm_error *err)
{
    int64_t n = x->a->nrows + x->a->ncols;
    x->part = pm_alloc_array(n, sizeof *x->part);
    x->root = pm_alloc_array(n, sizeof *x->root);
    x->surplus = pm_calloc_array(n, sizeof *x->surplus);
    x->number = pm_alloc_array(n, sizeof *x->number);
    return x->part && x->root && x->surplus && x->number ? PM_OK
                                                         : pm_fail_memory(err, "parts of a matrix");
}

static void set_parts(split *x, const pm_dm *d)
{
    for (int64_t k = 0; k < d->nrows; ++k)
        x->part[d->p[k]] = k < d->rr[1] ? UNDER : k < d->rr[2] ? SQUARE : OVER;
    for (int64_t k = 0; k < d->ncols; ++k)
        x->part[d->nrows + d->q[k]] = k < d->cc[2] ? UNDER : k < d->cc[3] ? SQUARE : OVER;
}

static bool is_kept(const split *x, int64_t i, int64_t k)
{
    return x->part[i] == x->part[x->a->nrows + x->a->colind[k]];
}

static int32_t find_root(const split *x, int32_t v)
{
    while (x->root[v] != v) {
        x->root[v] = x->root[x->root[v]];
        v = x->root[v];
    }
    return v;
}

static void join(const split *x)
{
    const pm_matrix *a = x->a;
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v)
        x->root[v] = (int32_t)v;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (x->part[i] != SQUARE && is_kept(x, i, k))
                x->root[find_root(x, (int32_t)i)] =
                    find_root(x, (int32_t)(a->nrows + a->colind[k]));
}

/* Counts the free columns (rows) of each component, and numbers the rows (columns) to be added. */
static void number_components(split *x)
{
    const pm_matrix *a = x->a;
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v)
        if (x->part[v] != SQUARE)
            x->surplus[find_root(x, (int32_t)v)] += v < a->nrows ? -1 : 1;
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v) {
        x->number[v] = -1;
        if (x->part[v] != SQUARE && x->root[v] == v && x->surplus[v] != 0)
            x->number[v] = (int32_t)(x->surplus[v] > 0 ? x->added_rows++ : x->added_cols++);
    }
}

static void count_entries(split *x)
{
    const pm_matrix *a = x->a;
    for (int64_t i = 0; i < a->nrows; ++i) {
        x->added_entries += x->part[i] == OVER;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            x->kept += is_kept(x, i, k);
    }
    for (int64_t j = 0; j < a->ncols; ++j)
        x->added_entries += x->part[a->nrows + j] == UNDER;
}

/* ---- the block ---- */

static void put_one(pm_matrix *b, int64_t at, int64_t col)
{
    b->colind[at] = (int32_t)col;
    if (b->re)
        pm_dyadic_set_si(&b->re[at], 1);
}

/* The rows of a, each with its entry in an added column. */
static int64_t put_rows(const split *x, pm_matrix *b)
{
    const pm_matrix *a = x->a;
    int64_t at = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            if (!is_kept(x, i, k))
                continue;
            b->colind[at] = a->colind[k];
            if (b->re)
                pm_dyadic_set(&b->re[at], &a->re[k]);
            if (b->im)
                pm_dyadic_set(&b->im[at], &a->im[k]);
            ++at;
        }
        if (x->part[i] == OVER)
            put_one(b, at++, a->ncols + x->number[find_root(x, (int32_t)i)]);
        b->rowptr[i + 1] = at;
    }
    return at;
}

/* The added rows, whose entries begin at `first`. */
static void put_added_rows(const split *x, pm_matrix *b, int64_t first)
{
    const pm_matrix *a = x->a;
    int64_t *end = &b->rowptr[a->nrows + 1]; /* first the sizes, then the ends of the rows */
    for (int64_t j = 0; j < a->ncols; ++j)
        if (x->part[a->nrows + j] == UNDER)
            ++end[x->number[find_root(x, (int32_t)(a->nrows + j))]];
    for (int64_t r = 0; r < x->added_rows; ++r) {
        int64_t size = end[r];
        end[r] = first;
        first += size;
    }
    for (int64_t j = 0; j < a->ncols; ++j)
        if (x->part[a->nrows + j] == UNDER)
            put_one(b, end[x->number[find_root(x, (int32_t)(a->nrows + j))]]++, j);
}

static void set_capacities(const split *x, pm_block *out)
{
    const pm_matrix *a = x->a;
    out->n = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        out->row_cap[i] = 1;
    for (int64_t j = 0; j < a->ncols; ++j)
        out->col_cap[j] = 1;
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v)
        if (x->number[v] >= 0 && x->surplus[v] > 0)
            out->row_cap[a->nrows + x->number[v]] = x->surplus[v];
        else if (x->number[v] >= 0)
            out->col_cap[a->ncols + x->number[v]] = -x->surplus[v];
    for (int64_t i = 0; i < out->a.nrows; ++i)
        out->n += out->row_cap[i];
}

static pm_status build(const split *x, pm_block *out, pm_error *err)
{
    const pm_matrix *a = x->a;
    pm_block b = {0};
    int64_t nrows = a->nrows + x->added_rows, ncols = a->ncols + x->added_cols;
    pm_status status =
        pm_matrix_alloc(&b.a, a->field, nrows, ncols, x->kept + x->added_entries, err);
    if (status)
        return status;
    b.row_cap = pm_alloc_array(nrows, sizeof *b.row_cap);
    b.col_cap = pm_alloc_array(ncols, sizeof *b.col_cap);
    if (!b.row_cap || !b.col_cap) {
        pm_block_free(&b);
        return pm_fail_memory(err, "a block");
    }
    put_added_rows(x, &b.a, put_rows(x, &b.a));
    set_capacities(x, &b);
    *out = b;
    return PM_OK;
}

pm_status pm_matching_block(const pm_matrix *a, pm_matching_kind kind, pm_block *out, bool *exists,
                            pm_error *err)
{
    split x = {.a = a};
    pm_dm d = {0};
    *exists = false;
    pm_status status = pm_dm_decompose(a, NULL, &d, err);
    if (status || !pm_matching_exists(a, d.rank, kind))
        goto done;
    status = split_alloc(&x, err);
    if (status)
        goto done;
    set_parts(&x, &d);
    join(&x);
    number_components(&x);
    count_entries(&x);
    status = build(&x, out, err);
    *exists = !status;
done:
    split_free(&x);
    pm_dm_free(&d);
    return status;
}
