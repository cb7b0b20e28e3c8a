/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals, what they are made from, and how often they hold the truth. */
#include "config.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#include "estimate/interval.h"
#include "pm/alloc.h"
#include "sampler/weight.h"
#include "support/moments.h"
#include "support/testing.h"

static void test_intervals(void **state)
{
    (void)state;
    /* t with 9 degrees of freedom: 2.262157; normal: 1.959964 */
    pm_spread s = {.variance = 0.0001, .freedom = 9, .tail_k = 0.1};
    pm_interval i = pm_interval_of(s, 0.95);
    assert_int_equal(i.kind, PM_INTERVAL_LOG_T);
    assert_near(i.high, exp(0.02262157), 1e-8);
    assert_near(i.low, exp(-0.02262157), 1e-8);
    assert_true(i.is_reliable && !i.is_wide);
    s.freedom = INFINITY;
    assert_near(pm_interval_of(s, 0.95).high, exp(0.01959964), 1e-8);
    /* skewness a = 0.5 lengthens the upper end: 7.672 as below */
    s.third = 0.5 * 1e-6;
    i = pm_interval_of(s, 0.95);
    assert_int_equal(i.kind, PM_INTERVAL_LOG_T);
    assert_near(i.high, 1 + 0.01 * 7.672, 1e-4);
    assert_near(i.low, exp(-0.01959964), 1e-8);
    assert_near(pm_normal_quantile(0.95), 1.959964, 1e-6);
    /* without skewness Hall's interval is the plain one */
    s = (pm_spread){.variance = 0.04, .freedom = INFINITY, .tail_k = 0.6};
    i = pm_interval_of(s, 0.95);
    assert_int_equal(i.kind, PM_INTERVAL_HALL);
    assert_near(i.high, 1 + 0.2 * 1.959964, 1e-6);
    assert_near(i.low, 1 - 0.2 * 1.959964, 1e-6);
    assert_true(i.is_wide && i.is_reliable);
    /* a = 0.5, worked by hand: x - a/6 = -2.0433; 1 + a x' = -0.0216; cbrt -0.2786; 6 (-1.2786) */
    s.third = 0.5 * 0.008;
    i = pm_interval_of(s, 0.95);
    assert_near(i.high, 1 + 0.2 * 7.672, 1e-3);
    assert_true(i.low > 1 - 0.2 * 1.959964 && i.low < 1);
    assert_true(pm_interval_is_within(s, 0.95, 1.54) && !pm_interval_is_within(s, 0.95, 1.53));
    s.tail_k = 0.71;
    assert_false(pm_interval_of(s, 0.95).is_reliable);
    /* terms of both signs: what is missed may lie on either side, as above, mirrored */
    s = (pm_spread){.variance = 1e-4, .freedom = INFINITY, .tail_k = 0.1, .has_both_signs = true};
    s.third = -0.5 * 1e-6;
    i = pm_interval_of(s, 0.95);
    assert_near(i.low, 1 - 0.01 * 7.672, 1e-4);
    assert_near(i.high, exp(0.01959964), 1e-8);
    /* that nearly cancel: the sign may be wrong */
    s = (pm_spread){.variance = 4, .freedom = INFINITY, .tail_k = 0.1, .has_both_signs = true};
    s.may_be_opposite = true;
    s.centre = 0.5;
    i = pm_interval_of(s, 0.95);
    assert_near(i.low, 0.5 - 2 * 1.959964, 1e-6);
    assert_near(i.high, 0.5 + 2 * 1.959964, 1e-6);
    assert_true(i.is_reliable && i.is_wide);
    assert_near(pm_spread_relative_error(s), 4, 1e-14);
    s.third = -0.5 * 8;
    i = pm_interval_of(s, 0.95);
    assert_near(i.low, 0.5 - 2 * 7.672, 1e-2);
    assert_near(i.high, 0.5 + 2 * 1.959964, 1e-6);
    assert_true(pm_interval_is_within(s, 0.95, 30.8) && !pm_interval_is_within(s, 0.95, 30.6));
    s.centre = 0;
    s.variance = 4e12;
    assert_true(isfinite(pm_interval_of(s, 0.95).low) && pm_interval_of(s, 0.95).is_wide);
    s.is_lost = true;
    i = pm_interval_of(s, 0.95);
    assert_true(isinf(i.low) && i.low < 0 && isinf(i.high) && !i.is_reliable && i.is_lost);
    /* nothing known, everything known */
    s = (pm_spread){.variance = INFINITY, .freedom = 0, .tail_k = NAN};
    i = pm_interval_of(s, 0.95);
    assert_true(i.low == 0 && isinf(i.high) && !i.is_reliable);
    assert_false(pm_interval_is_within(s, 0.95, 1e9));
    s = (pm_spread){.freedom = INFINITY, .tail_k = NAN};
    i = pm_interval_of(s, 0.95);
    assert_true(i.low == 1 && i.high == 1 && i.is_reliable);
}

static void test_spreads(void **state)
{
    (void)state;
    pm_spread a = {.variance = 0.01, .third = 1e-4, .freedom = 9, .tail_k = 0.2};
    pm_spread b = {.variance = 0.03, .third = -1e-5, .freedom = 99, .tail_k = 0.4};
    pm_spread exact = {.freedom = INFINITY};
    pm_spread p = pm_spread_sum(a, 1, b, 1);
    assert_near(p.variance, 0.04, 1e-14);
    assert_near(p.third, 9e-5, 1e-12);
    assert_near(p.freedom, 0.0016 / (0.0001 / 9 + 0.0009 / 99), 1e-12);
    assert_true(p.tail_k == 0.4);
    p = pm_spread_sum(a, 1, exact, 1);
    assert_true(p.variance == a.variance && p.third == a.third && p.tail_k == a.tail_k);
    assert_near(p.freedom, 9, 1e-14);
    p = pm_spread_sum(a, 0.25, b, 0.75);
    assert_near(p.variance, 0.01 / 16 + 0.03 * 9 / 16, 1e-14);
    assert_near(p.third, 1e-4 / 64 - 1e-5 * 27 / 64, 1e-12);
    p = pm_spread_sum(exact, 1, exact, 1);
    assert_true(p.variance == 0 && isinf(p.freedom) && pm_spread_is_exact(p));
    b.has_both_signs = true;
    p = pm_spread_sum(a, 2, b, -1);
    assert_true(p.has_both_signs && !p.may_be_opposite && !pm_spread_is_exact(p));
    exact.rounding = 1e-13;
    p = pm_spread_sum(exact, 1, exact, -3);
    assert_near(p.rounding, 4e-13, 1e-14);
    pm_interval i = pm_interval_of(p, 0.95);
    assert_true(i.is_reliable && i.low < 1 - 3e-13 && i.high > 1 + 3e-13 && i.high < 1 + 5e-13);
    assert_true(pm_interval_is_within(p, 0.95, 1e-12) && !pm_interval_is_within(p, 0.95, 1e-13));
    pm_sample_summary s = {.relative_variance = 0.04, .skewness = 2, .count = 100, .tail_k = NAN};
    p = pm_spread_of(&s, 1);
    assert_near(p.variance, 0.04 + 0.015 * 0.015, 1e-14);
    assert_near(p.third, 2 * pow(0.04 * 100, 1.5) / 10000, 1e-14);
    assert_true(p.freedom == 99);
    p = pm_spread_of(&s, 50);
    assert_near(p.variance, 0.04 + 0.0003 * 0.0003, 1e-14);
}

/* Does the interval of n weights hold their expectation, 1 + p rare, when k of them are 1 + rare
 * and the others 1? */
static bool holds_branch(int n, int k, double p, double rare, pm_moments *m)
{
    pm_weight *w = pm_alloc_array(n, sizeof *w);
    pm_sample_summary s;
    for (int i = 0; i < n; ++i)
        w[i] = pm_weight_make(i < k ? 1 + rare : 1, 0);
    pm_moments_clear(m);
    add_weights(m, 0, w, n);
    pm_moments_summary(m, &s);
    free(w);
    pm_interval i = pm_interval_of(pm_spread_of(&s, 1), 0.95);
    double factor = (1 + p * rare) / pm_weight_to_double(s.mean, 0);
    return i.low <= factor && factor <= i.high;
}

/* A branch that is taken with probability p, whose weights are at most twice the others' or 0: the
 * coverage is a sum over the binomial distribution, no sample. */
static void test_rare_branch(void **state)
{
    (void)state;
    static const double rare[] = {-1, -0.5, 0.01, 0.5, 1};
    double least = 1;
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    for (int n = 50; n <= test_size(800, 200); n *= 4)
        for (double expected = 0.05; expected < n / 4; expected *= 1.5)
            for (int r = 0; r < 5; r += test_step(3)) {
                double p = expected / n, covered = 0;
                for (int k = 0; k < n / 2; ++k) {
                    double chance = gsl_ran_binomial_pdf((unsigned)k, p, (unsigned)n);
                    if (chance > 1e-6 && holds_branch(n, k, p, rare[r], m))
                        covered += chance;
                }
                least = fmin(least, covered);
            }
    free(m);
    print_message("# covers at least %.3f\n", least);
    assert_true(least > 0.93);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_spreads),
        cmocka_unit_test(test_rare_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
