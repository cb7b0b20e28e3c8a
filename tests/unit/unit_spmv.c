/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of sparse matrices and vectors against their definition, with any number of threads. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pm/alloc.h"
#include "spmv/conjugate_gradients.h"
#include "spmv/multiply.h"
#include "support/matrices.h"
#include "support/total_support.h"

enum { THREADS = 5 };

/* nrows x ncols; kind 0: density p; 1: a full row among empty ones; 2: a full column.  Values are
 * multiples of 1/8 of few digits, so that all sums are exact. */
static void make_pair(uint64_t *rng, int nrows, int ncols, int kind, pm_matrix *pattern,
                      pm_csr_pair *pair, double **value)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = nrows, .ncols = ncols};
    const double p = pm_rng_unit(rng);
    const int line = (int)pm_rng_below(rng, (uint32_t)(kind == 2 ? ncols : nrows) + 1);
    for (int i = 0; i < nrows; ++i)
        for (int j = 0; j < ncols; ++j)
            if (kind == 0 ? pm_rng_unit(rng) < p : kind == 1 ? i == line : j == line)
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", pattern, NULL), PM_OK);
    pm_triples_free(&t);
    assert_int_equal(pm_csr_pair_make(pattern, NULL, pair, NULL), PM_OK);
    pair->threads = 1 + (int)pm_rng_below(rng, 4);
    *value = pm_alloc_array(pm_matrix_nnz(pattern), sizeof **value);
    for (int64_t k = 0; k < pm_matrix_nnz(pattern); ++k)
        (*value)[k] = (double)pm_rng_below(rng, 2001) / 8 - 125;
    pm_csr_pair_set(pair, *value);
}

/* sum over j of a_ij x_j, or of a_ji x_j */
static void slow_product(const pm_matrix *a, const double *value, bool transposed, const double *x,
                         double *y)
{
    for (int64_t i = 0; i < (transposed ? a->ncols : a->nrows); ++i)
        y[i] = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t j = a->colind[k];
            y[transposed ? j : i] += value[k] * x[transposed ? i : j];
        }
}

static void products(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(400); round > 0; --round) {
        pm_matrix a;
        pm_csr_pair pair;
        double *value, x[80], y[80], slow[80];
        int nrows = (int)pm_rng_below(&rng, 80), ncols = (int)pm_rng_below(&rng, 80);
        make_pair(&rng, nrows, ncols, round % 3, &a, &pair, &value);
        for (int i = 0; i < 80; ++i)
            x[i] = (double)pm_rng_below(&rng, 201) - 100;
        for (int transposed = 0; transposed < 2; ++transposed) {
            slow_product(&a, value, transposed, x, slow);
            for (int threads = 1; threads <= THREADS; ++threads) {
                memset(y, 0xff, sizeof y);
                pm_spmv_multiply(transposed ? &pair.t : &pair.a, x, y, threads);
                assert_memory_equal(y, slow, sizeof *y * (size_t)(transposed ? ncols : nrows));
            }
        }
        free(value);
        pm_csr_pair_free(&pair);
        pm_matrix_free(&a);
    }
}

/* A sum that is not exact: the order of additions is the same for every number of threads. */
static void same_digits(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(50); round > 0; --round) {
        pm_matrix a;
        pm_csr_pair pair;
        double *value, x[60], y[60], other[60];
        make_pair(&rng, 60, 60, 0, &a, &pair, &value);
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
            value[k] = pm_rng_unit(&rng);
        pm_csr_pair_set(&pair, value);
        for (int i = 0; i < 60; ++i)
            x[i] = pm_rng_unit(&rng);
        pm_spmv_multiply(&pair.a, x, y, 1);
        for (int threads = 2; threads <= THREADS; ++threads) {
            pm_spmv_multiply(&pair.a, x, other, threads);
            assert_memory_equal(y, other, sizeof y);
        }
        free(value);
        pm_csr_pair_free(&pair);
        pm_matrix_free(&a);
    }
}

static void scaled(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(100); round > 0; --round) {
        pm_matrix a;
        pm_csr_pair pair;
        double *value, row[40], col[40];
        make_pair(&rng, 40, 40, round % 3, &a, &pair, &value);
        for (int i = 0; i < 40; ++i) {
            row[i] = pm_rng_unit(&rng);
            col[i] = pm_rng_unit(&rng);
        }
        pm_csr_scale(&pair.a, row, col, 1 + round % THREADS);
        for (int64_t i = 0; i < 40; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                assert_true(pair.a.value[k] == value[k] * (row[i] * col[a.colind[k]]));
        free(value);
        pm_csr_pair_free(&pair);
        pm_matrix_free(&a);
    }
}

/* The products with the transpose that is stored, and without it; with and without a second part, factors of the rows and values.
 * The same digits with any number of threads. */
static void without_transpose(void **state)
{
    enum { ROWS = 37, COLUMNS = 53 };
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(100); round > 0; --round) {
        pm_matrix a;
        pm_csr_pair pair;
        double *value, row[ROWS], x[ROWS], scaled_x[ROWS];
        pm_spmv_part part = {0};
        const pm_line_products between = {.row = row};
        double first[COLUMNS], y[COLUMNS], wanted[COLUMNS], sums[COLUMNS];
        make_pair(&rng, ROWS, COLUMNS, round % 3, &a, &pair, &value);
        if (round & 4)
            pair.a.value = pair.t.value = NULL;
        for (int i = 0; i < ROWS; ++i) {
            x[i] = pm_rng_unit(&rng);
            row[i] = pm_rng_unit(&rng);
            scaled_x[i] = round & 8 ? row[i] * x[i] : x[i];
        }
        if (round & 16)
            part = pm_spmv_part_make(&pair.a, sums);
        pm_spmv_multiply(&pair.t, scaled_x, wanted, 1);
        for (int threads = 1; threads <= THREADS; ++threads) {
            double *to = threads == 1 ? first : y;
            pm_spmv_multiply_transposed(&pair.a, round & 8 ? &between : NULL, x, to, &part,
                                        threads);
            for (int j = 0; j < COLUMNS; ++j) {
                /* sums of up to 37 terms below 126 */
                assert_true(fabs(to[j] - wanted[j]) <= 1e-10);
                assert_true(to[j] == first[j]);
            }
        }
        free(value);
        pm_csr_pair_free(&pair);
        pm_matrix_free(&a);
    }
}

/* The shares are all rows, each once; none has more than its part and one row. */
static void shares(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(200); round > 0; --round) {
        pm_matrix a;
        pm_csr_pair pair;
        double *value;
        int nrows = (int)pm_rng_below(&rng, 60), parts = 1 + (int)pm_rng_below(&rng, 9);
        int64_t next = 0, longest = 0;
        make_pair(&rng, nrows, 30, round % 3, &a, &pair, &value);
        for (int64_t i = 0; i < nrows; ++i)
            longest =
                a.rowptr[i + 1] - a.rowptr[i] > longest ? a.rowptr[i + 1] - a.rowptr[i] : longest;
        for (int part = 0; part < parts; ++part) {
            pm_csr_rows r = pm_csr_share(&pair.a, part, parts);
            assert_int_equal(r.from, next);
            assert_true(r.to >= r.from);
            int64_t work = a.rowptr[r.to] - a.rowptr[r.from] + r.to - r.from;
            assert_true(work <= (pm_matrix_nnz(&a) + nrows) / parts + longest + 2);
            next = r.to;
        }
        assert_int_equal(next, nrows);
        free(value);
        pm_csr_pair_free(&pair);
        pm_matrix_free(&a);
    }
}

enum { N = 40 };
enum { X, B, FOUND, ALONG, DIAGONAL, SOLVER, VECTORS = SOLVER + PM_CONJUGATE_GRADIENTS_VECTORS };

/* y = (I + A A^T) x; returns x^T y. */
static double multiply(pm_workspace *w, int x, int y)
{
    double along;
    const pm_vector_step step[] = {pm_step_multiply(ALONG, y), pm_step_map(PM_MAP_ADD, 1, x, x, y),
                                   pm_step_reduce(PM_REDUCE_DOT, x, y)};
    pm_workspace_multiply(w, true, x, ALONG);
    pm_workspace_run(w, step, 3, &along);
    return along;
}

/* The solution is the vector that b was made of; after few steps, or with a stop, it is not reached. */
static void conjugate_gradients(void **state)
{
    uint64_t rng = test_seed();
    const volatile sig_atomic_t stop = 1;
    const pm_run stopped = {.stop = &stop};
    (void)state;
    for (int round = test_rounds(100); round > 0; --round) {
        pm_matrix a;
        pm_workspace w;
        permutations_union(&rng, N, 1 + round % 9, &a);
        double value[N * N], x[N], found[N], ones[N];
        assert_int_equal(pm_workspace_make(&a, VECTORS, PM_ON_HOST, NULL, &w, NULL), PM_OK);
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
            value[k] = pm_rng_unit(&rng);
        for (int i = 0; i < N; ++i) {
            x[i] = 1 + pm_rng_unit(&rng);
            ones[i] = 1;
        }
        pm_workspace_set(&w, value);
        pm_workspace_put(&w, X, x);
        multiply(&w, X, B);
        pm_workspace_squares(&w, DIAGONAL);
        pm_workspace_put(&w, FOUND, ones);
        pm_workspace_map(&w, PM_MAP_ADD, 1, FOUND, FOUND, DIAGONAL);
        const pm_symmetric_system s = {
            .on = &w, .multiply = multiply, .diagonal = DIAGONAL, .work = SOLVER};
        const double size = sqrt(pm_workspace_reduce(&w, PM_REDUCE_DOT, B, B));
        assert_true(pm_conjugate_gradients(&s, size * 1e-12, 1000, B, FOUND) > 0);
        assert_true(sqrt(pm_workspace_reduce(&w, PM_REDUCE_DOT, B, B)) <= size * 1e-12);
        pm_workspace_get(&w, FOUND, found);
        for (int i = 0; i < N; ++i)
            assert_true(fabs(found[i] - x[i]) < 1e-7);
        pm_symmetric_system t = s;
        t.run = &stopped;
        pm_workspace_put(&w, B, x);
        assert_int_equal(pm_conjugate_gradients(&t, 0, 1000, B, FOUND), 0);
        assert_true(pm_workspace_reduce(&w, PM_REDUCE_LARGEST, FOUND, FOUND) == 0);
        pm_workspace_free(&w);
        pm_matrix_free(&a);
    }
}

static void no_memory(void **state)
{
    uint64_t rng = test_seed();
    pm_matrix a;
    pm_csr_pair pair;
    double *value;
    int failures = 0;
    (void)state;
    make_pair(&rng, 5, 7, 0, &a, &pair, &value);
    free(value);
    pm_csr_pair_free(&pair);
    pm_status rc = PM_ENOMEM;
    for (int64_t k = 1; rc; ++k) {
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        rc = pm_csr_pair_make(&a, NULL, &pair, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
        failures += rc != PM_OK;
    }
    assert_true(failures > 2);
    pm_csr_pair_free(&pair);
    pm_matrix_free(&a);
}

/* A list of steps does what its steps do one after the other: a product, maps with the same digits, and sums that differ by rounding.
 * The number of threads changes no digit. */
static void steps(void **state)
{
    enum { ROWS = 70000, DEGREE = 3, VECTOR = 4 };
    uint64_t rng = test_seed();
    double first = 0;
    (void)state;
    for (int threads = 1; threads <= 3; ++threads) {
        const pm_run run = {.threads = threads};
        pm_matrix a;
        pm_workspace w[2];
        double *value = pm_alloc_array(ROWS, sizeof *value), sum[2];
        uint64_t same = 7;
        assert_non_null(value);
        permutations_union(&same, ROWS, DEGREE, &a);
        double *entry = pm_alloc_array(pm_matrix_nnz(&a), sizeof *entry);
        assert_non_null(entry);
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
            entry[k] = pm_rng_unit(&same);
        for (int k = 0; k < 2; ++k) {
            assert_int_equal(pm_workspace_make(&a, VECTOR, PM_ON_HOST, &run, &w[k], NULL), PM_OK);
            pm_workspace_set(&w[k], entry);
        }
        for (int x = 0; x < VECTOR; ++x) {
            for (int i = 0; i < ROWS; ++i)
                value[i] = pm_rng_unit(&same);
            for (int k = 0; k < 2; ++k)
                pm_workspace_put(&w[k], x, value);
        }
        const double factor = pm_rng_unit(&rng);
        const pm_vector_step list[] = {pm_step_multiply(0, 1), pm_step_map(PM_MAP_REST, 0, 2, 3, 1),
                                       pm_step_reduce(PM_REDUCE_DOT, 1, 3),
                                       pm_step_map(PM_MAP_ADD, factor, 1, 1, 3),
                                       pm_step_reduce(PM_REDUCE_LARGEST, 3, 3)};
        pm_workspace_run(&w[0], list, 5, sum);
        pm_workspace_multiply(&w[1], false, 0, 1);
        pm_workspace_map(&w[1], PM_MAP_REST, 0, 2, 3, 1);
        /* 70,000 terms below 4 */
        assert_true(fabs(pm_workspace_reduce(&w[1], PM_REDUCE_DOT, 1, 3) - sum[0]) < 1e-6);
        pm_workspace_map(&w[1], PM_MAP_ADD, factor, 1, 1, 3);
        assert_true(pm_workspace_reduce(&w[1], PM_REDUCE_LARGEST, 3, 3) == sum[1]);
        assert_memory_equal(w[0].vector[1], w[1].vector[1], ROWS * sizeof *value);
        assert_memory_equal(w[0].vector[3], w[1].vector[3], ROWS * sizeof *value);
        if (threads == 1)
            first = sum[0];
        assert_true(sum[0] == first);
        for (int k = 0; k < 2; ++k)
            pm_workspace_free(&w[k]);
        pm_matrix_free(&a);
        free(value);
        free(entry);
    }
}

/* Differences are the sums of the rows times z less a product, with short and long rows, with entries that are stored and with products of
 * factors; where all numbers are one nothing is left. */
static void differences(void **state)
{
    enum { ROWS = 3000, ROW = 0, COL, LESS, FROM, LEFT, SUMS, PRODUCT, VECTORS_OF_TEST };
    uint64_t rng = test_seed();
    (void)state;
    for (int kind = 0; kind < 8; ++kind) {
        const bool is_product = kind & 1, is_level = kind & 4;
        const pm_run run = {.threads = 1 + kind / 4};
        pm_matrix a;
        pm_workspace w;
        permutations_union(&rng, ROWS, kind & 2 ? 14 : 3, &a);
        double *entry = pm_alloc_array(pm_matrix_nnz(&a), sizeof *entry);
        assert_non_null(entry);
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
            entry[k] = pm_rng_unit(&rng);
        assert_int_equal(
            is_product ? pm_workspace_make_product(&a, VECTORS_OF_TEST, ROW, COL, &run, &w, NULL)
                       : pm_workspace_make(&a, VECTORS_OF_TEST, PM_ON_HOST, &run, &w, NULL),
            PM_OK);
        if (!is_product)
            pm_workspace_set(&w, entry);
        for (int x = ROW; x <= FROM; ++x)
            for (int i = 0; i < ROWS; ++i)
                w.vector[x][i] = is_level && x >= LESS ? 0.5 : pm_rng_unit(&rng);
        double along;
        const pm_vector_step step[] = {pm_step_differences(LESS, FROM, LEFT),
                                       pm_step_reduce(PM_REDUCE_DOT, FROM, LEFT)};
        pm_workspace_map(&w, PM_MAP_COPY, 0, LESS, LESS, PRODUCT);
        pm_workspace_sum_rows(&w, SUMS);
        pm_workspace_run(&w, step, 2, &along);
        pm_workspace_map(&w, PM_MAP_COPY, 0, PRODUCT, PRODUCT, LESS);
        pm_workspace_multiply(&w, false, LESS, PRODUCT);
        double expected = 0;
        for (int i = 0; i < ROWS; ++i) { /* at most 14 terms below 1 */
            const double y = w.vector[SUMS][i] * w.vector[FROM][i] - w.vector[PRODUCT][i];
            assert_true(fabs(w.vector[LEFT][i] - y) < 1e-13);
            assert_true(!is_level || w.vector[LEFT][i] == 0);
            expected += w.vector[FROM][i] * w.vector[LEFT][i];
        }
        assert_true(fabs(along - expected) < 1e-9);
        pm_workspace_free(&w);
        pm_matrix_free(&a);
        free(entry);
    }
}

/* Sums of rows are products with ones, with entries that are stored and with products of factors; a vector that is moved has its values, and
 * entries that are dropped leave the vectors. */
static void sums_and_moves(void **state)
{
    enum { ROWS = 40000, DEGREE = 14, ROW = 0, COL, ONES, SUMS, PRODUCT, TAKEN };
    uint64_t rng = test_seed();
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        const bool is_product = kind & 1;
        const pm_run run = {.threads = 1 + kind / 2};
        pm_matrix a;
        pm_workspace w;
        permutations_union(&rng, ROWS, kind < 2 ? DEGREE : 3, &a);
        const int64_t nnz = pm_matrix_nnz(&a);
        double *entry = pm_alloc_array(nnz, sizeof *entry);
        assert_non_null(entry);
        for (int64_t k = 0; k < nnz; ++k)
            entry[k] = pm_rng_unit(&rng);
        assert_int_equal(is_product ? pm_workspace_make_product(&a, TAKEN, ROW, COL, &run, &w, NULL)
                                    : pm_workspace_make(&a, TAKEN, PM_ON_HOST, &run, &w, NULL),
                         PM_OK);
        if (!is_product)
            pm_workspace_set(&w, entry);
        pm_workspace_put(&w, ROW, entry);
        pm_workspace_put(&w, COL, entry + ROWS);
        pm_workspace_map(&w, PM_MAP_FILL, 1, ONES, ONES, ONES);
        pm_workspace_sum_rows(&w, SUMS);
        pm_workspace_multiply(&w, false, ONES, PRODUCT);
        assert_memory_equal(w.vector[SUMS], w.vector[PRODUCT], ROWS * sizeof *entry);
        double *before = pm_copy(w.vector[SUMS], ROWS * sizeof *entry);
        assert_non_null(before);
        pm_workspace_move(&w, SUMS, ONES);
        pm_workspace_drop_entries(&w);
        assert_memory_equal(w.vector[ONES], before, ROWS * sizeof *entry);
        assert_memory_equal(w.vector[ROW], entry, ROWS * sizeof *entry);
        pm_workspace_free(&w);
        pm_matrix_free(&a);
        free(before);
        free(entry);
    }
}

/* Products with the transpose are the same in a vector that is lent, also after vectors were dropped. */
static void lent_vector(void **state)
{
    enum { ROWS = 40000, FROM = 0, TO, LENT, TAKEN };
    uint64_t rng = test_seed();
    pm_matrix a;
    (void)state;
    permutations_union(&rng, ROWS, 3, &a);
    const int64_t nnz = pm_matrix_nnz(&a);
    double *entry = pm_alloc_array(nnz, sizeof *entry), *wanted = NULL;
    assert_non_null(entry);
    for (int64_t k = 0; k < nnz; ++k)
        entry[k] = pm_rng_unit(&rng);
    for (int round = 0; round < 6; ++round) {
        const pm_run run = {.threads = 1 + round % 2};
        pm_workspace w;
        assert_int_equal(pm_workspace_make(&a, TAKEN, PM_ON_HOST, &run, &w, NULL), PM_OK);
        pm_workspace_set(&w, entry);
        if (round >= 2)
            pm_workspace_lend(&w, LENT);
        if (round >= 4) {
            pm_workspace_drop(&w, TO);
            assert_null(w.vector[LENT]);
            assert_int_equal(pm_workspace_take(&w, TO, NULL), PM_OK);
        }
        assert_true((w.part.sum == w.vector[LENT]) == (round >= 2));
        pm_workspace_put(&w, FROM, entry);
        pm_workspace_multiply(&w, true, FROM, TO);
        if (!wanted)
            assert_non_null(wanted = pm_copy(w.vector[TO], ROWS * sizeof *wanted));
        assert_memory_equal(w.vector[TO], wanted, ROWS * sizeof *wanted);
        pm_workspace_free(&w);
    }
    pm_matrix_free(&a);
    free(wanted);
    free(entry);
}

/* Products with narrow entries are those with the same entries as doubles, digit by digit; scaled ones are rounded. */
static void narrow_entries(void **state)
{
    enum { ROWS = 20000, FROM = 0, TO, COL, OTHER, TAKEN };
    uint64_t rng = test_seed();
    (void)state;
    for (int kind = 0; kind < 4; ++kind) {
        const pm_run run = {.threads = 1 + kind % 3};
        pm_matrix a;
        pm_workspace w[2];
        permutations_union(&rng, ROWS, kind % 2 ? 14 : 4, &a);
        const int64_t nnz = pm_matrix_nnz(&a);
        double *entry = pm_alloc_array(nnz, sizeof *entry);
        assert_non_null(entry);
        for (int64_t k = 0; k < nnz; ++k)
            entry[k] = (float)(0.1 + pm_rng_unit(&rng));
        for (int k = 0; k < 2; ++k) {
            const pm_vector_step step = pm_step_differences(FROM, TO, OTHER);
            assert_int_equal(pm_workspace_make(&a, TAKEN, PM_ON_HOST, &run, &w[k], NULL), PM_OK);
            pm_workspace_set(&w[k], entry);
            if (k)
                pm_workspace_narrow(&w[k]);
            assert_true(k ? !w[k].x.a.value && w[k].x.a.narrow : !w[k].x.a.narrow);
            pm_workspace_sum_rows(&w[k], FROM);
            pm_workspace_multiply(&w[k], false, FROM, TO);
            pm_workspace_multiply(&w[k], true, TO, COL);
            pm_workspace_squares(&w[k], FROM);
            pm_workspace_run(&w[k], &step, 1, NULL);
        }
        for (int v = 0; v < TAKEN; ++v)
            assert_memory_equal(w[0].vector[v], w[1].vector[v], ROWS * sizeof *entry);
        for (int k = 0; k < 2; ++k)
            pm_workspace_scale(&w[k], FROM, TO);
        for (int64_t k = 0; k < nnz; ++k)
            assert_true(w[1].x.a.narrow[k] == (float)w[0].x.a.value[k]);
        pm_alloc_fail_at(1);
        assert_int_equal(pm_workspace_widen(&w[1], NULL), PM_ENOMEM);
        pm_alloc_fail_at(0);
        assert_non_null(w[1].x.a.narrow);
        assert_int_equal(pm_workspace_widen(&w[1], NULL), PM_OK);
        assert_null(w[1].x.a.narrow);
        for (int64_t k = 0; k < nnz; ++k)
            assert_true(w[1].x.a.value[k] == (float)w[0].x.a.value[k]);
        pm_workspace_free(&w[0]);
        pm_workspace_free(&w[1]);
        pm_matrix_free(&a);
        free(entry);
    }
}

/* A sweep: rows are divided by their sums, then columns, with the factors. */
static void divided_lines(void **state)
{
    enum { ROWS = 20000, ROW = 0, COL, TAKEN };
    uint64_t rng = test_seed();
    (void)state;
    for (int kind = 0; kind < 2; ++kind) {
        const pm_run run = {.threads = 1 + kind};
        pm_matrix a;
        pm_workspace w;
        permutations_union(&rng, ROWS, 4, &a);
        const int64_t nnz = pm_matrix_nnz(&a);
        double *entry = pm_alloc_array(nnz, sizeof *entry);
        double *sum = pm_calloc_array(ROWS, sizeof *sum);
        assert_true(entry && sum);
        for (int64_t k = 0; k < nnz; ++k)
            entry[k] = 0.1 + pm_rng_unit(&rng);
        assert_int_equal(pm_workspace_make(&a, TAKEN, PM_ON_HOST, &run, &w, NULL), PM_OK);
        pm_workspace_set(&w, entry);
        pm_workspace_map(&w, PM_MAP_FILL, 3, ROW, ROW, ROW);
        pm_workspace_divide_rows(&w, -1);
        pm_workspace_set(&w, entry);
        pm_workspace_divide_rows(&w, ROW);
        pm_workspace_divide_columns(&w, COL);
        for (int64_t i = 0; i < ROWS; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
                const double wanted = w.vector[ROW][i] / 3 * w.vector[COL][a.colind[k]] * entry[k];
                assert_true(fabs(w.x.a.value[k] - wanted) < 1e-14);
                sum[a.colind[k]] += w.x.a.value[k];
            }
        for (int64_t j = 0; j < ROWS; ++j)
            assert_true(fabs(sum[j] - 1) < 1e-14);
        pm_workspace_free(&w);
        pm_matrix_free(&a);
        free(entry);
        free(sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(same_digits),
        cmocka_unit_test(scaled),
        cmocka_unit_test(without_transpose),
        cmocka_unit_test(shares),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(differences),
        cmocka_unit_test(narrow_entries),
        cmocka_unit_test(divided_lines),
        cmocka_unit_test(steps),
        cmocka_unit_test(conjugate_gradients),
        cmocka_unit_test(sums_and_moves),
        cmocka_unit_test(lent_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
