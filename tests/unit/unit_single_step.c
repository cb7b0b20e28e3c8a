/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scaling of large matrices in single precision: arrays that are folded, the equations of a step against products in double precision,
 * numbers that are too small or too far apart, and doubly stochastic matrices.  No false alarms: all comparisons have room for rounding only. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pm/alloc.h"
#include "sinkhorn/doubly_stochastic.h"
#include "sinkhorn/single_step.h"
#include "spmv/folded.h"
#include "support/graphs.h"
#include "support/testing.h"
#include "support/total_support.h"

static uint64_t rng;

static double *room(int64_t n)
{
    double *x = pm_alloc_array(n, sizeof *x);
    assert_non_null(x);
    return x;
}

/* Arrays in the heap, and one with pages of its own. */
static void folds(void **state)
{
    (void)state;
    const int64_t lengths[] = {1, 2, 3, 1000, 3000000};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l) {
        const int64_t n = lengths[l];
        double *x = room(n), *copy = room(n);
        for (int64_t k = 0; k < n; ++k)
            copy[k] = x[k] = exp(80 * (pm_rng_unit(&rng) - 0.5));
        float *folded = pm_fold(x, n);
        for (int64_t k = 0; k < n; ++k)
            assert_true(folded[k] == (float)copy[k]);
        assert_int_equal(pm_unfold(&folded, n, &x, NULL), PM_OK);
        assert_null(folded);
        for (int64_t k = 0; k < n; ++k)
            assert_true(x[k] == (float)copy[k]);
        free(x);
        free(copy);
    }
    double *x = room(2);
    x[0] = x[1] = 3;
    float *folded = pm_fold(x, 2);
    pm_alloc_fail_at(1);
    assert_int_equal(pm_unfold(&folded, 2, &x, NULL), PM_ENOMEM);
    pm_alloc_fail_at(0);
    assert_true(folded[0] == 3 && folded[1] == 3);
    free(folded);
}

/* Random entries whose columns sum to 1. */
static void set_entries(const pm_matrix *a, double *x)
{
    double *sum = pm_calloc_array(a->ncols, sizeof *sum);
    assert_non_null(sum);
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        x[k] = 0.2 + pm_rng_unit(&rng);
        sum[a->colind[k]] += x[k];
    }
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        x[k] /= sum[a->colind[k]];
    free(sum);
}

/* The norm of 1 - R - (diag(R) - X X^T) step, over that of 1 - R. */
static double remaining(const pm_matrix *a, const double *x, const float *step)
{
    double *by_column = pm_calloc_array(a->ncols, sizeof *by_column), rest = 0, all = 0;
    assert_non_null(by_column);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            by_column[a->colind[k]] += x[k] * step[i];
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0, image = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            sum += x[k];
            image += x[k] * (step[i] - by_column[a->colind[k]]);
        }
        all += (1 - sum) * (1 - sum);
        rest += (1 - sum - image) * (1 - sum - image);
    }
    free(by_column);
    return sqrt(rest / all);
}

/* With entries in double and in single precision, with and without coarse systems; the number of threads changes no digit. */
static void steps(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    enum { ROWS = 200, COLS = 210, STEPS = 4000 };
    pm_matrix a;
    grid_graph(ROWS, COLS, &a);
    const int64_t n = a.nrows, nnz = pm_matrix_nnz(&a);
    double *x = room(nnz);
    set_entries(&a, x);
    float *step = pm_alloc_array(n, sizeof *step), *other = pm_alloc_array(n, sizeof *other);
    assert_true(step && other);
    int64_t taken[2] = {0, 0};
    for (int with = 0; with < 4; ++with) {
        const bool is_coarse = with % 2, is_narrow = with / 2;
        for (int threads = 1; threads <= 3; ++threads) {
            const pm_run run = {.threads = threads};
            pm_workspace w;
            pm_coarse c;
            pm_single_end end;
            bool found = false;
            assert_int_equal(pm_workspace_make(&a, 1, PM_ON_HOST, &run, &w, NULL), PM_OK);
            pm_workspace_set(&w, x);
            if (is_narrow)
                pm_workspace_narrow(&w);
            if (is_coarse)
                assert_int_equal(pm_coarse_make(&w, &c, &found, NULL), PM_OK);
            assert_int_equal(found, is_coarse);
            const pm_single_equations q = {
                .on = &w, .coarse = is_coarse ? &c : NULL, .share = 1e-3, .steps = STEPS};
            assert_int_equal(pm_single_step(&q, threads > 1 ? other : step, &end, NULL), PM_OK);
            assert_true(!end.is_broken && end.taken > 0 && end.taken < STEPS);
            taken[is_coarse] = end.taken;
            if (threads > 1)
                assert_memory_equal(step, other, (size_t)n * sizeof *step);
            if (is_coarse)
                pm_coarse_free(&c);
            pm_workspace_free(&w);
        }
        assert_true(remaining(&a, x, step) < 2e-3);
    }
    assert_true(4 * taken[1] < taken[0]);
    free(x);
    free(step);
    free(other);
    pm_matrix_free(&a);
}

/* Columns anywhere, so many that they are asked for ahead; the number of threads changes no digit. */
static void scattered(void **state)
{
    enum { ROWS = 40000, DEGREE = 3 };
    (void)state;
    pm_matrix a;
    permutations_union(&rng, ROWS, DEGREE, &a);
    double *x = room(pm_matrix_nnz(&a));
    set_entries(&a, x);
    float *step[2] = {pm_alloc_array(ROWS, sizeof **step), pm_alloc_array(ROWS, sizeof **step)};
    assert_true(step[0] && step[1]);
    for (int kind = 0; kind < 6; ++kind) {
        const pm_run run = {.threads = 1 + kind % 3};
        pm_workspace w;
        pm_single_end end;
        assert_int_equal(pm_workspace_make(&a, 1, PM_ON_HOST, &run, &w, NULL), PM_OK);
        pm_workspace_set(&w, x);
        if (kind / 3)
            pm_workspace_narrow(&w);
        const pm_single_equations q = {.on = &w, .share = 1e-3, .steps = 1000};
        assert_int_equal(pm_single_step(&q, step[kind % 3 > 0], &end, NULL), PM_OK);
        assert_true(!end.is_broken && end.taken < 1000);
        if (kind % 3)
            assert_memory_equal(step[0], step[1], ROWS * sizeof **step);
        pm_workspace_free(&w);
        assert_true(remaining(&a, x, step[kind % 3 > 0]) < 2e-3);
    }
    free(x);
    free(step[0]);
    free(step[1]);
    pm_matrix_free(&a);
}

/* Products of such entries with a direction are 0 in single precision. */
static void too_small(void **state)
{
    (void)state;
    pm_matrix a;
    pm_workspace w;
    pm_single_end end;
    grid_graph(20, 20, &a);
    double *x = room(pm_matrix_nnz(&a));
    float *step = pm_alloc_array(a.nrows, sizeof *step);
    assert_non_null(step);
    for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
        x[k] = 1e-200;
    assert_int_equal(pm_workspace_make(&a, 1, PM_ON_HOST, NULL, &w, NULL), PM_OK);
    pm_workspace_set(&w, x);
    const pm_single_equations q = {.on = &w, .share = 0.1, .steps = 10};
    assert_int_equal(pm_single_step(&q, step, &end, NULL), PM_OK);
    assert_true(end.is_broken);
    int failures = 0;
    for (pm_status status = PM_ENOMEM; status; ++failures) {
        pm_alloc_fail_at(failures + 1);
        status = pm_single_step(&q, step, &end, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
    }
    assert_true(failures > 1);
    pm_workspace_free(&w);
    free(step);
    free(x);
    pm_matrix_free(&a);
}

static void check_exact(const pm_matrix *a, const double *x)
{
    int64_t *sum = pm_calloc_array(a->nrows + a->ncols, sizeof *sum);
    assert_non_null(sum);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const double units = ldexp(x[k], PM_STOCHASTIC_BITS);
            assert_true(units >= 1 && units == rint(units));
            sum[i] += (int64_t)units;
            sum[a->nrows + a->colind[k]] += (int64_t)units;
        }
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v)
        assert_int_equal(sum[v], INT64_C(1) << PM_STOCHASTIC_BITS);
    free(sum);
}

/* A grid whose entries are rounded during its steps, with the factors of its rows and without; the number of threads changes no digit. */
static void exact_sums(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    enum { ROWS = 240, COLS = 250, PRODUCTS = 4000 };
    pm_matrix a;
    grid_graph(ROWS, COLS, &a);
    const int64_t nnz = pm_matrix_nnz(&a);
    double *first = room(nnz);
    for (int round = 0; round < 3; ++round) {
        const pm_run run = {.threads = 1 + round};
        pm_sinkhorn s;
        bool found;
        assert_int_equal(pm_sinkhorn_make(&a, PM_ON_HOST, &run, &s, NULL), PM_OK);
        if (round)
            pm_sinkhorn_drop_rows(&s);
        for (int64_t k = 0; k < nnz; ++k)
            s.x[k] = 1;
        pm_sinkhorn_start(&s, s.x);
        assert_int_equal(pm_doubly_stochastic(&a, &s, 0, PRODUCTS, &found, NULL), PM_OK);
        assert_true(found && s.is_slow && !s.is_wide);
        assert_true((s.row == NULL) == (round > 0));
        check_exact(&a, s.x);
        if (round)
            assert_memory_equal(first, s.x, (size_t)nnz * sizeof *first);
        else
            memcpy(first, s.x, (size_t)nnz * sizeof *first);
        pm_sinkhorn_free(&s);
    }
    free(first);
    pm_matrix_free(&a);
}

/* Rows of one column are more than it can hold: nothing is found, and no entry is lost. */
static void no_sums(void **state)
{
    (void)state;
    enum { N = 40000, PRODUCTS = 100 };
    pm_matrix a;
    pm_triples t = {.nrows = N, .ncols = N};
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < 3; ++k)
            graphs_add(&t, i, (i < N / 2 ? i / 2 : i) + k < N ? (i < N / 2 ? i / 2 : i) + k : k);
    graphs_end(&t, &a);
    pm_sinkhorn s;
    bool found;
    assert_true(pm_matrix_nnz(&a) >= 100000);
    assert_int_equal(pm_sinkhorn_make(&a, PM_ON_HOST, NULL, &s, NULL), PM_OK);
    for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
        s.x[k] = 1;
    pm_sinkhorn_start(&s, s.x);
    assert_int_equal(pm_doubly_stochastic(&a, &s, 0, PRODUCTS, &found, NULL), PM_OK);
    assert_false(found);
    for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
        assert_true(s.x[k] >= 0 && s.x[k] <= 2);
    pm_sinkhorn_free(&s);
    pm_matrix_free(&a);
}

enum { WIDE_ROWS = 12000, WIDE_PRODUCTS = 300 };

/* Returns the status; *s is the end of the scaling, if it began. */
static pm_status scale_wide(const pm_matrix *a, const double *x, const pm_run *run, pm_sinkhorn *s,
                            bool *found)
{
    pm_status status = pm_sinkhorn_make(a, PM_ON_HOST, run, s, NULL);
    if (status)
        return status;
    pm_sinkhorn_start(s, x);
    return pm_doubly_stochastic(a, s, 0, WIDE_PRODUCTS, found, NULL);
}

/* Entries over many octaves, for which single precision is not enough: steps are made again in double precision.  The number of threads
 * changes no digit, and each allocation may fail.  The entries are the same in each run. */
static void wide(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    enum { OCTAVES = 150, DEGREE = 4, EVERY = 41 };
    uint64_t fixed = 5;
    pm_matrix a;
    permutations_union(&fixed, WIDE_ROWS, DEGREE, &a);
    const int64_t nnz = pm_matrix_nnz(&a);
    double *x = random_weights(&fixed, nnz, OCTAVES), *first = room(nnz);
    for (int threads = 1; threads <= 3; threads += 2) {
        const pm_run run = {.threads = threads};
        pm_sinkhorn s;
        bool found;
        assert_int_equal(scale_wide(&a, x, &run, &s, &found), PM_OK);
        assert_true(s.is_wide && !s.is_slow && isfinite(s.residual));
        if (found)
            check_exact(&a, s.x);
        if (threads == 1)
            memcpy(first, s.x, (size_t)nnz * sizeof *first);
        assert_memory_equal(first, s.x, (size_t)nnz * sizeof *first);
        pm_sinkhorn_free(&s);
    }
    int failures = 0;
    pm_status status = PM_ENOMEM;
    for (int64_t k = 1; status; k += EVERY) {
        pm_sinkhorn s = {0};
        bool found;
        pm_alloc_fail_at(k);
        status = scale_wide(&a, x, NULL, &s, &found);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        failures += status == PM_ENOMEM;
        pm_sinkhorn_free(&s);
    }
    assert_true(failures > 1);
    free(first);
    free(x);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds),     cmocka_unit_test(steps),      cmocka_unit_test(scattered),
        cmocka_unit_test(too_small), cmocka_unit_test(exact_sums), cmocka_unit_test(no_sums),
        cmocka_unit_test(wide),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
