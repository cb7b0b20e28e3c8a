/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values with error bounds, and their text, against GMP's rationals. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/value.h"
#include "support/rationals.h"

/* A value, and a number within its error that stands for the true one. */
typedef struct {
    pm_value v;
    mpq_t re, im;
} pair;

static void pair_init(pair *p)
{
    pm_value_init(&p->v);
    mpq_inits(p->re, p->im, NULL);
    mpq_set_ui(p->re, 1, 1);
}

static void pair_clear(pair *p)
{
    pm_value_clear(&p->v);
    mpq_clears(p->re, p->im, NULL);
}

static void pair_set(pair *p, const pair *a)
{
    pm_value_set(&p->v, &a->v);
    mpq_set(p->re, a->re);
    mpq_set(p->im, a->im);
}

/* x = true re + i im, y = the stored one: |x - y|^2 <= error^2 */
static void assert_within(const pair *p)
{
    mpq_t d, sum, error;
    mpq_inits(d, sum, error, NULL);
    if (pm_value_is_exact(&p->v)) {
        assert_true(mpq_equal(p->v.exact, p->re));
        assert_int_equal(mpq_sgn(p->im), 0);
        mpq_set(d, p->v.exact);
        mpq_canonicalize(d);
        assert_true(mpq_equal(d, p->v.exact));
    } else {
        assert_normal(p->v.re);
        assert_normal(p->v.im);
        assert_normal(p->v.error);
        assert_true(p->v.error.hi >= 0);
        q_from_xreal(d, p->v.re);
        mpq_sub(d, d, p->re);
        mpq_mul(sum, d, d);
        q_from_xreal(d, p->v.im);
        mpq_sub(d, d, p->im);
        mpq_mul(d, d, d);
        mpq_add(sum, sum, d);
        q_from_xreal(error, p->v.error);
        mpq_mul(error, error, error);
        assert_true(mpq_cmp(sum, error) <= 0);
    }
    mpq_clears(d, sum, error, NULL);
}

static void pair_random(pair *p, uint64_t *rng)
{
    mpq_t off;
    mpq_init(off);
    mpq_set_ui(p->im, 0, 1);
    pm_xreal zero = {0}, re = random_xreal(rng, 20), im = random_xreal(rng, 20), error = zero;
    int64_t small = (int64_t)pm_rng_below(rng, 9) - 4;
    switch (pm_rng_below(rng, 5)) {
    case 0:
        pm_value_set_si(&p->v, small);
        mpq_set_si(p->re, small, 1);
        break;
    case 1:
        mpq_set_si(p->re, small, 1 + pm_rng_below(rng, 9));
        mpq_canonicalize(p->re);
        pm_value_set_si(&p->v, 0);
        mpq_set(p->v.exact, p->re);
        break;
    default:
        /* at the edge of the error, along one axis */
        if (pm_rng_below(rng, 3))
            error = pm_xreal_make(pm_rng_unit(rng), 0, -(int64_t)pm_rng_below(rng, 120));
        bool is_complex = pm_rng_below(rng, 2);
        pm_value_set_real(&p->v, is_complex ? PM_COMPLEX : PM_REAL, re, is_complex ? im : zero,
                          error);
        q_from_xreal(p->re, re);
        q_from_xreal(p->im, is_complex ? im : zero);
        q_from_xreal(off, error);
        if (pm_rng_below(rng, 2))
            mpq_neg(off, off);
        if (is_complex && pm_rng_below(rng, 2))
            mpq_add(p->im, p->im, off);
        else
            mpq_add(p->re, p->re, off);
    }
    mpq_clear(off);
}

static void pair_mul(pair *p, const pair *a)
{
    mpq_t re, im, t;
    mpq_inits(re, im, t, NULL);
    mpq_mul(re, p->re, a->re);
    mpq_mul(t, p->im, a->im);
    mpq_sub(re, re, t);
    mpq_mul(im, p->re, a->im);
    mpq_mul(t, p->im, a->re);
    mpq_add(im, im, t);
    mpq_swap(p->re, re);
    mpq_swap(p->im, im);
    pm_value_mul(&p->v, &a->v);
    mpq_clears(re, im, t, NULL);
}

static void pair_add(pair *p, const pair *a)
{
    mpq_add(p->re, p->re, a->re);
    mpq_add(p->im, p->im, a->im);
    pm_value_add(&p->v, &a->v);
}

/* The integer k for both: power by repeated products, and scaling. */
static void pair_pow(pair *p, const mpz_t k)
{
    pair base;
    pm_value kept;
    pair_init(&base);
    pm_value_init(&kept);
    pm_value_set(&kept, &p->v);
    pair_set(&base, p);
    mpq_set_ui(p->re, 1, 1);
    mpq_set_ui(p->im, 0, 1);
    for (unsigned long i = mpz_get_ui(k); i-- > 0;)
        pair_mul(p, &base);
    assert_int_equal(pm_value_pow(&kept, k, NULL), PM_OK);
    pm_value_set(&p->v, &kept);
    pm_value_clear(&kept);
    pair_clear(&base);
}

/* What is printed is within the printed error of the true number. */
static void assert_text_within(const pair *p)
{
    mpq_t re, im, error;
    mpq_inits(re, im, error, NULL);
    char *text = pm_value_text(&p->v), *bound = pm_value_error_text(&p->v);
    assert_non_null(text);
    assert_non_null(bound);
    if (pm_value_is_exact(&p->v)) {
        assert_string_equal(bound, "0");
        assert_int_equal(mpq_set_str(re, text, 10), 0);
        assert_true(mpq_equal(re, p->re));
    } else {
        char *tab = strchr(text, '\t');
        assert_int_equal(tab != NULL, p->v.field == PM_COMPLEX);
        q_from_decimal(re, text);
        if (tab)
            q_from_decimal(im, tab + 1);
        q_from_decimal(error, bound);
        mpq_sub(re, re, p->re);
        mpq_sub(im, im, p->im);
        mpq_mul(re, re, re);
        mpq_mul(im, im, im);
        mpq_add(re, re, im);
        mpq_mul(error, error, error);
        assert_true(mpq_cmp(re, error) <= 0);
    }
    free(text);
    free(bound);
    mpq_clears(re, im, error, NULL);
}

static void test_errors_are_bounds(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    mpz_t k;
    pair a, b;
    mpz_init(k);
    pair_init(&a);
    pair_init(&b);
    for (int r = test_rounds(3000); r-- > 0;) {
        pair_random(&a, &rng);
        for (int step = 0; step < 6; ++step) {
            pair_random(&b, &rng);
            mpz_set_ui(k, pm_rng_below(&rng, 5));
            switch (pm_rng_below(&rng, 4)) {
            case 0:
            case 1: pair_add(&a, &b); break;
            case 2: pair_mul(&a, &b); break;
            default: pair_pow(&b, k); pair_add(&a, &b);
            }
            assert_within(&a);
        }
        assert_text_within(&a);
    }
    pair_clear(&a);
    pair_clear(&b);
    mpz_clear(k);
}

static void test_aliases(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    pair a;
    pair_init(&a);
    for (int r = test_rounds(500); r-- > 0;) {
        pair_random(&a, &rng);
        pair_mul(&a, &a);
        assert_within(&a);
        pair_random(&a, &rng);
        pair_add(&a, &a);
        assert_within(&a);
    }
    pair_clear(&a);
}

/* Bounds that hold could still be uselessly wide: after 1000 products of 1000-fold the size of
 * one rounding, not more. */
static void test_errors_stay_small(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    pm_value v, f;
    pm_value_init(&v);
    pm_value_init(&f);
    for (int i = 0; i < 1000; ++i) {
        pm_xreal x = pm_xreal_make(0.5 + pm_rng_unit(&rng), 0x1p-60, 0);
        pm_value_set_real(&f, PM_REAL, x, (pm_xreal){0}, (pm_xreal){0});
        pm_value_mul(&v, &f);
    }
    pm_xreal allowed = pm_xreal_mul(pm_xreal_abs(v.re), pm_xreal_make(1001, 0, -100));
    assert_true(v.error.hi > 0);
    assert_int_equal(pm_xreal_cmpabs(v.error, allowed), -1);
    pm_value_clear(&v);
    pm_value_clear(&f);
}

static void test_exact_ones_and_zeros(void **state)
{
    (void)state;
    pm_value v, w;
    pm_xreal third = pm_xreal_make(1.0 / 3, 0x1p-57, 0), error = pm_xreal_make(1, 0, -30);
    pm_value_init(&v);
    pm_value_init(&w);
    assert_true(pm_value_is_exact(&v));
    assert_int_equal(v.field, PM_PATTERN);

    /* the empty product leaves a value as it is */
    pm_value_set_real(&w, PM_REAL, third, (pm_xreal){0}, error);
    pm_value_mul(&v, &w);
    assert_int_equal(v.field, PM_REAL);
    assert_int_equal(pm_xreal_cmpabs(v.re, third), 0);
    assert_true(v.error.hi >= error.hi
                && pm_xreal_cmpabs(v.error, pm_xreal_make(1, 0x1p-80, -30)) < 0);
    pm_value_set_real(&w, PM_REAL, third, (pm_xreal){0}, (pm_xreal){0});
    pm_value_set_si(&v, -8);
    pm_value_mul(&v, &w);
    assert_true(v.error.hi == 0);

    /* an exact zero wins against any error */
    pm_value_set_real(&w, PM_COMPLEX, third, third, error);
    pm_value_set_si(&v, 0);
    assert_true(pm_value_is_zero(&v));
    pm_value_mul(&v, &w);
    assert_int_equal(v.field, PM_COMPLEX);
    assert_true(pm_value_is_zero(&v));

    /* what cancels leaves its error */
    pm_value_set_real(&v, PM_REAL, third, (pm_xreal){0}, error);
    pm_value_set_real(&w, PM_REAL, (pm_xreal){-third.hi, -third.lo, third.exp}, (pm_xreal){0},
                      error);
    pm_value_add(&v, &w);
    assert_true(v.re.hi == 0);
    assert_false(pm_value_is_zero(&v));
    pm_value_clear(&v);
    pm_value_clear(&w);
}

static void test_widen(void **state)
{
    (void)state;
    pm_value v;
    mpz_t k;
    pm_value_init(&v);
    mpz_init(k);
    mpz_setbit(k, 3000);
    mpz_setbit(k, 2895);
    pm_value_set_mpz(&v, k);
    pm_value_widen(&v, PM_REAL);
    assert_int_equal(v.field, PM_REAL);
    assert_true(v.error.hi == 0); /* 106 bits */
    pm_value_widen(&v, PM_INTEGER);
    assert_int_equal(v.field, PM_REAL);
    pm_value_widen(&v, PM_COMPLEX);
    assert_int_equal(v.field, PM_COMPLEX);
    mpz_setbit(k, 2700);
    pm_value_set_mpz(&v, k);
    pm_value_widen(&v, PM_REAL);
    assert_true(v.error.hi > 0);
    pm_value_clear(&v);
    mpz_clear(k);
}

static void test_powers_that_do_not_fit(void **state)
{
    (void)state;
    pm_value v;
    mpz_t k;
    pm_error err;
    pm_value_init(&v);
    mpz_init(k);
    mpz_setbit(k, 100);
    pm_value_set_si(&v, 2);
    assert_int_equal(pm_value_pow(&v, k, &err), PM_UNABLE);
    assert_int_equal(mpq_cmp_ui(v.exact, 2, 1), 0);
    pm_value_set_si(&v, -1);
    assert_int_equal(pm_value_pow(&v, k, &err), PM_OK);
    assert_int_equal(mpq_cmp_si(v.exact, 1, 1), 0);
    pm_value_set_si(&v, 0);
    assert_int_equal(pm_value_pow(&v, k, &err), PM_OK);
    assert_true(pm_value_is_zero(&v));
    pm_value_set_real(&v, PM_REAL, pm_xreal_make(3, 0, 0), (pm_xreal){0}, (pm_xreal){0});
    assert_int_equal(pm_value_pow(&v, k, &err), PM_UNABLE);
    mpz_set_ui(k, 0);
    pm_value_set_si(&v, 0);
    assert_int_equal(pm_value_pow(&v, k, &err), PM_OK);
    assert_int_equal(mpq_cmp_ui(v.exact, 1, 1), 0);
    /* 3^(10^9), and its error some 10^9 roundings */
    mpz_set_ui(k, 1000000000);
    pm_value_set_real(&v, PM_REAL, pm_xreal_make(3, 0, 0), (pm_xreal){0}, (pm_xreal){0});
    assert_int_equal(pm_value_pow(&v, k, &err), PM_OK);
    char *text = pm_value_text(&v);
    assert_memory_equal(text, "5.243997032955288263", strlen("5.243997032955288263"));
    assert_non_null(strstr(text, "e+477121254"));
    free(text);
    pm_value_clear(&v);
    mpz_clear(k);
}

static void check_value_text(double re, double im, double error, pm_field field, const char *want,
                             const char *want_error)
{
    pm_value v;
    pm_value_init(&v);
    pm_value_set_real(&v, field, pm_xreal_make(re, 0, 0), pm_xreal_make(im, 0, 0),
                      pm_xreal_make(error, 0, 0));
    char *text = pm_value_text(&v), *bound = pm_value_error_text(&v);
    assert_string_equal(text, want);
    assert_string_equal(bound, want_error);
    free(text);
    free(bound);
    pm_value_clear(&v);
}

static void test_value_text(void **state)
{
    (void)state;
    check_value_text(2.5, 0, 0, PM_REAL, "2.5", "0");
    check_value_text(0, 0, 0, PM_REAL, "0", "0");
    check_value_text(0, 0, 0.001, PM_REAL, "0", "0.0011"); /* 0.001 is above 1/1000 */
    check_value_text(3.140625, 0, 0x1p-10, PM_REAL, "3.1406", "0.0011");
    check_value_text(123456, 0, 200, PM_REAL, "1.235e+05", "2.5e+02");
    check_value_text(3e-14, 0, 0.25, PM_REAL, "3e-14", "0.26");
    check_value_text(1.5, -0.25, 0.125, PM_COMPLEX, "1.5\t-0.2", "0.18");
    check_value_text(0, 2, 0, PM_COMPLEX, "0\t2", "0");
    /* 30 digits are not all of this double */
    check_value_text(0.1, 0, 0, PM_REAL, "0.100000000000000005551115123126", "2.2e-31");

    pm_value v;
    pm_value_init(&v);
    mpq_set_si(v.exact, -22, 7);
    char *text = pm_value_text(&v);
    assert_string_equal(text, "-22/7");
    free(text);
    pm_value_clear(&v);
}

static void test_text_when_memory_ends(void **state)
{
    (void)state;
    pm_value v;
    pm_value_init(&v);
    pm_alloc_fail_at(1);
    assert_null(pm_value_text(&v));
    pm_value_set_real(&v, PM_COMPLEX, pm_xreal_make(3, 0, 0), pm_xreal_make(4, 0, 0),
                      (pm_xreal){0});
    for (int k = 1; k <= 3; ++k) {
        pm_alloc_fail_at(k);
        assert_null(pm_value_text(&v));
    }
    pm_alloc_fail_at(1);
    assert_null(pm_value_error_text(&v));
    pm_alloc_fail_at(4);
    char *text = pm_value_text(&v);
    assert_string_equal(text, "3\t4");
    free(text);
    pm_alloc_fail_at(0);
    pm_value_clear(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_are_bounds),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_errors_stay_small),
        cmocka_unit_test(test_exact_ones_and_zeros),
        cmocka_unit_test(test_widen),
        cmocka_unit_test(test_powers_that_do_not_fit),
        cmocka_unit_test(test_value_text),
        cmocka_unit_test(test_text_when_memory_ends),
    };
    return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
