/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On a machine with a GPU: products of sparse matrices, and those of cuSPARSE where there is one, against the
 * CPU.
 * PM_TEST_FEW: a few and without cuSPARSE, for tools that slow kernels down and report races in it;
 * PM_TEST_ONLY: only the test of this name.
 * No false alarms: all digits agree, except of logarithms, whose bound holds always. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "process/environment.h"
#include "support/cusparse_spgemm.h"
#include "support/spgemm_kernels.h"
#include "support/testing.h"

static uint64_t rng;
static bool has_gpu;

static int64_t either(int64_t many, int64_t few)
{
    return getenv("PM_TEST_FEW") ? few : many;
}

static int64_t below(int64_t n)
{
    return (int64_t)pm_rng_below(&rng, (uint32_t)n);
}

/* Where it has the same product.  Values are small integers: sums are exact in any order, but columns
 * that occur twice are not defined there, so only the sums of rows are compared. */
static void compare_cusparse(pm_product_gpu *g, const pm_csr *whole)
{
    const pm_product *p = g->product;
    if (getenv("PM_TEST_FEW") || !p->a->value || !p->b->value || !whole->value
        || p->semiring != PM_SEMIRING_SUM || whole->rowptr[whole->nrows] == 0)
        return;
    cusparse_spgemm *c = cusparse_spgemm_open() ? cusparse_spgemm_make(g, (int)below(2)) : NULL;
    if (!c)
        return;
    assert_true(cusparse_spgemm_multiply(c));
    const int64_t entries = cusparse_spgemm_get(c, NULL, NULL, NULL);
    int32_t *first = malloc(sizeof *first * (size_t)(whole->nrows + 1));
    double *value = malloc(sizeof *value * (size_t)entries);
    cusparse_spgemm_get(c, first, NULL, value);
    for (int64_t i = 0; i < whole->nrows; ++i) {
        double own = 0, other = 0;
        for (int64_t k = whole->rowptr[i]; k < whole->rowptr[i + 1]; ++k)
            own += whole->value[k];
        for (int64_t k = first[i]; k < first[i + 1]; ++k)
            other += value[k];
        assert_true(own == other);
    }
    free(first);
    free(value);
    cusparse_spgemm_free(c);
}

static void check_shapes(csr_shape a, csr_shape b, int64_t rows, int64_t inner, int64_t columns,
                         double mean, int kinds)
{
    const spgemm_shapes x = {a, b, rows, inner, columns, mean, 0};
    spgemm_shapes_check(&rng, &x, kinds, 300000, compare_cusparse);
}

/* All kinds, with keys of both widths. */
static void kinds(void **state)
{
    (void)state;
    if (!has_gpu)
        skip();
    const int all = (int)either(SPGEMM_KINDS / 2, 3);
    check_shapes(CSR_RANDOM, CSR_POWERS, either(5000, 100), 3000, either(7000, 500), 6, all);
    check_shapes(CSR_RANDOM, CSR_RANDOM, either(3000, 50), 5000, PM_PRODUCT_NARROW, 6, all);
}

/* All shapes, rows of every bin. */
static void sizes(void **state)
{
    (void)state;
    if (!has_gpu)
        skip();
    for (int round = 0; round < either(100, 10); ++round)
        check_shapes((csr_shape)(round % CSR_SHAPES), (csr_shape)(round / CSR_SHAPES % CSR_SHAPES),
                     below(either(round % 4 ? 3000 : 30000, 100)), 1 + below(2000),
                     1 + below(round % 3 ? 100000 : 60), pow(2, 6.0 * pm_rng_unit(&rng)), 2);
}

/* No rows, no columns, one, and rows of millions of entries. */
static void degenerate(void **state)
{
    (void)state;
    const int64_t n = either(3000000, 20000);
    const int64_t size[][3] = {{0, 5, 5}, {5, 0, 5}, {5, 5, 0}, {n, 1, 1},     {1, n, 1},
                               {1, n, n}, {n, 1, 3}, {3, n, 2}, {100, n, 1000}};
    if (!has_gpu)
        skip();
    for (int i = 0; i < (int)(sizeof size / sizeof *size); ++i) {
        check_shapes(CSR_FULL_ROW, CSR_RANDOM, size[i][0], size[i][1], size[i][2], 1, 2);
        check_shapes(CSR_FULL_COLUMN, CSR_FULL_ROW, size[i][0], size[i][1], size[i][2], 1, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(sizes),
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
