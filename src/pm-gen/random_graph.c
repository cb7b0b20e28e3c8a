/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm/alloc.h"

/* ---- Erdos-Renyi ---- */

/* A number of vertices and a probability. */
static pm_status read_density(const pm_family_args *a, int64_t *n, double *p, pm_error *err)
{
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, n, err);
    return status ? status : pm_family_probability(a, 1, p, err);
}

/* How many cells have no edge before the next one that has: a geometric jump, so that the work is that of the edges and
 * not of the cells.  log_miss: log1p(-p), -infinity for p = 1, where every jump is 0. */
static double draw_jump(const pm_family_args *a, double log_miss)
{
    return floor(log(pm_random_unit(a->random)) / log_miss);
}

/* Cells of the matrix in row order. */
static pm_status make_erdos_renyi(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    double p;
    pm_status status = read_density(a, &n, &p, err);
    if (!status)
        status = pm_family_begin(a, (double)n, (double)n, (double)n * (double)n * p, edges, err);
    if (status || p == 0)
        return status;
    double log_miss = log1p(-p);
    int64_t cells = n * n, cell = 0;
    for (;;) {
        double jump = draw_jump(a, log_miss);
        if (!(jump < (double)(cells - cell)))
            return PM_OK;
        cell += (int64_t)jump;
        if (cell >= cells)
            return PM_OK;
        status = pm_family_edge(a, edges, cell / n, cell % n, err);
        if (status)
            return status;
        ++cell;
    }
}

const pm_family pm_family_erdos_renyi = {
    .name = "erdos-renyi",
    .arguments = "N P",
    .summary = "N + N vertices, each edge with probability P",
    .is_random = true,
    .run = make_erdos_renyi,
};

/* The pairs u < v in row order. */
static pm_status make_random_graph(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    double p;
    pm_status status = read_density(a, &n, &p, err);
    if (!status)
        status =
            pm_family_begin(a, (double)n, (double)n, (double)n * (double)n / 2 * p, edges, err);
    if (status || p == 0 || n < 2)
        return status;
    const double log_miss = log1p(-p);
    for (int64_t u = 0, v = 0;;) {
        double jump = 1 + draw_jump(a, log_miss);
        while (jump > (double)(n - 1 - v)) { /* to the next row */
            jump -= (double)(n - 1 - v);
            v = ++u;
            if (u >= n - 1)
                return PM_OK;
        }
        v += (int64_t)jump;
        status = pm_family_edge(a, edges, u, v, err);
        if (status)
            return status;
    }
}

const pm_family pm_family_random_graph = {
    .name = "random-graph",
    .arguments = "N P",
    .summary = "N vertices of one set, each edge with probability P",
    .is_random = true,
    .one_set = true,
    .run = make_random_graph,
};

/* ---- regular ---- */

/* Row i has the columns column[i * d .. i * d + d - 1], each once.  Layer k, the k-th columns of
 * all rows, is a permutation. */
typedef struct {
    int64_t n, d;
    int32_t *column;
} layers;

/* True when row i has column c in one of the first `depth` layers. */
static bool has_column(const layers *g, int64_t depth, int64_t i, int32_t c)
{
    const int32_t *row = g->column + i * g->d;
    for (int64_t k = 0; k < depth; ++k)
        if (row[k] == c)
            return true;
    return false;
}

static void exchange(const layers *g, int64_t k, int64_t i, int64_t j)
{
    int32_t *x = &g->column[i * g->d + k], *y = &g->column[j * g->d + k], t = *x;
    *x = *y;
    *y = t;
}

/* Layer k is a random permutation.  Then every row whose column is in one of its earlier layers is
 * exchanged with a random row, such that neither has a column twice afterwards.  With 2 k < n there
 * always is such a row: at most k rows have a column that row i has in an earlier layer, and at
 * most k rows have the column of row i in one of theirs. */
static void draw_layer(const layers *g, int64_t k, pm_random *random)
{
    for (int64_t i = 0; i < g->n; ++i)
        g->column[i * g->d + k] = (int32_t)i;
    for (int64_t i = g->n - 1; i > 0; --i)
        exchange(g, k, i, (int64_t)pm_random_below(random, (uint64_t)i + 1));
    for (int64_t i = 0; i < g->n; ++i)
        while (has_column(g, k, i, g->column[i * g->d + k])) {
            int64_t j = (int64_t)pm_random_below(random, (uint64_t)g->n);
            if (!has_column(g, k, i, g->column[j * g->d + k])
                && !has_column(g, k, j, g->column[i * g->d + k]))
                exchange(g, k, i, j);
        }
}

static pm_status write_layers(const pm_family_args *a, const layers *g, pm_triples *edges,
                              pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t e = 0; !status && e < g->n * g->d; ++e)
        status = pm_family_edge(a, edges, e / g->d, g->column[e], err);
    return status;
}

static pm_status write_complement(const pm_family_args *a, const layers *g, pm_triples *edges,
                                  pm_error *err)
{
    int32_t *owner = pm_alloc_array(g->n, sizeof *owner); /* last row that has the column */
    if (!owner)
        return pm_fail_memory(err, "columns");
    pm_status status = PM_OK;
    for (int64_t j = 0; j < g->n; ++j)
        owner[j] = -1;
    for (int64_t i = 0; !status && i < g->n; ++i) {
        for (int64_t k = 0; k < g->d; ++k)
            owner[g->column[i * g->d + k]] = (int32_t)i;
        for (int64_t j = 0; !status && j < g->n; ++j)
            if (owner[j] != i)
                status = pm_family_edge(a, edges, i, j, err);
    }
    free(owner);
    return status;
}

/* More than half full: the complement of a sparser regular graph. */
static pm_status make_regular(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n, degree;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX, &n, err);
    if (!status)
        status = pm_family_int(a, 1, 0, n, &degree, err);
    if (!status)
        status = pm_family_begin(a, (double)n, (double)n, (double)n * (double)degree, edges, err);
    if (status)
        return status;
    bool complement = degree > n / 2;
    layers g = {.n = n, .d = complement ? n - degree : degree};
    g.column = pm_alloc_array(g.n * g.d, sizeof *g.column);
    if (!g.column)
        return pm_fail_memory(err, "permutations");
    for (int64_t k = 0; k < g.d && !status; ++k) {
        draw_layer(&g, k, a->random);
        status = pm_family_check_stop(a, err);
    }
    if (!status)
        status = complement ? write_complement(a, &g, edges, err) : write_layers(a, &g, edges, err);
    free(g.column);
    return status;
}

const pm_family pm_family_regular = {
    .name = "regular",
    .arguments = "N D",
    .summary = "N + N vertices, random, each of degree D",
    .is_random = true,
    .run = make_regular,
};
