/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "general/allowed_edges.h"
#include "general/blossom.h"
#include "general/general_graph.h"
#include "pm/alloc.h"

/* Entries that the search for edges in no perfect matching may look at: about 0.3 s on one core.  Most of these edges are found at cut
 * vertices, which are not counted here, and where cycles are short a graph of a hundred thousand vertices is within the bound; in a
 * random graph of that size the search is given up. */
#define WORK ((int64_t)1 << 23)

/* The pattern of the graph without the vertices that were removed. */
typedef struct {
    pm_matrix a;
    int32_t *index; /* of a vertex of the graph: its row; -1: removed */
    int32_t *edge;  /* of each entry: the edge of the graph */
} pattern;

static void pattern_free(pattern *p)
{
    pm_matrix_free(&p->a);
    free(p->index);
    free(p->edge);
}

/* The rows are filled column after column, so that the columns of each are ascending. */
static void fill(const pm_general_graph *g, pattern *p)
{
    int64_t *next = p->a.rowptr + 1; /* where row i goes on; at the end, where row i + 1 begins */
    int64_t at = 0;
    for (int32_t v = 0; v < g->n; ++v)
        if (p->index[v] >= 0) {
            next[p->index[v]] = at;
            at += g->vertex[v].degree;
        }
    for (int32_t v = 0; v < g->n; ++v)
        for (int32_t e = g->vertex[v].head; p->index[v] >= 0 && e >= 0;
             e = pm_general_next(g, v, e)) {
            const int64_t k = next[p->index[pm_general_other(g, v, e)]]++;
            p->a.colind[k] = p->index[v];
            p->edge[k] = e;
        }
}

static pm_status pattern_make(const pm_general_graph *g, pattern *p, pm_error *err)
{
    int64_t n = 0, nnz = 0;
    p->index = pm_alloc_array(g->n, sizeof *p->index);
    if (!p->index)
        return pm_fail_memory(err, "reductions");
    for (int64_t v = 0; v < g->n; ++v) {
        const bool is_removed = g->vertex[v].is_removed;
        p->index[v] = is_removed ? -1 : (int32_t)n;
        n += !is_removed;
        nnz += is_removed ? 0 : g->vertex[v].degree;
    }
    p->edge = pm_alloc_array(nnz, sizeof *p->edge);
    pm_status status = p->edge ? pm_matrix_alloc(&p->a, PM_PATTERN, n, n, nnz, err)
                               : pm_fail_memory(err, "reductions");
    if (!status)
        fill(g, p);
    return status;
}

/* Removes the edges of the graph that are marked; each has two entries. */
static void unlink_marked(pm_general_graph *g, const pattern *p, const bool *is_marked)
{
    for (int64_t i = 0; i < p->a.nrows; ++i)
        for (int64_t k = p->a.rowptr[i]; k < p->a.rowptr[i + 1]; ++k)
            if (is_marked[k] && p->a.colind[k] > i)
                pm_general_unlink(g, p->edge[k]);
}

pm_status pm_general_prune(pm_general_graph *g, const pm_run *run, pm_error *err)
{
    pattern p = {0};
    int64_t size = 0, marked = 0;
    int32_t *partner = NULL;
    bool *is_marked = NULL;
    pm_status status = pattern_make(g, &p, err);
    if (status)
        goto done;
    partner = pm_alloc_array(p.a.nrows, sizeof *partner);
    is_marked = pm_calloc_array(pm_matrix_nnz(&p.a), sizeof *is_marked);
    status = partner && is_marked ? pm_blossom_matching(&p.a, run, partner, &size, err)
                                  : pm_fail_memory(err, "reductions");
    if (status)
        goto done;
    if (2 * size < p.a.nrows)
        g->zero = true;
    else
        status = pm_allowed_edges_mark(&p.a, partner, WORK, run, is_marked, &marked, NULL, err);
    if (!status && !g->zero)
        unlink_marked(g, &p, is_marked);
done:
    pattern_free(&p);
    free(partner);
    free(is_marked);
    return status;
}
