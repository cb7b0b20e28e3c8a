/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of closed walks against a sum over all walks, and the exact share against walks.
 * False alarm: eight standard errors, three shares of 60,000 walks and five of 200,000 a run; below 1e-6. */
#include "config.h"

#include <math.h>

#include "bethe_estimate/closed_four.h"
#include "bethe_estimate/closed_small.h"
#include "bethe_estimate/closed_walks.h"
#include "pm/alloc.h"
#include "support/graphs.h"
#include "support/matrices.h"
#include "support/testing.h"

static uint64_t rng;

enum { N = 9 };

typedef struct {
    pm_matrix a;
    double row[N * N], col[N * N]; /* of the entries */
    double in_row[N][N], in_col[N][N];
} graph;

/* At least two entries in each line, with random weights that sum to 1 in lines. */
static void make_graph(graph *g, double density)
{
    double sum_row[N] = {0}, sum_col[N] = {0};
    int64_t k = 0;
    *g = (graph){.in_row = {{0}}};
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            if (j == i || j == (i + 1) % N || pm_rng_unit(&rng) < density) {
                g->in_row[i][j] = 0.1 + pm_rng_unit(&rng);
                g->in_col[i][j] = 0.1 + pm_rng_unit(&rng);
                sum_row[i] += g->in_row[i][j];
                sum_col[j] += g->in_col[i][j];
                ++k;
            }
    assert_int_equal(pm_matrix_alloc(&g->a, PM_PATTERN, N, N, k, NULL), PM_OK);
    k = 0;
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j) {
            if (g->in_row[i][j] == 0)
                continue;
            g->row[k] = g->in_row[i][j] /= sum_row[i];
            g->col[k] = g->in_col[i][j] /= sum_col[j];
            g->a.colind[k++] = j;
        }
        g->a.rowptr[i + 1] = k;
    }
}

/* The probability to be back at (i, j) after `left` steps, the next one in the column or in the row. */
static double slow_walk(const graph *g, int i, int j, int r, int c, bool in_column, int left)
{
    double sum = 0;
    if (left == 0)
        return i == r && j == c;
    for (int next = 0; next < N; ++next) {
        const int row = in_column ? next : r, col = in_column ? c : next;
        const double there = in_column ? g->in_col[row][col] : g->in_row[row][col];
        const double here = in_column ? g->in_col[r][c] : g->in_row[r][c];
        if (there > 0 && !(row == r && col == c))
            sum += there / (1 - here) * slow_walk(g, i, j, row, col, !in_column, left - 1);
    }
    return sum;
}

static double slow_share(const graph *g, int steps)
{
    double sum = 0;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            if (g->in_row[i][j] > 0)
                sum += slow_walk(g, i, j, i, j, true, steps);
    return sum / (double)pm_matrix_nnz(&g->a);
}

static void shares(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(20); ++round) {
        graph g;
        pm_closed_share share[2];
        double four;
        make_graph(&g, pm_rng_unit(&rng));
        const double wanted = slow_share(&g, 4);
        assert_int_equal(pm_closed_four_make(&g.a, g.row, g.col, INT64_MAX, NULL, &four, NULL),
                         PM_OK);
        if (!(fabs(four - wanted) <= 1e-13))
            fail_msg("%.17g instead of %.17g", four, wanted);
        assert_int_equal(
            pm_closed_shares_make(&g.a, g.row, g.col, 2, 0, 1 + (uint64_t)round, NULL, share, NULL),
            PM_OK);
        assert_true(fabs(share[0].value - wanted) <= 1e-13 && share[0].error == 0);
        assert_true(fabs(share[1].value - slow_share(&g, 6)) <= 1e-13 && share[1].error == 0);
        /* too many pairs */
        assert_int_equal(pm_closed_four_make(&g.a, g.row, g.col, 1, NULL, &four, NULL), PM_OK);
        assert_true(four < 0);
        pm_matrix_free(&g.a);
    }
}

/* A larger graph: walks against all of them, and the exact share of length 4. */
static void many_entries(void **state)
{
    (void)state;
    enum { SIZE = 150, DEGREE = 5, LENGTHS = 4 };
    pm_matrix a;
    double weight[SIZE * DEGREE], exact[LENGTHS];
    pm_closed_share share[LENGTHS];
    regular_graph(SIZE, DEGREE, pm_rng_next(&rng), &a);
    for (int k = 0; k < SIZE * DEGREE; ++k)
        weight[k] = 1.0 / DEGREE;
    assert_int_equal(pm_closed_small_make(&a, weight, weight, LENGTHS, NULL, exact, NULL), PM_OK);
    assert_int_equal(
        pm_closed_shares_make(&a, weight, weight, LENGTHS, 0, pm_rng_next(&rng), NULL, share, NULL),
        PM_OK);
    assert_true(fabs(share[0].value - exact[0]) <= 1e-13 && share[0].error == 0);
    for (int l = 1; l < LENGTHS; ++l)
        assert_true(share[l].error > 0 && fabs(share[l].value - exact[l]) <= 8 * share[l].error);
    pm_matrix_free(&a);
}

/* A tolerable error: fewer walks, and nothing exact. */
static void tolerance(void **state)
{
    (void)state;
    enum { SIZE = 200000, DEGREE = 3, LENGTHS = 2 };
    pm_matrix a;
    double *weight = malloc(SIZE * DEGREE * sizeof *weight);
    pm_closed_share tolerant[LENGTHS], exact[LENGTHS];
    assert_non_null(weight);
    regular_graph(SIZE, DEGREE, pm_rng_next(&rng), &a);
    for (int k = 0; k < SIZE * DEGREE; ++k)
        weight[k] = 1.0 / DEGREE;
    assert_int_equal(pm_closed_shares_make(&a, weight, weight, LENGTHS, 0, 1, NULL, exact, NULL),
                     PM_OK);
    assert_int_equal(
        pm_closed_shares_make(&a, weight, weight, LENGTHS, 0.01, 1, NULL, tolerant, NULL), PM_OK);
    assert_true(exact[0].error == 0);
    for (int l = 0; l < LENGTHS; ++l) {
        assert_true(tolerant[l].error > exact[l].error && tolerant[l].error <= 0.01);
        assert_true(fabs(tolerant[l].value - exact[l].value)
                    <= 8 * (tolerant[l].error + exact[l].error));
    }
    free(weight);
    pm_matrix_free(&a);
}

/* Walks alone, as for graphs with too many pairs. */
static void walks(void **state)
{
    (void)state;
    enum { WALKS = 200000 };
    for (int round = 0; round < test_rounds(5); ++round) {
        graph g;
        pm_closed_walks w;
        int64_t hits[1];
        make_graph(&g, 0.3);
        assert_int_equal(pm_closed_walks_make(&g.a, g.row, g.col, NULL, &w, NULL), PM_OK);
        assert_int_equal(pm_closed_walks_count(&w, WALKS, 1, 1 + (uint64_t)round, NULL, hits, NULL),
                         PM_OK);
        const double wanted = WALKS * slow_share(&g, 4);
        assert_true(fabs((double)hits[0] - wanted) <= 8 * sqrt(wanted + 1));
        pm_closed_walks_free(&w);
        pm_matrix_free(&g.a);
    }
}

/* Of a matrix, whose entries have these weights in their rows and in their columns. */
static void fails(const pm_matrix *a, const double *row, const double *col)
{
    pm_closed_share share[2];
    pm_status status = PM_ENOMEM;
    for (int64_t k = 1; status; ++k) {
        assert_true(k < 100);
        pm_alloc_fail_at(k);
        status = pm_closed_shares_make(a, row, col, 2, 0, 1, NULL, share, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        assert_true(k > 1 || status == PM_ENOMEM);
    }
    const volatile sig_atomic_t stop = 1;
    const pm_run stopped = {.stop = &stop};
    assert_int_equal(pm_closed_shares_make(a, row, col, 2, 0, 1, &stopped, share, NULL),
                     PM_ESTOPPED);
}

/* Small graphs, and those with walks. */
static void failures(void **state)
{
    (void)state;
    enum { SIZE = 150, DEGREE = 5 };
    graph g;
    pm_matrix a;
    double weight[SIZE * DEGREE];
    make_graph(&g, 0.5);
    fails(&g.a, g.row, g.col);
    regular_graph(SIZE, DEGREE, 1, &a);
    for (int k = 0; k < SIZE * DEGREE; ++k)
        weight[k] = 1.0 / DEGREE;
    fails(&a, weight, weight);
    pm_matrix_free(&g.a);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares), cmocka_unit_test(many_entries), cmocka_unit_test(tolerance),
        cmocka_unit_test(walks),  cmocka_unit_test(failures),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
