/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplers that scale on devices that are none (host_gpu.h): weights that are known, means, and the
 * same digits for any number of devices.
 * False alarm: below 1e-9 a run.  A mean is off by 7 sigma with 3e-12, and a run has 18 of them. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "estimate/sampler_registry.h"
#include "sampler/sampler_backend.h"
#include "scaling/scaling_gpu.h"
#include "scaling/scaling_gpu_kernel.h"
#include "support/host_gpu.h"
#include "support/host_samples.h"
#include "support/kept_texts.h"
#include "support/positive.h"
#include "support/sampled.h"

static uint64_t rng;
static const char *const methods[] = {"scaling", "scaling+", "scaling++"};
enum { METHODS = 3 };

static void make(const char *method, const pm_matrix *a, const pm_sampler_options *o, int gpus,
                 pm_sampler *s)
{
    pm_sampler_backend place = {PM_BACKEND_CUDA, gpus};
    host_gpu_state.devices = gpus;
    assert_int_equal(
        pm_sampler_make(pm_sampler_method_find(method), a, o, pm_rng_next(&rng), 1, NULL, s, NULL),
        PM_OK);
    assert_int_equal(pm_sampler_choose_backend(s, &place, 1, NULL, NULL), PM_OK);
    assert_non_null(s->gpu);
}

static pm_sampler_options some_options(void)
{
    return (pm_sampler_options){.scale_interval = 1 + (int)pm_rng_below(&rng, 3),
                                .scale_sweeps = 1 + (int)pm_rng_below(&rng, 3),
                                .complete = (int)pm_rng_below(&rng, 5)};
}

/* Samples in two parts. */
static pm_moments *draw(const pm_sampler *s, int64_t cut, int64_t count)
{
    pm_moments *m = new_moments();
    assert_int_equal(pm_moments_draw(s, 0, cut, NULL, m, NULL), PM_OK);
    assert_int_equal(pm_moments_draw(s, (uint64_t)cut, count - cut, NULL, m, NULL), PM_OK);
    assert_int_equal(m->count, count);
    return m;
}

/* ---- weights that are known ---- */

/* x_i y_j: all shares of a step are the same, so that all weights are n! times the product of all
 * x and y. */
static pm_xreal product_matrix(int n, bool has_entries, pm_matrix *a)
{
    pm_triples t = {.field = has_entries ? PM_REAL : PM_PATTERN, .nrows = n, .ncols = n};
    double x[200], y[200];
    pm_xreal permanent = pm_xreal_make(1, 0, 0);
    for (int i = 0; i < n; ++i) {
        x[i] = has_entries ? 1 + (double)pm_rng_below(&rng, 1000) : 1;
        y[i] = has_entries ? 1 + (double)pm_rng_below(&rng, 1000) : 1;
        permanent = pm_xreal_mul(permanent, pm_xreal_make(x[i] * y[i] * (i + 1), 0, 0));
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic v = {0};
            pm_dyadic_set_d(&v, x[i] * y[j]);
            assert_int_equal(pm_triples_add(&t, i, j, 0, has_entries ? &v : NULL, NULL, NULL),
                             PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "product", a, NULL), PM_OK);
    pm_triples_free(&t);
    return permanent;
}

/* Equal weights, but for the rounding of shares, a step. */
static void assert_all_near(const pm_sampler *s, pm_xreal truth, int n, double each)
{
    pm_sample_summary sum;
    int64_t count = s->on_gpu->draw ? 40 : PM_MASKS_BATCH;
    pm_moments *m = draw(s, 0, count);
    pm_moments_summary(m, &sum);
    double ratio = weight_ratio(sum.mean, truth);
    if (!(fabs(ratio - 1) <= n * each))
        fail_msg("%s: n = %d, mean / permanent = %.17g", s->method->name, n, ratio);
    assert_int_equal(sum.dead, 0);
    assert_true(sum.relative_variance * (double)count <= n * each * n * each);
    free(m);
}

static void test_known_weights(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 11, 40, 64, 65, 130};
    for (int i = (int)pm_rng_below(&rng, 2); i < 8; i += 2 * test_step(2))
        for (int k = 0; k < METHODS; ++k) {
            pm_matrix a;
            pm_sampler s;
            bool has_entries = (i + k) % 2;
            pm_sampler_options o = some_options();
            pm_xreal truth = product_matrix(sizes[i], has_entries, &a);
            make(methods[k], &a, &o, 1, &s);
            assert_all_near(&s, truth, sizes[i], 1e-5);
            pm_sampler_free(&s);
            pm_matrix_free(&a);
        }
}

/* All rows counted at the end: every weight is the permanent. */
static void test_complete(void **state)
{
    (void)state;
    for (int n = 1; n <= 11; n += 2)
        for (int round = test_rounds(3); round-- > 0;) {
            pm_matrix a;
            pm_sampler s;
            pm_xreal truth;
            const pm_sampler_options o = {.complete = 11};
            pm_field field = round % 2 ? PM_INTEGER : PM_PATTERN;
            positive_matrix(&rng, field, n, 0.2 + 0.8 * pm_rng_unit(&rng), false, &a, &truth);
            make("scaling++", &a, &o, 1, &s);
            assert_all_near(&s, truth, 1, 1e-12);
            pm_sampler_free(&s);
            pm_matrix_free(&a);
        }
}

/* ---- means ---- */

/* Dense matrices, whose weights differ little: |z| > 7 comes once in 10^11. */
static void check_mean(const char *method, pm_field field, int n)
{
    for (int round = test_rounds(3); round-- > 0;) {
        pm_matrix a;
        pm_sampler s;
        pm_xreal truth;
        pm_sample_summary sum;
        pm_sampler_options o = some_options();
        pm_moments *m = new_moments();
        positive_matrix(&rng, field, n, 0.6 + 0.3 * pm_rng_unit(&rng), false, &a, &truth);
        make(method, &a, &o, 1, &s);
        assert_int_equal(pm_moments_draw(&s, 0, 20000, NULL, m, NULL), PM_OK);
        pm_moments_summary(m, &sum);
        assert_int_equal(sum.count, 20000);
        double ratio = weight_ratio(sum.mean, truth), error = sqrt(sum.relative_variance);
        if (sum.relative_variance * 20000 < 4 && fabs(ratio - 1) > 7 * error * ratio + 1e-6)
            fail_msg("%s: n = %d, mean / permanent = %.9g, error %.2g", method, n, ratio, error);
        free(m);
        pm_sampler_free(&s);
        pm_matrix_free(&a);
    }
}

static void test_means(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    for (int k = 0; k < METHODS; ++k) {
        check_mean(methods[k], PM_PATTERN, 6 + k);
        check_mean(methods[k], PM_INTEGER, 5 + k);
    }
}

/* ---- digits and shapes ---- */

/* Any cut, any number of devices; and dead ends among them. */
static void test_same_digits(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    for (int round = test_rounds(6); round-- > 0;) {
        pm_matrix a;
        pm_sampler s;
        pm_xreal truth;
        pm_sampler_options o = some_options();
        positive_matrix(&rng, round % 2 ? PM_INTEGER : PM_PATTERN, 9, 0.3, false, &a, &truth);
        make(methods[round % METHODS], &a, &o, 1, &s);
        pm_sampler_backend place = {PM_BACKEND_CUDA, host_gpu_state.devices = 3};
        int64_t count = s.batch + (int64_t)pm_rng_below(&rng, 3) * s.batch, cut = s.batch;
        pm_moments *one = draw(&s, 0, count);
        s.on_gpu->close(s.gpu);
        s.gpu = NULL;
        assert_int_equal(pm_sampler_choose_backend(&s, &place, 1, NULL, NULL), PM_OK);
        pm_moments *many = draw(&s, cut, count);
        assert_same_moments(one, many);
        free(one);
        free(many);
        pm_sampler_free(&s);
        pm_matrix_free(&a);
    }
}

/* The host knows how much memory a warp takes; what takes too much is refused. */
static void test_shapes(void **state)
{
    (void)state;
    static const int sizes[] = {1, 5, 40, 64, 70, 1024};
    for (int i = 0; i < 6; ++i) {
        pm_triples t = {.nrows = sizes[i], .ncols = sizes[i]};
        pm_matrix a;
        pm_sampler s;
        const pm_sampler_options o = {.complete = i % 2 ? 12 : 10};
        for (int k = 0; k < sizes[i]; ++k) {
            assert_int_equal(pm_triples_add(&t, k, k, 0, NULL, NULL, NULL), PM_OK);
            if (sizes[i] > 1)
                assert_int_equal(pm_triples_add(&t, k, (k + 1) % sizes[i], 0, NULL, NULL, NULL),
                                 PM_OK);
        }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "cycle", &a, NULL), PM_OK);
        pm_triples_free(&t);
        assert_int_equal(pm_sampler_make(pm_sampler_method_find(methods[i % METHODS]), &a, &o, 1, 1,
                                         NULL, &s, NULL),
                         PM_OK);
        char *text = pm_scaling_warp_text(s.model);
        uint64_t bytes = warp_bytes_of_text(text);
        assert_int_equal(bytes, pm_scaling_warp_bytes(s.model));
        assert_true(pm_warp_samples_warps((int64_t)bytes) * (int64_t)bytes <= 48 << 10);
        free(text);
        pm_sampler_free(&s);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_weights), cmocka_unit_test(test_complete),
        cmocka_unit_test(test_means),         cmocka_unit_test(test_same_digits),
        cmocka_unit_test(test_shapes),
    };
    rng = test_seed();
    host_gpu_reset();
    host_gpu_state.launch = host_samples;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
