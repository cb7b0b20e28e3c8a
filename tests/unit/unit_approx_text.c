/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts of samplers' kernels, for every kind of device, by the run-time compiler. */
#include "config.h"

#include "degree/degree_gpu.h"
#include "degree/degree_gpu_kernel.h"
#include "estimate/sampler_registry.h"
#include "scaling/scaling_gpu.h"
#include "scaling/scaling_gpu_kernel.h"
#include "support/device_text.h"
#include "support/graphs.h"
#include "support/testing.h"

static void full_matrix(int n, pm_matrix *a)
{
    pm_triples t = {.nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            graphs_add(&t, i, j);
    graphs_end(&t, a);
}

static void test_integer_state(void **state)
{
    (void)state;
    static const char *const methods[] = {"rasmussen", "rasmussen+", "look+", "hub+"};
    static const int sizes[] = {1, 40, 64, 65};
    enum { THREAD_TEXTS = 12, WARP_TEXTS = 4 };
    int seen[2] = {0};
    if (!has_run_time_compiler())
        skip();
    for (int i = 0; i < 4; ++i) {
        pm_matrix a;
        full_matrix(sizes[i], &a);
        for (int k = 0; k < 4; ++k) {
            pm_sampler s;
            const pm_sampler_options o = {0};
            assert_int_equal(
                pm_sampler_make(pm_sampler_method_find(methods[k]), &a, &o, 0, 0, NULL, &s, NULL),
                PM_OK);
            const bool is_warp = s.on_gpu != &pm_degree_thread_gpu;
            char *text = is_warp ? pm_degree_warp_text(s.model) : pm_degree_thread_text(s.model);
            assert_non_null(text);
            assert_true(
                text_compiles(text, 0, seen[is_warp]++, is_warp ? WARP_TEXTS : THREAD_TEXTS));
            free(text);
            pm_sampler_free(&s);
        }
        pm_matrix_free(&a);
    }
    assert_true(seen[0] == THREAD_TEXTS && seen[1] == WARP_TEXTS);
}

static void test_scaling(void **state)
{
    (void)state;
    static const char *const methods[] = {"scaling", "scaling+", "scaling++"};
    static const int sizes[] = {1, 40, 90};
    enum { THREAD_TEXTS = 4, WARP_TEXTS = 5 };
    int seen[2] = {0};
    if (!has_run_time_compiler())
        skip();
    for (int i = 0; i < 3; ++i) {
        pm_matrix a;
        full_matrix(sizes[i], &a);
        for (int k = 0; k < 3; ++k) {
            pm_sampler s;
            const pm_sampler_options o = {.complete = -1};
            assert_int_equal(
                pm_sampler_make(pm_sampler_method_find(methods[k]), &a, &o, 0, 0, NULL, &s, NULL),
                PM_OK);
            const bool is_warp = s.on_gpu != &pm_scaling_thread_gpu;
            char *text = is_warp ? pm_scaling_warp_text(s.model) : pm_scaling_thread_text(s.model);
            assert_non_null(text);
            assert_true(
                text_compiles(text, 0, seen[is_warp]++, is_warp ? WARP_TEXTS : THREAD_TEXTS));
            free(text);
            pm_sampler_free(&s);
        }
        pm_matrix_free(&a);
    }
    assert_true(seen[0] == THREAD_TEXTS && seen[1] == WARP_TEXTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_integer_state),
                                       cmocka_unit_test(test_scaling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
