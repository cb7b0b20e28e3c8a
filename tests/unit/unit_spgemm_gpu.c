/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of two sparse matrices on devices that are none (host_gpu.h): the kernels against the CPU, with
 * the threads in any order; ranges, limits and failures.  No false alarms: all digits agree, except of
 * logarithms, whose bound holds always. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pm/alloc.h"
#include "spgemm/overlap.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/matrices.h"
#include "support/spgemm_kernels.h"
#include "support/testing.h"

static uint64_t rng;
static int third; /* of the kinds, which compile for a second each; 0: all */

static void launch(void *symbol, const char *name, int64_t blocks, void *shared, void **arguments)
{
    void (*kernel)(pm_spgemm_arrays);
    pm_spgemm_arrays *a = arguments[0];
    (void)name, (void)shared;
    assert_int_equal(a->blocks, blocks);
    memcpy(&kernel, &symbol, sizeof kernel);
    kernel(*a);
}

static int below(int n)
{
    return (int)pm_rng_below(&rng, (uint32_t)n);
}

static void check_shapes(csr_shape a, csr_shape b, int64_t rows, int64_t inner, int64_t columns,
                         double mean, int kinds)
{
    const spgemm_shapes x = {a, b, rows, inner, columns, mean, third};
    spgemm_shapes_check(&rng, &x, kinds, 3000, NULL);
}

/* All kinds of a third, and a few with wide keys; with three times the rounds all. */
static void kinds(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    const int all = third ? SPGEMM_THIRD : SPGEMM_KINDS / 2, wanted = test_rounds(SPGEMM_THIRD),
              count = wanted < all ? wanted : all;
    check_shapes(CSR_RANDOM, CSR_POWERS, 60, 80, 300, 6, count);
    check_shapes(CSR_RANDOM, CSR_RANDOM, 20, 50, PM_PRODUCT_NARROW - below(2), 6,
                 third && count > 3 ? 3 : count);
}

/* Rows of every bin, and all shapes. */
static void sizes(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    for (int round = 0; round < test_rounds(12); ++round) {
        const double mean = pow(2, 6.0 * pm_rng_unit(&rng));
        check_shapes((csr_shape)(round % CSR_SHAPES), (csr_shape)(round / CSR_SHAPES % CSR_SHAPES),
                     below(round % 4 ? 90 : 1500), 1 + below(200), 1 + below(round % 3 ? 3000 : 40),
                     mean, 2);
    }
}

/* Rows of A with more entries than a window and than a group of threads counts. */
static void long_rows(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    for (int round = 0; round < test_rounds(6); ++round)
        check_shapes(CSR_FULL_ROW, round % 2 ? CSR_EMPTY_ROWS : CSR_RANDOM, 3 + below(40),
                     1000 + below(9000), 1 + below(5000), 2, 2);
}

/* The pairs above the diagonal of A A^T. */
static void upper_triangle(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    for (int round = 0; round < test_rounds(10); ++round) {
        csr_case x =
            csr_case_make(&rng, (csr_shape)(round % CSR_SHAPES), 1 + below(300), 1 + below(100), 5);
        const int64_t nnz = x.a.rowptr[x.a.nrows];
        int64_t *ptr = malloc(sizeof *ptr * (size_t)(x.a.ncols + 1));
        uint32_t *from = malloc(sizeof *from * (size_t)(nnz + 1));
        int32_t *ind = malloc(sizeof *ind * (size_t)(nnz + 1));
        pm_csr_transpose(&x.a, ptr, ind, NULL);
        x.a.value = NULL;
        const pm_csr t = {x.a.ncols, x.a.nrows, ptr, ind, NULL, NULL};
        assert_int_equal(pm_product_above(&x.a, &t, from, NULL), PM_OK);
        const pm_product p = {PM_SEMIRING_SUM, &x.a, &t, from};
        spgemm_kernels_check(&p, true, 0, NULL);
        free(ptr);
        free(from);
        free(ind);
        csr_case_free(&x);
    }
}

static pm_status try(const pm_product *p, pm_product_rows *rows, pm_error *err)
{
    pm_product_gpu g;
    pm_status status = pm_product_gpu_open(0, p, true, 0, &g, err);
    *rows = (pm_product_rows){.owned = {NULL}};
    if (status)
        return status;
    status = pm_product_gpu_make(&g, 0, p->a->nrows, err);
    if (!status)
        status = pm_product_gpu_get(&g, rows, err);
    pm_product_gpu_close(&g);
    return status;
}

static void failures(void **state)
{
    (void)state;
    pm_error err;
    pm_product_rows rows;
    pm_status status = PM_ENODEV;
    if (!getenv("CC"))
        skip();
    csr_case x = csr_case_make(&rng, CSR_FULL_ROW, 50, 1200, 5);
    csr_case y = csr_case_make(&rng, CSR_RANDOM, 1200, 70, 5);
    const pm_product p = {PM_SEMIRING_SUM, &x.a, &y.a, NULL};
    for (int calls = 0; status; ++calls) {
        assert_true(calls < 200);
        host_gpu_state.calls_left = calls;
        status = try(&p, &rows, &err);
        assert_true(status == PM_OK || (pm_gpu_has_failed(status) && strstr(err.msg, " failed")));
    }
    host_gpu_state.calls_left = -1;
    pm_product_rows_free(&rows);
    status = PM_ENOMEM;
    for (int64_t k = 1; status; ++k) {
        assert_true(k < 100);
        pm_alloc_fail_at(k);
        status = try(&p, &rows, &err);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        assert_true(k > 1 || status == PM_ENOMEM);
    }
    pm_product_rows_free(&rows);
    assert_int_equal(host_gpu_state.open, 0);
    /* memory for a part of the rows, and then not for one row */
    int64_t memory = host_gpu_state.memory;
    host_gpu_state.memory = 100000;
    spgemm_kernels_check(&p, true, 0, NULL);
    host_gpu_state.memory = 4000;
    assert_int_equal(try(&p, &rows, &err), PM_ENODEV);
    assert_non_null(strstr(err.msg, "the longest row needs"));
    host_gpu_state.memory = memory;
    const int64_t wide[] = {0, INT64_C(1) << 31};
    const pm_csr huge = {1, 1, wide, NULL, NULL, NULL};
    const pm_product too_large = {PM_SEMIRING_SUM, &huge, &huge, NULL};
    assert_int_equal(try(&too_large, &rows, &err), PM_UNABLE);
    csr_case_free(&x);
    csr_case_free(&y);
}

/* ---- overlaps ---- */

static pm_matrix full_matrix(int64_t n, int64_t m)
{
    pm_matrix a;
    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, n, m, n * m, NULL), PM_OK);
    for (int64_t i = 0; i < n; ++i) {
        a.rowptr[i + 1] = (i + 1) * m;
        for (int64_t j = 0; j < m; ++j)
            a.colind[i * m + j] = (int32_t)j;
    }
    return a;
}

static pm_overlap_figures measure(const pm_matrix *a, pm_overlap_weight w, pm_backend backend,
                                  const pm_run *run)
{
    pm_overlap o;
    pm_overlap_figures x;
    assert_int_equal(pm_overlap_open(a, false, w, &o, NULL), PM_OK);
    assert_int_equal(pm_overlap_use(&o, backend, run, NULL), PM_OK);
    assert_int_equal(pm_overlap_measure(&o, 0, run, &x, NULL), PM_OK);
    pm_overlap_close(&o);
    assert_int_equal(host_gpu_state.open, 0);
    return x;
}

static void same_figures(const pm_overlap_figures *x, const pm_overlap_figures *y)
{
    assert_int_equal(x->pairs, y->pairs);
    assert_true(x->total == y->total && x->largest == y->largest && x->cycles == y->cycles);
}

static void on_device(void **state)
{
    (void)state;
    if (!getenv("CC"))
        skip();
    for (int w = 0; w < PM_OVERLAP_WEIGHTS; ++w) {
        pm_matrix a = {0};
        random_matrix(&rng, PM_INTEGER, 1 + below(60), 1 + below(60), 0.2, &a);
        const pm_overlap_figures x = measure(&a, (pm_overlap_weight)w, PM_BACKEND_CPU, NULL);
        const int before = host_gpu_state.calls[HOST_GPU_LAUNCH];
        const pm_overlap_figures y = measure(&a, (pm_overlap_weight)w, PM_BACKEND_CUDA, NULL);
        assert_true(host_gpu_state.calls[HOST_GPU_LAUNCH] > before);
        same_figures(&x, &y);
        pm_matrix_free(&a);
    }
}

static int notes;

static void count_notes(void *context, int level, const char *line)
{
    (void)context;
    notes += level == 0 && strstr(line, "; the CPU is used") != NULL;
}

/* The CPU goes on where a device that was not asked for fails, at once or later. */
static void without_device(void **state)
{
    (void)state;
    static const host_gpu_call fails[] = {HOST_GPU_ARRAY, HOST_GPU_LAUNCH, HOST_GPU_GET};
    const pm_run one = {.threads = 1, .note = count_notes};
    pm_overlap o;
    pm_error err;
    if (!getenv("CC") || test_rounds(20) < 2) /* minutes in valgrind */
        skip();
    pm_matrix small = full_matrix(5, 5);
    pm_matrix a = full_matrix(300, 600); /* 27 million terms above the diagonal */
    const pm_overlap_figures x = measure(&a, PM_OVERLAP_COMMON, PM_BACKEND_CPU, &one);
    const int first = below(3), count = test_rounds(2);
    for (int i = 0; i < 3 && i < count; ++i) {
        const int k = (first + i) % 3;
        host_gpu_reset();
        host_gpu_state.turns = &rng;
        host_gpu_state.fails_at[fails[k]] = 1;
        notes = 0;
        const pm_overlap_figures y = measure(&a, PM_OVERLAP_COMMON, PM_BACKEND_AUTO, &one);
        assert_int_equal(notes, 1);
        same_figures(&x, &y);
        /* and not where it was, however small */
        assert_int_equal(pm_overlap_open(&small, false, PM_OVERLAP_COMMON, &o, NULL), PM_OK);
        pm_status status = pm_overlap_use(&o, PM_BACKEND_CUDA, &one, &err);
        pm_overlap_figures z;
        if (!status)
            status = pm_overlap_measure(&o, 0, &one, &z, &err);
        assert_true(pm_gpu_has_failed(status) && strstr(err.msg, " failed"));
        pm_overlap_close(&o);
    }
    host_gpu_reset();
    host_gpu_state.turns = &rng;
    /* many threads do not need it */
    const pm_run many = {.threads = 8};
    const pm_overlap_figures y = measure(&a, PM_OVERLAP_COMMON, PM_BACKEND_AUTO, &many);
    same_figures(&x, &y);
    assert_int_equal(host_gpu_state.calls[HOST_GPU_SESSION_OPEN], 0);
    pm_matrix_free(&small);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),          cmocka_unit_test(sizes),    cmocka_unit_test(long_rows),
        cmocka_unit_test(upper_triangle), cmocka_unit_test(failures), cmocka_unit_test(on_device),
        cmocka_unit_test(without_device),
    };
    rng = test_seed();
    third = test_rounds(SPGEMM_THIRD) < SPGEMM_KINDS / 2 ? 1 + below(3) : 0;
    host_gpu_reset();
    host_gpu_state.launch = launch;
    host_gpu_state.turns = &rng;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
