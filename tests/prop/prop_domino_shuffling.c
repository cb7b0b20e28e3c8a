/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random matchings of Aztec diamonds by determinants and by the frontier method against domino shuffling, which has
 * nothing in common with them.  Most edges near the corners are certain, so determinants would show what they round.
 * False alarm: 6e-8 a run: 10 p values that are below FREQUENCIES_CHANCE once in 10^9 each, and 4500 events of
 * support/aztec_diamonds.h, once in 10^11 each. */
#include "config.h"

#include "matchings/planar_matching.h"
#include "matchings/uniform.h"
#include "support/aztec_diamonds.h"
#include "support/domino_shuffling.h"
#include "support/graphs.h"
#include "support/matching_frequencies.h"
#include "support/testing.h"

/* Weights 1 to 9 at random, or NULL. */
static double *some_weights(uint64_t *rng, int order, bool has_weights)
{
    const int edges = 4 * order * order;
    double *weight = has_weights ? malloc((size_t)edges * sizeof *weight) : NULL;
    for (int e = 0; weight && e < edges; ++e)
        weight[e] = 1 + pm_rng_below(rng, 9);
    return weight;
}

/* ---- shuffling against all matchings ---- */

static void every_matching_as_often_as_it_weighs(void **state)
{
    enum { LARGEST = 3, DRAWS = 4000 };
    uint64_t rng = test_seed();
    frequencies f = {0};
    (void)state;
    for (int round = 0, rounds = test_rounds(9); round < rounds; ++round) {
        const int order = LARGEST - round % LARGEST;
        double *weight = some_weights(&rng, order, round >= LARGEST);
        domino_shuffling s;
        matching_list all;
        pm_matrix a;
        aztec_diamond(order, weight, &a);
        matching_list_make(&a, false, &all);
        assert_int_equal(all.count, 1 << order * (order + 1) / 2);
        domino_shuffling_make(order, weight, &s);
        for (int i = 0; i < DRAWS; ++i) {
            uint8_t edge[4 * LARGEST * LARGEST];
            int32_t col_of[LARGEST * (LARGEST + 1)];
            domino_shuffling_draw(&s, &rng, edge);
            aztec_columns(order, edge, col_of);
            matching_list_see(&all, col_of);
        }
        frequencies_add(&f, &all);
        domino_shuffling_free(&s);
        matching_list_free(&all);
        pm_matrix_free(&a);
        free(weight);
    }
    frequencies_end(&f);
}

/* ---- larger ones against shuffling ---- */

static void by_determinants(int order, bool has_weights, int draws)
{
    uint64_t rng = test_seed();
    double *weight = some_weights(&rng, order, has_weights);
    aztec_compare_planar(order, weight, test_rounds(draws), 10 * test_rounds(draws), rng);
    free(weight);
}

static void order_12(void **state)
{
    (void)state;
    by_determinants(12, false, 100);
}

static void order_24(void **state)
{
    (void)state;
    by_determinants(24, false, 20);
}

static void order_9_with_weights(void **state)
{
    (void)state;
    by_determinants(9, true, 100);
}

static void by_the_frontier(void **state)
{
    enum { ORDER = 8, COLUMNS = ORDER * (ORDER + 1) };
    uint64_t rng = test_seed();
    (void)state;
    for (int has_weights = 0; has_weights < 2; ++has_weights) {
        double *weight = some_weights(&rng, ORDER, has_weights), bytes;
        const int draws = test_rounds(1500);
        pm_matrix a;
        pm_uniform u;
        aztec_sample frontier, shuffled;
        aztec_diamond(ORDER, weight, &a);
        graphs_must(pm_uniform_plan(&a, rng, 0, NULL, &u, &bytes, NULL), NULL);
        graphs_must(pm_uniform_fill(&u, NULL, NULL), NULL);
        aztec_sample_make(ORDER, draws, &frontier);
        for (int i = 0; i < draws; ++i) {
            uint8_t edge[4 * ORDER * ORDER];
            int32_t col_of[COLUMNS];
            pm_uniform_draw(&u, (uint64_t)i, col_of);
            aztec_edges(ORDER, col_of, edge);
            aztec_sample_add(&frontier, edge);
        }
        aztec_shuffled(ORDER, weight, 2 * draws, &rng, &shuffled);
        aztec_compare(&frontier, &shuffled);
        aztec_sample_free(&frontier);
        aztec_sample_free(&shuffled);
        pm_uniform_free(&u);
        pm_matrix_free(&a);
        free(weight);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_matching_as_often_as_it_weighs),
        cmocka_unit_test(order_12),
        cmocka_unit_test(order_24),
        cmocka_unit_test(order_9_with_weights),
        cmocka_unit_test(by_the_frontier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
