/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of the permanent, and of the hafnian, are never violated, and are what is known where they are sharp. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "bounds/bounds.h"
#include "bounds/hafnian_bounds.h"
#include "bounds/loop_bounds.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "reference/textbook.h"
#include "support/general_graphs.h"
#include "support/positive.h"

/* x <= y, but for the rounding of the logarithm that is compared with. */
static bool at_most(double x, double y)
{
    return x <= y + 1e-14 * (1 + fabs(y));
}

static void check(const pm_bounds *b, double truth)
{
    assert_true(at_most(b->schrijver, truth));
    assert_true(at_most(b->gurvits, truth));
    assert_true(at_most(b->van_der_waerden, truth));
    assert_true(at_most(b->lower, truth));
    assert_true(at_most(truth, b->bregman));
    assert_true(at_most(truth, b->bregman_scaled));
    assert_true(at_most(truth, b->huber));
    assert_true(at_most(truth, b->bethe));
    assert_true(at_most(truth, b->upper));
    assert_true(b->lower >= fmax(fmax(b->schrijver, b->gurvits), b->van_der_waerden));
    assert_true(b->upper == fmin(fmin(b->bregman, b->bregman_scaled), fmin(b->huber, b->bethe)));
}

/* Some have entries that no perfect matching uses: named lower bounds may be lacking, not wrong. */
static void test_any(void **state)
{
    uint64_t rng = test_seed();
    int with_lower = 0, rounds = test_rounds(1500);
    (void)state;
    for (int round = 0; test_goes_on(round, 1500, with_lower > rounds / 4); ++round) {
        pm_matrix a;
        pm_xreal exact;
        pm_bounds b;
        positive_matrix(&rng, (pm_field)(round % 3), 1 + (int)pm_rng_below(&rng, 9),
                        0.15 + 0.85 * pm_rng_unit(&rng), false, &a, &exact);
        pm_status rc = pm_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL);
        assert_true(rc == PM_OK || (rc == PM_UNABLE && round % 3 == PM_REAL));
        if (rc == PM_OK) {
            check(&b, xreal_log10(exact));
            assert_true(isfinite(b.upper));
            if (a.re)
                assert_true(isfinite(b.lower) == isfinite(xreal_log10(exact)));
            with_lower += isfinite(b.schrijver);
        }
        pm_matrix_free(&a);
    }
    assert_true(with_lower > rounds / 4);
}

/* Blocks of the Dulmage-Mendelsohn decomposition have all bounds (but Bethe's above where the
 * maximum is at the border), and their sums bound the whole. */
static void test_blocks(void **state)
{
    uint64_t rng = test_seed();
    int blocks = 0, bethe = 0;
    (void)state;
    for (int round = test_rounds(500); round > 0; --round) {
        pm_matrix a;
        pm_xreal exact;
        pm_dm d;
        pm_dm_cut c;
        double lower = 0, upper = 0;
        positive_matrix(&rng, (pm_field)(round % 2), 3 + (int)pm_rng_below(&rng, 7),
                        0.15 + 0.5 * pm_rng_unit(&rng), false, &a, &exact);
        assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
        assert_int_equal(pm_dm_cut_open(&a, &d, &c, NULL), PM_OK);
        for (int64_t k = 0; k < d.nblocks; ++k) {
            pm_matrix block;
            pm_bounds b;
            assert_int_equal(pm_dm_cut_block(&c, k, &block, NULL), PM_OK);
            assert_int_equal(pm_bounds_make(&block, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
            assert_true(isfinite(b.schrijver) && isfinite(b.gurvits));
            assert_true(isfinite(b.van_der_waerden) && isfinite(b.bregman_scaled));
            bethe += isfinite(b.bethe);
            ++blocks;
            lower += b.lower;
            upper += b.upper;
            pm_matrix_free(&block);
        }
        assert_true(at_most(lower, xreal_log10(exact)));
        assert_true(at_most(xreal_log10(exact), upper));
        pm_dm_cut_close(&c);
        pm_dm_free(&d);
        pm_matrix_free(&a);
    }
    print_message("# %d of %d blocks with Bethe's upper bound\n", bethe, blocks);
    assert_true(bethe > blocks / 2);
}

/* Bethe's functional is largest at the border, at one of the matchings: there are lower bounds. */
static void test_border(void **state)
{
    static const int entry[5][5] = {
        {0, 0, 0, 2, 2}, {8, 2, 2, 0, 0}, {0, 9, 0, 0, 2}, {0, 0, 8, 0, 2}, {9, 0, 0, 4, 0}};
    pm_triples t = {.field = PM_INTEGER, .nrows = 5, .ncols = 5};
    pm_cnum exact = {0};
    pm_matrix a;
    pm_bounds b;
    (void)state;
    for (int i = 0; i < 25; ++i) {
        pm_dyadic v = {0};
        pm_dyadic_set_si(&v, entry[i / 5][i % 5]);
        if (entry[i / 5][i % 5])
            assert_int_equal(pm_triples_add(&t, i / 5, i % 5, 0, &v, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
    pm_triples_free(&t);
    textbook_transfer_matrix(&a, &exact);
    assert_int_equal(pm_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
    check(&b, xreal_log10(pm_xreal_from_dyadic(&exact.re)));
    assert_true(isfinite(b.schrijver) && isfinite(b.bethe));
    pm_cnum_clear(&exact);
    pm_matrix_free(&a);
}

/* Three diagonals, of 2^-30, 1 and 2^30: the permanent is a Fibonacci number, and the factors of a scaling go from 1 to 2^(30 n). */
static void test_far_factors(void **state)
{
    static const int sizes[] = {5, 20, 40, 200};
    const double phi = (1 + sqrt(5)) / 2;
    (void)state;
    for (int k = 0; k < (int)(sizeof sizes / sizeof *sizes); ++k) {
        const int n = sizes[k];
        pm_triples t = {.field = PM_REAL, .nrows = n, .ncols = n};
        pm_matrix a;
        pm_bounds b;
        for (int i = 0; i < n; ++i)
            for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; ++j) {
                pm_dyadic v = {0};
                pm_dyadic_set_d(&v, ldexp(1, 30 * (j - i)));
                assert_int_equal(pm_triples_add(&t, i, j, 0, &v, NULL, NULL), PM_OK);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", &a, NULL), PM_OK);
        pm_triples_free(&t);
        assert_int_equal(pm_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
        const double fibonacci = (pow(phi, n + 1) - pow(1 - phi, n + 1)) / sqrt(5);
        check(&b, log10(fibonacci));
        assert_true(isfinite(b.schrijver) && isfinite(b.bregman_scaled));
        pm_matrix_free(&a);
    }
}

/* n x n, entry (i, j) where (j - i) mod n < d, each `value` */
static void circulant(int n, int d, int value, pm_matrix *a)
{
    pm_triples t = {.field = value == 1 ? PM_PATTERN : PM_INTEGER, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < d; ++k) {
            pm_dyadic v = {0};
            pm_dyadic_set_si(&v, value);
            assert_int_equal(
                pm_triples_add(&t, i, (i + k) % n, 0, value == 1 ? NULL : &v, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* n! (times value^n) meets van der Waerden's bound and Bregman's. */
static void test_sharp(void **state)
{
    (void)state;
    for (int n = 1; n <= 60; n += n < 4 ? 1 : 14)
        for (int value = 1; value <= 3; value += 2) {
            pm_matrix a;
            pm_bounds b;
            double truth = lgamma(n + 1.0) / M_LN10 + n * log10(value);
            circulant(n, n, value, &a);
            assert_int_equal(pm_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
            check(&b, truth);
            assert_true(truth - b.van_der_waerden < 1e-11 * (1 + truth));
            assert_true(truth - b.gurvits < 1e-11 * (1 + truth));
            assert_true(b.bregman - truth < 1e-11 * (1 + truth));
            pm_matrix_free(&a);
        }
}

/* d-regular: Schrijver's ((d-1)^(d-1) / d^(d-2))^n, and Anari and Rezaei's is it times 2^(n/2). */
static void test_regular(void **state)
{
    (void)state;
    for (int d = 2; d <= 6; ++d)
        for (int n = 7; n <= 700; n *= 10) {
            pm_matrix a;
            pm_bounds b;
            double schrijver = n * ((d - 1) * log10(d - 1) - (d - 2) * log10(d));
            circulant(n, d, 1, &a);
            assert_int_equal(pm_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
            assert_true(fabs(b.schrijver - schrijver) < 1e-10 * n);
            assert_true(fabs(b.bethe - schrijver - n * log10(2) / 2) < 1e-10 * n);
            assert_true(fabs(b.bregman - n * (lgamma(d + 1.0) / d) / M_LN10) < 1e-10 * n);
            assert_true(b.gurvits > b.schrijver - 1e-9 && b.lower < b.upper);
            pm_matrix_free(&a);
        }
}

/* ---- hafnians ---- */

/* 1 to 9 */
static double integer_weight(uint64_t *rng)
{
    return 1 + pm_rng_below(rng, 9);
}

/* The same, times 2^100 once in 50. */
static double real_weight(uint64_t *rng)
{
    return integer_weight(rng) * (pm_rng_below(rng, 50) ? 1 : 0x1p100);
}

/* log10 of the hafnian; -INFINITY: 0 */
static double hafnian_log10(const pm_matrix *a)
{
    pm_cnum x = {0};
    textbook_hafnian(a, &x);
    const double digits = pm_cnum_is_zero(&x) ? -INFINITY : pm_cnum_log2(&x) * log10(2);
    pm_cnum_clear(&x);
    return digits;
}

static void test_hafnians(void **state)
{
    uint64_t rng = test_seed();
    int with_lower = 0, counted = 0, rounds = test_rounds(3000);
    (void)state;
    for (int round = 0; round < rounds; ++round) {
        pm_matrix pattern, a;
        pm_bounds b;
        const pm_field field = (pm_field)(round % 3);
        random_general_graph(&rng, 2 + 2 * pm_rng_below(&rng, 6), 0.2 + 0.8 * pm_rng_unit(&rng),
                             &pattern);
        weigh_general_graph(&rng, &pattern, field, field == PM_REAL ? real_weight : integer_weight,
                            &a);
        const double truth = hafnian_log10(&a);
        const pm_status rc = pm_hafnian_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL);
        assert_true(rc == PM_OK || (rc == PM_UNABLE && field == PM_REAL));
        if (rc == PM_OK && truth > -INFINITY) {
            check(&b, truth);
            ++counted;
            with_lower += isfinite(b.lower);
        } else if (rc == PM_OK) {
            assert_true(b.lower == -INFINITY && b.upper == -INFINITY);
        }
        pm_matrix_free(&a);
        pm_matrix_free(&pattern);
    }
    assert_true(counted > rounds / 4 && with_lower > counted / 2);
}

/* Of complete graphs: the sides are any halves, per(B) = (n/2)!; Alon and Friedland's bound by degrees; and where the graph is a
 * disjoint union of complete bipartite graphs K(d, d), theirs is sharp. */
static void test_known_hafnians(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 12; n += 2) {
        test_edges g = {.n = n}, h = {.n = 3 * n};
        pm_matrix a;
        pm_bounds b;
        test_join_all(&g, 0, n);
        test_edges_end(&g, &a);
        assert_int_equal(pm_hafnian_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
        const double degree = (double)n - 1;
        assert_true(fabs(b.bregman - (double)n * lgamma(degree + 1) / (2 * degree) / M_LN10)
                    < 1e-10);
        assert_true(fabs(b.lower - lgamma((double)n / 2 + 1) / M_LN10) < 1e-10);
        pm_matrix_free(&a);
        for (int64_t part = 0; part < 3 * n; part += n)
            for (int64_t v = 0; v < n / 2; ++v)
                for (int64_t u = n / 2; u < n; ++u)
                    test_join(&h, part + v, part + u);
        test_edges_end(&h, &a);
        assert_int_equal(pm_hafnian_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
        assert_true(fabs(b.bregman - 3 * lgamma((double)n / 2 + 1) / M_LN10) < 1e-10);
        assert_true(b.upper - b.lower < 1e-9);
        pm_matrix_free(&a);
    }
}

/* Also of an odd number of vertices, and where every vertex may be alone. */
static void test_loop_hafnians(void **state)
{
    uint64_t rng = test_seed();
    int with_lower = 0, zeros = 0, counted = 0, rounds = test_rounds(1500);
    (void)state;
    for (int round = 0; test_goes_on(round, 1500, zeros > 0); ++round) {
        const double p = pm_rng_unit(&rng), loops = round % 2 ? 1 : 0.1 + 0.5 * pm_rng_unit(&rng);
        const pm_field field = (pm_field)(round % 3);
        test_edges g = {.n = 1 + pm_rng_below(&rng, 11)};
        pm_matrix pattern, a;
        pm_bounds b;
        test_join(&g, 0, 0);
        for (int64_t v = 1; v < g.n; ++v) {
            if (pm_rng_unit(&rng) < loops)
                test_join(&g, v, v);
            for (int64_t u = 0; u < v; ++u)
                if (pm_rng_unit(&rng) < p)
                    test_join(&g, v, u);
        }
        test_edges_end(&g, &pattern);
        weigh_general_graph(&rng, &pattern, field, field == PM_REAL ? real_weight : integer_weight,
                            &a);
        const double truth = hafnian_log10(&a);
        const pm_status rc = pm_loop_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL);
        assert_true(rc == PM_OK || (rc == PM_UNABLE && field == PM_REAL));
        if (rc == PM_OK && truth > -INFINITY) {
            assert_true(at_most(fmax(b.lower, b.schrijver), truth));
            assert_true(at_most(fmax(b.gurvits, b.van_der_waerden), truth));
            assert_true(at_most(truth, fmin(b.bregman, b.bregman_scaled)));
            assert_true(at_most(truth, fmin(b.huber, b.bethe)));
            assert_true(at_most(truth, b.upper));
            ++counted;
            with_lower += isfinite(b.lower);
        } else if (rc == PM_OK) {
            assert_true(b.lower == -INFINITY && b.upper == -INFINITY);
            ++zeros;
        }
        pm_matrix_free(&a);
        pm_matrix_free(&pattern);
    }
    assert_true(counted > rounds / 4 && with_lower > counted / 2 && zeros > 0);
}

static void test_loops_no_memory(void **state)
{
    uint64_t rng = test_seed();
    test_edges g = {.n = 6};
    pm_matrix pattern, a;
    pm_bounds b;
    pm_status rc = PM_ENOMEM;
    int failures = 0;
    (void)state;
    test_join_cycle(&g, 0, 6);
    test_join(&g, 0, 2);
    test_join(&g, 3, 3);
    test_join(&g, 4, 4);
    test_edges_end(&g, &pattern);
    weigh_general_graph(&rng, &pattern, PM_INTEGER, integer_weight, &a);
    for (int64_t k = 1; rc != PM_OK; ++k) {
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        rc = pm_loop_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
        failures += rc != PM_OK;
    }
    assert_true(failures > 40);
    pm_matrix_free(&a);
    pm_matrix_free(&pattern);
}

/* Loops of weight w and no edge: the upper bound by picks is sharp, and so is the lower one. */
static void test_lone_vertices(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 9; ++n) {
        test_edges g = {.n = n};
        pm_matrix a;
        pm_bounds b;
        for (int64_t v = 0; v < n; ++v)
            test_join(&g, v, v);
        test_edges_end(&g, &a);
        assert_int_equal(pm_loop_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
        assert_true(b.lower <= 0 && b.lower > -1e-9 && b.upper >= 0 && b.upper < 1e-9);
        pm_matrix_free(&a);
    }
}

/* A loop takes the upper bounds away: haf([[1, 1], [1, 1]]) with loops is 2. */
static void test_loop(void **state)
{
    test_edges g = {.n = 2};
    pm_matrix a;
    pm_bounds b;
    (void)state;
    test_join(&g, 0, 1);
    test_join(&g, 0, 0);
    test_join(&g, 1, 1);
    test_edges_end(&g, &a);
    assert_int_equal(pm_hafnian_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, NULL), PM_OK);
    assert_true(b.upper == INFINITY && b.lower <= 0);
    pm_matrix_free(&a);
}

static void test_no_memory(void **state)
{
    pm_matrix a;
    pm_bounds b;
    pm_status rc = PM_ENOMEM;
    int failures = 0;
    (void)state;
    circulant(5, 3, 2, &a);
    for (int64_t k = 1; rc != PM_OK; ++k) {
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        rc = pm_bounds_make(&a, PM_BACKEND_CPU, NULL, &b, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || (rc == PM_ENOMEM && strlen(err.msg) > 0));
        failures += rc != PM_OK;
    }
    assert_true(failures > 20);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_border),
        cmocka_unit_test(test_sharp),
        cmocka_unit_test(test_far_factors),
        cmocka_unit_test(test_regular),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_hafnians),
        cmocka_unit_test(test_known_hafnians),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_loop_hafnians),
        cmocka_unit_test(test_lone_vertices),
        cmocka_unit_test(test_loops_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
