/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coarse systems (sinkhorn/coarse.h) of grids with random weights: their equations against the matrix itself, and scalings that use
 * them.  No false alarms: comparisons have room for rounding, that to 16 bits three times what 300 draws showed. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "sinkhorn/coarse.h"
#include "sinkhorn/sinkhorn.h"
#include "support/graphs.h"

enum { ROWS = 144, COLS = 150 }; /* cells of a grid: more than 10,000 rows */
enum { ROUNDS = 4 };
enum { ONES, SUMS, REST, Z, Q, Y, VECTORS };

static uint64_t rng;

static double *room(int64_t n)
{
    double *x = pm_alloc_array(n, sizeof *x);
    assert_non_null(x);
    return x;
}

static void fill_random(double *x, int64_t n, double least)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] = least + pm_rng_unit(&rng);
}

static void begin(const pm_matrix *a, bool is_product, pm_workspace *w)
{
    if (is_product) {
        assert_int_equal(
            pm_workspace_make_product(a, VECTORS + 2, VECTORS, VECTORS + 1, NULL, w, NULL), PM_OK);
        fill_random(w->vector[VECTORS], a->nrows, 0.5);
        fill_random(w->vector[VECTORS + 1], a->nrows, 0.5);
    } else {
        double *value = room(pm_matrix_nnz(a));
        assert_int_equal(pm_workspace_make(a, VECTORS, PM_ON_HOST, NULL, w, NULL), PM_OK);
        fill_random(value, pm_matrix_nnz(a), 0.5);
        pm_workspace_set(w, value);
        free(value);
    }
    /* R = X X^T 1: then A 1 = 0 */
    pm_workspace_map(w, PM_MAP_FILL, 1, ONES, ONES, ONES);
    pm_workspace_multiply(w, true, ONES, Q);
    pm_workspace_multiply(w, false, Q, SUMS);
}

/* y = A x; returns x^T y. */
static double multiply(pm_workspace *w, int x, int y)
{
    pm_workspace_multiply(w, true, x, Q);
    pm_workspace_multiply(w, false, Q, y);
    pm_workspace_map(w, PM_MAP_REST, 0, SUMS, x, y);
    return pm_workspace_reduce(w, PM_REDUCE_DOT, x, y);
}

static void set_rest(pm_workspace *w, int64_t n)
{
    double mean = 0;
    fill_random(w->vector[REST], n, 0);
    for (int64_t i = 0; i < n; ++i)
        mean += w->vector[REST][i] / (double)n;
    for (int64_t i = 0; i < n; ++i)
        w->vector[REST][i] -= mean;
}

static int64_t cluster_of_item(const pm_coarse_level *l, int64_t item)
{
    int p = 0;
    while (l->items * (p + 1) / l->parts <= item)
        ++p;
    return l->cluster ? l->cluster[item] : l->first[p] + l->of_part[item];
}

static int64_t cluster_of(const pm_coarse *c, int levels, int64_t row)
{
    for (int k = 0; k < levels; ++k)
        row = cluster_of_item(&c->level[k], row);
    return row;
}

/* z = the inverse of a diagonal and the coarse systems, times the rest, vectors of w */
static void apply(const pm_coarse *c, const float *inverse, pm_workspace *w, int rest, int z)
{
    const int64_t n = w->x.a.nrows;
    float *from = pm_alloc_array(n, sizeof *from), *to = pm_alloc_array(n, sizeof *to),
          *room = pm_alloc_array(n, sizeof *room);
    assert_true(from && to && room);
    for (int64_t i = 0; i < n; ++i)
        to[i] = inverse[i] * (from[i] = (float)w->vector[rest][i]);
    pm_coarse_add(c, from, to, room);
    for (int64_t i = 0; i < n; ++i)
        w->vector[z][i] = to[i];
    free(from);
    free(to);
    free(room);
}

/* With the last level alone z = P y has the cluster sums P^T A z = P^T rest, but for weights in 16 bits. */
static void check_last(const pm_coarse *c, pm_workspace *w, int64_t n)
{
    const pm_coarse_level *last = &c->level[c->levels - 1];
    double *sum = room(last->count);
    for (int k = 0; k + 1 < c->levels; ++k)
        for (int64_t m = 0; m < c->level[k].count; ++m)
            c->level[k].inverse[m] = 0;
    float *inverse = pm_calloc_array(n, sizeof *inverse);
    assert_non_null(inverse);
    set_rest(w, n);
    apply(c, inverse, w, REST, Z);
    multiply(w, Z, Y);
    double most = 0;
    for (int64_t m = 0; m < last->count; ++m)
        sum[m] = 0;
    for (int64_t i = 0; i < n; ++i)
        sum[cluster_of(c, c->levels, i)] += w->vector[REST][i];
    for (int64_t m = 0; m < last->count; ++m)
        most = fmax(most, fabs(sum[m]));
    for (int64_t i = 0; i < n; ++i)
        sum[cluster_of(c, c->levels, i)] -= w->vector[Y][i];
    for (int64_t m = 0; m < last->count; ++m)
        assert_true(fabs(sum[m]) < 0x1p-6 * most);
    free(sum);
    free(inverse);
}

/* Row m of the matrix of a level, and its diagonal: the sums over the clusters of A x, x the indicator of cluster m. */
static void check_row(const pm_coarse *c, int k, pm_workspace *w, int64_t n)
{
    const pm_coarse_level *l = &c->level[k];
    const int64_t m = pm_rng_below(&rng, (uint32_t)l->count);
    double *sum = room(l->count);
    int p = 0;
    while (pm_coarse_start(l->count, l->a.parts, p + 1) <= m)
        ++p;
    const int64_t row = m - pm_coarse_start(l->count, l->a.parts, p);
    for (int64_t i = 0; i < n; ++i)
        w->vector[Z][i] = cluster_of(c, k + 1, i) == m;
    multiply(w, Z, Y);
    for (int64_t q = 0; q < l->count; ++q)
        sum[q] = 0;
    for (int64_t i = 0; i < n; ++i)
        sum[cluster_of(c, k + 1, i)] += w->vector[Y][i];
    const double whole = sum[m];
    assert_true(fabs(l->inverse[m] * whole - 1) < 0x1p-6);
    sum[m] = 0;
    for (uint32_t e = l->a.part[p].ptr[row]; e < l->a.part[p].ptr[row + 1]; ++e)
        sum[l->a.part[p].ind[e]] += pm_short_value(l->a.part[p].weight[e]);
    for (int64_t q = 0; q < l->count; ++q)
        assert_true(fabs(sum[q]) < 0x1p-7 * whole);
    free(sum);
}

/* z = P y has z^T A z = z^T rest, since each level minimizes 1/2 y^T (P^T A P) y - y^T P^T rest along its two directions; and the minimum
 * over all y is not much lower: A z leaves less than half of the right side, in the norm of energy. */
static void check_applied(const pm_coarse *c, pm_workspace *w, int64_t n)
{
    float *inverse = pm_calloc_array(n, sizeof *inverse);
    assert_non_null(inverse);
    set_rest(w, n);
    double energy = 0, first = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        apply(c, inverse, w, REST, Z);
        const double along = pm_workspace_reduce(w, PM_REDUCE_DOT, REST, Z),
                     whole = multiply(w, Z, Y);
        assert_true(along > 0 && fabs(whole / along - 1) < 0x1p-6);
        first = round ? first : along;
        energy += along;
        pm_workspace_map(w, PM_MAP_ADD, -1, Y, Y, REST);
    }
    assert_true(first >= 0.75 * energy);
    free(inverse);
}

static void equations(void **state)
{
    (void)state;
    pm_matrix a;
    grid_graph(ROWS, COLS, &a);
    for (int is_product = 0; is_product < 2; ++is_product) {
        pm_workspace w;
        pm_coarse c;
        bool found;
        begin(&a, is_product, &w);
        assert_int_equal(pm_coarse_make(&w, &c, &found, NULL), PM_OK);
        assert_true(found && c.levels > 1);
        for (int k = 0; k + 1 < c.levels; ++k)
            for (int round = 0; round < 5; ++round)
                check_row(&c, k, &w, a.nrows);
        check_applied(&c, &w, a.nrows);
        check_last(&c, &w, a.nrows);
        pm_coarse_free(&c);
        pm_workspace_free(&w);
    }
    pm_matrix_free(&a);
}

/* Clusters in two parts, applied by several threads, and with numbers of 16 and of 32 bits: the same digits. */
static void parts(void **state)
{
    enum { SIDE = 284 }; /* 40328 rows */
    (void)state;
    pm_matrix a;
    pm_workspace w;
    pm_coarse c[2];
    float *rest, *z[3], *room;
    grid_graph(SIDE, SIDE, &a);
    const int64_t n = a.nrows;
    rest = pm_alloc_array(n, sizeof *rest);
    room = pm_alloc_array(n, sizeof *room);
    for (int k = 0; k < 3; ++k)
        z[k] = pm_calloc_array(n, sizeof *z[k]);
    assert_true(rest && room && z[0] && z[1] && z[2]);
    begin(&a, false, &w);
    set_rest(&w, n);
    for (int64_t i = 0; i < n; ++i)
        rest[i] = (float)w.vector[REST][i];
    for (int k = 0; k < 2; ++k) {
        bool found;
        w.threads = k ? 3 : 1;
        assert_int_equal(pm_coarse_make(&w, &c[k], &found, NULL), PM_OK);
        assert_true(found && c[k].level[0].parts == 2);
        pm_coarse_add(&c[k], rest, z[k], room);
    }
    for (int k = 0; k < c[1].levels; ++k) {
        pm_coarse_level *l = &c[1].level[k];
        int32_t *cluster = pm_alloc_array(l->items, sizeof *cluster);
        assert_true(cluster && l->of_part);
        for (int64_t i = 0; i < l->items; ++i) {
            cluster[i] = (int32_t)cluster_of_item(l, i);
            assert_int_equal(cluster[i], cluster_of_item(&c[0].level[k], i));
        }
        free(l->of_part);
        l->of_part = NULL;
        l->cluster = cluster;
    }
    pm_coarse_add(&c[1], rest, z[2], room);
    for (int k = 0; k < 3; ++k)
        assert_memory_equal(z[k], z[0], (size_t)n * sizeof **z);
    for (int k = 0; k < 3; ++k)
        free(z[k]);
    pm_coarse_free(&c[0]);
    pm_coarse_free(&c[1]);
    pm_workspace_free(&w);
    pm_matrix_free(&a);
    free(rest);
    free(room);
}

/* A grid has the scaled matrix whose lines sum to 1, with similar weights and with weights over three decades; without coarse systems
 * these need more products. */
static void scaling(void **state)
{
    (void)state;
    enum { PRODUCTS = 800 };
    pm_matrix a;
    grid_graph(ROWS, COLS, &a);
    const int64_t nnz = pm_matrix_nnz(&a);
    double *value = room(nnz);
    for (int is_wide = test_first(&rng, 2); is_wide < 2; is_wide += test_step(2)) {
        fill_random(value, nnz, 0.1);
        for (int64_t k = 0; k < nnz && is_wide; ++k)
            value[k] = exp(7 * value[k]);
        pm_sinkhorn s;
        assert_int_equal(pm_sinkhorn_make(&a, PM_ON_HOST, NULL, &s, NULL), PM_OK);
        pm_sinkhorn_start(&s, value);
        assert_int_equal(pm_sinkhorn_improve(&s, 1e-10, PRODUCTS, NULL), PM_OK);
        assert_true(s.residual <= 1e-10 && s.is_slow);
        for (int64_t i = 0; i < a.nrows; ++i) {
            double sum = 0;
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
                sum += s.x[k];
                assert_true(fabs(s.row[i] * value[k] * s.col[a.colind[k]] / s.x[k] - 1) < 1e-9);
            }
            assert_true(fabs(sum - 1) < 2e-10);
        }
        pm_sinkhorn_free(&s);
    }
    free(value);
    pm_matrix_free(&a);
}

/* Each allocation may fail; then nothing is left to free. */
static void memory_ends(void **state)
{
    (void)state;
    enum { FEW = 40 };
    pm_matrix a;
    pm_workspace w;
    pm_status status = PM_ENOMEM;
    grid_graph(ROWS, COLS, &a);
    begin(&a, false, &w);
    w.threads = 1;
    int failures = 0;
    for (int k = 1; status; k += test_gap(k, FEW)) {
        pm_coarse c;
        bool found = true;
        pm_alloc_fail_at(k);
        status = pm_coarse_make(&w, &c, &found, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || (status == PM_ENOMEM && !found && !c.levels));
        assert_true(status == PM_ENOMEM || found);
        failures += status != PM_OK;
        if (!status)
            pm_coarse_free(&c);
    }
    assert_true(failures > 1);
    pm_workspace_free(&w);
    pm_matrix_free(&a);
}

/* Few products: coarse systems are made only where enough are left to use them, and more products bring a smaller residual.  The entries are
 * the same in each run. */
static void limits(void **state)
{
    (void)state;
    enum { SIDE = 200, LEAST = 60, CASES = 7, BY = 40, OVER = 20 };
    pm_matrix a;
    grid_graph(SIDE, SIDE, &a);
    const int64_t nnz = pm_matrix_nnz(&a);
    double *value = room(nnz), before = INFINITY;
    uint64_t fixed = 5;
    for (int64_t k = 0; k < nnz; ++k)
        value[k] = exp(7 * pm_rng_unit(&fixed));
    for (int k = test_first(&rng, CASES); k < CASES; k += test_step(CASES)) {
        const int most = LEAST + k * BY;
        pm_sinkhorn s;
        assert_int_equal(pm_sinkhorn_make(&a, PM_ON_HOST, NULL, &s, NULL), PM_OK);
        pm_sinkhorn_start(&s, value);
        assert_int_equal(pm_sinkhorn_improve(&s, 1e-10, most, NULL), PM_OK);
        printf("# at most %d products: %d, residual %g\n", most, (int)s.products, s.residual);
        assert_true(s.products <= most + OVER && s.residual <= 2 * before);
        assert_true(k < CASES - 1 || s.residual < 1e-3);
        before = s.residual;
        pm_sinkhorn_free(&s);
    }
    free(value);
    pm_matrix_free(&a);
}

/* Items with strong ties are in one cluster, and others are not: rows in pairs, the pairs in a ring with weak ties. */
static void ties(void **state)
{
    (void)state;
    enum { PAIRS = 6000, N = 2 * PAIRS };
    pm_matrix a;
    pm_triples t = {.nrows = N, .ncols = N};
    for (int i = 0; i < PAIRS; ++i) {
        const int at = 2 * i, next = (at + 2) % N;
        graphs_add(&t, at, at);
        graphs_add(&t, at + 1, at);
        graphs_add(&t, at + 1, at + 1);
        graphs_add(&t, next, at + 1);
    }
    graphs_end(&t, &a);
    double *value = room(pm_matrix_nnz(&a));
    for (int64_t i = 0; i < N; ++i)
        for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
            value[k] = a.colind[k] % 2 ? i == a.colind[k] ? 1 : 0x1p-20 : 0.5;
    pm_workspace w;
    pm_coarse c;
    bool found;
    assert_int_equal(pm_workspace_make(&a, VECTORS, PM_ON_HOST, NULL, &w, NULL), PM_OK);
    pm_workspace_set(&w, value);
    assert_int_equal(pm_coarse_make(&w, &c, &found, NULL), PM_OK);
    assert_true(found);
    assert_int_equal(c.level[0].count, PAIRS);
    for (int64_t i = 0; i < N; i += 2)
        assert_int_equal(cluster_of(&c, 1, i), cluster_of(&c, 1, i + 1));
    pm_coarse_free(&c);
    pm_workspace_free(&w);
    free(value);
    pm_matrix_free(&a);
}

/* Two full rows whose entries have products that are too small for a number: they are no ties. */
static void vanishing(void **state)
{
    (void)state;
    enum { N = 400 };
    pm_matrix a;
    pm_triples t = {.nrows = N, .ncols = N};
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            if (i < 2 || j == i || j == (i + 1) % N)
                graphs_add(&t, i, j);
    graphs_end(&t, &a);
    double *value = room(pm_matrix_nnz(&a));
    for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
        value[k] = k < a.rowptr[2] ? 1e-200 : 0.5;
    pm_workspace w;
    pm_coarse c;
    bool found;
    assert_int_equal(pm_workspace_make(&a, VECTORS, PM_ON_HOST, NULL, &w, NULL), PM_OK);
    pm_workspace_set(&w, value);
    assert_int_equal(pm_coarse_make(&w, &c, &found, NULL), PM_OK);
    assert_true(found);
    pm_coarse_free(&c);
    pm_workspace_free(&w);
    free(value);
    pm_matrix_free(&a);
}

/* Few rows, and a full row and column. */
static void none(void **state)
{
    (void)state;
    enum { N = 12000 };
    pm_matrix small, full;
    pm_workspace w;
    pm_triples t = {.nrows = N, .ncols = N};
    grid_graph(20, 20, &small);
    for (int i = 0; i < N; ++i) {
        graphs_add(&t, i, i);
        if (i) {
            graphs_add(&t, i, 0);
            graphs_add(&t, 0, i);
        }
    }
    graphs_end(&t, &full);
    bool is_possible;
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(pm_workspace_make(k ? &full : &small, VECTORS, PM_ON_HOST, NULL, &w, NULL),
                         PM_OK);
        assert_int_equal(pm_coarse_check(&w, &is_possible, NULL), PM_OK);
        assert_false(is_possible);
        pm_workspace_free(&w);
    }
    pm_matrix_free(&small);
    pm_matrix_free(&full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations), cmocka_unit_test(parts),       cmocka_unit_test(scaling),
        cmocka_unit_test(ties),      cmocka_unit_test(vanishing),   cmocka_unit_test(none),
        cmocka_unit_test(limits),    cmocka_unit_test(memory_ends),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
