/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/plain_graph.h"

#include <stdlib.h>

#include "pm/alloc.h"

void pm_plain_graph_free(pm_plain_graph *w)
{
    pm_matrix_free(&w->a);
    free(w->source);
    *w = (pm_plain_graph){0};
}

/* Sets first[j] to the number of the first copy of column j; n + 1 entries. */
static void number_copies(const int32_t *cap, int64_t n, int32_t *first)
{
    first[0] = 0;
    for (int64_t j = 0; j < n; ++j)
        first[j + 1] = first[j] + cap[j];
}

static int64_t count_copies(const pm_block *b)
{
    int64_t nnz = 0;
    for (int64_t i = 0; i < b->a.nrows; ++i)
        for (int64_t k = b->a.rowptr[i]; k < b->a.rowptr[i + 1]; ++k)
            nnz += (int64_t)b->row_cap[i] * b->col_cap[b->a.colind[k]];
    return nnz;
}

static void copy_entries(const pm_block *b, const int32_t *first, pm_plain_graph *w)
{
    const pm_matrix *a = &b->a;
    int64_t row = 0, at = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int32_t copy = 0; copy < b->row_cap[i]; ++copy) {
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                for (int32_t j = first[a->colind[k]]; j < first[a->colind[k] + 1]; ++j) {
                    w->a.colind[at] = j;
                    w->source[at++] = (int32_t)k;
                }
            w->a.rowptr[++row] = at;
        }
}

static pm_status plain_graph_alloc(int64_t n, int64_t nnz, pm_plain_graph *out, pm_error *err)
{
    pm_status status = pm_matrix_alloc(&out->a, PM_PATTERN, n, n, nnz, err);
    out->source = pm_alloc_array(nnz, sizeof *out->source);
    if (!status && !out->source)
        status = pm_fail_memory(err, "twins");
    return status;
}

static pm_status refuse_dense(int64_t edges, int64_t most, int64_t vertices, pm_error *err)
{
    if (edges <= most + PM_PLAIN_GRAPH_EXTRA_EDGES)
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "not planar: %lld edges on %lld vertices", (long long)edges,
                   (long long)vertices);
}

static pm_status make_bipartite(const pm_block *b, pm_plain_graph *out, pm_error *err)
{
    pm_plain_graph w = {0};
    int64_t nnz = count_copies(b);
    if (b->n > INT32_MAX / 32)
        return pm_fail(err, PM_UNABLE, "planar counts blocks of up to %d rows", INT32_MAX / 32);
    if (refuse_dense(nnz, 4 * b->n, 2 * b->n, err))
        return PM_UNABLE;
    pm_status status = plain_graph_alloc(b->n, nnz, &w, err);
    int32_t *first = pm_alloc_array(b->a.ncols + 1, sizeof *first);
    if (!status && !first)
        status = pm_fail_memory(err, "twins");
    if (status) {
        pm_plain_graph_free(&w);
    } else {
        number_copies(b->col_cap, b->a.ncols, first);
        copy_entries(b, first, &w);
        *out = w;
    }
    free(first);
    return status;
}

static pm_status refuse_loops(const pm_matrix *a, pm_error *err)
{
    for (int64_t v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] == v)
                return pm_fail(err, PM_UNABLE, "planar cannot count graphs with loops");
    return PM_OK;
}

static pm_status make_general(const pm_block *b, pm_plain_graph *out, pm_error *err)
{
    const pm_matrix *a = &b->a;
    pm_plain_graph w = {0};
    int64_t at = 0, edges = pm_matrix_nnz(a) / 2;
    if (a->nrows > INT32_MAX / 16)
        return pm_fail(err, PM_UNABLE, "planar counts graphs of up to %d vertices", INT32_MAX / 16);
    pm_status status = refuse_loops(a, err);
    if (!status)
        status = refuse_dense(edges, 3 * a->nrows, a->nrows, err);
    if (!status)
        status = plain_graph_alloc(a->nrows, edges, &w, err);
    if (status) {
        pm_plain_graph_free(&w);
        return status;
    }
    w.is_general = true;
    for (int64_t v = 0; v < a->nrows; ++v) {
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] > v) {
                w.a.colind[at] = a->colind[k];
                w.source[at++] = (int32_t)k;
            }
        w.a.rowptr[v + 1] = at;
    }
    *out = w;
    return PM_OK;
}

pm_status pm_plain_graph_make(const pm_block *b, pm_plain_graph *out, pm_error *err)
{
    return b->general ? make_general(b, out, err) : make_bipartite(b, out, err);
}

pm_status pm_plain_graph_subgraph(const pm_plain_graph *w, const uint8_t *keep, pm_plain_graph *out,
                                  pm_error *err)
{
    int64_t kept = 0, nnz = pm_matrix_nnz(&w->a);
    pm_plain_graph part = {.is_general = w->is_general};
    for (int64_t k = 0; k < nnz; ++k)
        kept += keep[k] != 0;
    pm_status status = plain_graph_alloc(w->a.nrows, kept, &part, err);
    if (status) {
        pm_plain_graph_free(&part);
        return status;
    }
    kept = 0;
    for (int64_t i = 0; i < w->a.nrows; ++i) {
        for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k)
            if (keep[k]) {
                part.a.colind[kept] = w->a.colind[k];
                part.source[kept++] = w->source[k];
            }
        part.a.rowptr[i + 1] = kept;
    }
    *out = part;
    return PM_OK;
}
