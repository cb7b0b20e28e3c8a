/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal logarithms of values and of extended reals: for any exponent, next to 1, of zero. */
#include "config.h"

#include "support/testing.h"

#include <math.h>

#include "pm/value.h"
#include "support/rationals.h"

static void assert_log10(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-14 * fabs(wanted)))
        fail_msg("log10 is %.17g instead of %.17g", got, wanted);
}

static void assert_log10_of_ratio(unsigned long p, unsigned long q, long times_two, double wanted)
{
    pm_value v;
    pm_value_init(&v);
    mpq_set_ui(v.exact, p, q);
    mpq_canonicalize(v.exact);
    q_mul_2exp(v.exact, times_two);
    assert_log10(pm_value_log10_abs(&v), wanted);
    mpq_neg(v.exact, v.exact);
    assert_log10(pm_value_log10_abs(&v), wanted);
    pm_value_clear(&v);
}

static void test_log10_exact(void **state)
{
    (void)state;
    const double two = 0.301029995663981195214, e = 0.434294481903251827651;
    assert_log10_of_ratio(1, 1, 0, 0);
    assert_log10_of_ratio(2, 1, 0, two);
    assert_log10_of_ratio(1000, 1, 0, 3);
    assert_log10_of_ratio(1, 1000, 0, -3);
    assert_log10_of_ratio(7, 1, 0, 0.845098040014256830712);
    assert_log10_of_ratio(1, 1, 100000, 1e5 * two);
    assert_log10_of_ratio(1, 1, -100000, -1e5 * two);
    /* next to 1: n + 1 over n, and under */
    const double n = 0x1p61;
    assert_log10_of_ratio((1UL << 61) + 1, 1UL << 61, 0, e * log1p(1 / n));
    assert_log10_of_ratio(1UL << 61, (1UL << 61) + 1, 0, -e * log1p(1 / n));
    for (int power = 1; power <= 5000; power += 833) {
        pm_value v;
        pm_value_init(&v);
        mpz_ui_pow_ui(mpq_numref(v.exact), 10, (unsigned long)power);
        assert_log10(pm_value_log10_abs(&v), power);
        pm_value_clear(&v);
    }
    pm_value zero;
    pm_value_init(&zero);
    pm_value_set_si(&zero, 0);
    assert_true(pm_value_log10_abs(&zero) == -INFINITY);
    pm_value_clear(&zero);
}

static double log10_of_parts(pm_xreal re, pm_xreal im)
{
    pm_value v;
    pm_value_init(&v);
    pm_value_set_real(&v, PM_COMPLEX, re, im, (pm_xreal){0});
    double got = pm_value_log10_abs(&v);
    pm_value_clear(&v);
    return got;
}

static void test_log10_rounded(void **state)
{
    (void)state;
    const double two = 0.301029995663981195214, e = 0.434294481903251827651;
    const pm_xreal none = {0}, three = pm_xreal_make(3, 0, 0), four = pm_xreal_make(-4, 0, 0);
    const int64_t large = INT64_C(1) << 61;
    assert_log10(pm_xreal_log10_abs(pm_xreal_make(-1, 0, large)), (double)large * two);
    assert_log10(pm_xreal_log10_abs(pm_xreal_make(1, 0x1p-90, 0)), e * 0x1p-90);
    assert_log10(pm_xreal_log10_abs(pm_xreal_make(1, -0x1p-90, 0)), -e * 0x1p-90);
    assert_true(isnan(pm_xreal_log10_abs((pm_xreal){NAN, NAN, 0})));
    assert_log10(log10_of_parts(three, four), 0.698970004336018804787);
    assert_log10(log10_of_parts(none, four), 2 * two);
    assert_log10(log10_of_parts(four, none), 2 * two);
    assert_true(log10_of_parts(none, none) == -INFINITY);
    for (int sign = -1; sign <= 1; sign += 2) {
        pm_xreal re = pm_xreal_make(3, 0, sign * large), im = pm_xreal_make(4, 0, sign * large);
        assert_log10(log10_of_parts(re, im), (double)(sign * large) * two);
        assert_log10(log10_of_parts(re, none), (double)(sign * large) * two);
        assert_log10(log10_of_parts(pm_xreal_make(1, 0, -large), im),
                     sign > 0 ? (double)large * two : -(double)large * two);
    }
    assert_log10(log10_of_parts(pm_xreal_make(1, 0, -2000), pm_xreal_make(1, 0, -5000)),
                 -2000 * two);
    for (int i = 0; i < 1000; ++i) {
        double x = ldexp(1 + fmod(i * 0.618033988749895, 1), i % 200 - 100);
        assert_log10(pm_xreal_log10_abs(pm_xreal_make(x, 0, 0)), (double)log10l(x));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log10_exact),
        cmocka_unit_test(test_log10_rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
