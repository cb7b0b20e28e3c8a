/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maximum matchings of graphs with odd cycles, and the decomposition of Gallai and Edmonds: by brute force where the graph is
 * small, by the formula of Tutte and Berge where it is large. */
#include "config.h"

#include <string.h>

#include "general/blossom.h"
#include "general/gallai_edmonds.h"
#include "pm/alloc.h"
#include "support/general_graphs.h"
#include "support/matrices.h"

static uint64_t rng;

/* ---- the proof that a matching is maximum ---- */

/* The number of components of odd size of the vertices outside A; label: room for n. */
static int64_t odd_components(const pm_matrix *a, const char *part, int32_t *label)
{
    int64_t odd = 0;
    int32_t *list = pm_alloc_array(a->nrows, sizeof *list);
    assert_non_null(list);
    for (int64_t v = 0; v < a->nrows; ++v)
        label[v] = -1;
    for (int32_t root = 0; root < a->nrows; ++root) {
        int64_t head = 0, tail = 0;
        if (part[root] == 'A' || label[root] >= 0)
            continue;
        label[root] = root;
        list[tail++] = root;
        while (head < tail) {
            const int32_t v = list[head++];
            for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
                const int32_t u = a->colind[k];
                if (part[u] == 'A' || label[u] >= 0)
                    continue;
                label[u] = root;
                list[tail++] = u;
            }
        }
        odd += tail % 2;
    }
    free(list);
    return odd;
}

/* Neither the matching nor the set A is trusted: a matching leaves out at least (odd components without A) - |A| vertices, so
 * equality proves both. */
static void assert_proved(const pm_matrix *a, const pm_gallai_edmonds *g)
{
    int32_t *label = pm_alloc_array(g->n, sizeof *label);
    int32_t *of_label = pm_alloc_array(g->n, sizeof *of_label);
    int64_t na = 0, nd = 0, largest = -1;
    assert_true(label && of_label);
    assert_int_equal(g->n, a->nrows);
    assert_matching(a, g->partner, g->size);
    const int64_t odd = odd_components(a, g->part, label);
    for (int32_t v = 0; v < g->n; ++v) {
        na += g->part[v] == 'A';
        nd += g->part[v] == 'D';
        of_label[v] = -1;
    }
    assert_int_equal(odd - na, g->n - 2 * g->size);
    assert_int_equal(odd - na, pm_gallai_edmonds_left_out(g));
    assert_int_equal(odd, g->ncomponents);
    assert_int_equal(na, g->na);
    assert_int_equal(nd, g->nd);
    assert_int_equal(g->n - na - nd, g->nc);
    /* components are those of D, numbered in the order of their first vertices */
    for (int32_t v = 0; v < g->n; ++v) {
        if (g->part[v] != 'D') {
            assert_int_equal(g->component[v], -1);
            continue;
        }
        if (of_label[label[v]] < 0) {
            assert_int_equal(g->component[v], ++largest);
            of_label[label[v]] = g->component[v];
        }
        assert_int_equal(g->component[v], of_label[label[v]]);
    }
    assert_int_equal(largest + 1, g->ncomponents);
    free(label);
    free(of_label);
}

/* Frees a.  Returns the size of a maximum matching. */
static int64_t proved_size(pm_matrix *a)
{
    pm_gallai_edmonds g;
    assert_int_equal(pm_gallai_edmonds_find(a, NULL, &g, NULL), PM_OK);
    assert_proved(a, &g);
    const int64_t size = g.size;
    pm_gallai_edmonds_free(&g);
    pm_matrix_free(a);
    return size;
}

static void expect(test_edges *g, int64_t size)
{
    pm_matrix a;
    test_edges_end(g, &a);
    assert_int_equal(proved_size(&a), size);
}

/* ---- small graphs ---- */

static void against_definition(const pm_matrix *a)
{
    static small_matchings all;
    pm_gallai_edmonds g;
    small_matchings_find(a, &all);
    assert_int_equal(pm_gallai_edmonds_find(a, NULL, &g, NULL), PM_OK);
    const uint32_t every = ((uint32_t)1 << all.n) - 1;
    uint32_t d = 0;
    assert_int_equal(g.size, all.size[every]);
    for (int v = 0; v < all.n; ++v)
        if (all.size[every & ~((uint32_t)1 << v)] == g.size)
            d |= (uint32_t)1 << v;
    for (int v = 0; v < all.n; ++v)
        assert_int_equal(g.part[v], d >> v & 1 ? 'D' : all.neighbours[v] & d ? 'A' : 'C');
    assert_proved(a, &g);
    pm_gallai_edmonds_free(&g);
}

static void small_graphs(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(6000); ++round) {
        pm_matrix a;
        const double p = pm_rng_unit(&rng);
        random_general_graph(&rng, pm_rng_below(&rng, 13), p * p, &a);
        against_definition(&a);
        pm_matrix_free(&a);
    }
}

static void loops_are_ignored(void **state)
{
    pm_matrix a;
    (void)state;
    test_edges g = {.n = 3};
    test_join(&g, 0, 0);
    test_join(&g, 0, 1);
    test_join(&g, 2, 2);
    test_edges_end(&g, &a);
    against_definition(&a);
    pm_matrix_free(&a);
}

/* ---- vertices with loops may stay alone ---- */

/* The fewest vertices without a loop that a matching leaves out. */
static int64_t fewest_left_out(const small_matchings *all, uint32_t looped)
{
    int64_t fewest = all->n;
    for (uint32_t alone = looped;; alone = (alone - 1) & looped) {
        const uint32_t rest = (((uint32_t)1 << all->n) - 1) & ~alone;
        const int64_t left = __builtin_popcount(rest) - 2 * all->size[rest];
        fewest = left < fewest ? left : fewest;
        if (!alone)
            return fewest;
    }
}

/* The matching leaves out as many vertices without a loop as the components of D, less A, prove. */
static void assert_proved_with_loops(const pm_matrix *a, const pm_gallai_edmonds *g,
                                     uint32_t looped)
{
    int64_t left = 0, size[SMALL_GRAPH] = {0};
    assert_matching(a, g->partner, g->size);
    for (int32_t v = 0; v < g->n; ++v) {
        const bool has_loop = looped >> v & 1;
        left += g->partner[v] < 0 && !has_loop;
        if (g->part[v] != 'D')
            continue;
        assert_false(has_loop);
        ++size[g->component[v]];
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
            const int32_t u = a->colind[k];
            assert_true(g->part[u] == 'A'
                        || (g->part[u] == 'D' && g->component[u] == g->component[v]));
        }
    }
    for (int64_t c = 0; c < g->ncomponents; ++c)
        assert_int_equal(size[c] % 2, 1);
    assert_int_equal(left, pm_gallai_edmonds_left_out(g));
    assert_int_equal(g->nd + g->na + g->nc, g->n);
}

static void with_loops(void **state)
{
    (void)state;
    int64_t some = 0;
    for (int round = 0; test_goes_on(round, 4000, some > 20); ++round) {
        static small_matchings all;
        pm_matrix a;
        pm_gallai_edmonds g;
        uint32_t looped = 0;
        const double p = pm_rng_unit(&rng);
        random_symmetric(&rng, PM_PATTERN, (int)pm_rng_below(&rng, 12), p * p, pm_rng_unit(&rng),
                         &a);
        for (int v = 0; v < a.nrows; ++v)
            for (int64_t k = a.rowptr[v]; k < a.rowptr[v + 1]; ++k)
                looped |= (uint32_t)(a.colind[k] == v) << v;
        small_matchings_find(&a, &all);
        assert_int_equal(pm_gallai_edmonds_find_with_loops(&a, NULL, &g, NULL), PM_OK);
        assert_int_equal(pm_gallai_edmonds_left_out(&g), fewest_left_out(&all, looped));
        assert_proved_with_loops(&a, &g, looped);
        some += g.ncomponents > 0 && looped;
        pm_gallai_edmonds_free(&g);
        pm_matrix_free(&a);
    }
    assert_true(some > 20); /* about 1 in 5 of 4000: by chance below 1e-300 */
}

/* ---- graphs that are known ---- */

static void known_graphs(void **state)
{
    (void)state;
    test_edges g = {.n = 10}; /* Petersen */
    test_join_cycle(&g, 0, 5);
    for (int v = 0; v < 5; ++v) {
        test_join(&g, v, 5 + v);
        test_join(&g, 5 + v, 5 + (v + 2) % 5);
    }
    expect(&g, 5);
    for (int n = 0; n < 40; ++n) { /* complete graphs and cycles */
        g = (test_edges){.n = n};
        test_join_all(&g, 0, n);
        expect(&g, n / 2);
        g = (test_edges){.n = n + 3};
        test_join_cycle(&g, 0, n + 3);
        expect(&g, (n + 3) / 2);
        g = (test_edges){.n = n + 4}; /* wheel */
        test_join_cycle(&g, 1, n + 3);
        for (int v = 1; v < n + 4; ++v)
            test_join(&g, 0, v);
        expect(&g, (n + 4) / 2);
        g = (test_edges){.n = 2 * n + 1}; /* friendship: n triangles that share a vertex */
        for (int v = 0; v < n; ++v) {
            test_join(&g, 0, 2 * v + 1);
            test_join(&g, 0, 2 * v + 2);
            test_join(&g, 2 * v + 1, 2 * v + 2);
        }
        expect(&g, n);
        g = (test_edges){.n = 5 * n + 1}; /* n odd cycles, each joined to one vertex */
        for (int v = 0; v < n; ++v) {
            test_join_cycle(&g, 5 * v + 1, 5);
            test_join(&g, 0, 5 * v + 1);
        }
        expect(&g, 2 * n + (n > 0));
    }
}

/* A cycle of five in which a vertex is replaced by such a graph, and so on; two of them joined by a path: their blossoms are nested.
 * The labels are in random order, so the start is a different one in each round. */
static void nested_blossoms(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        const int depth = 1 + (int)pm_rng_below(&rng, 60), ears = 4, core = 1 + ears * depth;
        const int n = 2 * core + 2 * (int)pm_rng_below(&rng, 5);
        int32_t *p = pm_alloc_array(n, sizeof *p);
        test_edges g = {.n = n};
        assert_non_null(p);
        for (int v = 0; v < n; ++v) {
            const int u = (int)pm_rng_below(&rng, (uint32_t)v + 1);
            p[v] = p[u];
            p[u] = v;
        }
        for (int side = 0; side < 2;
             ++side) { /* an ear with four vertices keeps a graph factor-critical */
            const int first = side * core;
            for (int k = 0; k < depth; ++k) {
                const int ear = first + 1 + ears * k;
                test_join(&g, p[first + (int)pm_rng_below(&rng, (uint32_t)(1 + ears * k))], p[ear]);
                test_join(&g, p[first + (int)pm_rng_below(&rng, (uint32_t)(1 + ears * k))],
                          p[ear + ears - 1]);
                for (int e = 0; e < ears - 1; ++e)
                    test_join(&g, p[ear + e], p[ear + e + 1]);
            }
        }
        int before = (int)pm_rng_below(&rng, (uint32_t)core);
        for (int v = 2 * core; v < n; ++v) {
            test_join(&g, p[before], p[v]);
            before = v;
        }
        test_join(&g, p[before], p[core + (int)pm_rng_below(&rng, (uint32_t)core)]);
        expect(&g, n / 2);
        free(p);
    }
}

/* ---- large graphs ---- */

static void large_graphs(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_matrix a;
        const int64_t n = 100 + pm_rng_below(&rng, 2000);
        sparse_general_graph(&rng, n, 0.5 + 4 * pm_rng_unit(&rng), &a);
        proved_size(&a);
    }
    for (double degree = 2; degree < 5; ++degree) {
        pm_matrix a;
        sparse_general_graph(&rng, (int64_t)(100000 / (double)test_step(10)), degree, &a);
        proved_size(&a);
    }
}

/* Triangles in a row, each joined to the next: every second one is left with an edge that is wrong at first. */
static void long_chains(void **state)
{
    const int64_t count = 60000 / test_step(10);
    (void)state;
    test_edges g = {.n = 3 * count};
    for (int64_t k = 0; k < count; ++k) {
        test_join_cycle(&g, 3 * k, 3);
        if (k + 1 < count)
            test_join(&g, 3 * k + 2, 3 * k + 3);
    }
    expect(&g, 3 * count / 2);
}

/* ---- failures ---- */

static void no_memory(void **state)
{
    pm_matrix a;
    (void)state;
    sparse_general_graph(&rng, 60, 3, &a);
    pm_status status = PM_ENOMEM;
    for (int64_t k = 1; status; ++k) {
        pm_gallai_edmonds g = {.size = -7};
        pm_alloc_fail_at(k);
        status = pm_gallai_edmonds_find(&a, NULL, &g, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        if (status)
            assert_true(g.size == -7 && !g.partner);
        else
            pm_gallai_edmonds_free(&g);
        assert_true(k < 100);
    }
    pm_matrix_free(&a);
}

/* A graph whose first phase takes many steps. */
static void stopping(void **state)
{
    pm_matrix a;
    pm_error err;
    pm_gallai_edmonds g;
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    (void)state;
    test_edges list = {.n = 30000};
    for (int64_t v = 0; v + 2 < 30000; v += 3)
        test_join_cycle(&list, v, 3);
    test_edges_end(&list, &a);
    assert_int_equal(pm_gallai_edmonds_find(&a, &run, &g, &err), PM_ESTOPPED);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),    cmocka_unit_test(loops_are_ignored),
        cmocka_unit_test(with_loops),      cmocka_unit_test(known_graphs),
        cmocka_unit_test(nested_blossoms), cmocka_unit_test(large_graphs),
        cmocka_unit_test(long_chains),     cmocka_unit_test(no_memory),
        cmocka_unit_test(stopping),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
