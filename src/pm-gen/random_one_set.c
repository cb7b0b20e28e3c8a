/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random regular and random planar graphs on one set of vertices. */
#include "config.h"

#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm/alloc.h"

static void swap(int64_t *x, int64_t *y)
{
    int64_t t = *x;
    *x = *y;
    *y = t;
}

/* ---- regular ---- */

/* Vertex v has the half-edges v * d .. v * d + d - 1. */
typedef struct {
    int64_t n, d;
    int64_t *partner; /* of each half-edge */
} pairing;

/* How many edges lead from u to v. */
static int64_t edges_between(const pairing *g, int64_t u, int64_t v)
{
    int64_t count = 0;
    for (int64_t h = u * g->d; h < (u + 1) * g->d; ++h)
        count += g->partner[h] / g->d == v;
    return count;
}

static bool is_bad(const pairing *g, int64_t h)
{
    int64_t u = h / g->d, v = g->partner[h] / g->d;
    return u == v || edges_between(g, u, v) > 1;
}

static bool may_join(const pairing *g, int64_t h, int64_t k)
{
    int64_t u = h / g->d, v = k / g->d;
    return u != v && edges_between(g, u, v) == 0;
}

static void pair(pairing *g, int64_t h, int64_t k)
{
    g->partner[h] = k;
    g->partner[k] = h;
}

static void pair_all(pairing *g, int64_t *scratch, pm_random *random)
{
    int64_t halves = g->n * g->d;
    for (int64_t h = 0; h < halves; ++h)
        scratch[h] = h;
    for (int64_t h = halves - 1; h > 0; --h)
        swap(&scratch[h], &scratch[pm_random_below(random, (uint64_t)h + 1)]);
    for (int64_t h = 0; h < halves; h += 2)
        pair(g, scratch[h], scratch[h + 1]);
}

/* Loops and repeated edges h - k are exchanged with random edges i - j for h - i and k - j, if these are new.
 * *is_done: false if none was found for some edge, which happens in small dense graphs. */
static pm_status repair(const pm_family_args *a, pairing *g, bool *is_done, pm_error *err)
{
    int64_t halves = g->n * g->d;
    *is_done = false;
    for (int64_t h = 0; h < halves; ++h) {
        if (h % g->d == 0 && pm_run_stopped(a->run))
            return pm_fail(err, PM_ESTOPPED, "stopped");
        for (int64_t tries = 0; is_bad(g, h); ++tries) {
            int64_t i = (int64_t)pm_random_below(a->random, (uint64_t)halves);
            int64_t k = g->partner[h], j = g->partner[i];
            if (tries > 100 + 20 * halves)
                return PM_OK;
            if (i == h || i == k || !may_join(g, h, i) || !may_join(g, k, j)
                || (h / g->d == k / g->d && i / g->d == j / g->d)
                || (h / g->d == j / g->d && k / g->d == i / g->d))
                continue;
            pair(g, h, i);
            pair(g, k, j);
        }
    }
    *is_done = true;
    return PM_OK;
}

static pm_status write_pairs(const pm_family_args *a, const pairing *g, pm_triples *edges,
                             pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t h = 0; h < g->n * g->d && !status; ++h)
        if (h / g->d < g->partner[h] / g->d)
            status = pm_family_edge(a, edges, h / g->d, g->partner[h] / g->d, err);
    return status;
}

static pm_status write_other_pairs(const pm_family_args *a, const pairing *g, pm_triples *edges,
                                   pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t u = 0; u < g->n && !status; ++u)
        for (int64_t v = u + 1; v < g->n && !status; ++v)
            if (edges_between(g, u, v) == 0)
                status = pm_family_edge(a, edges, u, v, err);
    return status;
}

static pm_status draw_pairs(const pm_family_args *a, pairing *g, pm_error *err)
{
    pm_status status = PM_OK;
    int64_t *scratch = pm_alloc_array(g->n * g->d, sizeof *scratch);
    g->partner = pm_alloc_array(g->n * g->d, sizeof *g->partner);
    if (!g->partner || !scratch)
        status = pm_fail_memory(err, "half-edges");
    for (bool is_done = g->n * g->d == 0; !is_done && !status;) {
        pair_all(g, scratch, a->random);
        status = repair(a, g, &is_done, err);
    }
    free(scratch);
    return status;
}

static pm_status make_regular_graph(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n, degree;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    if (!status)
        status = pm_family_int(a, 1, 0, n > 0 ? n - 1 : 0, &degree, err);
    if (!status && n % 2 && degree % 2)
        return pm_fail(
            err, PM_EUSAGE,
            "%s: %lld vertices of degree %lld: expected an even number of vertices or an "
            "even degree",
            a->family->name, (long long)n, (long long)degree);
    if (!status)
        status =
            pm_family_begin(a, (double)n, (double)n, (double)n * (double)degree / 2, edges, err);
    if (status || n == 0)
        return status;
    const bool is_complement = degree > (n - 1) / 2;
    pairing g = {.n = n, .d = is_complement ? n - 1 - degree : degree};
    status = draw_pairs(a, &g, err);
    if (!status)
        status =
            is_complement ? write_other_pairs(a, &g, edges, err) : write_pairs(a, &g, edges, err);
    free(g.partner);
    return status;
}

const pm_family pm_family_regular_graph = {
    .name = "regular-graph",
    .arguments = "N D",
    .summary = "N vertices of one set, random, each of degree D",
    .is_random = true,
    .one_set = true,
    .run = make_regular_graph,
};

/* ---- planar ---- */

/* A triangulation of the sphere.  Side s leads from corner[s] to the corner of the next side of its triangle, which has
 * the sides 3 t, 3 t + 1 and 3 t + 2; twin[s] is the same edge in the triangle on the other side. */
typedef struct {
    int64_t sides;
    int32_t *corner, *twin;
} triangulation;

static int64_t next_side(int64_t s)
{
    return s % 3 == 2 ? s - 2 : s + 1;
}

static void glue(triangulation *t, int64_t s, int64_t other)
{
    t->twin[s] = (int32_t)other;
    t->twin[other] = (int32_t)s;
}

static int64_t add_triangle(triangulation *t, int32_t u, int32_t v, int32_t w)
{
    int64_t s = t->sides;
    t->corner[s] = u;
    t->corner[s + 1] = v;
    t->corner[s + 2] = w;
    t->sides += 3;
    return s;
}

/* Vertex v into the triangle that begins with side s. */
static void split(triangulation *t, int64_t s, int32_t v)
{
    int32_t x = t->corner[s + 1], y = t->corner[s + 2];
    int64_t across_x = t->twin[s + 1], across_y = t->twin[s + 2];
    int64_t p = add_triangle(t, x, y, v), q = add_triangle(t, y, t->corner[s], v);
    t->corner[s + 2] = v;
    glue(t, p, across_x);
    glue(t, q, across_y);
    glue(t, s + 1, p + 2);
    glue(t, p + 1, q + 2);
    glue(t, q + 1, s + 2);
}

/* Whether a side leads from the corner of side s to vertex v. */
static bool is_joined(const triangulation *t, int64_t s, int32_t v)
{
    int64_t x = s;
    do {
        if (t->corner[next_side(x)] == v)
            return true;
        x = next_side(t->twin[x]);
    } while (x != s);
    return false;
}

/* The other diagonal of the quadrangle around the edge of side s takes its place, unless it is an edge already. */
static void flip(triangulation *t, int64_t s)
{
    int64_t r = t->twin[s], s1 = next_side(s), s2 = next_side(s1), r1 = next_side(r),
            r2 = next_side(r1);
    int32_t x = t->corner[s2], y = t->corner[r2];
    if (x == y || is_joined(t, s2, y))
        return;
    /* triangles u v x and v u y become y v x and x u y; sides s and r lie on the new edge */
    int64_t across_s1 = t->twin[s1], across_r1 = t->twin[r1];
    t->corner[s1] = y;
    t->corner[r1] = x;
    /* now side s leads from u to y and side r from v to x */
    glue(t, s, across_r1);
    glue(t, r, across_s1);
    glue(t, s1, r1);
}

static void draw_triangulation(triangulation *t, int64_t n, pm_random *random)
{
    enum { FLIPS = 5 }; /* for each vertex */
    int64_t s = add_triangle(t, 0, 1, 2), r = add_triangle(t, 1, 0, 2);
    glue(t, s, r);
    glue(t, s + 1, r + 2);
    glue(t, s + 2, r + 1);
    for (int64_t v = 3; v < n; ++v)
        split(t, 3 * (int64_t)pm_random_below(random, (uint64_t)t->sides / 3), (int32_t)v);
    for (int64_t turn = 0; turn < FLIPS * n && n > 3; ++turn)
        flip(t, (int64_t)pm_random_below(random, (uint64_t)t->sides));
}

static pm_status write_sides(const pm_family_args *a, const triangulation *t, double p,
                             pm_triples *edges, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t s = 0; s < t->sides && !status; ++s) {
        int32_t u = t->corner[s], v = t->corner[next_side(s)];
        if (u < v && pm_random_unit(a->random) <= p)
            status = pm_family_edge(a, edges, u, v, err);
    }
    return status;
}

static pm_status make_planar_graph(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    double p;
    triangulation t = {0};
    pm_status status = pm_family_int(a, 0, 3, PM_SIDE_MAX / 6, &n, err);
    if (!status)
        status = pm_family_probability(a, 1, &p, err);
    if (!status)
        status = pm_family_begin(a, (double)n, (double)n, 3 * (double)n, edges, err);
    if (status)
        return status;
    t.corner = pm_alloc_array(6 * n, sizeof *t.corner);
    t.twin = pm_alloc_array(6 * n, sizeof *t.twin);
    if (!t.corner || !t.twin)
        status = pm_fail_memory(err, "triangles");
    if (!status) {
        draw_triangulation(&t, n, a->random);
        status = write_sides(a, &t, p, edges, err);
    }
    free(t.corner);
    free(t.twin);
    return status;
}

const pm_family pm_family_planar_graph = {
    .name = "planar-graph",
    .arguments = "N P",
    .summary = "a random triangulation of N vertices, each edge with probability P",
    .is_random = true,
    .one_set = true,
    .run = make_planar_graph,
};
