/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moments of weights, on any number of threads and up to a stop; the tails of weights. */
#include "config.h"

#include <math.h>
#include <signal.h>

#include "estimate/interval.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "sampler/pareto.h"
#include "sampler/weight.h"
#include "support/graphs.h"
#include "support/moments.h"
#include "support/testing.h"

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
        add_weight(m, i, pm_weight_make(1.0 / 3, 40000));
    pm_moments_summary(m, &s);
    assert_true(s.relative_variance == 0 && s.skewness == 0 && s.tail_k == 0);
    assert_true(s.mean.m == 1.0 / 3 * 2 && s.mean.e == 39999);
    assert_near(s.least_batch, 1, 1e-12);
    assert_int_equal(s.batches, PM_SUM_GROUPS);
    assert_near(pm_tail_free_lower(&s, 0.95), 0.8293, 1e-3);
    pm_moments_clear(m);
    for (int i = 0; i < 20000; ++i) /* 7919 is prime to 20000: all of 1 .. 20000 */
        add_weight(m, i, pm_weight_make(i * 7919 % 20000 + 1, 0));
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
    add_weight(m, 0, (pm_weight){0});
    pm_moments_summary(m, &s);
    assert_true(s.mean.m == 0 && isinf(s.relative_variance) && s.effective == 0);
    add_weight(m, 1, pm_weight_make(1, -30000));
    add_weight(m, 2, pm_weight_make(1, 30000));
    add_weight(m, 3, pm_weight_make(1, -30000));
    add_weight(m, 4, (pm_weight){0});
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
            add_weight(m, j, pm_weight_make(pow((j + 0.5) / samples[i].n, -samples[i].a), 9999));
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
        add_weight(m, i, pm_weight_make(i % 50 ? 1 : i % 3 ? 1.5 : 1 + 1e-15, 0));
    double k = pm_pareto_tail(m);
    assert_true(k < 0.5);
    pm_moments_clear(m);
    for (int i = 0; i < 4; ++i)
        add_weight(m, i, pm_weight_make(i + 1, 0));
    assert_true(isnan(pm_pareto_tail(m)));
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_equal_and_large),
        cmocka_unit_test(test_distant_weights),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_in_the_middle),
        cmocka_unit_test(test_tail),
        cmocka_unit_test(test_discrete_tail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
