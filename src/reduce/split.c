/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fine Dulmage-Mendelsohn decomposition of the graph in which every class of capacity c is
 * written out as c twins.  Twins have the same neighbours, so they are in the same block, and an
 * entry is in a perfect matching for all of them or for none.
 *
 * A graph whose twins would have too many entries when written out is not split: this changes no
 * answer, but the blocks are larger. */
#include "config.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/dm.h"
#include "reduce/fetch_lists.h"
#include "reduce/reduce_graph.h"

/* at[v]: the index of the first twin of v among the written-out rows (columns). */
static void number_twins(const pm_rgraph *g, int32_t *at, int64_t *nrows, int64_t *ncols)
{
    int64_t count[2] = {0};
    for (int64_t v = 0; v < g->nrows + g->ncols; ++v) {
        int side = pm_rgraph_side(g, v);
        at[v] = (int32_t)count[side];
        count[side] += g->vertex[v].cap;
    }
    *nrows = count[0];
    *ncols = count[1];
}

static int64_t degree_written_out(const pm_rgraph *g, int64_t v)
{
    int64_t degree = 0;
    if (g->is_plain)
        return g->vertex[v].degree;
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
        degree += g->vertex[pm_rgraph_other(g, v, e)].cap;
    return degree;
}

static int ascending(const void *x, const void *y)
{
    const int32_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

/* The written-out columns of row v, ascending.  (After merges, the list of v is in any order.) */
static void list_columns(const pm_rgraph *g, const int32_t *at, int64_t v, int32_t *colind)
{
    int64_t count = 0;
    bool sorted = true;
    for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e)) {
        int32_t u = pm_rgraph_other(g, v, e);
        for (int32_t j = at[u]; j < at[u] + g->vertex[u].cap; ++j) {
            sorted = sorted && (count == 0 || colind[count - 1] < j);
            colind[count++] = j;
        }
    }
    if (!sorted)
        qsort(colind, (size_t)count, sizeof *colind, ascending);
}

/* Entries of the graph with all twins written out; 4 bytes each. */
#define WRITTEN_OUT_MAX (INT64_C(1) << 28)

static int64_t entries_written_out(const pm_rgraph *g)
{
    int64_t nnz = 0;
    for (int64_t v = 0; v < g->nrows && nnz <= WRITTEN_OUT_MAX; ++v) {
        if (v % PM_RFETCHED == 0 && !g->is_plain)
            pm_rgraph_fetch(g, v);
        nnz += g->vertex[v].cap * degree_written_out(g, v);
    }
    return nnz;
}

static pm_status write_out(const pm_rgraph *g, const int32_t *at, int64_t nrows, int64_t ncols,
                           pm_matrix *out, pm_error *err)
{
    pm_status status = pm_matrix_alloc(out, PM_PATTERN, nrows, ncols, entries_written_out(g), err);
    if (status)
        return status;
    for (int64_t v = 0; v < g->nrows; ++v) {
        int64_t degree = degree_written_out(g, v);
        for (int32_t i = at[v]; i < at[v] + g->vertex[v].cap; ++i) {
            list_columns(g, at, v, &out->colind[out->rowptr[i]]);
            out->rowptr[i + 1] = out->rowptr[i] + degree;
        }
    }
    return PM_OK;
}

/* Sets the origin of every vertex to its block.  block: temporary, one element for each written-out
 * row. */
static void set_origins(pm_rgraph *g, const pm_dm *d, const int32_t *at, int32_t *block)
{
    for (int side = 0; side < 2; ++side) {
        const int32_t *order = side ? d->q : d->p;
        const int64_t *start = side ? d->s : d->r;
        int64_t first = side ? g->nrows : 0, end = side ? g->nrows + g->ncols : g->nrows;
        for (int64_t b = 0; b < d->nblocks; ++b)
            for (int64_t k = start[b]; k < start[b + 1]; ++k)
                block[order[k]] = (int32_t)b;
        for (int64_t v = first; v < end; ++v)
            if (g->vertex[v].cap > 0)
                g->vertex[v].origin = block[at[v]];
    }
}

static pm_status find_small(pm_rgraph *g, const pm_dm *d, pm_error *err)
{
    free(g->is_small);
    g->is_small = NULL;
    if (g->small == 0)
        return PM_OK;
    g->is_small = pm_alloc_array(d->nblocks, sizeof *g->is_small);
    if (!g->is_small)
        return pm_fail_memory(err, "small blocks");
    for (int64_t b = 0; b < d->nblocks; ++b)
        g->is_small[b] = d->r[b + 1] - d->r[b] <= g->small;
    return PM_OK;
}

static void remove_between_blocks(pm_rgraph *g)
{
    for (int64_t v = 0; v < g->nrows; ++v)
        for (int32_t e = g->vertex[v].head, next; e >= 0; e = next) {
            next = g->entry[e].next[0];
            if (g->vertex[v].origin != g->vertex[g->entry[e].end[1]].origin)
                pm_rgraph_unlink(g, e);
        }
}

static pm_status keep_whole(pm_rgraph *g, pm_error *err)
{
    free(g->is_small);
    g->is_small = NULL;
    for (int64_t v = 0; v < g->nrows + g->ncols; ++v)
        g->vertex[v].origin = 0;
    return pm_rgraph_new_origins(g, 1, err);
}

pm_status pm_rgraph_split(pm_rgraph *g, pm_error *err)
{
    pm_matrix twins = {0};
    pm_dm d = {0};
    int64_t nrows = 0, ncols = 0;
    int32_t *block = NULL;
    pm_status status = PM_OK;
    if (entries_written_out(g) > WRITTEN_OUT_MAX)
        return keep_whole(g, err);
    int32_t *at = pm_alloc_array(g->nrows + g->ncols, sizeof *at);
    if (!at)
        goto no_memory;
    number_twins(g, at, &nrows, &ncols);
    status = write_out(g, at, nrows, ncols, &twins, err);
    if (status)
        goto done;
    status = pm_dm_decompose(&twins, g->run, &d, err);
    if (status)
        goto done;
    g->zero = d.rank < nrows || d.rank < ncols;
    if (g->zero)
        goto done;
    block = pm_alloc_array(nrows, sizeof *block);
    if (!block)
        goto no_memory;
    set_origins(g, &d, at, block);
    status = find_small(g, &d, err);
    if (status)
        goto done;
    remove_between_blocks(g);
    status = pm_rgraph_new_origins(g, d.nblocks, err);
    g->is_split = !status;
    goto done;
no_memory:
    status = pm_fail_memory(err, "the splitting into blocks");
done:
    pm_matrix_free(&twins);
    pm_dm_free(&d);
    free(at);
    free(block);
    return status;
}
