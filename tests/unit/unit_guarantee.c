/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates with a guarantee: the bound that they rest on, errors, stops and refusals. */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "degree/hub_bound.h"
#include "estimate/guarantee.h"
#include "estimate/sampler_registry.h"
#include "sampler/weight.h"
#include "support/graphs.h"
#include "support/moments.h"
#include "support/testing.h"

/* log of (sum over a row of 1/gamma(c - 1)) / (product of gamma(c)/gamma(c - 1)); c > 1 */
static double passes_bound(const double *gamma, const int *c, int d)
{
    double sum = 0, product = 0;
    for (int k = 0; k < d; ++k) {
        sum += 1 / gamma[c[k] - 1];
        product += log(gamma[c[k]] / gamma[c[k] - 1]);
    }
    return log(sum) - product;
}

/* Rows of equal degrees, and of mixed ones: the inequality that the bound of hub+ rests on.  With a
 * degree of 1 in the row the left side is infinite and the choice forced: nothing to show. */
static void test_nesting(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    double gamma[401], worst = -INFINITY;
    pm_hub_gamma(gamma, 400);
    for (int d = 1; d <= 400; d += test_step(9))
        for (int degree = 2; degree <= 400; ++degree) {
            int c[400];
            for (int k = 0; k < d; ++k)
                c[k] = degree;
            worst = fmax(worst, passes_bound(gamma, c, d));
        }
    for (int round = test_rounds(100000); round > 0; --round) {
        int c[64], d = 1 + (int)pm_rng_below(&rng, 64), most = 1 + (int)pm_rng_below(&rng, 100);
        for (int k = 0; k < d; ++k)
            c[k] = 2 + (int)pm_rng_below(&rng, (uint32_t)most);
        worst = fmax(worst, passes_bound(gamma, c, d));
    }
    printf("# log of the largest ratio: %g\n", worst);
    assert_true(worst < 0);
}

/* Permanents of small grids within epsilon, by both ways, more often than promised. */
static void test_guarantee(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    pm_matrix a;
    grid_graph(4, 6, &a); /* 281 */
    pm_sampler_options o = {0};
    int rounds = test_rounds(100), wrong[2] = {0};
    double used[2] = {0}, predicted[2] = {0};
    for (int round = 0; round < rounds; ++round)
        for (int way = 0; way < 2; ++way) {
            pm_sampler s;
            pm_guarantee_plan plan;
            pm_certified out;
            assert_int_equal(pm_sampler_make(pm_sampler_method_find("hub+"), &a, &o,
                                             pm_rng_next(&rng), 0, NULL, &s, NULL),
                             PM_OK);
            double epsilon = way ? 0.03 : 0.25;
            assert_int_equal(pm_guarantee_prepare(&s, epsilon, 0.2, NULL, &plan, NULL), PM_OK);
            assert_int_equal(plan.by_mean, way);
            assert_int_equal(pm_guarantee_run(&s, &plan, NULL, &out, NULL), PM_OK);
            wrong[way] += fabs(pm_weight_to_double(out.estimate, 0) / 281 - 1) > epsilon;
            used[way] += (double)out.samples;
            predicted[way] += plan.samples;
            pm_sampler_free(&s);
        }
    for (int way = 0; way < 2; ++way) {
        printf("# %s: %d of %d wrong, samples used / predicted %.2f\n", way ? "mean" : "gamma",
               wrong[way], rounds, used[way] / predicted[way]);
        /* one time in five is allowed; 6 standard deviations, by chance below 3e-7 for any number of rounds */
        assert_true(wrong[way] <= 0.2 * rounds + 6 * sqrt(0.16 * rounds));
        assert_true(used[way] < 3 * predicted[way] + rounds * 4096.0);
    }
    pm_matrix_free(&a);
}

static volatile sig_atomic_t stop;
static int reports; /* until a stop */

static void count_reports(void *context, double fraction, const char *what)
{
    (void)context, (void)fraction, (void)what;
    if (--reports == 0)
        stop = 1;
}

/* Every sample drawn before a stop is reported, in all stages. */
static void test_stopped_guarantee(void **state)
{
    (void)state;
    pm_matrix a;
    pm_sampler s;
    pm_guarantee_plan plan;
    pm_certified out;
    pm_status rc = PM_ESTOPPED;
    pm_run run = {.threads = 1, .stop = &stop, .progress = count_reports};
    pm_sampler_options o = {0};
    int64_t told = 0;
    grid_graph(4, 6, &a);
    assert_int_equal(pm_sampler_make(pm_sampler_method_find("hub+"), &a, &o, 5, 0, NULL, &s, NULL),
                     PM_OK);
    assert_int_equal(pm_guarantee_prepare(&s, 0.03, 0.2, NULL, &plan, NULL), PM_OK);
    assert_true(plan.by_mean);
    for (int k = 1; rc; ++k) {
        reports = k;
        rc = pm_guarantee_run(&s, &plan, &run, &out, NULL);
        stop = 0;
        assert_true(rc == PM_OK || (rc == PM_ESTOPPED && out.samples > told));
        told = out.samples;
    }
    pm_sampler_free(&s);
    pm_matrix_free(&a);
}

static void test_refused_guarantee(void **state)
{
    (void)state;
    pm_matrix a;
    pm_sampler s;
    pm_guarantee_plan plan;
    pm_certified out;
    pm_error err = {.msg = ""};
    pm_run run = {.max_cost = 1e-6};
    pm_sampler_options o = {0};
    grid_graph(8, 8, &a);
    assert_int_equal(pm_sampler_make(pm_sampler_method_find("hub+"), &a, &o, 1, 0, NULL, &s, NULL),
                     PM_OK);
    assert_int_equal(pm_guarantee_prepare(&s, 0.1, 0.05, NULL, &plan, NULL), PM_OK);
    assert_int_equal(pm_guarantee_run(&s, &plan, &run, &out, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "refused: an error of 10 %"));
    assert_near(pm_guarantee_share(0.1, 7), pow(1.1, 1.0 / 7) - 1, 1e-12);
    pm_sampler_free(&s);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_guarantee),
        cmocka_unit_test(test_stopped_guarantee),
        cmocka_unit_test(test_refused_guarantee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
