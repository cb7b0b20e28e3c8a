/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of roots of unity: their algebra against complex numbers in double, their texts, their residues.  Values are below 1e6 and
 * errors above 1e-6 count, so that no correct sum fails by rounding; nothing else here can fail by chance. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "integers/root_primes.h"
#include "number/dyadic_roots.h"
#include "number/dyadic_size.h"
#include "number/prime.h"
#include "support/testing.h"
#include "text/root_read.h"

static uint64_t rng;

static const int32_t orders[] = {1, 3, 4, 5, 7, 8, 9, 12, 15, 16, 20, 21, 60, 105};

static void random_sum(pm_root_sum *x, double *re, double *im)
{
    pm_root_sum term;
    mpq_t q;
    mpq_init(q);
    pm_root_sum_init(&term);
    pm_root_sum_clear(x);
    *re = *im = 0;
    for (int t = (int)pm_rng_below(&rng, 5); t > 0; --t) {
        const int32_t order = orders[pm_rng_below(&rng, sizeof orders / sizeof *orders)];
        const int64_t power = (int64_t)pm_rng_below(&rng, 300) - 150;
        mpq_set_si(q, (int64_t)pm_rng_below(&rng, 19) - 9, 1 + pm_rng_below(&rng, 6));
        mpq_canonicalize(q);
        pm_root_sum_set_power(&term, q, order, power);
        if (!pm_root_sum_add(x, &term))
            continue;
        *re += mpq_get_d(q) * cos(2 * acos(-1) * (double)power / order);
        *im += mpq_get_d(q) * sin(2 * acos(-1) * (double)power / order);
    }
    pm_root_sum_clear(&term);
    mpq_clear(q);
}

static void assert_parts(const pm_root_sum *x, double re, double im)
{
    mpq_t a, b, c, d;
    mpq_inits(a, b, c, d, NULL);
    pm_root_sum_parts(x, 100, a, b);
    assert_true(fabs(mpq_get_d(a) - re) < 1e-6 && fabs(mpq_get_d(b) - im) < 1e-6);
    pm_root_sum_precise_parts(x, 900, c, d); /* the errors are bounds */
    mpq_sub(a, a, c);
    mpq_sub(b, b, d);
    assert_true(fabs(mpq_get_d(a)) <= 0x1.0001p-100 && fabs(mpq_get_d(b)) <= 0x1.0001p-100);
    mpq_clears(a, b, c, d, NULL);
}

static void algebra(void **state)
{
    (void)state;
    rng = test_seed();
    pm_root_sum x, y, z;
    double re[2], im[2];
    pm_root_sum_init(&x);
    pm_root_sum_init(&y);
    pm_root_sum_init(&z);
    for (int round = 0; round < test_rounds(80); ++round) {
        random_sum(&x, &re[0], &im[0]);
        random_sum(&y, &re[1], &im[1]);
        assert_parts(&x, re[0], im[0]);
        pm_root_sum_set(&z, &x);
        if (!pm_root_sum_mul(&z, &y))
            continue;
        assert_parts(&z, re[0] * re[1] - im[0] * im[1], re[0] * im[1] + im[0] * re[1]);
        pm_root_sum_set(&z, &y);
        pm_root_sum_neg(&z);
        assert_true(pm_root_sum_add(&z, &x));
        assert_parts(&z, re[0] - re[1], im[0] - im[1]);
        assert_true(pm_root_sum_equal(&x, &y) == (z.count == 0));
        assert_true(pm_root_sum_equal(&x, &x));
        pm_root_sum_conjugate(&z);
        assert_parts(&z, re[0] - re[1], im[1] - im[0]);
    }
    pm_root_sum_clear(&x);
    pm_root_sum_clear(&y);
    pm_root_sum_clear(&z);
}

/* The sum of all roots of an order above 1 is 0, in the normal form without terms. */
static void sums_of_all(void **state)
{
    (void)state;
    mpq_t one;
    pm_root_sum x, sum;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&x);
    pm_root_sum_init(&sum);
    for (int32_t n = 2; n <= 60; ++n) {
        pm_root_sum_clear(&sum);
        for (int32_t k = 0; k < n; ++k) {
            pm_root_sum_set_power(&x, one, n, k);
            assert_true(pm_root_sum_add(&sum, &x));
        }
        assert_int_equal(sum.count, 0);
    }
    pm_root_sum_clear(&x);
    pm_root_sum_clear(&sum);
    mpq_clear(one);
}

/* A text is read again as the same number, exactly; and to 128 bits. */
static void texts(void **state)
{
    (void)state;
    rng = test_seed();
    pm_root_sum x;
    double re, im;
    pm_root_sum_init(&x);
    for (int round = 0; round < test_rounds(60); ++round) {
        random_sum(&x, &re, &im);
        char *text = pm_root_sum_text(&x);
        pm_scalar s = {.field = PM_INTEGER}, near = {.field = PM_INTEGER};
        pm_root_sum got, other;
        pm_root_sum_init(&got);
        pm_root_sum_init(&other);
        assert_int_equal(pm_root_parse(text, (int64_t)strlen(text), true, &s), PM_NUMBER_REAL);
        pm_dyadic_get_roots(&got, &s.re);
        if (!pm_dyadic_is_zero(&s.im)) { /* re + im root(4) */
            int64_t e;
            mpq_t q;
            mpq_init(q);
            pm_dyadic_get_mpq_2exp(q, &e, &s.im);
            pm_root_sum_set_power(&other, q, 4, 1);
            mpq_set_ui(q, 1, 1);
            mpq_mul_2exp(q, q, e > 0 ? (mp_bitcnt_t)e : 0);
            mpq_div_2exp(q, q, e < 0 ? (mp_bitcnt_t)-e : 0);
            pm_root_sum_scale(&other, q);
            assert_true(pm_root_sum_add(&got, &other));
            mpq_clear(q);
        }
        assert_true(pm_root_sum_equal(&got, &x));
        if (!strchr(text, '/')) {
            assert_int_equal(pm_root_parse(text, (int64_t)strlen(text), false, &near),
                             PM_NUMBER_REAL);
            assert_true(fabs(pm_dyadic_get_d(&near.re) - re) < 1e-6);
            assert_true(fabs(pm_dyadic_get_d(&near.im) - im) < 1e-6);
        }
        pm_root_sum_clear(&got);
        pm_root_sum_clear(&other);
        pm_scalar_clear(&s);
        pm_scalar_clear(&near);
        free(text);
    }
    pm_root_sum_clear(&x);
}

static void no_numbers(void **state)
{
    (void)state;
    static const char *const bad[] = {"root(3",      "root()",      "root(3)^",   "root(3)2",
                                      "root(-3)",    "2*+root(3)",  "2*",         "root(3)*2",
                                      "+-root(3)",   "root(3)+",    "root(3)^^2", "1//2*root(3)",
                                      "root(3)^2.5", "root(3)^--1", "**root(3)",  "root(3)+2*"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        pm_scalar s = {.field = PM_INTEGER};
        assert_int_equal(pm_scalar_parse_as(bad[k], (int64_t)strlen(bad[k]), true, &s),
                         PM_NUMBER_BAD);
    }
    static const char *const far[] = {"root(0)", "root(1001)", "root(997)+root(991)"};
    for (size_t k = 0; k < sizeof far / sizeof *far; ++k) {
        pm_scalar s = {.field = PM_INTEGER};
        assert_int_equal(pm_scalar_parse_as(far[k], (int64_t)strlen(far[k]), true, &s),
                         PM_NUMBER_ORDER);
    }
    static const char *const same[][2] = {
        {"root(6)", "1+root(3)"},   {"-root(2)", "1"},
        {"root(12)^3", "i"},        {"2root(3)^-1", "2*root(3)^2"},
        {"(root(8)^9)", "root(8)"}, {"1e1*root(5)+i-i", "10root(5)"}};
    for (size_t k = 0; k < sizeof same / sizeof *same; ++k) {
        pm_scalar s = {.field = PM_INTEGER}, t = {.field = PM_INTEGER};
        assert_true(pm_scalar_parse_as(same[k][0], (int64_t)strlen(same[k][0]), true, &s)
                    <= PM_NUMBER_REAL);
        assert_true(pm_scalar_parse_as(same[k][1], (int64_t)strlen(same[k][1]), true, &t)
                    <= PM_NUMBER_REAL);
        assert_true(pm_dyadic_equal(&s.re, &t.re) && pm_dyadic_equal(&s.im, &t.im));
        pm_scalar_clear(&s);
        pm_scalar_clear(&t);
    }
}

/* Coefficients are found again from their values at the roots modulo primes. */
static void residues(void **state)
{
    (void)state;
    rng = test_seed();
    static uint64_t value[PM_ROOT_ORDER_MAX], c[PM_ROOT_ORDER_MAX], wanted[PM_ROOT_ORDER_MAX];
    static int64_t poly[PM_ROOT_ORDER_MAX + 1];
    for (int round = 0; round < test_rounds(40); ++round) {
        const int32_t n = orders[pm_rng_below(&rng, sizeof orders / sizeof *orders)];
        const int32_t degree = pm_root_phi(n);
        const uint64_t p = pm_root_prime_below(UINT64_C(1) << (10 + pm_rng_below(&rng, 53)), n);
        const uint64_t z = pm_root_modulo(p, n);
        assert_int_equal(p % (uint64_t)n, 1 % n);
        assert_int_equal(pm_mod_pow(z, (uint64_t)n, p), 1);
        for (int32_t k = 1; k < n; ++k)
            assert_int_not_equal(pm_mod_pow(z, (uint64_t)k, p), 1);
        pm_root_polynomial(n, poly);
        for (int32_t k = 0; k < degree; ++k)
            wanted[k] = pm_rng_next(&rng) % p;
        for (int32_t j = 0; j < n; ++j) {
            value[j] = 0;
            for (int32_t k = degree - 1; k >= 0; --k)
                value[j] = (pm_mod_mul(value[j], pm_mod_pow(z, (uint64_t)j, p), p) + wanted[k]) % p;
        }
        pm_root_coefficients(p, n, z, poly, value, c);
        assert_memory_equal(c, wanted, (size_t)degree * sizeof *c);
    }
}

/* ---- sizes ---- */

/* From the size on, and not more than 2^-60 of it above; both are squared exactly for fractions. */
static void sizes(void **state)
{
    (void)state;
    rng = test_seed();
    for (int round = test_rounds(300); round > 0; --round) {
        pm_dyadic part[2] = {{.exp = 0}}, size = {0}, square = {0}, sum = {0}, more = {0};
        mpq_t q;
        mpq_init(q);
        for (int k = 0; k < 2; ++k) {
            mpq_set_si(q, (int64_t)pm_rng_below(&rng, 2001) - 1000, 1 + pm_rng_below(&rng, 50));
            mpq_canonicalize(q);
            pm_dyadic_set_mpq_2exp(&part[k], q, (int64_t)pm_rng_below(&rng, 300) - 150);
        }
        pm_dyadic_set_size(&size, &part[0], &part[1]);
        pm_dyadic_mul(&square, &size, &size);
        pm_dyadic_mul(&sum, &part[0], &part[0]);
        pm_dyadic_mul(&more, &part[1], &part[1]);
        pm_dyadic_add(&sum, &sum, &more);
        pm_dyadic_set(&more, &sum);
        pm_dyadic_neg(&more);
        pm_dyadic_add(&square, &square, &more); /* the excess */
        assert_true(pm_dyadic_sign(&square) >= 0);
        pm_dyadic_mul_2exp(&square, 59);
        pm_dyadic_add(&square, &square, &more);
        assert_true(pm_dyadic_sign(&square) < 0 || pm_dyadic_is_zero(&sum));
        assert_true(pm_dyadic_is_zero(&size) == pm_dyadic_is_zero(&sum));
        mpq_clear(q);
        for (int k = 0; k < 2; ++k)
            pm_dyadic_clear(&part[k]);
        pm_dyadic_clear(&size);
        pm_dyadic_clear(&square);
        pm_dyadic_clear(&sum);
        pm_dyadic_clear(&more);
    }
}

static void sizes_of_roots(void **state)
{
    (void)state;
    rng = test_seed();
    for (int round = test_rounds(300); round > 0; --round) {
        double re, im;
        pm_root_sum x;
        pm_dyadic a = {0}, b = {0}, size = {0};
        pm_root_sum_init(&x);
        random_sum(&x, &re, &im);
        pm_dyadic_set_roots(&a, &x);
        pm_dyadic_set_si(&b, (int64_t)pm_rng_below(&rng, 5) - 2);
        im += pm_dyadic_get_d(&b);
        pm_dyadic_set_size(&size, &a, &b);
        const bool has_common = x.order % 4 == 0 || 4 * x.order / (x.order % 2 ? 1 : 2) <= 1000;
        assert_true(pm_dyadic_get_d(&size) >= hypot(re, im) - 1e-6);
        assert_true(!has_common || pm_dyadic_get_d(&size) <= hypot(re, im) + 1e-6);
        pm_dyadic_clear(&a);
        pm_dyadic_clear(&b);
        pm_dyadic_clear(&size);
        pm_root_sum_clear(&x);
    }
    mpq_t one;
    pm_root_sum x;
    pm_dyadic a = {0}, b = {0}, size = {0};
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&x);
    pm_root_sum_set_power(&x, one, 997, 5);
    pm_dyadic_set_roots(&a, &x);
    pm_dyadic_set_si(&b, 3);
    pm_dyadic_set_size(&size, &a, &b); /* |z| + 3: the common order is too large */
    assert_true(fabs(pm_dyadic_get_d(&size) - 4) < 1e-12);
    pm_dyadic_clear(&a);
    pm_dyadic_clear(&size);
    pm_root_sum_clear(&x);
    mpq_clear(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algebra),       cmocka_unit_test(sums_of_all), cmocka_unit_test(texts),
        cmocka_unit_test(no_numbers),    cmocka_unit_test(residues),    cmocka_unit_test(sizes),
        cmocka_unit_test(sizes_of_roots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
