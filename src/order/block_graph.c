/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/block_graph.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

int64_t pm_block_graph_entry(const pm_matrix *a, int64_t k)
{
    bool one = !a->re || (pm_dyadic_is_one(&a->re[k]) && (!a->im || pm_dyadic_is_zero(&a->im[k])));
    return one ? PM_UNIT : k;
}

static pm_status make_general(const pm_block *b, pm_block_graph *g, pm_error *err)
{
    const pm_matrix *a = &b->a;
    pm_block_graph h = {.all_single = true, .is_partial = true};
    h.nv = h.nrows = (int32_t)a->nrows;
    h.ptr = pm_calloc_array(a->nrows + 1, sizeof *h.ptr);
    h.adj = pm_alloc_array(pm_matrix_nnz(a), sizeof *h.adj);
    h.entry = pm_alloc_array(pm_matrix_nnz(a), sizeof *h.entry);
    h.cap = pm_copy(b->row_cap, (size_t)a->nrows * sizeof *h.cap);
    if (!h.ptr || !h.adj || !h.entry || !h.cap) {
        pm_block_graph_free(&h);
        return pm_fail_memory(err, "frontier graph");
    }
    int64_t at = 0, weighted = 0;
    for (int32_t v = 0; v < h.nv; ++v) {
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] != v) {
                h.adj[at] = a->colind[k];
                h.entry[at] = pm_block_graph_entry(a, k);
                weighted += h.entry[at++] != PM_UNIT;
            }
        h.ptr[v + 1] = at;
    }
    h.weighted = at ? (double)weighted / (double)at : 0;
    *g = h;
    return PM_OK;
}

pm_status pm_block_graph_make(const pm_block *b, pm_block_graph *g, pm_error *err)
{
    if (b->general)
        return make_general(b, g, err);
    const pm_matrix *a = &b->a;
    int64_t nnz = pm_matrix_nnz(a), nv = a->nrows + a->ncols;
    pm_block_graph h = {0};

    if (nv >= INT32_MAX)
        return pm_fail(err, PM_UNABLE, "expected fewer than 2^31 vertices for the frontier");
    h.nv = (int32_t)nv;
    h.nrows = (int32_t)a->nrows;
    h.ptr = pm_calloc_array(nv + 1, sizeof *h.ptr);
    h.adj = pm_alloc_array(2 * nnz, sizeof *h.adj);
    h.entry = pm_alloc_array(2 * nnz, sizeof *h.entry);
    h.cap = pm_alloc_array(nv, sizeof *h.cap);
    if (!h.ptr || !h.adj || !h.entry || !h.cap) {
        pm_block_graph_free(&h);
        return pm_fail_memory(err, "frontier graph");
    }
    memcpy(h.cap, b->row_cap, (size_t)a->nrows * sizeof *h.cap);
    memcpy(h.cap + a->nrows, b->col_cap, (size_t)a->ncols * sizeof *h.cap);
    h.all_single = true;
    for (int64_t v = 0; v < nv; ++v)
        h.all_single = h.all_single && h.cap[v] == 1;

    /* rows as they are, columns by a counting sort that keeps their rows ascending */
    memcpy(h.ptr, a->rowptr, (size_t)a->nrows * sizeof *h.ptr);
    int64_t *start = h.ptr + a->nrows;
    for (int64_t k = 0; k < nnz; ++k) {
        h.adj[k] = (int32_t)(a->nrows + a->colind[k]);
        h.entry[k] = pm_block_graph_entry(a, k);
        h.weighted += h.entry[k] == PM_UNIT ? 0 : 1 / (double)nnz;
        if (a->colind[k] + 1 < a->ncols)
            ++start[a->colind[k] + 2];
    }
    start[0] = nnz;
    if (a->ncols > 0) /* else ptr ends there */
        start[1] = nnz;
    for (int64_t j = 2; j <= a->ncols; ++j)
        start[j] += start[j - 1];
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t at = start[a->colind[k] + 1]++;
            h.adj[at] = (int32_t)i;
            h.entry[at] = h.entry[k];
        }
    *g = h;
    return PM_OK;
}

void pm_block_graph_free(pm_block_graph *g)
{
    free(g->ptr);
    free(g->adj);
    free(g->entry);
    free(g->cap);
    *g = (pm_block_graph){0};
}
