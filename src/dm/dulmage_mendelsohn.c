/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coarse: the rows and columns on alternating paths from unmatched columns are under-determined,
 * those on alternating paths from unmatched rows are over-determined, and the rest is square with a
 * perfect matching.
 * Fine: the directed graph of the rows of the square part has an arc from row i to row i' when row
 * i has an entry in the column that is matched to i'.  Its strong components are the fully
 * indecomposable blocks, sinks last.
 *
 * Block upper triangular:        C0 C1 | C2 | C3
 *                            R1  x  x    x    x
 *                            R2          x    x
 *                            R3               x
 *                            R0               x      */
#include "config.h"

#include "pm/dm.h"

#include <stdlib.h>
#include <string.h>

#include "dm/by_columns.h"
#include "dm/one_block.h"
#include "pm/alloc.h"

enum part { SQUARE, UNDER, OVER };

/* From this size on it is worth asking first whether there is one block. */
enum { ENTRIES_OF_SEARCH = 10000 };

typedef struct {
    const pm_matrix *a;
    int32_t *col_of, *row_of;
    unsigned char *row_part, *col_part;
    int32_t *queue; /* max(nrows, ncols) */
} coarse;

/* ---- coarse ---- */

static void reach_from_rows(coarse *c)
{
    const pm_matrix *a = c->a;
    int64_t head = 0, tail = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        if (c->col_of[i] < 0) {
            c->row_part[i] = OVER;
            c->queue[tail++] = (int32_t)i;
        }
    while (head < tail) {
        int32_t i = c->queue[head++];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int32_t j = a->colind[k];
            if (c->col_part[j] == OVER)
                continue;
            c->col_part[j] = OVER;
            c->row_part[c->row_of[j]] = OVER;
            c->queue[tail++] = c->row_of[j];
        }
    }
}

static pm_status reach_from_columns(coarse *c, const pm_run *run, pm_error *err)
{
    pm_columns columns = {0};
    pm_status status = pm_columns_make(c->a, run, &columns, err);
    if (status)
        return status;
    int64_t head = 0, tail = 0;
    for (int64_t j = 0; j < c->a->ncols; ++j)
        if (c->row_of[j] < 0) {
            c->col_part[j] = UNDER;
            c->queue[tail++] = (int32_t)j;
        }
    while (head < tail) {
        int32_t j = c->queue[head++];
        for (int64_t k = columns.ptr[j]; k < columns.ptr[j + 1]; ++k) {
            int32_t i = columns.row[k];
            if (c->row_part[i] == UNDER)
                continue;
            c->row_part[i] = UNDER;
            c->col_part[c->col_of[i]] = UNDER;
            c->queue[tail++] = c->col_of[i];
        }
    }
    pm_columns_free(&columns);
    return PM_OK;
}

/* Lists the matched pairs of a part, rows ascending, from p[row_at] and q[column_at] on.  Returns
 * their number. */
static int64_t list_pairs(const coarse *c, enum part part, pm_dm *d, int64_t row_at,
                          int64_t column_at)
{
    int64_t count = 0;
    for (int64_t i = 0; i < c->a->nrows; ++i)
        if (c->row_part[i] == part && c->col_of[i] >= 0) {
            d->p[row_at + count] = (int32_t)i;
            d->q[column_at + count] = c->col_of[i];
            ++count;
        }
    return count;
}

static void list_parts(const coarse *c, pm_dm *d)
{
    for (int64_t j = 0; j < d->ncols; ++j)
        if (c->row_of[j] < 0)
            d->q[d->cc[1]++] = (int32_t)j;
    d->rr[1] = list_pairs(c, UNDER, d, 0, d->cc[1]);
    d->cc[2] = d->cc[1] + d->rr[1];
    int64_t square = list_pairs(c, SQUARE, d, d->rr[1], d->cc[2]);
    d->rr[2] = d->rr[1] + square;
    d->cc[3] = d->cc[2] + square;
    int64_t over = list_pairs(c, OVER, d, d->rr[2], d->cc[3]);
    d->rr[3] = d->rr[2] + over;
    d->cc[4] = d->cc[3] + over;
    d->rr[4] = d->rr[3];
    for (int64_t i = 0; i < d->nrows; ++i)
        if (c->col_of[i] < 0)
            d->p[d->rr[4]++] = (int32_t)i;
}

/* ---- fine ---- */

typedef struct {
    int32_t *order; /* of discovery, from 1; 0: not visited; DONE: its component is complete */
    int32_t
        *low; /* order of the earliest row on the stack that is reachable; component when DONE */
    int32_t *tried; /* the number of its entries that were used */
    int32_t *path;  /* the rows on the current path of the search */
    int32_t *stack; /* the visited rows whose component is not complete */
} tarjan;

#define DONE INT32_MAX

/* Numbers the components that are reached from root, starting with `blocks`.  Returns the number of
 * all components so far. */
static int64_t components_from(const coarse *c, tarjan *t, int32_t root, int32_t *clock,
                               int64_t *stacked, int64_t blocks)
{
    const pm_matrix *a = c->a;
    int64_t depth = 0, top = *stacked;
    t->path[0] = root;
    while (depth >= 0) {
        int32_t i = t->path[depth];
        if (t->order[i] == 0) {
            t->order[i] = t->low[i] = ++*clock;
            t->stack[top++] = i;
        }
        int64_t k = a->rowptr[i] + t->tried[i];
        if (k < a->rowptr[i + 1]) {
            ++t->tried[i];
            int32_t j = a->colind[k];
            if (c->col_part[j] != SQUARE)
                continue;
            int32_t next = c->row_of[j];
            if (t->order[next] == 0)
                t->path[++depth] = next;
            else if (t->order[next] < t->low[i])
                t->low[i] = t->order[next];
            continue;
        }
        --depth;
        int32_t low = t->low[i];
        if (low == t->order[i]) {
            int32_t member;
            do {
                member = t->stack[--top];
                t->order[member] = DONE;
                t->low[member] = (int32_t)blocks;
            } while (member != i);
            ++blocks;
        } else if (low < t->low[t->path[depth]]) {
            t->low[t->path[depth]] = low; /* low < order[i], so i has a parent */
        }
    }
    *stacked = top;
    return blocks;
}

static void tarjan_free(tarjan *t)
{
    free(t->order);
    free(t->low);
    free(t->tried);
    free(t->path);
    free(t->stack);
    *t = (tarjan){0};
}

/* t->low = the components of the rows of the square part, sinks first; *count = their number. */
static pm_status find_components(const coarse *c, const pm_dm *d, const pm_run *run, tarjan *t,
                                 int64_t *count, pm_error *err)
{
    int64_t n = d->nrows, square = d->rr[2] - d->rr[1], stacked = 0;
    int32_t clock = 0;
    t->order = pm_calloc_array(n, sizeof *t->order);
    t->low = pm_alloc_array(n, sizeof *t->low);
    t->tried = pm_calloc_array(n, sizeof *t->tried);
    t->path = pm_alloc_array(square, sizeof *t->path);
    t->stack = pm_alloc_array(square, sizeof *t->stack);
    if (!t->order || !t->low || !t->tried || !t->path || !t->stack)
        return pm_fail_memory(err, "the blocks of a matrix");
    *count = 0;
    if (square == n && square == d->ncols && pm_matrix_nnz(c->a) >= ENTRIES_OF_SEARCH) {
        bool is_one;
        pm_status status = pm_one_block(c->a, c->col_of, c->row_of, run, &is_one, err);
        if (status || is_one) {
            *count = 1;
            for (int64_t i = 0; i < n; ++i)
                t->low[i] = 0;
            return status;
        }
    }
    for (int64_t k = d->rr[1]; k < d->rr[2]; ++k)
        if (t->order[d->p[k]] == 0)
            *count = components_from(c, t, d->p[k], &clock, &stacked, *count);
    return PM_OK;
}

/* Sorts the square part by block, and the rows of each block; number[i]: the component of row i. */
static void sort_square(const coarse *c, pm_dm *d, const int32_t *number, int64_t count)
{
    int64_t *r = d->r + d->square_first, first = d->rr[1];
    memset(r, 0, (size_t)(count + 1) * sizeof *r);
    for (int64_t k = first; k < d->rr[2]; ++k)
        ++r[count - 1 - number[d->p[k]]];
    int64_t end = d->rr[2];
    for (int64_t b = count; b >= 0; --b)
        r[b] = end -= r[b];
    for (int64_t i = 0; i < d->nrows; ++i)
        if (c->row_part[i] == SQUARE)
            d->p[r[count - 1 - number[i]]++] = (int32_t)i;
    memmove(r + 1, r, (size_t)count * sizeof *r);
    r[0] = first;
    for (int64_t b = 0; b <= count; ++b)
        d->s[d->square_first + b] = r[b] - first + d->cc[2];
    for (int64_t k = first; k < d->rr[2]; ++k)
        d->q[k - first + d->cc[2]] = c->col_of[d->p[k]];
}

static pm_status list_blocks(const coarse *c, pm_dm *d, const pm_run *run, pm_error *err)
{
    tarjan t = {0};
    int64_t count = 0;
    bool has_under = d->cc[2] > 0, has_over = d->rr[4] > d->rr[2];
    pm_status status = find_components(c, d, run, &t, &count, err);
    if (status)
        goto done;
    d->square_first = has_under;
    d->square_last = d->square_first + count;
    d->nblocks = d->square_last + has_over;
    d->r = pm_calloc_array(d->nblocks + 1, sizeof *d->r);
    d->s = pm_calloc_array(d->nblocks + 1, sizeof *d->s);
    if (!d->r || !d->s) {
        status = pm_fail_memory(err, "the blocks of a matrix");
        goto done;
    }
    sort_square(c, d, t.low, count);
    d->r[d->nblocks] = d->nrows;
    d->s[d->nblocks] = d->ncols;
done:
    tarjan_free(&t);
    return status;
}

pm_status pm_dm_decompose(const pm_matrix *a, const pm_run *run, pm_dm *out, pm_error *err)
{
    pm_dm d = {.nrows = a->nrows, .ncols = a->ncols};
    int64_t longer = a->nrows > a->ncols ? a->nrows : a->ncols;
    pm_status status = PM_OK;
    coarse c = {.a = a};
    c.col_of = pm_alloc_array(a->nrows, sizeof *c.col_of);
    c.row_of = pm_alloc_array(a->ncols, sizeof *c.row_of);
    if (!c.col_of || !c.row_of)
        goto no_memory;
    status = pm_matching_maximum(a, run, c.col_of, c.row_of, &d.rank, err);
    if (!status && pm_run_stopped(run))
        status = pm_fail(err, PM_ESTOPPED, "stopped during the decomposition");
    if (status)
        goto done;
    c.row_part = pm_calloc_array(a->nrows, 1);
    c.col_part = pm_calloc_array(a->ncols, 1);
    c.queue = pm_alloc_array(longer, sizeof *c.queue);
    d.p = pm_alloc_array(a->nrows, sizeof *d.p);
    d.q = pm_alloc_array(a->ncols, sizeof *d.q);
    if (!c.row_part || !c.col_part || !c.queue || !d.p || !d.q)
        goto no_memory;
    if (d.rank < a->nrows)
        reach_from_rows(&c);
    if (d.rank < a->ncols)
        status = reach_from_columns(&c, run, err);
    if (status)
        goto done;
    list_parts(&c, &d);
    status = list_blocks(&c, &d, run, err);
    if (status)
        goto done;
    *out = d;
    d = (pm_dm){0};
    goto done;
no_memory:
    status = pm_fail_memory(err, "the Dulmage-Mendelsohn decomposition");
done:
    free(c.col_of);
    free(c.row_of);
    free(c.row_part);
    free(c.col_part);
    free(c.queue);
    pm_dm_free(&d);
    return status;
}

void pm_dm_free(pm_dm *d)
{
    free(d->p);
    free(d->q);
    free(d->r);
    free(d->s);
    *d = (pm_dm){0};
}
