/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On a machine with a GPU: every kernel for products of sparse matrices, and cuSPARSE where there is
 * one, against the CPU.
 * PM_TEST_FEW: a few and without cuSPARSE, for tools that slow kernels down and report races in it;
 * PM_TEST_ONLY: only the test of this name.
 * False alarm: below 1e-9 a case (csr_shapes.h). */
#include "config.h"

#include <stdlib.h>

#include "process/environment.h"
#include "support/csr_shapes.h"
#include "support/cusparse.h"
#include "support/testing.h"

static uint64_t rng;
static bool has_gpu;

static int64_t either(int64_t many, int64_t few)
{
    return getenv("PM_TEST_FEW") ? few : many;
}

static void compare_cusparse(const csr_case *c, pm_spmv_gpu *g, double *y)
{
    cusparse_product *p = cusparse_open() ? cusparse_make(g, (int)pm_rng_below(&rng, 3)) : NULL;
    if (!p)
        return;
    assert_true(cusparse_multiply(p) && cusparse_wait());
    assert_int_equal(pm_spmv_gpu_get(g, y, NULL), PM_OK);
    csr_case_check(c, PM_SEMIRING_SUM, true, y, 0, "cuSPARSE");
    cusparse_free(p);
}

static void compare(const csr_case *c, const pm_spmv_kind *kind)
{
    pm_csr a = c->a;
    pm_spmv_gpu g;
    double *y = malloc((size_t)a.nrows * sizeof *y + 1);
    a.value = kind->has_values ? c->value : NULL;
    assert_int_equal(pm_spmv_gpu_open(0, &a, kind, &g, NULL), PM_OK);
    assert_int_equal(pm_spmv_gpu_put(&g, c->x, NULL), PM_OK);
    for (int k = kind->is_coo ? 0 : PM_SPMV_CSR_SCALAR;
         k < (kind->is_coo ? PM_SPMV_CSR_SCALAR : PM_SPMV_KERNELS); ++k) {
        if (!pm_spmv_kernel_can((pm_spmv_kernel)k, kind->semiring))
            continue;
        g.arrays.group = 2 << pm_rng_below(&rng, 5);
        assert_int_equal(pm_spmv_gpu_multiply(&g, (pm_spmv_kernel)k, NULL), PM_OK);
        assert_int_equal(pm_spmv_gpu_get(&g, y, NULL), PM_OK);
        csr_case_check(c, kind->semiring, kind->has_values, y, kind->is_single ? 0x1p-24 : 0x1p-53,
                       pm_spmv_kernel_name((pm_spmv_kernel)k));
    }
    if (!getenv("PM_TEST_FEW") && !kind->is_coo && kind->has_values
        && kind->semiring == PM_SEMIRING_SUM && a.rowptr[a.nrows] > 0)
        compare_cusparse(c, &g, y);
    pm_spmv_gpu_close(&g);
    free(y);
}

static pm_spmv_kind kind_of(int number)
{
    return (pm_spmv_kind){(pm_semiring)(number % 3), number / 3 % 2, number / 6 % 2,
                          number / 12 % 2};
}

static void shapes(void **state)
{
    (void)state;
    if (!has_gpu)
        skip();
    for (int number = 0; number < 24; ++number)
        for (int round = 0; round < either(2 * CSR_SHAPES, 1); ++round) {
            const pm_spmv_kind kind = kind_of(number);
            const uint32_t most = (uint32_t)either(200000, 3000);
            csr_case c = csr_case_make(&rng, (csr_shape)((round + number) % CSR_SHAPES),
                                       pm_rng_below(&rng, most), 1 + pm_rng_below(&rng, most),
                                       20 * pm_rng_unit(&rng));
            compare(&c, &kind);
            csr_case_free(&c);
        }
}

/* 0 x n, n x 0, n x 1, 1 x n, a row of 10^7 entries. */
static void degenerate(void **state)
{
    (void)state;
    const int64_t n = either(10000000, 20000);
    const int64_t size[][2] = {{0, 5}, {5, 0}, {n, 1}, {1, n}, {3, n}, {1000, n}};
    if (!has_gpu)
        skip();
    for (int i = 0; i < (int)(sizeof size / sizeof *size); ++i)
        for (int number = 0; number < 24; number += i < 2 ? 1 : 3) {
            pm_spmv_kind kind = kind_of(number + (i < 2 ? 0 : i % 2));
            if (kind.is_single && n > 1000000)
                kind.semiring = PM_SEMIRING_MAX; /* sums of floats would not be exact */
            csr_case c = csr_case_make(&rng, CSR_FULL_ROW, size[i][0], size[i][1], 1);
            compare(&c, &kind);
            csr_case_free(&c);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(degenerate),
    };
    int gpus = 0;
    pm_environment_read();
    rng = test_seed();
    has_gpu = pm_gpu_count(&gpus, NULL) == PM_OK && gpus > 0;
    if (getenv("PM_TEST_ONLY"))
        cmocka_set_test_filter(getenv("PM_TEST_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
