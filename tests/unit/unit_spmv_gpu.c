/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of sparse matrices on devices that are none (host_gpu.h): every kernel against the CPU,
 * with the threads in any order; limits and failures.  False alarm: below 1e-9 a case (sums of
 * floats, csr_shapes.h); none for doubles. */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include "pm/alloc.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/spmv_kernels.h"
#include "support/testing.h"

static uint64_t rng;

static void launch(void *symbol, const char *name, int64_t blocks, void *shared, void **arguments)
{
    void (*kernel)(pm_spmv_arrays);
    pm_spmv_arrays *a = arguments[0];
    (void)name, (void)shared;
    assert_int_equal(a->blocks, blocks);
    memcpy(&kernel, &symbol, sizeof kernel);
    kernel(*a);
}

static int below(int n)
{
    return (int)pm_rng_below(&rng, (uint32_t)n);
}

/* One format: texts of all semirings, of doubles and floats, with and without values. */
static void agree(bool is_coo, int rounds)
{
    for (int number = 0; number < 12; ++number) {
        pm_spmv_kind kind = spmv_kind_of(number);
        kind.is_coo = is_coo;
        for (int round = 0; round < rounds; ++round) {
            const int64_t nrows = below(round % 3 ? 60 : 6000),
                          ncols = below(round % 2 ? 50 : 9000);
            csr_case c = csr_case_make(&rng, (csr_shape)(round % CSR_SHAPES), nrows, ncols,
                                       20 * pm_rng_unit(&rng));
            spmv_kernels_check(&c, &kind, &rng, NULL);
            csr_case_free(&c);
        }
    }
}

static void coo(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    if (!getenv("CC"))
        skip();
    agree(true, test_rounds(6));
}

static void csr(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    if (!getenv("CC"))
        skip();
    agree(false, test_rounds(25));
}

/* A row of many tiles, among others: the carries of more than PM_FEW tiles. */
static void long_rows(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    if (!getenv("CC"))
        skip();
    for (int round = 0; round < test_rounds(4); ++round) {
        const pm_spmv_kind kind = {(pm_semiring)(round % 3), false, round % 2 == 0, false};
        csr_case c = csr_case_make(&rng, CSR_FULL_ROW, 1 + below(3000), 40000 + below(90000), 3);
        spmv_kernels_check(&c, &kind, &rng, NULL);
        csr_case_free(&c);
    }
}

/* The CPU's product of a list of entries, for any number of threads. */
static void lists(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        csr_case c = csr_case_make(&rng, (csr_shape)(round % CSR_SHAPES), below(100), below(100),
                                   10 * pm_rng_unit(&rng));
        const pm_semiring s = (pm_semiring)(round % 3);
        double y[100];
        int32_t *row;
        assert_int_equal(pm_csr_rows_of_entries(&c.a, &row, NULL), PM_OK);
        const pm_coo a = {c.a.nrows, c.a.ncols, c.a.rowptr[c.a.nrows],
                          row,       c.colind,  round % 2 ? c.value : NULL};
        for (int threads = 1; threads < 5; ++threads) {
            pm_semiring_multiply_coo(s, &a, c.x, y, threads);
            csr_case_check(&c, s, round % 2, y, 0x1p-53, "list of entries");
        }
        free(row);
        csr_case_free(&c);
    }
}

static void choice(void **state)
{
    (void)state;
    csr_case c = csr_case_make(&rng, CSR_FULL_ROW, 1000, 5000, 3);
    assert_int_equal(pm_spmv_choose(&c.a).kernel, PM_SPMV_CSR_MERGE);
    csr_case_free(&c);
    c = csr_case_make(&rng, CSR_RANDOM, 1000, 1000, 100);
    assert_int_equal(pm_spmv_choose(&c.a).kernel, PM_SPMV_CSR_VECTOR);
    assert_int_equal(pm_spmv_choose(&c.a).group, 32);
    csr_case_free(&c);
    c = csr_case_make(&rng, CSR_FULL_COLUMN, 1000, 10, 1);
    assert_int_equal(pm_spmv_choose(&c.a).kernel, PM_SPMV_CSR_SCALAR);
    csr_case_free(&c);
    c = csr_case_make(&rng, CSR_RANDOM, 0, 0, 1);
    assert_int_equal(pm_spmv_tiles(&c.a), 0);
    csr_case_free(&c);
}

static void failures(void **state)
{
    (void)state;
    pm_error err;
    pm_spmv_gpu g;
    csr_case c = csr_case_make(&rng, CSR_RANDOM, 50, 50, 5);
    pm_status rc = PM_ENODEV;
    if (!getenv("CC"))
        skip();
    for (int number = 0; number < 2; ++number) {
        pm_spmv_kind kind = {PM_SEMIRING_SUM, true, true, number == 1};
        double y[50];
        rc = PM_ENODEV;
        for (int calls = 0; rc; ++calls) {
            assert_true(calls < 100);
            host_gpu_state.calls_left = calls;
            rc = pm_spmv_gpu_open(0, &c.a, &kind, &g, &err);
            if (rc)
                continue;
            rc = pm_spmv_gpu_put(&g, c.x, &err);
            if (!rc)
                rc = pm_spmv_gpu_multiply(&g, kind.is_coo ? PM_SPMV_COO_JUMP : PM_SPMV_CSR_MERGE,
                                          &err);
            if (!rc)
                rc = pm_spmv_gpu_get(&g, y, &err);
            assert_true(rc == PM_OK || (pm_gpu_has_failed(rc) && strstr(err.msg, " failed")));
            pm_spmv_gpu_close(&g);
        }
        host_gpu_state.calls_left = -1;
        csr_case_check(&c, PM_SEMIRING_SUM, true, y, 0x1p-24, "after failures");
        rc = PM_ENOMEM;
        for (int64_t k = 1; rc; ++k) {
            assert_true(k < 100);
            pm_alloc_fail_at(k);
            rc = pm_spmv_gpu_open(0, &c.a, &kind, &g, &err);
            pm_alloc_fail_at(0);
            assert_true(rc == PM_OK || rc == PM_ENOMEM);
            assert_true(k > 1 || rc == PM_ENOMEM);
        }
        pm_spmv_gpu_close(&g);
        assert_int_equal(host_gpu_state.open, 0);
    }
    const int64_t wide[] = {0, INT64_C(1) << 31};
    const pm_csr huge = {1, 1, wide, NULL, NULL, NULL};
    assert_int_equal(pm_spmv_gpu_open(0, &huge, &(pm_spmv_kind){0}, &g, &err), PM_UNABLE);
    csr_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coo),   cmocka_unit_test(csr),    cmocka_unit_test(long_rows),
        cmocka_unit_test(lists), cmocka_unit_test(choice), cmocka_unit_test(failures),
    };
    rng = test_seed();
    host_gpu_reset();
    host_gpu_state.launch = launch;
    host_gpu_state.turns = &rng;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
