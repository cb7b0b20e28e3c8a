/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Null models: moments of the configuration model against all of its outcomes, and edge switching: degrees,
 * values, and the same probability for all graphs. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "network/configuration.h"
#include "network/switching.h"
#include "pm/alloc.h"
#include "support/matrices.h"

enum { SIDE = 4, HALVES = 8 };

static uint64_t rng;

/* ---- the configuration model ---- */

static pm_matrix pattern_of(const int present[SIDE][SIDE], int n)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    pm_matrix a;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (present[i][j])
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
    pm_triples_free(&t);
    return a;
}

static double slow_permanent(double x[SIDE][SIDE], int n, int row, unsigned used)
{
    double sum = row == n;
    for (int j = 0; j < n && row < n; ++j)
        if (!(used >> j & 1) && x[row][j] > 0)
            sum += x[row][j] * slow_permanent(x, n, row + 1, used | 1u << j);
    return sum;
}

/* Sums over all ways to join the half-edges from `next` on. */
static void all_pairings(const int row[HALVES], int col[HALVES], int m, int next, int n,
                         double sum[3])
{
    if (next == m) {
        double x[SIDE][SIDE] = {{0}};
        for (int h = 0; h < m; ++h)
            ++x[row[h]][col[h]];
        double permanent = slow_permanent(x, n, 0, 0);
        sum[0] += 1;
        sum[1] += permanent;
        sum[2] += permanent * permanent;
    }
    for (int h = next; h < m; ++h) {
        int c = col[h];
        col[h] = col[next];
        col[next] = c;
        all_pairings(row, col, m, next + 1, n, sum);
        col[next] = col[h];
        col[h] = c;
    }
}

static void moments(void **state)
{
    (void)state;
    for (int round = test_rounds(60); round > 0;) {
        int present[SIDE][SIDE] = {{0}}, row[HALVES], col[HALVES], m = 0;
        const int n = 1 + (int)pm_rng_below(&rng, SIDE);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (m < HALVES && (i == j || pm_rng_below(&rng, 3) == 0)) {
                    present[i][j] = 1;
                    row[m] = i;
                    col[m++] = j;
                }
        pm_matrix a = pattern_of(present, n);
        pm_configuration c;
        double sum[3] = {0, 0, 0};
        assert_int_equal(pm_configuration_make(&a, &c, NULL), PM_OK);
        all_pairings(row, col, m, 0, n, sum);
        if (sum[1] == 0) { /* the last rows are empty */
            assert_true(c.expected == -INFINITY && c.simple_expected == -INFINITY);
        } else {
            const double mean = sum[1] / sum[0];
            assert_true(fabs(c.expected - log(mean)) < 1e-12);
            assert_true(fabs(c.variance - log(sum[2] / sum[0] / mean / mean)) < 1e-11);
            --round;
        }
        pm_matrix_free(&a);
    }
}

static pm_matrix regular(int n, int d)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    pm_matrix a;
    for (int i = 0; i < n; ++i)
        for (int s = 0; s < d; ++s)
            assert_int_equal(pm_triples_add(&t, i, (i + s) % n, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
    pm_triples_free(&t);
    return a;
}

/* The limits for regular graphs; corrections are of the order 1/n. */
static void limits(void **state)
{
    (void)state;
    for (int d = 3; d < 7; ++d) {
        pm_matrix a = regular(100000, d);
        pm_configuration c;
        const double ratio = (d - 1.0) * (d - 1) / (d * (d - 2.0));
        assert_int_equal(pm_configuration_make(&a, &c, NULL), PM_OK);
        assert_true(fabs(c.variance - log(ratio) / 2) < 1e-4);
        assert_true(fabs(c.simple_expected - c.expected + 0.5) < 1e-4);
        assert_true(fabs(c.variance - c.simple_variance - 0.5 / ((d - 1.0) * (d - 1))) < 1e-4);
        pm_matrix_free(&a);
    }
}

/* Many degrees at once: the ratio of moments is at least 1, and near it where degrees are large. */
static void many_degrees(void **state)
{
    (void)state;
    pm_triples t = {.field = PM_PATTERN, .nrows = 300, .ncols = 300};
    pm_matrix a;
    for (int i = 0; i < 300; ++i)
        for (int j = 0; j < 300; ++j)
            if (i == j || pm_rng_below(&rng, 600) < (uint32_t)i)
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
    pm_triples_free(&t);
    pm_configuration c;
    assert_int_equal(pm_configuration_make(&a, &c, NULL), PM_OK);
    assert_true(c.variance > 0 && c.variance < 1 && isfinite(c.expected));
    pm_matrix_free(&a);
}

/* ---- switching ---- */

static int64_t switched(pm_matrix *a, uint64_t sequence)
{
    pm_random random = {.seed = rng, .sequence = sequence};
    int64_t done;
    const double attempts = pm_switching_attempts(a, PM_SWITCHES_OF_EDGE);
    assert_int_equal(pm_switching_run(a, attempts, &random, NULL, &done, NULL), PM_OK);
    return done;
}

/* Degrees stay, there are no double entries, rows ascend, and each row keeps its values. */
static void degrees(void **state)
{
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        const int nrows = (int)pm_rng_below(&rng, 30), ncols = (int)pm_rng_below(&rng, 30);
        pm_matrix a, b;
        random_matrix(&rng, round % 2 ? PM_PATTERN : PM_INTEGER, nrows, ncols, pm_rng_unit(&rng),
                      &a);
        assert_int_equal(pm_matrix_copy(&a, &b, NULL), PM_OK);
        switched(&b, (uint64_t)round);
        int64_t count[2][30] = {{0}};
        assert_int_equal(pm_matrix_nnz(&a), pm_matrix_nnz(&b));
        for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k) {
            ++count[0][a.colind[k]];
            ++count[1][b.colind[k]];
        }
        assert_memory_equal(count[0], count[1], sizeof count[0]);
        for (int64_t i = 0; i < nrows; ++i) {
            pm_dyadic sum[2];
            memset(sum, 0, sizeof sum);
            assert_int_equal(a.rowptr[i + 1], b.rowptr[i + 1]);
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k) {
                assert_true(k == a.rowptr[i] || b.colind[k - 1] < b.colind[k]);
                if (a.re) {
                    pm_dyadic_add(&sum[0], &sum[0], &a.re[k]);
                    pm_dyadic_add(&sum[1], &sum[1], &b.re[k]);
                }
            }
            assert_true(pm_dyadic_equal(&sum[0], &sum[1]));
            pm_dyadic_clear(&sum[0]);
            pm_dyadic_clear(&sum[1]);
        }
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
}

/* Of the 90 tables of 4 x 4 with all sums 2 each has the same probability.  Pearson's statistic of 9000
 * draws has 89 degrees of freedom: above 180 with a probability of 3e-8. */
static void uniform(void **state)
{
    (void)state;
    enum { TABLES = 90, EACH = 100 };
    static int seen[1 << 16];
    double statistic = 0;
    int found = 0;
    memset(seen, 0, sizeof seen);
    for (uint64_t k = 0; k < TABLES * EACH; ++k) {
        pm_matrix a = regular(4, 2);
        unsigned code = 0;
        switched(&a, k);
        for (int e = 0; e < 8; ++e)
            code |= 1u << (e / 2 * 4 + a.colind[e]);
        ++seen[code];
        pm_matrix_free(&a);
    }
    for (int code = 0; code < 1 << 16; ++code)
        if (seen[code]) {
            ++found;
            statistic += (seen[code] - EACH) * (seen[code] - EACH) / (double)EACH;
        }
    assert_int_equal(found, TABLES);
    assert_true(statistic < 180);
}

static void repeatable(void **state)
{
    (void)state;
    pm_matrix a = regular(1000, 5), b = regular(1000, 5), c = regular(1000, 5);
    const int64_t done = switched(&a, 1);
    assert_true(done > 5000 * PM_SWITCHES_OF_EDGE / 2);
    assert_int_equal(switched(&b, 1), done);
    switched(&c, 2);
    assert_memory_equal(a.colind, b.colind, 5000 * sizeof *a.colind);
    assert_true(memcmp(a.colind, c.colind, 5000 * sizeof *a.colind) != 0);
    pm_matrix_free(&a);
    pm_matrix_free(&b);
    pm_matrix_free(&c);
}

static void failures(void **state)
{
    (void)state;
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    pm_random random = {.seed = 1};
    pm_matrix a = regular(50, 3);
    pm_configuration c;
    int64_t done;
    pm_status rc = PM_ENOMEM;
    for (int64_t k = 1; rc; ++k) {
        assert_true(k < 100 && rc == PM_ENOMEM);
        pm_alloc_fail_at(k);
        rc = pm_configuration_make(&a, &c, NULL);
        pm_alloc_fail_at(0);
    }
    rc = PM_ENOMEM;
    for (int64_t k = 1; rc; ++k) {
        assert_true(k < 100 && rc == PM_ENOMEM);
        pm_matrix b;
        assert_int_equal(pm_matrix_copy(&a, &b, NULL), PM_OK);
        pm_alloc_fail_at(k);
        rc = pm_switching_run(&b, 100, &random, NULL, &done, NULL);
        pm_alloc_fail_at(0);
        pm_matrix_free(&b);
    }
    assert_int_equal(pm_switching_run(&a, 1e6, &random, &run, &done, NULL), PM_ESTOPPED);
    pm_matrix_free(&a);
    pm_matrix empty = {0};
    assert_int_equal(pm_switching_run(&empty, 10, &random, NULL, &done, NULL), PM_OK);
    assert_int_equal(done, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments),  cmocka_unit_test(limits),  cmocka_unit_test(many_degrees),
        cmocka_unit_test(degrees),  cmocka_unit_test(uniform), cmocka_unit_test(repeatable),
        cmocka_unit_test(failures),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
