/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On a machine with a GPU: every kernel for products of sparse matrices, and cuSPARSE where there is
 * one, against the CPU.
 * PM_TEST_FEW: a few and without cuSPARSE, for tools that slow kernels down and report races in it;
 * PM_TEST_ONLY: only the test of this name.
 * False alarm: below 1e-9 a case (csr_shapes.h). */
#include "config.h"

#include <stdlib.h>

#include "process/environment.h"
#include "support/cusparse.h"
#include "support/spmv_kernels.h"
#include "support/testing.h"

static uint64_t rng;
static bool has_gpu;

static int64_t either(int64_t many, int64_t few)
{
    return getenv("PM_TEST_FEW") ? few : many;
}

/* Where it has the same product. */
static void compare_cusparse(const csr_case *c, pm_spmv_gpu *g, double *y)
{
    if (getenv("PM_TEST_FEW") || g->kind.is_coo || !g->kind.has_values
        || g->kind.semiring != PM_SEMIRING_SUM || g->arrays.nnz == 0)
        return;
    cusparse_product *p = cusparse_open() ? cusparse_make(g, (int)pm_rng_below(&rng, 3)) : NULL;
    if (!p)
        return;
    assert_true(cusparse_multiply(p) && cusparse_wait());
    assert_int_equal(pm_spmv_gpu_get(g, y, NULL), PM_OK);
    csr_case_check(c, PM_SEMIRING_SUM, true, y, 0, "cuSPARSE");
    cusparse_free(p);
}

static void shapes(void **state)
{
    (void)state;
    if (!has_gpu)
        skip();
    for (int number = 0; number < SPMV_KINDS; ++number)
        for (int round = 0; round < either(2 * CSR_SHAPES, 1); ++round) {
            const pm_spmv_kind kind = spmv_kind_of(number);
            const uint32_t most = (uint32_t)either(200000, 3000);
            csr_case c = csr_case_make(&rng, (csr_shape)((round + number) % CSR_SHAPES),
                                       pm_rng_below(&rng, most), 1 + pm_rng_below(&rng, most),
                                       20 * pm_rng_unit(&rng));
            spmv_kernels_check(&c, &kind, &rng, compare_cusparse);
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
        for (int number = 0; number < SPMV_KINDS; number += i < 2 ? 1 : 3) {
            pm_spmv_kind kind = spmv_kind_of(number + (i < 2 ? 0 : i % 2));
            if (kind.is_single && n > 1000000)
                kind.semiring = PM_SEMIRING_MAX; /* sums of floats would not be exact */
            csr_case c = csr_case_make(&rng, CSR_FULL_ROW, size[i][0], size[i][1], 1);
            spmv_kernels_check(&c, &kind, &rng, compare_cusparse);
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
