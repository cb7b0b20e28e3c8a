/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent estimated from its Bethe approximation, on graphs with known counts; numbers of spanning trees.
 * All seeds are fixed: no false alarm. */
#include "config.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bethe_estimate/bethe_estimate.h"
#include "bethe_estimate/log_determinant.h"
#include "bethe_estimate/spanning_trees.h"
#include "bounds/bounds.h"
#include "network/configuration.h"
#include "pm/alloc.h"
#include "pm/value.h"
#include "reference/textbook.h"
#include "support/graphs.h"
#include "support/matrices.h"
#include "support/total_support.h"

/* ---- estimates ---- */

static double factorial_log10(int n)
{
    return lgamma(n + 1.0) * M_LOG10E;
}

/* n!: from n = 8 on within 1/80, since the first term that is left out is about 1/12 n. */
static void all_ones(void **state)
{
    (void)state;
    for (int n = 1; n <= 60; n += n < 12 ? 1 : 8) {
        pm_matrix a;
        pm_bethe_estimate e;
        dense_graph(n, 2, 1, &a);
        assert_int_equal(pm_matrix_nnz(&a), n * n);
        assert_int_equal(pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 1, NULL, &e, NULL),
                         PM_OK);
        assert_true(e.low <= factorial_log10(n) + 1e-12 && factorial_log10(n) <= e.high + 1e-12);
        if (n >= 8)
            assert_true(fabs(e.log10 - factorial_log10(n)) < 1.0 / 80);
        pm_matrix_free(&a);
    }
}

/* Of 60 random regular graphs, at least 57 within the interval; with fewer rounds fewer, always the same ones. */
static void random_graphs(void **state)
{
    int within = 0, graphs = 0;
    const int seeds = test_rounds(20) < 20 ? 2 : 20;
    (void)state;
    for (int seed = 1; seed <= seeds; ++seed)
        for (int d = 3; d <= 5; ++d) {
            pm_matrix a;
            pm_bethe_estimate e;
            pm_cnum exact = {0};
            regular_graph(10 + seed % 5, d, (uint64_t)seed, &a);
            textbook_ryser(&a, &exact);
            const double value = pm_cnum_log2(&exact) * M_LN2 / M_LN10;
            assert_int_equal(
                pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, (uint64_t)seed, NULL, &e, NULL),
                PM_OK);
            ++graphs;
            within += e.low <= value && value <= e.high;
            pm_bounds b; /* the same from the maximum that the bounds find */
            pm_bethe_point point;
            pm_bethe_estimate other;
            assert_int_equal(pm_bounds_make_bracket(&a, PM_BACKEND_CPU, NULL, &b, &point, NULL),
                             PM_OK);
            assert_non_null(point.b);
            assert_int_equal(pm_bethe_estimate_make(&a, &point, PM_BACKEND_CPU, (uint64_t)seed,
                                                    NULL, &other, NULL),
                             PM_OK);
            assert_true(fabs(other.log10 - e.log10) < 1e-4);
            pm_bethe_point_free(&point);
            pm_cnum_clear(&exact);
            pm_matrix_free(&a);
        }
    assert_true(20 * within >= 19 * graphs);
}

/* With vertices of degree 2, and beyond the size of exact determinants: Kasteleyn's formula. */
static void grids(void **state)
{
    static const int size[][2] = {{2, 2}, {2, 9}, {4, 4}, {6, 7}, {12, 12}, {60, 60}};
    (void)state;
    for (int i = 0; i < (int)(sizeof size / sizeof *size); ++i) {
        pm_matrix a;
        pm_bethe_estimate e;
        const double exact = grid_log(size[i][0], size[i][1]) * M_LOG10E;
        grid_graph(size[i][0], size[i][1], &a);
        assert_int_equal(pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 7, NULL, &e, NULL),
                         PM_OK);
        assert_true(e.low <= exact + 1e-9 && exact <= e.high + 1e-9);
        pm_matrix_free(&a);
    }
}

/* A scaled row moves the estimate by the factor and changes nothing else. */
static void factors(void **state)
{
    uint64_t rng = 5;
    pm_matrix a;
    pm_bethe_estimate before, after;
    (void)state;
    random_matrix(&rng, PM_INTEGER, 9, 9, 1, &a);
    for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
        pm_dyadic_set_si(&a.re[k], 1 + (int64_t)pm_rng_below(&rng, 9));
    assert_int_equal(pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 3, NULL, &before, NULL),
                     PM_OK);
    for (int64_t k = a.rowptr[4]; k < a.rowptr[5]; ++k)
        pm_dyadic_mul_2exp(&a.re[k], 20);
    assert_int_equal(pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 3, NULL, &after, NULL),
                     PM_OK);
    assert_true(fabs(after.log10 - before.log10 - 20 * M_LN2 / M_LN10) < 1e-6);
    pm_matrix_free(&a);
}

/* Random vectors, and products with several threads. */
static void same_digits(void **state)
{
    pm_matrix a;
    pm_bethe_estimate one, other;
    (void)state;
    regular_graph(test_size(9000, 5100), 8, 2, &a);
    assert_int_equal(
        pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 4, &(pm_run){.threads = 1}, &one, NULL),
        PM_OK);
    for (int threads = 2; threads <= 4; threads += test_step(3)) {
        const pm_run run = {.threads = threads};
        assert_int_equal(pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 4, &run, &other, NULL),
                         PM_OK);
        assert_memory_equal(&one, &other, sizeof one);
    }
    if (test_step(2) == 1) {
        assert_int_equal(pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 5, NULL, &other, NULL),
                         PM_OK);
        assert_true(other.low < one.log10 && one.log10 < other.high);
    }
    pm_matrix_free(&a);
}

static void failures(void **state)
{
    pm_matrix a;
    pm_bethe_estimate e = {0};
    pm_error err = {.msg = ""};
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.threads = 1, .stop = &stop};
    (void)state;
    grid_graph(4, 5, &a);
    pm_status rc = PM_ENOMEM;
    for (int64_t k = 1; rc; ++k) {
        assert_true(k < 10000);
        pm_alloc_fail_at(k);
        rc = pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 1, NULL, &e, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
    }
    assert_int_equal(pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 1, &run, &e, &err),
                     PM_ESTOPPED);
    pm_matrix_free(&a);
}

/* ---- spanning trees ---- */

/* The complete graph on n vertices: n^(n - 2) trees. */
static void complete(void *context, const double *x, double *y)
{
    const int64_t n = *(const int64_t *)context;
    double sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += x[i];
    for (int64_t i = 0; i < n; ++i)
        y[i] = (double)n * x[i] - sum;
}

/* The hypercube of dimension d, n = 2^d. */
static int products;
static void hypercube(void *context, const double *x, double *y)
{
    const int64_t n = *(const int64_t *)context;
    ++products;
    for (int64_t i = 0; i < n; ++i) {
        y[i] = 0;
        for (int64_t bit = 1; bit < n; bit *= 2)
            y[i] += x[i] - x[i ^ bit];
    }
}

static pm_log_determinant trees_of(void (*multiply)(void *, const double *, double *), int64_t n,
                                   double degree, double tolerance)
{
    pm_log_determinant d;
    double *diagonal = pm_alloc_array(n, sizeof *diagonal);
    assert_non_null(diagonal);
    for (int64_t i = 0; i < n; ++i)
        diagonal[i] = degree;
    const pm_laplacian_operator s = {n, n * 10, multiply, &n, diagonal};
    assert_int_equal(pm_log_determinant_make(&s, tolerance, 9, NULL, &d, NULL), PM_OK);
    free(diagonal);
    return d;
}

/* 2^(n - 1) / n times the product of k^(d choose k) */
static double hypercube_log(int d)
{
    double n = exp2(d), sum = (n - 1) * M_LN2 - d * M_LN2;
    for (int k = 1; k <= d; ++k)
        sum += exp(lgamma(d + 1) - lgamma(k + 1) - lgamma(d - k + 1)) * log(k);
    return sum;
}

static void trees(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 4000; n = 3 * n + 1) {
        const pm_log_determinant d = trees_of(complete, n, (double)n - 1, 0);
        assert_true(fabs(d.value - ((double)n - 2) * log((double)n)) < 1e-9 * (double)n);
    }
    for (int d = 1; d <= 9; d += 2)
        assert_true(fabs(trees_of(hypercube, 1 << d, d, 0).value - hypercube_log(d)) < 1e-8);
    const pm_log_determinant large = trees_of(hypercube, 1 << 12, 12, 0);
    assert_true(large.error > 0 && large.error < 20);
    assert_true(fabs(large.value - hypercube_log(12)) < 4 * large.error);
}

/* The larger the tolerance, the fewer products; from some hundred on those of one random vector. */
static void tolerance_of_trees(void **state)
{
    int before = INT_MAX;
    (void)state;
    for (double tolerance = 4; tolerance <= 1024; tolerance *= 4) {
        products = 0;
        const pm_log_determinant d = trees_of(hypercube, 1 << 12, 12, tolerance);
        assert_true(d.error > 0 && d.error < 2 * tolerance);
        assert_true(fabs(d.value - hypercube_log(12)) < 4 * d.error);
        assert_true(products <= before);
        before = products;
    }
    assert_true(before <= 40);
}

/* log of the sum over weighted spanning trees, by elimination in the Laplacian without its last line. */
static double eliminated(const pm_matrix *a, const double *w)
{
    const int n = (int)a->nrows, size = 2 * n;
    double *l = calloc((size_t)size * (size_t)size, sizeof *l), sum = 0;
    for (int i = 0; i < n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int j = n + a->colind[k];
            l[i * size + i] += w[k];
            l[j * size + j] += w[k];
            l[i * size + j] -= w[k];
            l[j * size + i] -= w[k];
        }
    for (int c = 0; c < size - 1; ++c) {
        sum += log(l[c * size + c]);
        for (int r = c + 1; r < size - 1; ++r) {
            const double f = l[r * size + c] / l[c * size + c];
            for (int q = c; q < size - 1 && f != 0; ++q)
                l[r * size + q] -= f * l[c * size + q];
        }
    }
    free(l);
    return sum;
}

/* Against elimination.  False alarm: seven standard errors of the walks, and 0.3 for the cycles longer than 14; below
 * 1e-6. */
static void trees_of_random_graphs(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(12); round > 0; --round) {
        pm_matrix a;
        pm_log_determinant d;
        bool found;
        permutations_union(&rng, 80 + (int)pm_rng_below(&rng, 40), 6 + round % 3, &a);
        double *w = random_weights(&rng, pm_matrix_nnz(&a), round % 2 ? 2 : 0);
        assert_int_equal(pm_spanning_trees_make(&a, w, 3, NULL, &d, &found, NULL), PM_OK);
        assert_true(found && d.error < 2);
        if (!(fabs(d.value - eliminated(&a, w)) < 7 * d.error + 0.3))
            fail_msg("%.4f +- %.4f instead of %.4f", d.value, d.error, eliminated(&a, w));
        w[0] = -1;
        assert_int_equal(pm_spanning_trees_make(&a, w, 3, NULL, &d, &found, NULL), PM_OK);
        assert_false(found);
        free(w);
        pm_matrix_free(&a);
    }
}

/* The mean number of perfect matchings of random regular graphs, and few differ much from it: the spread of the
 * logarithm is 0.06 for degree 4.  So is the estimate, for graphs that are too large for Cholesky's method.
 * False alarm: 0.5 decades are 10 standard deviations of the difference, as measured; below 1e-6. */
static void large_random_graphs(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    enum { N = 6000 };
    for (int round = test_rounds(3); round > 0; --round) {
        pm_matrix a;
        pm_bethe_estimate e;
        pm_configuration c;
        permutations_union(&rng, N, 4, &a);
        assert_int_equal(pm_configuration_make(&a, &c, NULL), PM_OK);
        assert_int_equal(pm_bethe_estimate_make(&a, NULL, PM_BACKEND_CPU, 1, NULL, &e, NULL),
                         PM_OK);
        const double mean = (c.simple_expected - c.simple_variance / 2) * M_LOG10E;
        assert_true(e.low < mean + 0.3 && mean - 0.3 < e.high && e.high - e.low < 2);
        assert_true(fabs(e.log10 - mean) < 0.5);
        pm_matrix_free(&a);
    }
}

/* ---- proved bounds ---- */

/* From 2 to 5 are the bounds. */
static void is_within(pm_bethe_estimate e, double log10, double low, double high)
{
    const pm_bethe_estimate in = pm_bethe_estimate_within(&e, 2, 5);
    assert_true(in.log10 == log10 && in.low == low && in.high == high);
}

static void bounds(void **state)
{
    (void)state;
    is_within((pm_bethe_estimate){3, 2.5, 4}, 3, 2.5, 4);
    is_within((pm_bethe_estimate){3, 1, 4}, 3, 2, 4);
    is_within((pm_bethe_estimate){5 + 1e-10, 4, 6}, 5, 4, 5);
    is_within((pm_bethe_estimate){1, -INFINITY, INFINITY}, 2, 2, 5);
    /* refuted: the bounds, not the point that is nearest */
    is_within((pm_bethe_estimate){6, 4, 8}, 5, 2, 5);
    is_within((pm_bethe_estimate){7, 6, 8}, 5, 2, 5);
    is_within((pm_bethe_estimate){1, 0, 1.5}, 2, 2, 5);
    is_within((pm_bethe_estimate){3, NAN, NAN}, 3, 2, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ones),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(grids),
        cmocka_unit_test(factors),
        cmocka_unit_test(same_digits),
        cmocka_unit_test(failures),
        cmocka_unit_test(trees),
        cmocka_unit_test(tolerance_of_trees),
        cmocka_unit_test(trees_of_random_graphs),
        cmocka_unit_test(large_random_graphs),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
