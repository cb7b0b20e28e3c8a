/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/paired_matrix.h"

#include <stdlib.h>

#include "pm/alloc.h"

void pm_paired_matrix_free(pm_paired_matrix *p)
{
    free(p->rowptr);
    free(p->colind);
    free(p->source);
    free(p->sign);
    *p = (pm_paired_matrix){0};
}

void pm_adjacency_free(pm_adjacency *g)
{
    free(g->ptr);
    free(g->adj);
    *g = (pm_adjacency){0};
}

pm_status pm_adjacency_make(const pm_paired_matrix *p, pm_adjacency *g, pm_error *err)
{
    int32_t n = p->n, nnz = p->rowptr[n];
    *g = (pm_adjacency){.n = n};
    int32_t *end = pm_calloc_array((int64_t)n + 2, sizeof *end);
    int32_t *seen = pm_alloc_array(n, sizeof *seen), *all = pm_alloc_array(2 * (int64_t)nnz, 4);
    g->ptr = pm_calloc_array((int64_t)n + 1, sizeof *g->ptr);
    g->adj = pm_alloc_array(2 * (int64_t)nnz, sizeof *g->adj);
    bool done = end && seen && all && g->ptr && g->adj;
    if (done) {
        for (int32_t i = 0; i < n; ++i)
            for (int32_t k = p->rowptr[i]; k < p->rowptr[i + 1]; ++k) {
                ++end[i + 2];
                ++end[p->colind[k] + 2];
            }
        for (int32_t i = 0; i < n; ++i)
            end[i + 2] += end[i + 1];
        for (int32_t i = 0; i < n; ++i)
            for (int32_t k = p->rowptr[i]; k < p->rowptr[i + 1]; ++k) {
                all[end[i + 1]++] = p->colind[k];
                all[end[p->colind[k] + 1]++] = i;
            }
        for (int32_t i = 0; i < n; ++i)
            seen[i] = -1;
        for (int32_t i = 0; i < n; ++i) {
            g->ptr[i + 1] = g->ptr[i];
            seen[i] = i;
            for (int32_t k = end[i]; k < end[i + 1]; ++k)
                if (seen[all[k]] != i) {
                    seen[all[k]] = i;
                    g->adj[g->ptr[i + 1]++] = all[k];
                }
        }
    }
    free(end);
    free(seen);
    free(all);
    if (!done)
        pm_adjacency_free(g);
    return done ? PM_OK : pm_fail_memory(err, "pairs");
}
