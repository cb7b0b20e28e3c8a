/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What estimates are made of: sequences, moments, tails, intervals, guarantees. */
#include "config.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "support/graphs.h"
#include "support/testing.h"

#include "cuda/sample_sequence.h"
#include "degree/hub_bound.h"
#include "estimate/guarantee.h"
#include "estimate/interval.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "sampler/gsl_philox.h"
#include "sampler/pareto.h"
#include "sampler/weight.h"

static void assert_near(double a, double b, double relative)
{
    if (!(fabs(a - b) <= relative * fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

/* ---- sequences ---- */

static void test_sequences(void **state)
{
    (void)state;
    pm_sample_sequence s = pm_sample_sequence_of(0, 0, 0), t = pm_sample_sequence_of(0, 0, 0);
    /* the known answer of core/philox.h, as two numbers */
    assert_true(pm_sample_sequence_bits(&s) == UINT64_C(0xe169c58d6627e8d5));
    assert_true(pm_sample_sequence_bits(&s) == UINT64_C(0x9b00dbd8bc57ac4c));
    const uint32_t counter[4] = {1, 5, 7, 9}, key[2] = {3, 2};
    uint32_t word[4];
    pm_philox_block(counter, key, word);
    t = pm_sample_sequence_of(UINT64_C(2) << 32 | 3, 5, UINT64_C(9) << 32 | 7);
    pm_sample_sequence_bits(&t);
    pm_sample_sequence_bits(&t);
    assert_true(pm_sample_sequence_bits(&t) == ((uint64_t)word[1] << 32 | word[0]));
    int64_t seen[5] = {0};
    for (int i = 0; i < 50000; ++i)
        ++seen[pm_sample_sequence_below(&s, 5)];
    for (int k = 0; k < 5; ++k)
        assert_true(llabs(seen[k] - 10000) < 500); /* 5.6 standard deviations, a fixed sequence */
    for (int i = 0; i < 100; ++i)
        assert_true(pm_sample_sequence_below(&s, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
}

static void test_running(void **state)
{
    (void)state;
    pm_wide_product p = {1, 0};
    for (int i = 0; i < 20000; ++i)
        pm_wide_product_multiply(&p, 3);
    assert_near(log2(p.m) + (double)p.e, 20000 * log2(3), 1e-12);
    for (int i = 0; i < 40000; ++i)
        pm_wide_product_multiply(&p, 1.0 / 3);
    assert_near(log2(p.m) + (double)p.e, -20000 * log2(3), 1e-12);
    pm_wide_product_multiply(&p, 0);
    assert_true(p.m == 0);
}

/* GSL draws gamma variables from it with the mean and variance that they have. */
static void test_gsl(void **state)
{
    (void)state;
    pm_random r = {.seed = 7}, bits = {.seed = 7};
    gsl_rng g = pm_gsl_random(&r);
    assert_true(gsl_rng_get(&g) == pm_random_bits(&bits) >> 32);
    double sum = 0, square = 0;
    for (int i = 0; i < 20000; ++i) {
        double x = gsl_ran_gamma(&g, 9, 1);
        sum += x;
        square += (x - 9) * (x - 9);
    }
    assert_near(sum / 20000, 9, 0.012); /* 5 standard errors */
    assert_near(square / 20000, 9, 0.06);
}

/* ---- moments ---- */

static pm_moments *moments(void)
{
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    assert_non_null(m);
    pm_moments_clear(m);
    return m;
}

/* Adds samples from .. from + count - 1 as one batch. */
static void add_weights(pm_moments *m, uint64_t from, const pm_weight *weight, int64_t count)
{
    pm_batch_sums sums;
    pm_batch_sums_of(from, weight, count, &sums);
    pm_moments_add_batch(m, &sums);
    pm_moments_keep_largest(m, weight, count);
}

static void add(pm_moments *m, int i, pm_weight w)
{
    add_weights(m, (uint64_t)i, &w, 1);
}

/* Weights of very different size, some dead, at exponents around e. */
static pm_weight some_weight(uint64_t *rng, int64_t e)
{
    double x = pm_rng_unit(rng);
    return x < 0.2 ? (pm_weight){0} : pm_weight_make(exp(3 * x) / 7, e);
}

/* Against sums in the textbook's way, at the exponent of a count with 5000 digits. */
static void check_moments(uint64_t *rng, int count, int cut, int64_t e)
{
    pm_moments *m = moments();
    pm_weight weight[500];
    double x[500], mean = 0, central[4] = {0}, square = 0;
    int dead = 0;
    for (int i = 0; i < count; ++i) {
        pm_weight w = some_weight(rng, e);
        x[i] = pm_weight_to_double(w, e);
        dead += w.m == 0;
        mean += x[i] / count;
        square += x[i] * x[i];
        weight[i] = w;
    }
    for (int i = 0; i < count; ++i)
        for (int k = 2; k < 4; ++k)
            central[k] += pow(x[i] - mean, k);
    cut = cut < count ? cut : count;
    add_weights(m, 0, weight, cut);
    add_weights(m, (uint64_t)cut, weight + cut, count - cut);
    pm_sample_summary s;
    pm_moments_summary(m, &s);
    assert_int_equal(s.count, count);
    assert_int_equal(s.dead, dead);
    if (mean > 0) {
        assert_near(pm_weight_to_double(s.mean, e), mean, 1e-13);
        assert_near(s.effective, count * mean * count * mean / square, 1e-11);
    }
    if (mean > 0 && count - dead > 2) {
        assert_near(s.relative_variance, central[2] / (count - 1.0) / count / (mean * mean), 1e-11);
        double skewness = central[3] / count / pow(central[2] / count, 1.5);
        assert_true(fabs(s.skewness - skewness) < 1e-9);
    }
    free(m);
}

static void test_moments(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        int count = 2 + (int)pm_rng_below(&rng, 400), cut = (int)pm_rng_below(&rng, 400);
        check_moments(&rng, count, cut, round % 2 ? 16610 : -16610);
    }
}

/* Equal weights have variance 0 and no rounding; the tail keeps the largest. */
static void test_equal_and_large(void **state)
{
    (void)state;
    pm_moments *m = moments();
    pm_sample_summary s;
    for (int i = 0; i < 10000; ++i)
        add(m, i, pm_weight_make(1.0 / 3, 40000));
    pm_moments_summary(m, &s);
    assert_true(s.relative_variance == 0 && s.skewness == 0 && s.tail_k == 0);
    assert_true(s.mean.m == 1.0 / 3 * 2 && s.mean.e == 39999);
    assert_near(s.least_batch, 1, 1e-12);
    assert_int_equal(s.batches, PM_SUM_GROUPS);
    assert_near(pm_tail_free_lower(&s, 0.95), 0.8293, 1e-3);
    pm_moments_clear(m);
    for (int i = 0; i < 20000; ++i) /* 7919 is prime to 20000: all of 1 .. 20000 */
        add(m, i, pm_weight_make(i * 7919 % 20000 + 1, 0));
    assert_int_equal(m->ntail, PM_MOMENTS_TAIL);
    double sum = 0;
    for (int i = 0; i < PM_MOMENTS_TAIL; ++i)
        sum += pm_weight_to_double(m->tail[i], 0);
    assert_true(sum == PM_MOMENTS_TAIL * (20000 + 20000 - PM_MOMENTS_TAIL + 1) / 2.0);
    free(m);
}

/* A weight far above those before, and one far below. */
static void test_distant_weights(void **state)
{
    (void)state;
    pm_moments *m = moments();
    pm_sample_summary s;
    add(m, 0, (pm_weight){0});
    pm_moments_summary(m, &s);
    assert_true(s.mean.m == 0 && isinf(s.relative_variance) && s.effective == 0);
    add(m, 1, pm_weight_make(1, -30000));
    add(m, 2, pm_weight_make(1, 30000));
    add(m, 3, pm_weight_make(1, -30000));
    add(m, 4, (pm_weight){0});
    pm_moments_summary(m, &s);
    assert_near(pm_weight_to_double(s.mean, 30000), 0.2, 1e-15);
    assert_near(s.relative_variance, 1, 1e-14);
    assert_near(s.effective, 1, 1e-14);
    assert_int_equal(s.dead, 2);
    free(m);
}

/* The same bits for any number of threads and any cut at multiples of the batch. */
static void test_threads(void **state)
{
    (void)state;
    static const char *const names[] = {"look+", "scaling++", "scaling"};
    pm_matrix a;
    grid_graph(10, 10, &a);
    for (int k = 0; k < 3; k += test_step(3)) {
        pm_sampler s;
        pm_sampler_options o = {.complete = 3};
        assert_int_equal(
            pm_sampler_make(pm_sampler_method_find(names[k]), &a, &o, 5, 2, NULL, &s, NULL), PM_OK);
        pm_moments *one = moments(), *many = moments();
        pm_run single = {.threads = 1}, three = {.threads = 3};
        int64_t count = 5 * s.batch + 17;
        assert_int_equal(pm_moments_draw(&s, 0, count, &single, one, NULL), PM_OK);
        assert_int_equal(pm_moments_draw(&s, 0, 2 * s.batch, &three, many, NULL), PM_OK);
        assert_int_equal(
            pm_moments_draw(&s, (uint64_t)many->count, count - many->count, &three, many, NULL),
            PM_OK);
        assert_memory_equal(one, many, sizeof *one - sizeof one->tail);
        assert_memory_equal(one->tail, many->tail, (size_t)one->ntail * sizeof *one->tail);
        free(one);
        free(many);
        pm_sampler_free(&s);
    }
    pm_matrix_free(&a);
}

static void test_stop(void **state)
{
    (void)state;
    static volatile sig_atomic_t stop = 1;
    pm_matrix a;
    pm_sampler s;
    pm_sampler_options o = {0};
    pm_run run = {.stop = &stop};
    pm_moments *m = moments();
    grid_graph(4, 4, &a);
    assert_int_equal(pm_sampler_make(pm_sampler_method_find("look+"), &a, &o, 5, 2, NULL, &s, NULL),
                     PM_OK);
    assert_int_equal(pm_moments_draw(&s, 0, 100000, &run, m, NULL), PM_ESTOPPED);
    assert_int_equal(m->count, 0);
    free(m);
    pm_sampler_free(&s);
    pm_matrix_free(&a);
}

enum { STOP_AT = 37 };
static volatile sig_atomic_t stop;

static pm_weight draw_and_stop(const pm_sampler *s, void *scratch, uint64_t sample)
{
    (void)scratch;
    if (sample == STOP_AT)
        stop = 1;
    return pm_weight_make((double)(sample % 5), (int64_t)s->seed);
}

/* What is done when a stop comes counts, and so does all that comes before it. */
static void test_stop_in_the_middle(void **state)
{
    (void)state;
    static const pm_sampler_method method = {.name = "numbers", .draw = draw_and_stop};
    const pm_sampler s = {.method = &method, .seed = 3, .batch = 1};
    for (int threads = 1; threads <= 4; ++threads) {
        const pm_run run = {.stop = &stop, .threads = threads};
        pm_moments *one = moments(), *two = moments();
        stop = 0;
        assert_int_equal(pm_moments_draw(&s, 0, 1000, &run, two, NULL), PM_ESTOPPED);
        assert_true(two->count > STOP_AT && two->count <= STOP_AT + threads);
        assert_int_equal(pm_moments_draw(&s, 0, two->count, NULL, one, NULL), PM_OK);
        assert_memory_equal(&one->sums, &two->sums, sizeof one->sums);
        free(one);
        free(two);
    }
    stop = 0;
}

/* ---- tails ---- */

/* Figures of ArviZ 0.21.0: _gpdfit, its prior taken out again, of ((1 - u)^-k - 1)/k at
 * u = (i - 1/2)/n, and psislw of weights ((i - 1/2)/S)^-a. */
static void test_tail(void **state)
{
    (void)state;
    static const struct {
        int n;
        double k, shape;
    } fits[] = {{20, 0.3, 0.35391038036830846},
                {100, 0.8, 0.7946011200162535},
                {500, -0.2, -0.19434732372054783},
                {63, 0.5, 0.5071253316282399}};
    static const struct {
        int n;
        double a, k;
    } samples[] = {{1000, 0.6, 0.5838651961254637},
                   {1000, 1.2, 1.104673929250239},
                   {5000, 0.9, 0.8737133169487152},
                   {200, 0.4, 0.4221830177433284}};
    for (int i = 0; i < 4; ++i) {
        double x[500], k = fits[i].k;
        for (int j = 0; j < fits[i].n; ++j)
            x[j] = (pow(1 - (j + 0.5) / fits[i].n, -k) - 1) / k;
        assert_near(pm_pareto_shape(x, fits[i].n), fits[i].shape, 1e-9);
    }
    for (int i = 0; i < 4; ++i) {
        pm_moments *m = moments();
        for (int j = 0; j < samples[i].n; ++j)
            add(m, j, pm_weight_make(pow((j + 0.5) / samples[i].n, -samples[i].a), 9999));
        /* the mean of log ratios, which is a little above or below a, may come first */
        assert_near(pm_pareto_tail(m), samples[i].k, 0.03);
        free(m);
    }
}

/* Few values: equal ones stay together, and clusters are no heavy tail. */
static void test_discrete_tail(void **state)
{
    (void)state;
    pm_moments *m = moments();
    for (int i = 0; i < 5000; ++i)
        add(m, i, pm_weight_make(i % 50 ? 1 : i % 3 ? 1.5 : 1 + 1e-15, 0));
    double k = pm_pareto_tail(m);
    assert_true(k < 0.5);
    pm_moments_clear(m);
    for (int i = 0; i < 4; ++i)
        add(m, i, pm_weight_make(i + 1, 0));
    assert_true(isnan(pm_pareto_tail(m)));
    free(m);
}

/* ---- intervals ---- */

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
    for (int n = 50; n <= 800; n *= 4)
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

/* ---- guarantees ---- */

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
        /* one time in five is allowed; 5 standard deviations */
        assert_true(wrong[way] <= 0.2 * rounds + 5 * sqrt(0.16 * rounds));
        assert_true(used[way] < 3 * predicted[way] + rounds * 4096.0);
    }
    pm_matrix_free(&a);
}

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

/* ---- samplers ---- */

/* All but beam, which has tests of its own. */
static const pm_sampler_method *sequential_method(int i)
{
    static const char *const names[] = {"rasmussen", "rasmussen+", "look+",    "hub+",
                                        "scaling",   "scaling+",   "scaling++"};
    return i < (int)(sizeof names / sizeof *names) ? pm_sampler_method_find(names[i]) : NULL;
}

/* Complete bipartite, path, one vertex: every weight is the permanent. */
static void test_extremes(void **state)
{
    (void)state;
    const pm_sampler_method *method;
    for (int i = 0; (method = sequential_method(i)); ++i)
        for (int kind = 0; kind < 4; ++kind) {
            pm_matrix a;
            pm_sampler s;
            pm_sample_summary out;
            pm_sampler_options o = {.complete = -1};
            if (kind == 0)
                dense_graph(1, 1, 1, &a);
            else if (kind == 3)
                dense_graph(70, 1, 1, &a);
            else if (kind == 1)
                dense_graph(9, 1, 1, &a);
            else
                path_graph(40, &a);
            assert_int_equal(pm_sampler_make(method, &a, &o, 1, 0, NULL, &s, NULL), PM_OK);
            pm_moments *m = moments();
            assert_int_equal(pm_moments_draw(&s, 0, 100, NULL, m, NULL), PM_OK);
            pm_moments_summary(m, &out);
            double logs[] = {0, lgamma(10), 0, lgamma(71)};
            if (kind != 2 || strcmp(method->name, "rasmussen")) {
                assert_true(fabs(pm_weight_log2(out.mean) * log(2) - logs[kind]) < 1e-6);
                assert_true(out.relative_variance < 1e-12);
            }
            free(m);
            pm_sampler_free(&s);
            pm_matrix_free(&a);
        }
}

static void test_refusals(void **state)
{
    (void)state;
    pm_matrix a;
    pm_sampler s;
    pm_error err = {.msg = ""};
    pm_sampler_options o = {.complete = 21};
    const pm_sampler_method *look = pm_sampler_method_find("look+");
    path_graph(3, &a);
    assert_null(pm_sampler_method_find("nothing"));
    assert_int_equal(pm_sampler_make(look, &a, &o, 1, 0, NULL, &s, &err), PM_EUSAGE);
    o = (pm_sampler_options){.scale_sweeps = -1};
    assert_int_equal(pm_sampler_make(look, &a, &o, 1, 0, NULL, &s, &err), PM_EUSAGE);
    o = (pm_sampler_options){0};
    a.ncols = 2;
    assert_int_equal(pm_sampler_make(look, &a, &o, 1, 0, NULL, &s, &err), PM_UNABLE);
    a.ncols = 3;
    pm_matrix_free(&a);
    path_graph(40000, &a);
    assert_int_equal(pm_sampler_make(look, &a, &o, 1, 0, NULL, &s, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "32767"));
    pm_matrix_free(&a);
}

/* Every allocation that can fail, fails. */
static void test_no_memory(void **state)
{
    (void)state;
    const pm_sampler_method *method;
    pm_matrix a;
    grid_graph(4, 4, &a);
    for (int i = 0; (method = sequential_method(i)); ++i) {
        pm_status status = PM_ENOMEM;
        pm_moments *m = moments();
        for (int64_t k = 1; status != PM_OK; ++k) {
            pm_sampler s;
            pm_sampler_options o = {0};
            pm_run run = {.threads = 2};
            pm_alloc_fail_at(k);
            status = pm_sampler_make(method, &a, &o, 1, 0, &run, &s, NULL);
            if (status == PM_OK)
                status = pm_moments_draw(&s, 0, 2, &run, m, NULL);
            pm_alloc_fail_at(0);
            assert_true(status == PM_OK || status == PM_ENOMEM);
            pm_sampler_free(&s);
        }
        free(m);
    }
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_running),
        cmocka_unit_test(test_gsl),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_equal_and_large),
        cmocka_unit_test(test_distant_weights),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_in_the_middle),
        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_discrete_tail),
        cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_spreads),
        cmocka_unit_test(test_rare_branch),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_guarantee),
        cmocka_unit_test(test_stopped_guarantee),
        cmocka_unit_test(test_refused_guarantee),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
