/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/iterations.h"

#include <string.h>

#include "bounds/bethe.h"
#include "bounds/bounds.h"
#include "sinkhorn/linear_step.h"
#include "sinkhorn/sinkhorn.h"
#include "spmv/workspace.h"
#include "support/graphs.h"
#include "support/testing.h"
#include "support/total_support.h"

enum { VECTORS = 4, MAPS = PM_MAP_REMAINDER + 1, REDUCTIONS = PM_REDUCE_FROM_ONE + 1 };

static uint64_t rng;

void iterations_begin(void)
{
    rng = test_seed();
}

static int below(int n)
{
    return (int)pm_rng_below(&rng, (uint32_t)n);
}

static void assert_near(double a, double b, double size)
{
    if (!(fabs(a - b) <= 1e-12 * size))
        fail_msg("%.17g and %.17g differ", a, b);
}

/* Every entry is in a perfect matching: scalings may end anywhere else.  At times there are a full row and a full column, which
 * meet in an entry of one of the permutations. */
static void random_pattern(pm_matrix *a)
{
    const int n = 1 + below(below(4) ? 40 : 3000);
    permutations_union(&rng, n, 1 + below(8), a);
    if (n > 100 || below(3))
        return;
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    const int64_t column = a->colind[0];
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            assert_int_equal(pm_triples_add(&t, i, a->colind[k], 0, NULL, NULL, NULL), PM_OK);
    for (int64_t i = 0; i < n; ++i)
        for (int side = 0; side < 2; ++side)
            assert_int_equal(
                pm_triples_add(&t, side ? i : 0, side ? column : i, 0, NULL, NULL, NULL), PM_OK);
    pm_matrix_free(a);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_IGNORE, "test", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* ---- operations ---- */

static void random_vectors(pm_workspace w[2])
{
    const int64_t n = w[0].x.a.nrows;
    double *x = malloc((size_t)n * sizeof *x);
    for (int v = 0; v < VECTORS; ++v) {
        for (int64_t i = 0; i < n; ++i)
            x[i] = 0.5 + pm_rng_unit(&rng);
        for (int side = 0; side < 2; ++side)
            pm_workspace_put(&w[side], v, x);
    }
    free(x);
}

static void random_operation(pm_workspace w[2])
{
    const int x = below(VECTORS), z = below(VECTORS), y = (x + 1 + below(VECTORS - 1)) % VECTORS;
    const int kind = below(9), op = below(kind == 0 ? REDUCTIONS : MAPS);
    const bool is_transposed = below(2);
    const double s = pm_rng_unit(&rng), n = (double)w[0].x.a.nrows;
    double number[2];
    for (int side = 0; side < 2; ++side)
        switch (kind) {
        case 0: number[side] = pm_workspace_reduce(&w[side], (pm_reduction)op, x, y); break;
        case 1: pm_workspace_multiply(&w[side], is_transposed, x, y); break;
        case 2: pm_workspace_squares(&w[side], y); break;
        case 3: pm_workspace_scale(&w[side], x, y); break;
        case 4: pm_workspace_sum_rows(&w[side], y); break;
        case 5:
            pm_workspace_move(&w[side], x, y);
            pm_workspace_map(&w[side], PM_MAP_FILL, s, x, x, x); /* its values are lost */
            break;
        case 8: pm_linear_step(&w[side], x, y); break;
        default: pm_workspace_map(&w[side], (pm_map)op, s, x, z, y);
        }
    if (kind == 0)
        assert_near(number[0], number[1], 10 * n);
}

static void compare(pm_workspace w[2])
{
    const int64_t n = w[0].x.a.nrows, nnz = w[0].x.a.rowptr[n];
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    for (int v = 0; v < VECTORS; ++v) {
        pm_workspace_get(&w[0], v, x);
        pm_workspace_get(&w[1], v, y);
        for (int64_t i = 0; i < n; ++i)
            assert_near(x[i], y[i], 10 * fabs(x[i]) + 10);
    }
    for (int side = 0; side < 2; ++side)
        pm_workspace_fetch(&w[side]);
    for (int64_t k = 0; k < nnz; ++k)
        assert_near(w[0].x.a.value[k], w[1].x.a.value[k], fabs(w[0].x.a.value[k]));
    free(x);
    free(y);
}

void iterations_operations(void)
{
    for (int round = test_rounds(300); round > 0; --round) {
        pm_matrix a;
        pm_workspace w[2];
        random_pattern(&a);
        double *value = random_weights(&rng, pm_matrix_nnz(&a), 4);
        for (int side = 0; side < 2; ++side) {
            assert_int_equal(
                pm_workspace_make(&a, VECTORS, side ? 0 : PM_ON_HOST, NULL, &w[side], NULL), PM_OK);
            pm_workspace_set(&w[side], value);
        }
        for (int k = 1 + below(4); k > 0; --k) {
            random_vectors(w);
            random_operation(w);
            compare(w);
        }
        for (int side = 0; side < 2; ++side) {
            assert_int_equal(pm_workspace_check(&w[side], NULL), PM_OK);
            pm_workspace_free(&w[side]);
        }
        free(value);
        pm_matrix_free(&a);
    }
}

/* A number that is none stays in the largest difference from 1, wherever it is. */
void iterations_not_numbers(void)
{
    pm_matrix a;
    permutations_union(&rng, 1000, 2, &a);
    for (int side = 0; side < 2; ++side) {
        pm_workspace w;
        double x[1000];
        assert_int_equal(pm_workspace_make(&a, 1, side ? 0 : PM_ON_HOST, NULL, &w, NULL), PM_OK);
        for (int round = test_rounds(20); round > 0; --round) {
            for (int i = 0; i < 1000; ++i)
                x[i] = pm_rng_unit(&rng);
            x[below(1000)] = NAN;
            pm_workspace_put(&w, 0, x);
            assert_true(isnan(pm_workspace_reduce(&w, PM_REDUCE_FROM_ONE, 0, 0)));
        }
        pm_workspace_free(&w);
    }
    pm_matrix_free(&a);
}

/* Factors from 2^-900 to 2^900 become numbers near 1 and shifts, which are the same numbers. */
void iterations_ranges(void)
{
    enum { N = 1000, COL = 0, ROW = 1 };
    pm_matrix a;
    permutations_union(&rng, N, 2, &a);
    for (int round = test_rounds(20); round > 0; --round)
        for (int side = 0; side < 2; ++side) {
            pm_workspace w;
            double x[2][N], y[N];
            const int most = below(900);
            assert_int_equal(pm_workspace_make(&a, VECTORS, side ? 0 : PM_ON_HOST, NULL, &w, NULL),
                             PM_OK);
            for (int v = 0; v < 2; ++v) {
                for (int i = 0; i < N; ++i)
                    x[v][i] = ldexp(0.5 + pm_rng_unit(&rng), below(2 * most + 1) - most);
                pm_workspace_put(&w, v ? ROW : COL, x[v]);
            }
            for (int calls = 1 + below(2); calls > 0; --calls)
                assert_int_equal(pm_workspace_keep_range(&w, below(2) ? ROW : -1, COL, NULL),
                                 PM_OK);
            for (int v = 0; v < 2; ++v) {
                const int16_t *shift = w.shift[v ? 0 : 1];
                pm_workspace_get(&w, v ? ROW : COL, y);
                for (int i = 0; i < N; ++i) {
                    const int by = shift ? PM_SHIFT * shift[i] : 0;
                    assert_true(ldexp(y[i], by) == x[v][i]);
                    if (!v)
                        assert_true(fabs(log2(y[i])) < 445);
                }
            }
            pm_workspace_free(&w);
        }
    pm_matrix_free(&a);
}

/* ---- iterations ---- */

static double scaled_entry(const pm_sinkhorn *s, double value, int64_t i, int32_t j)
{
    return ldexp(s->row[i] * value * s->col[j],
                 pm_sinkhorn_row_exponent(s, i) + pm_sinkhorn_col_exponent(s, j));
}

void iterations_scalings(void)
{
    if (test_waits(&rng))
        skip();
    for (int round = test_rounds(60); round > 0; --round) {
        pm_matrix a;
        pm_sinkhorn s[2];
        random_pattern(&a);
        double *value = random_weights(&rng, pm_matrix_nnz(&a), round % 20);
        for (int side = 0; side < 2; ++side) {
            assert_int_equal(pm_sinkhorn_make(&a, side ? 0 : PM_ON_HOST, NULL, &s[side], NULL),
                             PM_OK);
            pm_sinkhorn_start(&s[side], value);
            assert_int_equal(pm_sinkhorn_improve(&s[side], 1e-13, 4000, NULL), PM_OK);
        }
        const bool both_end = s[0].residual < 1e-12 && s[1].residual < 1e-12;
        for (int64_t k = 0; both_end && k < pm_matrix_nnz(&a); ++k)
            assert_true(fabs(s[0].x[k] - s[1].x[k]) < 1e-7);
        for (int64_t i = 0; i < a.nrows; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                assert_near(s[1].x[k], scaled_entry(&s[1], value[k], i, a.colind[k]), s[1].x[k]);
        for (int side = 0; side < 2; ++side)
            pm_sinkhorn_free(&s[side]);
        free(value);
        pm_matrix_free(&a);
    }
}

/* On the device: sums of 1, and entries from 0 to 1.  On the host tests/unit/unit_sinkhorn.c does this. */
void iterations_linear_steps(void)
{
    if (test_waits(&rng))
        skip();
    for (int round = test_rounds(60); round > 0; --round) {
        pm_matrix a;
        pm_sinkhorn s;
        random_pattern(&a);
        double *value = random_weights(&rng, pm_matrix_nnz(&a), 3),
               *sum = calloc((size_t)(2 * a.nrows), sizeof *sum);
        assert_int_equal(pm_sinkhorn_make(&a, 0, NULL, &s, NULL), PM_OK);
        pm_sinkhorn_drop_rows(&s);
        pm_sinkhorn_start(&s, value);
        pm_sinkhorn_step_linearly(&s);
        assert_int_equal(pm_sinkhorn_improve(&s, 1e-9, 100000, NULL), PM_OK);
        assert_true(s.residual <= 1e-9 && s.on.gpu);
        for (int64_t i = 0; i < a.nrows; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
                assert_true(s.x[k] > 0 && s.x[k] <= 1 + 1e-12);
                sum[i] += s.x[k];
                sum[a.nrows + a.colind[k]] += s.x[k];
            }
        for (int64_t i = 0; i < 2 * a.nrows; ++i)
            assert_true(fabs(sum[i] - 1) <= 1e-8);
        pm_sinkhorn_free(&s);
        free(sum);
        free(value);
        pm_matrix_free(&a);
    }
}

/* In place of the entries, with the sums of the messages to the columns. */
static void same_probabilities(const pm_matrix *a, double (*value)[2],
                               const pm_bethe_limits *limits)
{
    pm_workspace w[2];
    double *sum[2];
    for (int side = 0; side < 2; ++side) {
        sum[side] = malloc((size_t)a->ncols * sizeof *sum[side]);
        assert_int_equal(pm_workspace_make(a, 2, side ? 0 : PM_ON_HOST, NULL, &w[side], NULL),
                         PM_OK);
        assert_int_equal(pm_bethe_probabilities(a, value, limits, &w[side], NULL, sum[side], NULL),
                         PM_OK);
    }
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        const double p = w[0].x.a.value[k];
        if (p > 0.999) /* as below */
            sum[0][a->colind[k]] = sum[1][a->colind[k]] = 0;
        else
            assert_near(p, w[1].x.a.value[k], 1e4);
    }
    for (int64_t j = 0; j < a->ncols; ++j)
        assert_near(sum[0][j], sum[1][j], 1e4 * sum[0][j]);
    for (int side = 0; side < 2; ++side) {
        pm_workspace_free(&w[side]);
        free(sum[side]);
    }
}

void iterations_messages(void)
{
    if (test_waits(&rng))
        skip();
    for (int round = test_rounds(60); round > 0; --round) {
        pm_matrix a;
        pm_bethe b[2];
        random_pattern(&a);
        const int64_t nnz = pm_matrix_nnz(&a);
        double *weight = random_weights(&rng, nnz, 6),
               (*value)[2] = malloc((size_t)nnz * sizeof *value);
        const pm_bethe_limits limits = {1e-15, 1 + below(10), 0};
        for (int64_t k = 0; k < nnz; ++k)
            value[k][0] = weight[k], value[k][1] = 0;
        for (int side = 0; side < 2; ++side) {
            pm_workspace w;
            assert_int_equal(pm_workspace_make(&a, 2, side ? 0 : PM_ON_HOST, NULL, &w, NULL),
                             PM_OK);
            assert_int_equal(pm_bethe_make(&a, value, &limits, &w, NULL, &b[side], NULL), PM_OK);
            pm_workspace_free(&w);
        }
        for (int64_t k = 0; k < nnz; ++k) {
            /* a line with one entry has no other neighbours: rounding decides about its messages */
            if (b[0].probability[k] > 0.999)
                continue;
            assert_near(b[0].probability[k], b[1].probability[k], 1e4);
        }
        for (int side = 0; side < 2; ++side)
            pm_bethe_free(&b[side]);
        same_probabilities(&a, round % 3 ? value : NULL, &limits);
        free(value);
        free(weight);
        pm_matrix_free(&a);
    }
}

/* A scaling whose equations need coarse systems ends on the host, with the same matrix. */
void iterations_leaving(void)
{
    enum { ROWS = 100, COLS = 202 }; /* cells: more than 10,000 rows */
    pm_matrix a;
    pm_sinkhorn s[2];
    grid_graph(ROWS, COLS, &a);
    double *value = random_weights(&rng, pm_matrix_nnz(&a), 10);
    for (int side = 0; side < 2; ++side) {
        assert_int_equal(pm_sinkhorn_make(&a, side ? 0 : PM_ON_HOST, NULL, &s[side], NULL), PM_OK);
        pm_sinkhorn_start(&s[side], value);
        assert_int_equal(pm_sinkhorn_improve(&s[side], 1e-10, 4000, NULL), PM_OK);
        assert_true(s[side].residual <= 1e-10 && s[side].is_slow && !s[side].on.gpu);
    }
    for (int64_t i = 0; i < a.nrows; ++i)
        for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
            assert_true(fabs(s[0].x[k] - s[1].x[k]) < 1e-6);
            assert_near(s[1].x[k], s[1].row[i] * value[k] * s[1].col[a.colind[k]], 1e3 * s[1].x[k]);
        }
    for (int side = 0; side < 2; ++side)
        pm_sinkhorn_free(&s[side]);
    free(value);
    pm_matrix_free(&a);
}

/* Infinite at both or near each other. */
static void assert_same_bound(double a, double b)
{
    assert_true(a == b || fabs(a - b) <= 1e-5 * (1 + fabs(a)));
}

void iterations_bounds(void)
{
    if (test_waits(&rng))
        skip();
    for (int round = test_rounds(40); round > 0; --round) {
        pm_matrix a;
        pm_bounds b[2];
        if (round == 1)
            mycielskian(7, &a);
        else
            random_pattern(&a);
        for (int side = 0; side < 2; ++side)
            assert_int_equal(
                pm_bounds_make(&a, side ? PM_BACKEND_CUDA : PM_BACKEND_CPU, NULL, &b[side], NULL),
                PM_OK);
        assert_same_bound(b[0].schrijver, b[1].schrijver);
        assert_same_bound(b[0].gurvits, b[1].gurvits);
        assert_same_bound(b[0].van_der_waerden, b[1].van_der_waerden);
        assert_same_bound(b[0].bregman_scaled, b[1].bregman_scaled);
        assert_same_bound(b[0].bethe, b[1].bethe);
        assert_true(b[0].bregman == b[1].bregman && b[0].huber == b[1].huber);
        pm_matrix_free(&a);
    }
}
