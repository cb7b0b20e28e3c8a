/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beam on one set of vertices, with and without loops, against the definition of the loop hafnian: equal where there is room
 * for all states, right on average where there is not, never more than the bound of states.
 *
 * False alarm: none.  The means are those of the same samples in each run: where a state of little weight is nearly all of the
 * hafnian in the end, they would be far off at times. */
#include "config.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "beam/beam_plan.h"
#include "beam/state_lists.h"
#include "estimate/sampler_registry.h"
#include "matrix/symmetric.h"
#include "number/cnum.h"
#include "pm/alloc.h"
#include "reference/textbook.h"
#include "sampler/weight.h"
#include "support/general_graphs.h"
#include "support/positive.h"

static uint64_t rng;

/* ---- graphs ---- */

/* 1 to 9, some 1024 times as large */
static double one_weight(uint64_t *random)
{
    return (1 + pm_rng_below(random, 9)) * (pm_rng_below(random, 4) ? 1.0 : 1024.0);
}

/* Each vertex has a loop with probability `loops`. */
static void any_graph(int64_t n, double p, double loops, pm_field field, pm_matrix *a)
{
    test_edges g = {.n = n};
    pm_matrix pattern;
    for (int64_t v = 0; v < n; ++v) {
        if (pm_rng_unit(&rng) < loops)
            test_join(&g, v, v);
        for (int64_t u = 0; u < v; ++u)
            if (pm_rng_unit(&rng) < p)
                test_join(&g, v, u);
    }
    test_edges_end(&g, &pattern);
    weigh_general_graph(&rng, &pattern, field, one_weight, a);
    pm_matrix_free(&pattern);
}

static pm_xreal hafnian_of(const pm_matrix *a)
{
    pm_cnum x = {0};
    textbook_hafnian(a, &x);
    const pm_xreal value = pm_xreal_from_dyadic(&x.re);
    pm_cnum_clear(&x);
    return value;
}

/* least to most vertices; half of the graphs have loops, half have weights.  With a loop hafnian that is not 0, which is returned. */
static pm_xreal some_graph(int least, int most, pm_matrix *a)
{
    for (;;) {
        const int64_t n = least + pm_rng_below(&rng, (uint32_t)(most - least + 1));
        const double loops = pm_rng_below(&rng, 2) ? pm_rng_unit(&rng) : 0;
        any_graph(n, 0.3 + 0.6 * pm_rng_unit(&rng), loops,
                  pm_rng_below(&rng, 2) ? PM_REAL : PM_PATTERN, a);
        const pm_xreal value = hafnian_of(a);
        if (value.hi != 0)
            return value;
        pm_matrix_free(a);
    }
}

static void make(const pm_matrix *a, int64_t states, uint64_t seed, pm_sampler *s)
{
    const pm_sampler_method *beam = pm_sampler_method_find("beam")->of_general;
    const pm_sampler_options o = {.states = states};
    assert_true(beam->is_general);
    assert_string_equal(beam->name, "beam");
    assert_int_equal(pm_sampler_make(beam, a, &o, seed, 0, NULL, s, NULL), PM_OK);
}

/* ---- exact ---- */

static void exact_with_all_states(void **state)
{
    int looped = 0, odd = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 600, looped > 0 && odd > 0); ++round) {
        pm_matrix a;
        pm_sampler s;
        const pm_xreal exact = some_graph(1, 12, &a);
        make(&a, round % 2 ? 0 : 5000, (uint64_t)round, &s);
        assert_true(s.is_exact);
        void *scratch = scratch_of(&s);
        assert_true(fabs(weight_ratio(s.method->draw(&s, scratch, 7), exact) - 1) < 1e-12);
        free(scratch);
        pm_sampler_free(&s);
        looped += pm_matrix_has_diagonal(&a);
        odd += a.nrows % 2 != 0;
        pm_matrix_free(&a);
    }
    assert_true(looped > 0 && odd > 0);
}

/* Without loops the parity halves the number of states; no list is longer than the plan says. */
static void states_are_bounded(void **state)
{
    enum { MOST = 1 << 13 };
    static uint64_t keys[4][MOST];
    static double weights[4][MOST];
    (void)state;
    for (int round = test_rounds(200); round > 0; --round) {
        pm_matrix a;
        pm_beam_plan p;
        pm_states list[4];
        some_graph(1, 12, &a);
        assert_int_equal(pm_beam_plan_make(&a, true, rng, NULL, &p, NULL), PM_OK);
        assert_int_equal(p.words, 1);
        for (int k = 0; k < 4; ++k)
            list[k] = (pm_states){.keys = keys[k], .hi = weights[k]};
        list[0].keys[0] = 0;
        list[0].hi[0] = 1;
        list[0].n = 1;
        for (int64_t t = 0; t < p.nedges; ++t) {
            pm_states_edge(&list[0], &p.edges[t], 1, &list[2], &list[3], &list[1]);
            const pm_states swap = list[0];
            list[0] = list[1];
            list[1] = swap;
            assert_true((double)list[0].n <= p.edges[t].states);
        }
        assert_int_equal(list[0].n, 1);
        pm_beam_plan_free(&p);
        pm_matrix_free(&a);
    }
}

static void none_gives_zero(void **state)
{
    int zeros = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 200, zeros > 10); ++round) {
        pm_matrix a;
        any_graph(1 + pm_rng_below(&rng, 9), 0.25, round % 2 ? 0.1 : 0, PM_PATTERN, &a);
        if (hafnian_of(&a).hi == 0) {
            pm_sampler s;
            make(&a, 3, 5, &s);
            void *scratch = scratch_of(&s);
            assert_true(s.method->draw(&s, scratch, 0).m == 0);
            free(scratch);
            pm_sampler_free(&s);
            ++zeros;
        }
        pm_matrix_free(&a);
    }
}

/* ---- unbiased ---- */

enum { RUNS = 1000 };

/* By so much the mean may be off for want of states that none of the runs has kept. */
#define UNSEEN (30. / RUNS)

/* mean - exact, relative, and the relative variance of one. */
static void draw_runs(const pm_sampler *s, pm_xreal exact, double *deviation, double *cv2)
{
    double sum = 0, square = 0;
    void *scratch = scratch_of(s);
    for (uint64_t i = 0; i < RUNS; ++i) {
        const double x = weight_ratio(s->method->draw(s, scratch, i), exact);
        sum += x;
        square += x * x;
    }
    free(scratch);
    const double mean = sum / RUNS, variance = (square / RUNS - mean * mean) * RUNS / (RUNS - 1);
    *deviation = mean - 1;
    *cv2 = fmax(variance, 0) / (mean * mean);
}

static void right_on_average(void **state)
{
    double squares = 0;
    int tested = 0, thinned = 0;
    (void)state;
    rng = test_same_seed();
    for (int round = 0; test_goes_on(round, 200, tested > thinned / 20); ++round) {
        pm_matrix a;
        pm_sampler s;
        double cv2, deviation;
        const pm_xreal exact = some_graph(8, 13, &a);
        make(&a, 1 + (int64_t)pm_rng_below(&rng, 8), rng, &s);
        draw_runs(&s, exact, &deviation, &cv2);
        const double z = deviation / sqrt(cv2 / RUNS + 1e-30);
        if (cv2 < 1)
            assert_false(fabs(z) >= 7 && fabs(deviation) > UNSEEN);
        if (cv2 > 0.05 && cv2 < 1) { /* what was not kept is small beside it */
            squares += z * z;
            ++tested;
        }
        thinned += !s.is_exact;
        pm_sampler_free(&s);
        pm_matrix_free(&a);
    }
    print_message("# %d of %d graphs, sum of squared deviations %.1f\n", tested, thinned, squares);
    assert_true(tested > thinned / 20);
    assert_true(gsl_cdf_chisq_P(squares, tested) > 1e-9);
    assert_true(gsl_cdf_chisq_Q(squares, tested) > 1e-9);
}

/* ---- memory ---- */

static void no_memory(void **state)
{
    pm_matrix a;
    pm_status status = PM_ENOMEM;
    int failures = 0;
    (void)state;
    for (some_graph(8, 10, &a); !a.re; some_graph(8, 10, &a)) /* until it has weights */
        pm_matrix_free(&a);
    for (int64_t k = 1; status != PM_OK; ++k) {
        const pm_sampler_options o = {.states = 10};
        pm_sampler s;
        pm_alloc_fail_at(k);
        status = pm_sampler_make(pm_sampler_method_find("beam")->of_general, &a, &o, 1, 0, NULL, &s,
                                 NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        failures += status != PM_OK;
        pm_sampler_free(&s);
    }
    assert_true(failures > 20);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_with_all_states),
        cmocka_unit_test(states_are_bounded),
        cmocka_unit_test(none_gives_zero),
        cmocka_unit_test(right_on_average),
        cmocka_unit_test(no_memory),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
