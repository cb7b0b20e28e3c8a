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

static pm_status place_on_circle(const pm_family_args *a, pm_labels labels[2], pm_error *err)
{
    int64_t n;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    return status ? status : pm_family_place_circle(&labels[0], n, 0, err);
}

const pm_family pm_family_complete = {
    .name = "complete",
    .arguments = "N",
    .summary = "all edges between N vertices: (N-1)!! perfect matchings for even N",
    .one_set = true,
    .run = make_complete,
    .place = place_on_circle,
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

static int compare(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* Sets distance[] to the distances on the cycle, each once.  Returns how many there are. */
static int64_t reduce_distances(int64_t n, int64_t count, int64_t *distance)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < count; ++k) {
        distance[k] %= n;
        if (distance[k] > n - distance[k])
            distance[k] = n - distance[k];
    }
    qsort(distance, (size_t)count, sizeof *distance, compare);
    for (int64_t k = 0; k < count; ++k)
        if (!kept || distance[k] != distance[kept - 1])
            distance[kept++] = distance[k];
    return kept;
}

static pm_status read_distances(const pm_family_args *a, int64_t n, int64_t count,
                                int64_t *distance, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t k = 0; k < count && !status; ++k) {
        status = pm_family_int(a, (int)k + 1, 1, PM_SIDE_MAX, &distance[k], err);
        if (!status && n > 0 && distance[k] % n == 0)
            status = pm_fail(err, PM_EUSAGE,
                             "%s: %lld would join vertices to themselves: expected no multiple of "
                             "%lld",
                             a->family->name, (long long)distance[k], (long long)n);
    }
    return status;
}

static pm_status make_circulant_graph(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n, count = a->count - 1;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    int64_t *distance = pm_alloc_array(count, sizeof *distance);
    if (!status && !distance)
        status = pm_fail_memory(err, "distances");
    if (!status)
        status = read_distances(a, n, count, distance, err);
    if (!status) {
        count = n ? reduce_distances(n, count, distance) : 0;
        status = begin(a, (double)n, (double)n * (double)count, edges, err);
    }
    for (int64_t u = 0; u < n && !status; ++u)
        for (int64_t k = 0; k < count && !status; ++k) {
            int64_t v = (u + distance[k]) % n;
            bool is_second = 2 * distance[k] == n && v < u; /* an edge across is met twice */
            if (!is_second)
                status = pm_family_edge(a, edges, u < v ? u : v, u < v ? v : u, err);
        }
    free(distance);
    return status;
}

const pm_family pm_family_circulant_graph = {
    .name = "circulant-graph",
    .arguments = "N S...",
    .summary = "N vertices on a cycle, joined when S apart",
    .one_set = true,
    .run = make_circulant_graph,
    .place = place_on_circle,
};
