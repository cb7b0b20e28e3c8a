/* SPDX-License-Identifier: GPL-3.0-or-later */
/* M(0) is empty, M(1) one vertex, M(2) one edge; for k from 2 on, M(k+1) has the vertices v_i of M(k), a copy u_i of each and
 * one more, w; its edges are those of M(k), u_i v_j and v_i u_j for each edge v_i v_j, and all
 * w u_i.  Source: Mycielski 1955.  The symmetric adjacency matrix is written, so the count is
 * that of the bipartite double cover. */
#include "config.h"

#include "pm-gen/family.h"

/* Both entries of an undirected edge. */
static pm_status add_edge(const pm_family_args *a, pm_triples *edges, int64_t u, int64_t v,
                          pm_error *err)
{
    pm_status status = pm_family_edge(a, edges, u, v, err);
    return !status ? pm_family_edge(a, edges, v, u, err) : status;
}

static pm_status make_mycielskian(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t k;
    pm_status status = pm_family_int(a, 0, 0, 30, &k, err);
    if (status || k < 2)
        return !status ? pm_family_begin(a, (double)k, (double)k, 0, edges, err) : status;
    double vertices = 2, entries = 2;
    for (int64_t step = 2; step < k; ++step) {
        entries = 3 * entries + 2 * vertices;
        vertices = 2 * vertices + 1;
    }
    status = pm_family_begin(a, vertices, vertices, entries, edges, err);
    if (!status)
        status = add_edge(a, edges, 0, 1, err);
    int64_t n = 2;
    for (int64_t step = 2; step < k; ++step) {
        /* an entry (i, j) of M(k) gives (n + i, j) here and (j, n + i) with it */
        int64_t m = edges->count;
        for (int64_t e = 0; !status && e < m; ++e)
            status = add_edge(a, edges, n + edges->at[e].row, edges->at[e].col, err);
        for (int64_t i = 0; !status && i < n; ++i)
            status = add_edge(a, edges, n + i, 2 * n, err);
        n = 2 * n + 1;
    }
    return status;
}

const pm_family pm_family_mycielskian = {
    .name = "mycielskian",
    .arguments = "K",
    .summary = "adjacency matrix of the K-th Mycielski graph",
    .run = make_mycielskian,
};
