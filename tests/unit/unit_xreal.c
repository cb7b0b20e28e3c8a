/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extended reals and their decimal text, against GMP's rationals and printf. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <string.h>

#include "core/philox.h"
#include "number/decimal.h"
#include "number/decimal_wide.h"
#include "pm/value.h"
#include "support/rationals.h"

/* |x - q| <= 2^-100 |q| */
static void assert_near(pm_xreal x, const mpq_t q)
{
    mpq_t off, allowed;
    mpq_inits(off, allowed, NULL);
    assert_normal(x);
    q_from_xreal(off, x);
    mpq_sub(off, off, q);
    mpq_abs(off, off);
    mpq_abs(allowed, q);
    mpq_div_2exp(allowed, allowed, 100);
    assert_true(mpq_cmp(off, allowed) <= 0);
    mpq_clears(off, allowed, NULL);
}

/* ---- extended reals ---- */

static void test_make(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    mpq_t q, lo;
    mpq_inits(q, lo, NULL);
    assert_normal(pm_xreal_make(0, 0, 77));
    assert_normal(pm_xreal_make(0.75, -0.75, 77));
    assert_normal(pm_xreal_make(0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023, 0));
    assert_normal(pm_xreal_make(0x1p-1074, 0x1p1023, -5));
    for (int r = test_rounds(20000); r-- > 0;) {
        double a = ldexp(random_part(&rng), (int)pm_rng_below(&rng, 100) - 50);
        double b = ldexp(random_part(&rng), (int)pm_rng_below(&rng, 100) - 50);
        int64_t e = (int64_t)pm_rng_below(&rng, 200) - 100;
        pm_xreal x = pm_xreal_make(a, b, e);
        mpq_set_d(q, a);
        mpq_set_d(lo, b);
        mpq_add(q, q, lo);
        q_mul_2exp(q, e);
        assert_normal(x);
        q_from_xreal(lo, x);
        assert_true(mpq_equal(q, lo));
    }
    mpq_clears(q, lo, NULL);
}

static void test_add_and_mul(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    mpq_t a, b, c;
    mpq_inits(a, b, c, NULL);
    for (int r = test_rounds(100000); r-- > 0;) {
        pm_xreal x = random_xreal(&rng, 300), y = random_xreal(&rng, 300);
        if (pm_rng_below(&rng, 4) == 0) { /* nearly -x */
            y = (pm_xreal){-x.hi, -x.lo, x.exp};
            if (y.lo != 0 && pm_rng_below(&rng, 2))
                y = pm_xreal_make(y.hi, y.lo * 1.25, y.exp);
        }
        q_from_xreal(a, x);
        q_from_xreal(b, y);
        mpq_add(c, a, b);
        assert_near(pm_xreal_add(x, y), c);
        mpq_mul(c, a, b);
        assert_near(pm_xreal_mul(x, y), c);
        mpq_abs(c, a);
        assert_near(pm_xreal_abs(x), c);
        mpq_abs(b, b);
        int cmp = mpq_cmp(c, b);
        assert_int_equal(pm_xreal_cmpabs(x, y), (cmp > 0) - (cmp < 0));
    }
    mpq_clears(a, b, c, NULL);
}

static void test_far_exponents(void **state)
{
    (void)state;
    pm_xreal big = pm_xreal_make(0.75, 0, INT64_C(1) << 61), small = pm_xreal_make(0.75, 0, -5);
    pm_xreal sum = pm_xreal_add(small, big), product = pm_xreal_mul(big, small);
    assert_int_equal(pm_xreal_cmpabs(sum, big), 0);
    assert_int_equal(product.exp, (INT64_C(1) << 61) - 5);
    assert_int_equal(pm_xreal_cmpabs(small, big), -1);
    assert_int_equal(pm_xreal_cmpabs((pm_xreal){0}, small), -1);
    assert_int_equal(pm_xreal_cmpabs(small, (pm_xreal){0}), 1);
    assert_int_equal(pm_xreal_cmpabs((pm_xreal){0}, (pm_xreal){0}), 0);
}

static void random_mpz(mpz_t z, uint64_t *rng)
{
    mpz_set_ui(z, 0);
    for (uint32_t n = pm_rng_below(rng, 6); n-- > 0;) {
        mpz_mul_2exp(z, z, 64);
        mpz_add_ui(z, z, pm_rng_below(rng, 3) ? pm_rng_next(rng) : UINT64_MAX);
    }
    mpz_tdiv_q_2exp(z, z, pm_rng_below(rng, 64));
    if (pm_rng_below(rng, 2))
        mpz_neg(z, z);
}

static void test_from_exact(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    mpq_t q;
    mpz_t m;
    pm_dyadic d = {0};
    mpq_init(q);
    mpz_init(m);
    for (int r = test_rounds(20000); r-- > 0;) {
        random_mpz(mpq_numref(q), &rng);
        random_mpz(mpq_denref(q), &rng);
        if (mpz_sgn(mpq_denref(q)) == 0)
            mpz_set_ui(mpq_denref(q), 1);
        mpq_canonicalize(q);
        assert_near(pm_xreal_from_mpq(q), q);

        int64_t e = (int64_t)pm_rng_below(&rng, 400) - 200;
        random_mpz(m, &rng);
        pm_dyadic_set_mpz_2exp(&d, m, e);
        mpq_set_z(q, m);
        q_mul_2exp(q, e);
        assert_near(pm_xreal_from_dyadic(&d), q);
        pm_dyadic_set_si(&d, (int64_t)pm_rng_next(&rng));
        pm_dyadic_get_mpz(m, &d);
        mpq_set_z(q, m);
        assert_near(pm_xreal_from_dyadic(&d), q);
    }
    pm_dyadic_clear(&d);
    mpq_clear(q);
    mpz_clear(m);
}

/* ---- text ---- */

/* What printf prints in d.ddde+XX, without trailing zeros, as the rational it shows. */
static void test_text_against_printf(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    mpq_t ours, theirs;
    mpq_inits(ours, theirs, NULL);
    for (int r = test_rounds(5000); r-- > 0;) {
        /* many doubles with few digits, so that ties occur */
        double d = random_part(&rng);
        int digits = 1 + (int)pm_rng_below(&rng, pm_rng_below(&rng, 2) ? 100 : 6);
        int e = pm_rng_below(&rng, 2) ? (int)pm_rng_below(&rng, 30) - 15
                                      : (int)pm_rng_below(&rng, 2000) - 1000;
        if (pm_rng_below(&rng, 2))
            d = rint(d * 4096);
        d = ldexp(d, e);
        char want[256], *text = pm_xreal_text(pm_xreal_make(d, 0, 0), digits);
        assert_non_null(text);
        snprintf(want, sizeof want, "%.*e", digits - 1, d);
        q_from_decimal(ours, text);
        q_from_decimal(theirs, want);
        if (!mpq_equal(ours, theirs))
            fail_msg("%s instead of %s", text, want);
        free(text);
    }
    mpq_clears(ours, theirs, NULL);
}

static void check_text(pm_xreal x, int digits, const char *want)
{
    char *text = pm_xreal_text(x, digits);
    assert_string_equal(text, want);
    free(text);
}

/* q = 10^s */
static void set_power(mpq_t q, int64_t s)
{
    mpq_set_ui(q, 1, 1);
    mpz_ui_pow_ui(mpq_numref(q), 10, (unsigned long)(s < 0 ? -s : s));
    if (s < 0)
        mpq_inv(q, q);
}

/* d is x rounded, and its residue holds. */
static void assert_rounded(pm_xreal x, pm_rounding how, const pm_decimal *d)
{
    mpq_t want, got, unit, bound, away;
    mpz_t n;
    mpq_inits(want, got, unit, bound, away, NULL);
    mpz_init_set_str(n, d->digit, 10);
    q_from_xreal(want, x);
    assert_int_equal(d->is_negative, mpq_sgn(want) < 0);
    mpq_abs(want, want);
    set_power(unit, d->decade + 1 - (int64_t)strlen(d->digit));
    mpq_set_z(got, n);
    mpq_mul(got, got, unit);
    set_power(unit, d->decade);
    assert_true(mpq_cmp(got, unit) >= 0);
    mpq_sub(away, got, want); /* > 0: upwards */
    if (how == PM_ROUND_AWAY)
        assert_true(mpq_sgn(away) >= 0);
    mpq_abs(away, away);
    /* the unit of the last digit, or where 9.99 became 10.0 of the last of 9.99 */
    set_power(unit, d->decade + 1 - d->digits);
    assert_true(mpq_cmp(away, unit) < 0);
    if (how == PM_ROUND_NEAREST) {
        mpq_mul_2exp(away, away, 1);
        assert_true(mpq_cmp(away, unit) <= 0);
        mpq_mul_2exp(unit, unit, 1);
        mpq_div(bound, got, unit); /* whole where the last digit is even */
        mpq_mul_2exp(unit, unit, 1);
        mpq_div_2exp(unit, unit, 2);
        if (mpq_equal(away, unit))
            assert_int_equal(mpz_cmp_ui(mpq_denref(bound), 1), 0);
        mpq_div_2exp(away, away, 1);
    }
    q_from_xreal(bound, d->residue);
    assert_true(mpq_cmp(bound, away) >= 0);
    assert_int_equal(mpq_sgn(bound) > 0, mpq_sgn(away) > 0);
    mpq_set_d(unit, 1 + 0x1p-38);
    mpq_mul(away, away, unit);
    assert_true(mpq_cmp(bound, away) <= 0);
    mpz_clear(n);
    mpq_clears(want, got, unit, bound, away, NULL);
}

/* Digits of sums of two doubles, near 1 and far from it, also ties, are right. */
static void test_digits_of_sums(void **state)
{
    (void)state;
    pm_random r = {.seed = test_seed()};
    int wide = 0;
    for (int k = 0, rounds = test_rounds(20000); k < rounds; ++k) {
        const int gap = 53 + (int)pm_random_below(&r, k % 4 ? 4 : 40);
        const double hi = pm_random_unit(&r) * (k % 2 ? 1 : -1),
                     lo = k % 3 ? (pm_random_unit(&r) - 0.5) * ldexp(1, -gap)
                                : ldexp(k % 2 ? 1 : -1, -gap);
        const pm_xreal x =
            pm_xreal_make(hi, lo * hi, (int64_t)pm_random_below(&r, k % 5 ? 100 : 700) - 60);
        const int digits = 1 + (int)pm_random_below(&r, 36);
        const pm_rounding how = pm_random_below(&r, 3) ? PM_ROUND_NEAREST : PM_ROUND_AWAY;
        pm_decimal d;
        wide += pm_decimal_round_wide(x, digits, how, &d);
        pm_decimal_round(x, digits, how, &d);
        assert_rounded(x, how, &d);
        pm_decimal_round(x, 60, PM_ROUND_NEAREST, &d); /* none of the short ways */
        assert_int_equal(pm_decimal_decade(x), d.decade);
    }
    assert_true(wide > 0);
    /* a half after 20 digits: 12345678901234567890.5 and ...91.5 */
    for (int k = 0; k < 2; ++k) {
        pm_decimal d;
        const pm_xreal x = pm_xreal_make(12345678901234567168.0, 722.5 + k, 0);
        assert_true(pm_decimal_round_wide(x, 20, PM_ROUND_NEAREST, &d));
        assert_string_equal(d.digit, k ? "12345678901234567892" : "1234567890123456789");
        assert_rounded(x, PM_ROUND_NEAREST, &d);
    }
}

static void test_text_layout(void **state)
{
    (void)state;
    static const struct {
        double d;
        int digits;
        const char *want;
    } row[] = {
        {0, 5, "0"},
        {1, 30, "1"},
        {-1, 1, "-1"},
        {0.5, 10, "0.5"},
        {-2.5, 1, "-2"},
        {3.5, 1, "4"},
        {9.5, 1, "1e+01"},
        {9.96, 2, "10"},
        {99.96, 3, "100"},
        {123456, 4, "1.235e+05"},
        {123456, 6, "123456"},
        {123400, 30, "123400"},
        {123.25, 30, "123.25"},
        {1e20, 30, "100000000000000000000"},
        {1e21, 30, "1e+21"},
        {1.5e21, 30, "1.5e+21"},
        {0x1p-14, 30, "0.00006103515625"},
        {0.000001, 3, "1e-06"},
        {0.0001, 3, "0.0001"},
        {0.00009996, 3, "0.0001"},
        {0x1p-1074, 17, "4.9406564584124654e-324"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i)
        check_text(pm_xreal_make(row[i].d, 0, 0), row[i].digits, row[i].want);
    /* a far lower part decides a tie */
    check_text(pm_xreal_make(2.5, 0x1p-900, 0), 1, "3");
    check_text(pm_xreal_make(2.5, -0x1p-900, 0), 1, "2");
    check_text(pm_xreal_make(3.5, -0x1p-900, 0), 1, "3");
}

/* The digits of large exponents were computed in decimal arithmetic of 60 digits. */
static void test_text_of_large_exponents(void **state)
{
    (void)state;
    check_text(pm_xreal_make(1, 0, INT64_C(1000000000)), 30,
               "4.61297600116906939311611922104e+301029995");
    check_text(pm_xreal_make(1, 0, INT64_C(-3000000007)), 20, "7.9587789883586521253e-903089990");
    check_text(pm_xreal_make(1, 0, INT64_C(1152921504606846976)), 30,
               "5.85492786017126176704521895945e+347063955532709820");
    check_text(pm_xreal_make(1, 0, INT64_C(-2305843009213693952)), 25,
               "2.917137520196954331294432e-694127911065419642");
    check_text(pm_xreal_make(3, 0, INT64_C(288230376151711744)), 7, "4.666611e+86765988883177455");
    /* powers of ten themselves: the decade must not be one off on either side */
    mpq_t q;
    mpz_t ten;
    mpq_init(q);
    mpz_init(ten);
    for (unsigned k = 1; k < 400; ++k) {
        char want[32];
        snprintf(want, sizeof want, "1e+%02u", k);
        mpz_ui_pow_ui(ten, 10, k);
        mpq_set_z(q, ten);
        check_text(pm_xreal_from_mpq(q), 1, want);
        mpq_inv(q, q);
        want[2] = '-';
        if (k > 5)
            check_text(pm_xreal_from_mpq(q), 20, want);
    }
    mpz_clear(ten);
    mpq_clear(q);
}

/* ---- range ---- */

static void test_out_of_range(void **state)
{
    (void)state;
    const pm_xreal limit = pm_xreal_make(0.5, 0, INT64_C(1) << 62), one = pm_xreal_make(1, 0, 0);
    const pm_xreal far = pm_xreal_mul(limit, pm_xreal_make(2, 0, 0)), zero = {0};
    assert_true(pm_xreal_is_in_range(limit) && pm_xreal_is_in_range(one));
    assert_false(pm_xreal_is_in_range(far));
    assert_false(pm_xreal_is_in_range(pm_xreal_make(1, 0, INT64_MAX)));
    assert_false(pm_xreal_is_in_range(pm_xreal_make(1, 0, INT64_MIN)));
    assert_false(pm_xreal_is_in_range(pm_xreal_add(far, one)));
    assert_false(pm_xreal_is_in_range(pm_xreal_add(limit, far)));
    assert_false(pm_xreal_is_in_range(pm_xreal_mul(one, far)));
    assert_false(pm_xreal_is_in_range(pm_xreal_add(far, pm_xreal_neg(far))));
    assert_true(pm_xreal_mul(far, zero).hi == 0);
    assert_true(isnan(pm_xreal_ratio(one, far)) && isnan(pm_xreal_ratio(far, one)));
    assert_int_equal(pm_xreal_cmpabs(far, limit), 1);
    assert_int_equal(pm_xreal_cmpabs(limit, far), -1);
    assert_int_equal(pm_xreal_cmpabs(far, far), 0);

    pm_value v;
    mpz_t k;
    mpz_init_set_ui(k, 2);
    pm_value_init(&v);
    assert_true(pm_value_is_in_range(&v));
    pm_value_set_real(&v, PM_REAL, one, zero, far);
    assert_false(pm_value_is_in_range(&v));
    assert_int_equal(pm_value_pow(&v, k, NULL), PM_UNABLE);
    pm_value_clear(&v);
    mpz_clear(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make),
        cmocka_unit_test(test_add_and_mul),
        cmocka_unit_test(test_far_exponents),
        cmocka_unit_test(test_from_exact),
        cmocka_unit_test(test_text_against_printf),
        cmocka_unit_test(test_digits_of_sums),
        cmocka_unit_test(test_text_layout),
        cmocka_unit_test(test_text_of_large_exponents),
        cmocka_unit_test(test_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
