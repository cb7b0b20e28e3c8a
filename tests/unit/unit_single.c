/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single precision: errors hold against exact permanents, whatever the size of the entries and whatever cancels, and
 * where products are too small for a float. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pm/count.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/matrices.h"

static uint64_t rng;

static const char *const algorithms[] = {"ryser", "repeated", NULL};
enum { ALGORITHMS = 3, ROWS = 11 };

static void count(const pm_matrix *a, const char *algorithm, pm_value *v)
{
    pm_error err = {.msg = ""};
    pm_run run = {.threads = 1 + (int)pm_rng_below(&rng, 2)};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.precision = PM_SINGLE;
    if (algorithm || pm_rng_below(&rng, 2))
        o.reduce = (pm_reduce_options){0};
    if (pm_count(a, &o, &run, v, NULL, &err))
        fail_msg("%s: %s", algorithm ? algorithm : "auto", err.msg);
}

/* All algorithms, and that they say enough: the error is at most this part of the value, or of anything. */
static void check(const pm_matrix *a, double most)
{
    pm_cnum exact = {0};
    textbook_transfer_matrix(a, &exact);
    for (int i = 0; i < ALGORITHMS; ++i) {
        pm_value v;
        pm_value_init(&v);
        count(a, algorithms[i], &v);
        assert_true(agrees(&v, &exact));
        assert_true(pm_value_is_exact(&v) || !v.is_estimated);
        if (most < INFINITY && !pm_value_is_exact(&v))
            assert_true(pm_xreal_ratio(v.error, v.re) <= most);
        pm_value_clear(&v);
    }
    pm_cnum_clear(&exact);
}

typedef double part(int i, int j, void *of);

static void check_parts(pm_field field, int n, part *p, void *of, double most)
{
    pm_matrix a;
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int k = 0; k < n * n; ++k) {
        pm_dyadic re = {0}, im = {0};
        pm_dyadic_set_d(&re, p(k / n, k % n, of));
        if (field == PM_COMPLEX)
            pm_dyadic_set_d(&im, p(k / n, k % n, of));
        assert_int_equal(
            pm_triples_add(&t, k / n, k % n, 0, &re, field == PM_COMPLEX ? &im : NULL, NULL),
            PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "single", &a, NULL), PM_OK);
    pm_triples_free(&t);
    check(&a, most);
    pm_matrix_free(&a);
}

static double signed_unit(void)
{
    return 2 * pm_rng_unit(&rng) - 1;
}

/* ---- sizes of entries ---- */

typedef struct {
    double of_row[ROWS], of_col[ROWS], of_all, of_each; /* decimal exponents */
} scales;

static double scaled(int i, int j, void *of)
{
    const scales *s = of;
    const double exponent = s->of_all + s->of_row[i] + s->of_col[j] + s->of_each * signed_unit();
    return signed_unit() * pow(10, fmax(-300, fmin(300, exponent)));
}

/* All entries alike, lines, or each entry by itself; up to 1e30 and 1e300 and their inverses. */
static void sizes(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(240); ++round) {
        scales s = {.of_all = 0};
        const double most = round / 4 % 2 ? 300 : 30;
        const int n = 1 + (int)pm_rng_below(&rng, round % 16 ? 7 : ROWS);
        if (round / 8 % 3 == 0)
            s.of_all = most * signed_unit();
        else if (round / 8 % 3 == 1)
            s.of_each = most;
        for (int i = 0; i < n && round / 8 % 3 == 2; ++i) {
            s.of_row[i] = most / 2 * signed_unit();
            s.of_col[i] = most / 2 * signed_unit();
        }
        check_parts(round % 2 ? PM_COMPLEX : PM_REAL, n, scaled, &s, INFINITY);
    }
}

/* ---- what is left ---- */

static double positive(int i, int j, void *of)
{
    (void)i, (void)j, (void)of;
    return pm_rng_unit(&rng);
}

/* Positive entries: nothing cancels but the signs of the formula. */
static void digits(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round)
        check_parts(PM_REAL, 2 + (int)pm_rng_below(&rng, 6), positive, NULL, 0.02);
}

/* ---- cancellation ---- */

/* Blocks (a, b; a, -b), whose permanent is 0, in a matrix of smaller numbers. */
static double cancelling(int i, int j, void *of)
{
    const double noise = *(const double *)of, x[] = {0.75, 0.7, 0.75, -0.7};
    return i / 2 == j / 2 ? x[2 * (i % 2) + j % 2] * (1 + i / 2) : noise * signed_unit();
}

static void cancellation(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(80); ++round) {
        double noise = round % 4 ? pow(10, -12 * pm_rng_unit(&rng)) : 0;
        check_parts(round / 4 % 2 ? PM_COMPLEX : PM_REAL, 2 + 2 * (int)pm_rng_below(&rng, 4),
                    cancelling, &noise, INFINITY);
    }
}

/* ---- products that are too small for a float ---- */

/* Rows whose sums are 2^-20 of their entries for half of the signs, and 0 or of their size for others. */
static double too_small(int i, int j, void *of)
{
    const int n = *(const int *)of;
    return j == n - 1 ? 0x1p-20 * (1 + i) : (i + j) % 2 ? 1 : -1;
}

static double smaller(int i, int j, void *of)
{
    (void)of;
    return (i + j) % 2 ? 1 : -1 + 0x1p-22 * (double)pm_rng_below(&rng, 5);
}

static void underflow(void **state)
{
    (void)state;
    for (int n = 2; n <= ROWS; ++n) {
        check_parts(PM_REAL, n, too_small, &n, INFINITY);
        check_parts(PM_COMPLEX, n, smaller, NULL, INFINITY);
        check_parts(PM_REAL, n, smaller, NULL, INFINITY);
    }
}

/* A product of 20 row sums of 2^-20 or so, with the true value 2^-320: the bound says what underflow changes. */
static void lost(void **state)
{
    (void)state;
    enum { N = 16 };
    pm_matrix a;
    pm_value v;
    pm_triples t = {.field = PM_REAL, .nrows = N, .ncols = N};
    for (int k = 0; k < N * N; ++k) {
        pm_dyadic x = {0};
        pm_dyadic_set_d(&x, k / N == k % N ? 0x1p-22 : k % N == 0 ? 1 : k % N == 1 ? -1 : 0);
        assert_int_equal(pm_triples_add(&t, k / N, k % N, 0, &x, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "lost", &a, NULL), PM_OK);
    pm_triples_free(&t);
    pm_cnum exact = {0};
    textbook_transfer_matrix(&a, &exact);
    for (int i = 0; i < 2; ++i) {
        pm_value_init(&v);
        count(&a, algorithms[i], &v);
        assert_true(v.error.hi > 0);
        assert_true(agrees(&v, &exact));
        pm_value_clear(&v);
    }
    pm_cnum_clear(&exact);
    pm_matrix_free(&a);
}

/* ---- methods that do not have it ---- */

static void refused(void **state)
{
    (void)state;
    static const char *const names[] = {"product-tree", "skipper", "sparyser", "enumerate"};
    pm_matrix a;
    pm_value v;
    pm_value_init(&v);
    random_matrix(&rng, PM_REAL, 6, 6, 1, &a);
    for (int i = 0; i < 4; ++i) {
        pm_error err;
        pm_count_options o = pm_count_defaults();
        o.algorithm = names[i];
        o.precision = PM_SINGLE;
        o.reduce = (pm_reduce_options){0};
        assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_UNABLE);
        assert_non_null(strstr(err.msg, "does not have the precision single"));
    }
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),     cmocka_unit_test(digits), cmocka_unit_test(cancellation),
        cmocka_unit_test(underflow), cmocka_unit_test(lost),   cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
