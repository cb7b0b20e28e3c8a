/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ascent of Bethe's functional from Sinkhorn's matrix (bounds/bethe_ascent.h): it never falls, is a lower bound at each step, and
 * comes to the maximum that belief propagation finds. */
#include "config.h"

#include <math.h>

#include "bounds/bethe_ascent.h"
#include "bounds/bounds.h"
#include "pm/alloc.h"
#include "reference/textbook.h"
#include "sinkhorn/doubly_stochastic.h"
#include "support/graphs.h"
#include "support/matrices.h"
#include "support/positive.h"
#include "support/total_support.h"

enum { STEPS = 60, PRODUCTS = 4000 };
#define ROUNDING 1e-6 /* lines are made exact: the functional is not quite at its maximum */

typedef struct {
    double first, last; /* log10 of the functional */
} path;

/* entry: NULL: all are 1 */
static path climb(const pm_matrix *a, double (*entry)[2], int steps)
{
    pm_sinkhorn s;
    path p = {-INFINITY, -INFINITY};
    assert_int_equal(pm_sinkhorn_make(a, PM_ON_HOST, NULL, &s, NULL), PM_OK);
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        s.x[k] = entry ? entry[k][0] : 1;
    pm_sinkhorn_start(&s, s.x);
    for (int step = 0; step <= steps; ++step) {
        bool found = false;
        assert_int_equal(pm_doubly_stochastic(a, &s, 0, PRODUCTS, &found, NULL), PM_OK);
        assert_true(found);
        const double f = pm_bethe_functional(a, entry, s.x, 1) / M_LN10;
        assert_true(f >= p.last - ROUNDING);
        p.first = step == 0 ? f : p.first;
        p.last = f;
        pm_bethe_ascent_start(a, entry, 1, &s);
    }
    pm_sinkhorn_free(&s);
    return p;
}

static void small_graphs(void **state)
{
    uint64_t rng = test_seed();
    int gained = 0, rounds = test_rounds(40);
    (void)state;
    for (int round = 0; test_goes_on(round, 40, gained > rounds / 2); ++round) {
        pm_matrix a;
        pm_bounds b;
        pm_cnum exact = {0};
        permutations_union(&rng, 5 + (int)pm_rng_below(&rng, 6), 3 + round % 3, &a);
        textbook_ryser(&a, &exact);
        assert_int_equal(pm_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
        const path p = climb(&a, NULL, STEPS);
        assert_true(p.last <= xreal_log10(pm_xreal_from_dyadic(&exact.re)) + 1e-12);
        assert_true(p.last <= b.bethe_most + 1e-12);
        assert_true(p.last >= b.schrijver - 0.001);
        gained += p.last > p.first + 1e-4;
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
    print_message("# %d grow\n", gained);
    assert_true(gained > rounds / 2);
}

/* Weights, and factors of columns beyond the range of doubles. */
static void weights_and_long_bands(void **state)
{
    uint64_t rng = test_seed();
    pm_matrix a;
    (void)state;
    permutations_union(&rng, 200, 4, &a);
    double *w = random_weights(&rng, pm_matrix_nnz(&a), 6);
    double(*entry)[2] = pm_calloc_array(pm_matrix_nnz(&a), sizeof *entry);
    assert_non_null(entry);
    for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
        entry[k][0] = w[k];
    path p = climb(&a, entry, 10);
    assert_true(p.last > p.first + 0.1);
    free(w);
    free(entry);
    pm_matrix_free(&a);
    band_graph(2700, 3, 1, &a);
    p = climb(&a, NULL, 2);
    assert_true(p.last > p.first + 1);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(weights_and_long_bands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
