/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplers, and the random sequences that they draw from. */
#include "config.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "cuda/sample_sequence.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "sampler/gsl_philox.h"
#include "sampler/weight.h"
#include "support/graphs.h"
#include "support/moments.h"
#include "support/testing.h"

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
        cmocka_unit_test(test_sequences), cmocka_unit_test(test_running),
        cmocka_unit_test(test_gsl),       cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
