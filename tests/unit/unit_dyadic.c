/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dyadic numbers against GMP's rationals and the C library's correctly rounded strtod. */
#include "config.h"

#include "support/testing.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/dyadic.h"
#include "text/number.h"

/* ---- the same numbers in GMP ---- */

static void q_mul_2exp(mpq_t q, int64_t e)
{
    if (e < 0)
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
    else
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
}

static void q_from_dyadic(mpq_t q, const pm_dyadic *a)
{
    if (a->kind == PM_DYADIC_BIG)
        mpq_set_z(q, a->m.big);
    else
        mpq_set_si(q, a->m.small, 1);
    q_mul_2exp(q, a->exp);
}

static void assert_normal(const pm_dyadic *a)
{
    if (a->kind == PM_DYADIC_BIG) {
        assert_true(mpz_odd_p(a->m.big));
        assert_true(mpz_sizeinbase(a->m.big, 2) > 63);
    } else if (a->m.small == 0) {
        assert_int_equal(a->exp, 0);
    } else {
        assert_true(a->m.small & 1);
    }
}

static void assert_same(const pm_dyadic *a, const mpq_t want)
{
    mpq_t q;
    mpq_init(q);
    assert_normal(a);
    q_from_dyadic(q, a);
    assert_true(mpq_equal(q, want));
    mpq_clear(q);
}

/* ---- random numbers of every size ---- */

static double random_double(uint64_t *rng)
{
    union {
        uint64_t bits;
        double d;
    } u;
    do {
        u.bits = pm_rng_next(rng);
        switch (pm_rng_below(rng, 4)) {
        case 0: u.bits &= UINT64_C(0x800fffffffffffff); break; /* subnormal */
        case 1: u.bits &= ~UINT64_C(0) << pm_rng_below(rng, 53); break;
        case 2: return (double)(int64_t)(u.bits >> 32) - 0x1p31;
        default: break;
        }
    } while (!isfinite(u.d));
    return u.d;
}

/* m of up to most_bits bits, often with long runs of equal bits, either sign. */
static void random_mpz(mpz_t m, uint64_t *rng, uint32_t most_bits)
{
    static const uint64_t fill[] = {0, ~UINT64_C(0)};
    mpz_set_ui(m, 0);
    uint32_t bits = pm_rng_below(rng, most_bits + 1);
    for (uint32_t have = 0; have < bits; have += 64) {
        uint32_t kind = pm_rng_below(rng, 4);
        mpz_mul_2exp(m, m, 64);
        mpz_add_ui(m, m, kind < 2 ? fill[kind] : pm_rng_next(rng));
    }
    mpz_tdiv_r_2exp(m, m, bits);
    if (pm_rng_below(rng, 2))
        mpz_neg(m, m);
}

static void random_pair(pm_dyadic *x, mpq_t q, uint64_t *rng)
{
    mpz_t m;
    mpz_init(m);
    switch (pm_rng_below(rng, 4)) {
    case 0: {
        double d = random_double(rng);
        pm_dyadic_set_d(x, d);
        mpq_set_d(q, d);
        break;
    }
    case 1: {
        int64_t s = (int64_t)pm_rng_next(rng) >> pm_rng_below(rng, 64);
        if (pm_rng_below(rng, 8) == 0)
            s = pm_rng_below(rng, 2) ? INT64_MIN : INT64_MAX;
        pm_dyadic_set_si(x, s);
        mpq_set_si(q, s, 1);
        break;
    }
    case 2:
        random_mpz(m, rng, 300);
        pm_dyadic_set_mpz(x, m);
        mpq_set_z(q, m);
        break;
    default: {
        int64_t e = (int64_t)pm_rng_below(rng, 600) - 300;
        random_mpz(m, rng, 130);
        pm_dyadic_set_mpz_2exp(x, m, e);
        mpq_set_z(q, m);
        q_mul_2exp(q, e);
    }
    }
    mpz_clear(m);
    assert_same(x, q);
}

/* ---- tests ---- */

enum { SLOTS = 8 };

static void step(pm_dyadic *x, mpq_t *q, uint64_t *rng)
{
    uint32_t a = pm_rng_below(rng, SLOTS), b = pm_rng_below(rng, SLOTS),
             c = pm_rng_below(rng, SLOTS);
    int64_t e = (int64_t)pm_rng_below(rng, 200) - 100;
    switch (pm_rng_below(rng, 8)) {
    case 0: random_pair(&x[a], q[a], rng); break;
    case 1:
    case 2:
        pm_dyadic_add(&x[a], &x[b], &x[c]);
        mpq_add(q[a], q[b], q[c]);
        break;
    case 3:
    case 4:
        pm_dyadic_mul(&x[a], &x[b], &x[c]);
        mpq_mul(q[a], q[b], q[c]);
        break;
    case 5:
        pm_dyadic_neg(&x[a]);
        mpq_neg(q[a], q[a]);
        break;
    case 6:
        pm_dyadic_mul_2exp(&x[a], e);
        q_mul_2exp(q[a], e);
        break;
    default: pm_dyadic_set(&x[a], &x[b]); mpq_set(q[a], q[b]);
    }
    assert_same(&x[a], q[a]);
    assert_int_equal(pm_dyadic_sign(&x[a]), mpq_sgn(q[a]));
    assert_int_equal(pm_dyadic_is_zero(&x[a]), mpq_sgn(q[a]) == 0);
    assert_int_equal(pm_dyadic_is_one(&x[a]), mpq_cmp_ui(q[a], 1, 1) == 0);
    assert_int_equal(pm_dyadic_is_integer(&x[a]), mpz_cmp_ui(mpq_denref(q[a]), 1) == 0);
    assert_int_equal(pm_dyadic_equal(&x[a], &x[b]), mpq_equal(q[a], q[b]));
    if (pm_dyadic_bits(&x[a]) > 4000)
        random_pair(&x[a], q[a], rng);
}

static void test_arithmetic(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    pm_dyadic x[SLOTS] = {0};
    mpq_t q[SLOTS];
    for (int i = 0; i < SLOTS; ++i)
        mpq_init(q[i]);
    for (int r = test_rounds(200000); r-- > 0;)
        step(x, q, &rng);
    for (int i = 0; i < SLOTS; ++i) {
        pm_dyadic_clear(&x[i]);
        assert_true(pm_dyadic_is_zero(&x[i]));
        mpq_clear(q[i]);
    }
}

static void test_cancellation(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    pm_dyadic x = {0}, y = {0};
    mpq_t q;
    mpq_init(q);
    for (int r = test_rounds(2000); r-- > 0;) {
        random_pair(&x, q, &rng);
        pm_dyadic_set(&y, &x);
        pm_dyadic_neg(&y);
        pm_dyadic_add(&y, &y, &x);
        assert_int_equal(y.kind, PM_DYADIC_SMALL);
        assert_true(pm_dyadic_is_zero(&y));
        assert_int_equal(y.exp, 0);
        pm_dyadic_abs(&x);
        mpq_abs(q, q);
        assert_same(&x, q);
    }
    pm_dyadic_clear(&x);
    pm_dyadic_clear(&y);
    mpq_clear(q);
}

/* An exponent that does not fit is never an answer: it stays out of range but for a product with 0.
 * */
static void test_out_of_range(void **state)
{
    (void)state;
    pm_dyadic far = {0}, near = {0}, x = {0};
    pm_dyadic_set_si(&near, 3);
    for (int sign = -1; sign <= 1; sign += 2) {
        pm_dyadic_set_si(&far, 5);
        pm_dyadic_mul_2exp(&far, sign * (INT64_C(1) << 30));
        assert_true(pm_dyadic_is_in_range(&far));
        pm_dyadic_mul(&x, &far, &far); /* 2^31, and -2^31, which fits */
        assert_int_equal(pm_dyadic_is_in_range(&x), sign < 0);
        pm_dyadic_mul(&far, &x, &far);
        assert_false(pm_dyadic_is_in_range(&far));
        assert_false(pm_dyadic_is_zero(&far) || pm_dyadic_is_one(&far));
        assert_false(pm_dyadic_is_integer(&far) || pm_dyadic_equal(&far, &far));
        pm_dyadic_add(&x, &near, &far);
        assert_false(pm_dyadic_is_in_range(&x));
        pm_dyadic_neg(&x);
        pm_dyadic_add(&x, &x, &far);
        assert_false(pm_dyadic_is_in_range(&x));
        pm_dyadic_mul(&x, &far, &near);
        assert_false(pm_dyadic_is_in_range(&x));
        pm_dyadic_mul_2exp(&x, -sign * (INT64_C(1) << 31));
        assert_false(pm_dyadic_is_in_range(&x));
        pm_dyadic_clear(&x);
        pm_dyadic_mul(&x, &far, &x);
        assert_true(pm_dyadic_is_zero(&x));
        pm_dyadic_set(&x, &far);
        assert_false(pm_dyadic_is_in_range(&x));
        pm_dyadic_set_si(&x, 7);
        assert_true(pm_dyadic_is_in_range(&x) && x.m.small == 7);
    }
    pm_dyadic_clear(&far);
    pm_dyadic_clear(&near);
    pm_dyadic_clear(&x);
}

static void assert_same_double(double got, double want, const char *of)
{
    if (got != want)
        fail_msg("%a instead of %a for %s", got, want, of);
}

/* |q - d|; an infinite d counts as 2^1024, where rounding puts it. */
static void q_distance(mpq_t out, const mpq_t q, double d)
{
    if (isinf(d)) {
        mpq_set_d(out, d > 0 ? 0x1p1023 : -0x1p1023);
        mpq_mul_2exp(out, out, 1);
    } else {
        mpq_set_d(out, d);
    }
    mpq_sub(out, out, q);
    mpq_abs(out, out);
}

/* No neighbour of d is nearer to q, and none is as near unless d is the even one. */
static void assert_nearest(double d, const mpq_t q)
{
    union {
        double d;
        uint64_t bits;
    } u = {d};
    mpq_t here, there;
    mpq_inits(here, there, NULL);
    q_distance(here, q, d);
    for (int side = -1; side <= 1; side += 2) {
        if (isinf(d) && side == (d > 0 ? 1 : -1))
            continue;
        q_distance(there, q, nextafter(d, side < 0 ? -INFINITY : INFINITY));
        int cmp = mpq_cmp(here, there);
        if (cmp > 0 || (cmp == 0 && (u.bits & 1)))
            fail_msg("%a is not the nearest", d);
    }
    mpq_clears(here, there, NULL);
}

/* m * 2^e to a double: by definition, and against strtod of all its decimal digits.  The latter
 * not among the subnormals: glibc 2.36 makes 0 of 0x1.00000000000008p-1075. */
static void check_double(const mpz_t m, int64_t e)
{
    char text[2048];
    mpq_t q;
    mpz_t digits;
    pm_dyadic x = {0};
    mpq_init(q);
    mpz_init(digits);
    pm_dyadic_set_mpz_2exp(&x, m, e);
    q_from_dyadic(q, &x);
    double d = pm_dyadic_get_d(&x);
    assert_nearest(d, q);
    if (fabs(d) > 0x1p-1022) {
        mpz_ui_pow_ui(digits, e < 0 ? 5 : 2, (unsigned long)(e < 0 ? -e : e));
        mpz_mul(digits, digits, m);
        gmp_snprintf(text, sizeof text, "%Zde%" PRId64, digits, e < 0 ? e : 0);
        assert_same_double(d, strtod(text, NULL), text);
    }
    pm_dyadic_clear(&x);
    mpz_clear(digits);
    mpq_clear(q);
}

static void test_get_d_is_correctly_rounded(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    mpz_t m;
    mpz_init(m);
    for (int r = test_rounds(20000); r-- > 0;) {
        random_mpz(m, &rng, 200);
        mpz_setbit(m, pm_rng_below(&rng, 3));
        int64_t bits = (int64_t)mpz_sizeinbase(m, 2), top;
        switch (pm_rng_below(&rng, 4)) {
        case 0: top = -1076 + (int64_t)pm_rng_below(&rng, 60); break; /* subnormal and below */
        case 1: top = 1020 + (int64_t)pm_rng_below(&rng, 8); break;   /* up to overflow */
        default: top = (int64_t)pm_rng_below(&rng, 2200) - 1100;
        }
        check_double(m, top - bits);
    }
    /* ties at every precision, and next to them */
    for (int64_t bits = 1; bits <= 70; ++bits)
        for (int64_t top = -1080; top <= -1010; ++top)
            for (int odd = 0; odd < 2; ++odd)
                for (int off = -1; off <= 1; ++off) {
                    mpz_set_ui(m, 1);
                    mpz_mul_2exp(m, m, (mp_bitcnt_t)bits);
                    mpz_add_ui(m, m, odd ? 3 : 1);
                    mpz_mul_2exp(m, m, 80);
                    if (off < 0)
                        mpz_sub_ui(m, m, 1);
                    else
                        mpz_add_ui(m, m, (unsigned long)off);
                    check_double(m, top - bits - 81);
                }
    mpz_clear(m);
}

static void test_doubles_come_back(void **state)
{
    (void)state;
    static const double special[] = {0.0,    -0.0,   0x1p-1074, 0x1.fffffffffffffp-1023, 0x1p-1022,
                                     1.0,    -1.0,   0x1p53,    0x1.fffffffffffffp1023,  0.1,
                                     0x1p63, -0x1p63};
    uint64_t rng = test_seed();
    pm_dyadic x = {0};
    for (size_t i = 0; i < sizeof special / sizeof *special; ++i) {
        pm_dyadic_set_d(&x, special[i]);
        assert_normal(&x);
        assert_same_double(pm_dyadic_get_d(&x), special[i], "itself");
    }
    for (int r = test_rounds(100000); r-- > 0;) {
        double d = random_double(&rng);
        pm_dyadic_set_d(&x, d);
        assert_same_double(pm_dyadic_get_d(&x), d, "itself");
    }
}

static void test_mod(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    pm_dyadic x = {0};
    mpz_t z;
    mpz_init(z);
    for (int r = test_rounds(20000); r-- > 0;) {
        uint64_t p = pm_rng_next(&rng) >> pm_rng_below(&rng, 63);
        if (p < 2)
            p = 2;
        random_mpz(z, &rng, 200);
        mpz_mul_2exp(z, z, pm_rng_below(&rng, 100));
        pm_dyadic_set_mpz(&x, z);
        assert_true(pm_dyadic_mod(&x, p) == mpz_fdiv_ui(z, p));
        pm_dyadic_get_mpz(z, &x);
        assert_true(pm_dyadic_mod(&x, p) == mpz_fdiv_ui(z, p));
    }
    pm_dyadic_clear(&x);
    mpz_clear(z);
}

/* The number that a text shows: decimal integer, hex float, or what strtod makes of it. */
static void q_from_text(mpq_t q, const char *text)
{
    const char *hex = strstr(text, "0x"), *point = strchr(text, 'p');
    if (hex) {
        assert_non_null(point);
        char *m = strndup(hex + 2, (size_t)(point - hex - 2));
        assert_int_equal(mpz_set_str(mpq_numref(q), m, 16), 0);
        mpz_set_ui(mpq_denref(q), 1);
        free(m);
        q_mul_2exp(q, strtoll(point + 1, NULL, 10));
        if (text[0] == '-')
            mpq_neg(q, q);
    } else if (text[strspn(text, "-0123456789")] == '\0') {
        assert_int_equal(mpq_set_str(q, text, 10), 0);
    } else {
        char *end;
        mpq_set_d(q, strtod(text, &end));
        assert_int_equal(*end, '\0');
    }
}

static void test_text_reads_back(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    pm_dyadic x = {0};
    mpq_t q, back;
    mpq_inits(q, back, NULL);
    for (int r = test_rounds(30000); r-- > 0;) {
        random_pair(&x, q, &rng);
        for (int as_integer = 0; as_integer <= pm_dyadic_is_integer(&x); ++as_integer) {
            char *text = pm_dyadic_text(&x, as_integer);
            assert_non_null(text);
            if (as_integer)
                assert_int_equal(text[strspn(text, "-0123456789")], '\0');
            q_from_text(back, text);
            if (!as_integer && isfinite(pm_dyadic_get_d(&x)) && !strstr(text, "0x"))
                mpq_set_d(back, strtod(text, NULL));
            assert_true(mpq_equal(q, back));
            free(text);
        }
    }
    pm_dyadic_clear(&x);
    mpq_clears(q, back, NULL);
}

static void test_text_of_fractions(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    pm_dyadic x = {0}, back = {0};
    mpq_t q;
    mpq_init(q);
    for (int r = test_rounds(3000); r-- > 0;) {
        const int64_t above = (int64_t)pm_rng_below(&rng, 2000001) - 1000000;
        mpq_set_si(q, above, 3 + 2 * pm_rng_below(&rng, 1000000));
        mpq_canonicalize(q);
        pm_dyadic_set_mpq_2exp(&x, q, (int64_t)pm_rng_below(&rng, 2000001) - 1000000);
        char *text = pm_dyadic_text(&x, false);
        assert_non_null(text);
        assert_true(pm_number_parse_as(text, (int64_t)strlen(text), true, &back) <= PM_NUMBER_REAL);
        assert_true(pm_dyadic_equal(&x, &back));
        free(text);
    }
    pm_dyadic_clear(&x);
    pm_dyadic_clear(&back);
    mpq_clear(q);
}

static void check_text(double d, const char *want)
{
    pm_dyadic x = {0};
    pm_dyadic_set_d(&x, d);
    char *text = pm_dyadic_text(&x, false);
    assert_string_equal(text, want);
    free(text);
}

static void test_text_is_short(void **state)
{
    (void)state;
    check_text(0, "0");
    check_text(0.1, "0.1");
    check_text(-2.5, "-2.5");
    check_text(1e300, "1e+300");
    check_text(0x1p-1074, "4.9406564584124654e-324");
    pm_dyadic x = {0};
    pm_dyadic_set_si(&x, INT64_MAX);
    char *text = pm_dyadic_text(&x, false);
    assert_string_equal(text, "0x7fffffffffffffffp+0");
    free(text);
    pm_alloc_fail_at(1);
    assert_null(pm_dyadic_text(&x, false));
    pm_alloc_fail_at(1);
    assert_null(pm_dyadic_text(&x, true));
    pm_alloc_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),        cmocka_unit_test(test_cancellation),
        cmocka_unit_test(test_out_of_range),      cmocka_unit_test(test_get_d_is_correctly_rounded),
        cmocka_unit_test(test_doubles_come_back), cmocka_unit_test(test_mod),
        cmocka_unit_test(test_text_reads_back),   cmocka_unit_test(test_text_of_fractions),
        cmocka_unit_test(test_text_is_short),
    };
    return cmocka_run_group_tests_name("dyadic", tests, NULL, NULL);
}
