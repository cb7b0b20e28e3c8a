/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact sums of doubles against GMP's rationals. */
#include "config.h"

#include "support/testing.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/exact_sum.h"

static uint64_t rng;

/* ---- numbers ---- */

/* Any finite double: all exponents, subnormals and zeros too. */
static double any_double(void)
{
    for (;;) {
        uint64_t bits = pm_rng_next(&rng);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (pm_rng_below(&rng, 8) == 0)
            x = ldexp(x, -2000); /* 0 or -0, as a rule; a NaN stays one */
        if (pm_rng_below(&rng, 8) == 0)
            x = ldexp((double)(int64_t)pm_rng_next(&rng), -1074 - (int)pm_rng_below(&rng, 64));
        if (isfinite(x))
            return x;
    }
}

/* Of exponents near each other, so that sums cancel and carry. */
static double near_double(void)
{
    return ldexp((double)(int64_t)pm_rng_next(&rng), (int)pm_rng_below(&rng, 100) - 50);
}

static double one_of_few(void)
{
    static const double few[] = {1,          -1,      0x1p53,    -0x1p53,   0x1p-1074,
                                 -0x1p-1074, DBL_MAX, -DBL_MAX,  0x1p-1022, 0x1p32,
                                 -0x1p32,    0x1p64,  0x1.8p-32, 0.0,       -0.0};
    return few[pm_rng_below(&rng, sizeof few / sizeof *few)];
}

enum { NUMBERS = 40 };

static int random_numbers(double x[NUMBERS])
{
    static double (*const kinds[])(void) = {any_double, near_double, one_of_few};
    double (*kind)(void) = kinds[pm_rng_below(&rng, 3)];
    int n = (int)pm_rng_below(&rng, NUMBERS);
    for (int i = 0; i < n; ++i) {
        x[i] = kind();
        if (i && pm_rng_below(&rng, 3) == 0)
            x[i] = -x[pm_rng_below(&rng, (uint32_t)i)];
    }
    return n;
}

static void shuffle(double *x, int n)
{
    for (int i = n - 1; i > 0; --i) {
        int j = (int)pm_rng_below(&rng, (uint32_t)i + 1);
        double t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
}

/* ---- checks ---- */

static void add_all(const double *x, int n, pm_exact_sum *s)
{
    for (int i = 0; i < n; ++i)
        pm_exact_sum_add(s, x[i]);
}

static void rational_sum(const double *x, int n, mpq_t q)
{
    mpq_t t;
    mpq_init(t);
    mpq_set_ui(q, 0, 1);
    for (int i = 0; i < n; ++i) {
        mpq_set_d(t, x[i]);
        mpq_add(q, q, t);
    }
    mpq_clear(t);
}

/* The digits, by the definition of the header. */
static void value_of(const pm_exact_sum *s, mpq_t q)
{
    mpz_t z;
    mpz_init(z);
    for (int k = PM_EXACT_DIGITS - 1; k >= 0; --k) {
        mpz_mul_2exp(z, z, 32);
        if (s->digit[k] < 0)
            mpz_sub_ui(z, z, (uint64_t)-s->digit[k]);
        else
            mpz_add_ui(z, z, (uint64_t)s->digit[k]);
    }
    mpq_set_z(q, z);
    mpq_div_2exp(q, q, -PM_EXACT_LOWEST);
    mpz_clear(z);
}

static void assert_equal(const pm_exact_sum *s, const mpq_t want)
{
    mpq_t q;
    mpq_init(q);
    value_of(s, q);
    assert_true(mpq_equal(q, want));
    mpq_clear(q);
}

static void assert_same(pm_exact_sum a, pm_exact_sum b)
{
    pm_exact_sum_carry(&a);
    pm_exact_sum_carry(&b);
    if (a.special == 0) /* an infinity is not continued by finite numbers */
        assert_memory_equal(a.digit, b.digit, sizeof a.digit);
    assert_true(a.special == b.special || (isnan(a.special) && isnan(b.special)));
}

/* |out[0] + out[1] - want| <= 2^-105 |want| + 2^-1074, unless want is beyond the doubles */
static void assert_rounded(const pm_exact_sum *s, const mpq_t want)
{
    double out[2];
    mpq_t q, bound, most;
    mpq_inits(q, bound, most, NULL);
    pm_exact_sum_round(s, out);
    mpq_abs(bound, want);
    mpq_set_d(most, DBL_MAX);
    if (mpq_cmp(bound, most) > 0 && isinf(out[0])) {
        assert_true((out[0] > 0) == (mpq_sgn(want) > 0));
        assert_true(out[1] == 0);
    } else {
        assert_true(isfinite(out[0]) && isfinite(out[1]));
        assert_true(out[0] + out[1] == out[0]);
        rational_sum(out, 2, q);
        mpq_sub(q, q, want);
        mpq_abs(q, q);
        mpq_div_2exp(bound, bound, 105);
        mpq_set_d(most, 0x1p-1074);
        mpq_add(bound, bound, most);
        assert_true(mpq_cmp(q, bound) <= 0);
        assert_true(mpq_sgn(want) != 0 || (out[0] == 0 && !signbit(out[0])));
    }
    mpq_clears(q, bound, most, NULL);
}

static void assert_text_goes_round(const pm_exact_sum *s)
{
    char text[PM_EXACT_TEXT], again[PM_EXACT_TEXT];
    pm_exact_sum read;
    pm_exact_sum_text(s, text);
    assert_null(strchr(text, ' '));
    assert_true(pm_exact_sum_read(text, &read));
    assert_same(read, *s);
    pm_exact_sum_text(&read, again);
    assert_string_equal(text, again);
}

/* ---- tests ---- */

static void against_rationals(void **state)
{
    (void)state;
    mpq_t want;
    mpq_init(want);
    for (int round = 0; round < test_rounds(4000); ++round) {
        double x[NUMBERS];
        pm_exact_sum s = {0};
        int n = random_numbers(x);
        add_all(x, n, &s);
        rational_sum(x, n, want);
        assert_equal(&s, want);
        assert_rounded(&s, want);
        assert_text_goes_round(&s);
        pm_exact_sum_carry(&s);
        assert_equal(&s, want);
        for (int k = 0; k < PM_EXACT_DIGITS - 1; ++k)
            assert_true(s.digit[k] >= 0 && s.digit[k] < INT64_C(1) << 32);
    }
    mpq_clear(want);
}

/* Added one after another, or in groups that are merged as a tree, in another sequence. */
static void sequence_does_not_matter(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(2000); ++round) {
        double x[NUMBERS];
        pm_exact_sum s = {0}, part[NUMBERS + 1] = {{{0}, 0, 0}};
        int n = random_numbers(x), parts = 1 + (int)pm_rng_below(&rng, NUMBERS);
        if (n && pm_rng_below(&rng, 4) == 0)
            x[pm_rng_below(&rng, (uint32_t)n)] = pm_rng_below(&rng, 2) ? INFINITY : NAN;
        if (n && pm_rng_below(&rng, 8) == 0)
            x[pm_rng_below(&rng, (uint32_t)n)] = -INFINITY;
        add_all(x, n, &s);
        shuffle(x, n);
        for (int i = 0; i < n; ++i)
            pm_exact_sum_add(&part[pm_rng_below(&rng, (uint32_t)parts)], x[i]);
        while (parts > 1) {
            int into = (int)pm_rng_below(&rng, (uint32_t)--parts);
            pm_exact_sum_merge(&part[into], &part[parts]);
        }
        assert_same(part[0], s);
    }
}

static void cancels_to_zero(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(1000); ++round) {
        double x[2 * NUMBERS], out[2];
        char text[PM_EXACT_TEXT];
        pm_exact_sum s = {0}, zero = {0};
        int n = random_numbers(x);
        for (int i = 0; i < n; ++i)
            x[n + i] = -x[i];
        shuffle(x, 2 * n);
        add_all(x, 2 * n, &s);
        assert_same(s, zero);
        pm_exact_sum_round(&s, out);
        assert_true(out[0] == 0 && out[1] == 0 && !signbit(out[0]));
        pm_exact_sum_text(&s, text);
        assert_string_equal(text, "0p0");
    }
}

/* The carries are made often enough: the counter is set to where they are due. */
static void many_additions(void **state)
{
    (void)state;
    static const double x[] = {DBL_MAX, -DBL_MAX, 0x1.fffffffffffffp31, -0x1.fffffffffffffp31};
    mpq_t want, one;
    mpq_inits(want, one, NULL);
    for (size_t i = 0; i < sizeof x / sizeof *x; ++i) {
        pm_exact_sum s = {0};
        mpq_set_d(one, x[i]);
        mpq_set_ui(want, 3 << 20, 1);
        mpq_mul(want, want, one);
        for (int k = 0; k < 3 << 20; ++k) {
            if (k % 1000 == 0)
                s.added += 1 << 28;
            pm_exact_sum_add(&s, x[i]);
        }
        assert_equal(&s, want);
        /* as many as 2^63 of the largest double */
        for (int k = 0; k < 41; ++k) {
            pm_exact_sum twice = s;
            pm_exact_sum_merge(&s, &twice);
        }
        mpq_mul_2exp(want, want, 41);
        assert_equal(&s, want);
        assert_rounded(&s, want);
        assert_text_goes_round(&s);
    }
    mpq_clears(want, one, NULL);
}

static void assert_special(const double *x, int n, double want)
{
    double out[2];
    pm_exact_sum s = {0};
    add_all(x, n, &s);
    pm_exact_sum_round(&s, out);
    assert_true(isnan(want) ? isnan(out[0]) : out[0] == want);
    assert_true(out[1] == 0);
    assert_text_goes_round(&s);
}

static void infinities(void **state)
{
    (void)state;
    assert_special((double[]){1, INFINITY, -DBL_MAX}, 3, INFINITY);
    assert_special((double[]){-INFINITY, DBL_MAX, 3}, 3, -INFINITY);
    assert_special((double[]){INFINITY, INFINITY}, 2, INFINITY);
    assert_special((double[]){INFINITY, 2, -INFINITY}, 3, NAN);
    assert_special((double[]){NAN, 1}, 2, NAN);
    assert_special((double[]){INFINITY, NAN}, 2, NAN);
}

/* A sum may leave the doubles and come back. */
static void beyond_doubles(void **state)
{
    (void)state;
    double out[2];
    pm_exact_sum s = {0};
    for (int i = 0; i < 5; ++i)
        pm_exact_sum_add(&s, DBL_MAX);
    pm_exact_sum_round(&s, out);
    assert_true(out[0] == INFINITY && out[1] == 0);
    for (int i = 0; i < 10; ++i)
        pm_exact_sum_add(&s, -DBL_MAX);
    pm_exact_sum_round(&s, out);
    assert_true(out[0] == -INFINITY && out[1] == 0);
    for (int i = 0; i < 5; ++i)
        pm_exact_sum_add(&s, DBL_MAX);
    pm_exact_sum_add(&s, 0x1p-1074);
    pm_exact_sum_round(&s, out);
    assert_true(out[0] == 0x1p-1074 && out[1] == 0);
}

static void wrong_texts(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "p",
                                        "p0",
                                        "-p0",
                                        "0",
                                        "-0p0",
                                        "0p32",
                                        "1p1",
                                        "1p-1089",
                                        "1p-1120",
                                        "1p",
                                        "1p ",
                                        "1p0 ",
                                        " 1p0",
                                        "1p0x",
                                        "g1p0",
                                        "+1p0",
                                        "1-p0",
                                        "A0p0",
                                        "1p9223372036854775807",
                                        "1p99999999999999999999",
                                        "1p-9223372036854775808",
                                        "1p1120",
                                        "100000000p1088",
                                        "infinity",
                                        "-nan",
                                        "INF",
                                        "--1p0",
                                        "1pp0",
                                        "1p 0",
                                        "0x1p0",
                                        "1p0p0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        pm_exact_sum s;
        bool is_read = pm_exact_sum_read(wrong[i], &s);
        if (is_read)
            print_error("'%s' was read\n", wrong[i]);
        assert_false(is_read);
    }
    pm_exact_sum s, one = {0};
    pm_exact_sum_add(&one, 1);
    assert_true(pm_exact_sum_read("1p0", &s));
    assert_same(s, one);
    assert_true(pm_exact_sum_read("100000000p-32", &s));
    assert_same(s, one);
}

/* Texts with any byte changed are refused or read as a number; nothing is written beside the digits. */
static void changed_texts(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(2000); ++round) {
        double x[NUMBERS];
        struct {
            pm_exact_sum s;
            uint64_t guard;
        } g = {.guard = 0x1234567812345678};
        pm_exact_sum s = {0};
        char text[PM_EXACT_TEXT];
        add_all(x, random_numbers(x), &s);
        pm_exact_sum_text(&s, text);
        for (int i = 0; i < 3; ++i)
            text[pm_rng_below(&rng, (uint32_t)strlen(text))] =
                (char)("0123456789abcdefp-"[pm_rng_below(&rng, 18)]);
        if (pm_exact_sum_read(text, &g.s))
            assert_text_goes_round(&g.s);
        assert_true(g.guard == 0x1234567812345678);
    }
}

/* A sum of doubles times a power of two is the sum of those doubles times it; of any doubles up and down again. */
static void powers_of_two(void **state)
{
    (void)state;
    for (int round = test_rounds(2000); round > 0; --round) {
        double x[NUMBERS];
        const int n = random_numbers(x),
                  bits = (int)pm_rng_below(&rng, 2 * PM_EXACT_SCALE + 1) - PM_EXACT_SCALE;
        pm_exact_sum sum = {.added = 0}, scaled = {.added = 0};
        for (int i = 0; i < n; ++i)
            pm_exact_sum_add(&sum, x[i]);
        pm_exact_sum there = sum, near = {.added = 0};
        pm_exact_sum_scale(&there, abs(bits));
        pm_exact_sum_scale(&there, -abs(bits));
        pm_exact_sum_carry(&sum);
        assert_memory_equal(sum.digit, there.digit, sizeof sum.digit);
        for (int i = 0; i < NUMBERS; ++i) {
            const double y = near_double();
            pm_exact_sum_add(&near, y);
            pm_exact_sum_add(&scaled, ldexp(y, bits));
        }
        pm_exact_sum_scale(&near, bits);
        pm_exact_sum_carry(&scaled);
        assert_memory_equal(scaled.digit, near.digit, sizeof near.digit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_rationals), cmocka_unit_test(sequence_does_not_matter),
        cmocka_unit_test(powers_of_two),     cmocka_unit_test(cancels_to_zero),
        cmocka_unit_test(many_additions),    cmocka_unit_test(infinities),
        cmocka_unit_test(beyond_doubles),    cmocka_unit_test(wrong_texts),
        cmocka_unit_test(changed_texts),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
