/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Periodic graphs: written out against the definition; every way to count them against the count of the written out
 * graph; layers that are found in graphs against other algorithms. */
#include "config.h"

#include <stdlib.h>

#include "layers/find_layers.h"
#include "layers/layers_count.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "support/matrices.h"

static uint64_t rng;

typedef struct {
    pm_matrix own;
    pm_period period;
} graph;

static void random_graph(graph *g)
{
    const int rows = 1 + (int)pm_rng_below(&rng, 3);
    const pm_field field = pm_rng_below(&rng, 2) ? PM_INTEGER : PM_PATTERN;
    const double p = 0.3 + 0.2 * (double)pm_rng_below(&rng, 4);
    random_matrix(&rng, field, rows, rows, p, &g->own);
    random_matrix(&rng, field, rows, rows, p, &g->period.next);
    random_matrix(&rng, pm_rng_below(&rng, 2) ? field : PM_PATTERN, rows, rows, p,
                  &g->period.before);
    g->period.length = 1 + (int64_t)pm_rng_below(&rng, 9);
    g->period.is_ring = pm_rng_below(&rng, 2);
}

static void free_graph(graph *g)
{
    pm_matrix_free(&g->own);
    pm_period_free(&g->period);
}

/* The count of the written out graph. */
static void slow_count(const graph *g, uint64_t modulus, pm_value *out)
{
    pm_matrix whole;
    pm_count_options opt = pm_count_defaults();
    opt.algorithm = "frontier";
    opt.modulus = modulus;
    assert_int_equal(pm_period_write_out(&g->own, &g->period, &whole, NULL), PM_OK);
    assert_int_equal(pm_count(&whole, &opt, NULL, out, NULL, NULL), PM_OK);
    pm_matrix_free(&whole);
}

/* ---- writing out ---- */

/* Entry (row, col) of a, or 0. */
static void entry_of(const pm_matrix *a, int64_t row, int64_t col, pm_dyadic *out)
{
    pm_dyadic_set_si(out, 0);
    for (int64_t k = a->rowptr[row]; k < a->rowptr[row + 1]; ++k)
        if (a->colind[k] == col && a->re)
            pm_dyadic_set(out, &a->re[k]);
        else if (a->colind[k] == col)
            pm_dyadic_set_si(out, 1);
}

/* Adds the entry of one part to the sum if the parts of row and column are so far apart. */
static void add_entry(const pm_matrix *a, int64_t row, int64_t col, pm_dyadic *sum)
{
    pm_dyadic x = {0};
    entry_of(a, row, col, &x);
    pm_dyadic_add(sum, sum, &x);
    pm_dyadic_clear(&x);
}

static void written_out(void **state)
{
    (void)state;
    for (int round = test_rounds(200); round > 0; --round) {
        graph g;
        pm_matrix whole;
        random_graph(&g);
        const int64_t n = g.own.nrows, parts = g.period.length;
        assert_int_equal(pm_period_write_out(&g.own, &g.period, &whole, NULL), PM_OK);
        assert_int_equal(whole.nrows, n * parts);
        for (int64_t i = 0; i < n * parts; ++i)
            for (int64_t j = 0; j < n * parts; ++j) {
                const int64_t p = i / n, q = j / n;
                pm_dyadic expected = {0}, found = {0};
                if (p == q)
                    add_entry(&g.own, i % n, j % n, &expected);
                if (p + 1 == q || (g.period.is_ring && (p + 1) % parts == q))
                    add_entry(&g.period.next, i % n, j % n, &expected);
                if (p == q + 1 || (g.period.is_ring && (q + 1) % parts == p))
                    add_entry(&g.period.before, i % n, j % n, &expected);
                entry_of(&whole, i, j, &found);
                assert_true(pm_dyadic_equal(&expected, &found));
                pm_dyadic_clear(&expected);
                pm_dyadic_clear(&found);
            }
        pm_matrix_free(&whole);
        free_graph(&g);
    }
}

/* ---- ways to count ---- */

static void check_way(const graph *g, const pm_layers *x, pm_layers_way way, uint64_t modulus)
{
    uint64_t residue;
    pm_value expected;
    pm_value_init(&expected);
    slow_count(g, modulus, &expected);
    assert_int_equal(
        pm_layers_residues(x, way, &modulus, 1, NULL, (pm_layers_sink){0}, &residue, NULL), PM_OK);
    assert_int_equal(mpq_cmp_ui(expected.exact, residue, 1), 0);
    pm_value_clear(&expected);
}

static void all_ways(void **state)
{
    static const uint64_t moduli[] = {2, 7, 1000000007, 6, 1000000000, UINT64_C(1) << 61};
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        graph g;
        pm_layered layered;
        pm_layers x;
        random_graph(&g);
        assert_int_equal(pm_layered_from_period(&g.own, &g.period, &layered, NULL), PM_OK);
        assert_int_equal(pm_layers_make(&layered, INT64_C(1) << 30, NULL, &x, NULL), PM_OK);
        for (int k = 0; k < 6; ++k) {
            check_way(&g, &x, PM_LAYERS_SWEEP, moduli[k]);
            check_way(&g, &x, PM_LAYERS_INTEGER, moduli[k]);
            if (k < 3)
                check_way(&g, &x, g.period.is_ring ? PM_LAYERS_PRIME : PM_LAYERS_SEQUENCE,
                          moduli[k]);
        }
        pm_layers_free(&x);
        pm_layered_free(&layered);
        free_graph(&g);
    }
}

/* The whole count, by the option of pm_count; the bound of the number of primes holds, since the answer is
 * right. */
static void exact_counts(void **state)
{
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        graph g;
        pm_value expected, found;
        pm_count_options opt = pm_count_defaults();
        random_graph(&g);
        opt.period = &g.period;
        opt.algorithm = pm_rng_below(&rng, 2) ? "periodic" : NULL;
        opt.independent = pm_rng_below(&rng, 2);
        pm_value_init(&expected);
        pm_value_init(&found);
        slow_count(&g, 0, &expected);
        assert_int_equal(pm_count(&g.own, &opt, NULL, &found, NULL, NULL), PM_OK);
        assert_true(mpq_equal(expected.exact, found.exact));
        pm_value_clear(&expected);
        pm_value_clear(&found);
        free_graph(&g);
    }
}

/* ---- layers that are found ---- */

/* Rows and columns in random sequence. */
static void shuffle(pm_matrix *a)
{
    pm_matrix b;
    int32_t *p = pm_alloc_array(a->nrows, sizeof *p), *q = pm_alloc_array(a->ncols, sizeof *q);
    assert_true(p && q);
    random_permutation(&rng, p, (int32_t)a->nrows);
    random_permutation(&rng, q, (int32_t)a->ncols);
    assert_int_equal(pm_matrix_select(a, p, a->nrows, q, a->ncols, &b, NULL), PM_OK);
    free(p);
    free(q);
    pm_matrix_free(a);
    *a = b;
}

static void found_layers(void **state)
{
    int found = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 60, found >= 10); ++round) {
        graph g;
        pm_matrix whole;
        pm_layered layered;
        random_graph(&g);
        g.period.length = 60 + (int64_t)pm_rng_below(&rng, 60);
        assert_int_equal(pm_period_write_out(&g.own, &g.period, &whole, NULL), PM_OK);
        shuffle(&whole);
        const pm_status status = pm_layered_find(&whole, NULL, &layered, NULL);
        assert_true(status == PM_OK || status == PM_UNABLE);
        if (status == PM_OK) {
            const uint64_t modulus = 1000000007;
            pm_layers x;
            ++found;
            if (pm_layers_make(&layered, INT64_C(1) << 26, NULL, &x, NULL) == PM_OK) {
                check_way(&g, &x, PM_LAYERS_SWEEP, modulus);
                check_way(&g, &x, PM_LAYERS_SEQUENCE, modulus);
                pm_layers_free(&x);
            }
            pm_layered_free(&layered);
        }
        pm_matrix_free(&whole);
        free_graph(&g);
    }
    assert_true(found > 0);
}

/* Parts with too many vertices, and entries that are no integers. */
static void refusals(void **state)
{
    pm_layered layered;
    graph g = {.period = {.length = 3}};
    (void)state;
    random_matrix(&rng, PM_PATTERN, 40, 40, 0.1, &g.own);
    random_matrix(&rng, PM_PATTERN, 40, 40, 0.1, &g.period.next);
    random_matrix(&rng, PM_PATTERN, 40, 40, 0.1, &g.period.before);
    assert_int_equal(pm_layered_from_period(&g.own, &g.period, &layered, NULL), PM_UNABLE);
    free_graph(&g);
    g = (graph){.period = {.length = 3}};
    random_matrix(&rng, PM_COMPLEX, 2, 2, 1, &g.own);
    random_matrix(&rng, PM_PATTERN, 2, 2, 0.5, &g.period.next);
    random_matrix(&rng, PM_PATTERN, 2, 2, 0.5, &g.period.before);
    assert_int_equal(pm_layered_from_period(&g.own, &g.period, &layered, NULL), PM_UNABLE);
    g.period.length = INT64_MAX;
    assert_int_equal(pm_period_write_out(&g.own, &g.period, &g.own, NULL), PM_UNABLE);
    free_graph(&g);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_out),  cmocka_unit_test(all_ways), cmocka_unit_test(exact_counts),
        cmocka_unit_test(found_layers), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
