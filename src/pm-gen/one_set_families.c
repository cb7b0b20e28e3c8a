/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs on one set of vertices that are not bipartite.  An edge is written once, from the lower vertex to the higher one. */
#include "config.h"

#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm/alloc.h"

static pm_status begin(const pm_family_args *a, double n, double expected, pm_triples *edges,
                       pm_error *err)
{
    return pm_family_begin(a, n, n, expected, edges, err);
}

/* ---- lattices ---- */

static pm_status read_sides(const pm_family_args *a, int64_t side[2], pm_error *err)
{
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &side[0], err);
    return status ? status : pm_family_int(a, 1, 0, PM_SIDE_MAX, &side[1], err);
}

/* Vertex (x, y) is number x * n + y. */
static pm_status make_triangular(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t side[2];
    pm_status status = read_sides(a, side, err);
    const int64_t m = status ? 0 : side[0], n = status ? 0 : side[1];
    if (!status)
        status = begin(a, (double)m * (double)n, 3 * (double)m * (double)n, edges, err);
    for (int64_t x = 0; x < m && !status; ++x)
        for (int64_t y = 0; y < n && !status; ++y) {
            const int64_t v = x * n + y;
            if (y + 1 < n)
                status = pm_family_edge(a, edges, v, v + 1, err);
            if (!status && x + 1 < m)
                status = pm_family_edge(a, edges, v, v + n, err);
            if (!status && x + 1 < m && y + 1 < n)
                status = pm_family_edge(a, edges, v, v + n + 1, err);
        }
    return status;
}

const pm_family pm_family_triangular = {
    .name = "triangular",
    .arguments = "M N",
    .summary = "M x N vertices of the triangular lattice: a grid with one diagonal in each square",
    .one_set = true,
    .run = make_triangular,
};

/* Cell (x, y) has the vertices 3 (x n + y) + 0, 1, 2, the corners of a triangle.  Corner 1 is also joined to
 * corner 0 of the cell (x, y + 1), corner 2 to corner 0 of the cell (x + 1, y), and corner 2 to corner 1 of the cell (x + 1, y - 1). */
static pm_status make_kagome(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t side[2];
    pm_status status = read_sides(a, side, err);
    const int64_t m = status ? 0 : side[0], n = status ? 0 : side[1];
    if (!status)
        status = begin(a, 3 * (double)m * (double)n, 6 * (double)m * (double)n, edges, err);
    for (int64_t x = 0; x < m && !status; ++x)
        for (int64_t y = 0; y < n && !status; ++y) {
            const int64_t v = 3 * (x * n + y), down = v + 3 * n;
            status = pm_family_edge(a, edges, v, v + 1, err);
            if (!status)
                status = pm_family_edge(a, edges, v, v + 2, err);
            if (!status)
                status = pm_family_edge(a, edges, v + 1, v + 2, err);
            if (!status && y + 1 < n)
                status = pm_family_edge(a, edges, v + 1, v + 3, err);
            if (!status && x + 1 < m)
                status = pm_family_edge(a, edges, v + 2, down, err);
            if (!status && x + 1 < m && y > 0)
                status = pm_family_edge(a, edges, v + 2, down - 3 + 1, err);
        }
    return status;
}

const pm_family pm_family_kagome = {
    .name = "kagome",
    .arguments = "M N",
    .summary = "M x N cells of three vertices of the kagome lattice",
    .one_set = true,
    .run = make_kagome,
};

/* ---- dense ---- */

static pm_status make_complete(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    if (!status)
        status = begin(a, (double)n, (double)n * (double)(n - 1) / 2, edges, err);
    for (int64_t u = 0; !status && u < n; ++u)
        for (int64_t v = u + 1; !status && v < n; ++v)
            status = pm_family_edge(a, edges, u, v, err);
    return status;
}

const pm_family pm_family_complete = {
    .name = "complete",
    .arguments = "N",
    .summary = "all edges between N vertices: (N-1)!! perfect matchings for even N",
    .one_set = true,
    .run = make_complete,
};

/* The next set of as many elements (Gosper). */
static uint64_t next_set(uint64_t s)
{
    const uint64_t low = s & -s, carried = s + low;
    return carried | ((s ^ carried) / low >> 2);
}

static double binomial(int64_t n, int64_t k)
{
    double c = 1;
    for (int64_t i = 1; i <= k; ++i)
        c = c * (double)(n - k + i) / (double)i;
    return c;
}

static pm_status join_disjoint(const pm_family_args *a, const uint64_t *set, int64_t count,
                               pm_triples *edges, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t u = 0; !status && u < count; ++u) {
        for (int64_t v = u + 1; !status && v < count; ++v)
            if (!(set[u] & set[v]))
                status = pm_family_edge(a, edges, u, v, err);
        if (!status)
            status = pm_family_check_stop(a, err);
    }
    return status;
}

static pm_status make_kneser(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    enum { MOST_ELEMENTS = 60 };
    int64_t n, k;
    pm_status status = pm_family_int(a, 0, 1, MOST_ELEMENTS, &n, err);
    if (!status)
        status = pm_family_int(a, 1, 1, n, &k, err);
    if (status)
        return status;
    const double vertices = binomial(n, k);
    status = begin(a, vertices, n < 2 * k ? 0 : vertices * binomial(n - k, k) / 2, edges, err);
    if (status || n < 2 * k) /* no two sets are disjoint */
        return status;
    uint64_t *set = pm_alloc_array((int64_t)vertices, sizeof *set);
    if (!set)
        return pm_fail_memory(err, "sets");
    set[0] = (UINT64_C(1) << k) - 1;
    for (int64_t v = 1; v < (int64_t)vertices; ++v)
        set[v] = next_set(set[v - 1]);
    status = join_disjoint(a, set, (int64_t)vertices, edges, err);
    free(set);
    return status;
}

const pm_family pm_family_kneser = {
    .name = "kneser",
    .arguments = "N K",
    .summary = "sets of K among N elements, joined when disjoint; kneser 5 2 is the Petersen graph",
    .one_set = true,
    .run = make_kneser,
};
