/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of vertices as trees (union-find).  A root is joined to a root of a smaller number, by a compare-and-swap, and
 * a search shortens its path; both only replace the parent of a vertex by a vertex above it, so threads need no
 * locks (Jayanti and Tarjan 2016).  The graph is connected when there were n - 1 joins, whatever their order. */
#include "config.h"

#include "dm/connected.h"

#include <stdlib.h>

#include "core/team.h"
#include "pm/alloc.h"

enum { ENTRIES_OF_THREAD = 20000, FIRST = 2, ROWS_OF_PART = 4096 };

static uint32_t load(const uint32_t *parent, uint32_t v)
{
    return __atomic_load_n(&parent[v], __ATOMIC_RELAXED);
}

static uint32_t root(uint32_t *parent, uint32_t v)
{
    for (uint32_t p = load(parent, v); p != v; p = load(parent, v)) {
        const uint32_t above = load(parent, p);
        if (above != p)
            __atomic_store_n(&parent[v], above, __ATOMIC_RELAXED);
        v = above;
    }
    return v;
}

/* Returns 1 when two sets became one, else 0. */
static int join(uint32_t *parent, uint32_t u, uint32_t v)
{
    for (;;) {
        uint32_t p = root(parent, u), q = root(parent, v);
        if (p == q)
            return 0;
        uint32_t upper = p < q ? p : q, lower = p < q ? q : p, expected = lower;
        if (__atomic_compare_exchange_n(&parent[lower], &expected, upper, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return 1;
    }
}

/* Joins along entries of each row: the first few, or the others.  Returns the number of joins. */
static int64_t join_rows(const pm_matrix *a, bool are_first, uint32_t *parent, int threads)
{
    int64_t joins = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, ROWS_OF_PART) reduction(+ : joins) if (threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        const int64_t start = a->rowptr[i], end = a->rowptr[i + 1],
                      middle = end - start < FIRST ? end : start + FIRST;
        for (int64_t k = are_first ? start : middle; k < (are_first ? middle : end); ++k)
            joins += join(parent, (uint32_t)i, (uint32_t)(a->nrows + a->colind[k]));
    }
    return joins;
}

pm_status pm_connected_find(const pm_matrix *a, const pm_run *run, bool *is_connected,
                            pm_error *err)
{
    const int64_t vertices = a->nrows + a->ncols, nnz = pm_matrix_nnz(a),
                  worth = nnz / ENTRIES_OF_THREAD;
    *is_connected = vertices <= 1;
    if (vertices <= 1 || nnz < vertices - 1)
        return PM_OK;
    const int most = pm_run_threads(run);
    const int threads = worth <= 1 ? 1 : pm_team(run, worth < most ? (int)worth : most);
    uint32_t *parent = pm_alloc_array(vertices, sizeof *parent);
    if (!parent)
        return pm_fail_memory(err, "the components of a graph");
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t v = 0; v < vertices; ++v)
        parent[v] = (uint32_t)v;
    /* most sets are joined by few entries of each row; then paths are short */
    int64_t joins = join_rows(a, true, parent, threads);
    if (joins < vertices - 1)
        joins += join_rows(a, false, parent, threads);
    *is_connected = joins == vertices - 1;
    free(parent);
    return PM_OK;
}
