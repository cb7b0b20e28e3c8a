/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extended reals, their decimal text, and values with error bounds, against GMP's rationals. */
#include "config.h"

#include "support/testing.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/value.h"

/* ---- the same numbers in GMP ---- */

static void q_mul_2exp(mpq_t q, int64_t e)
{
    if (e < 0)
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
    else
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
}

static void q_from_xreal(mpq_t q, pm_xreal x)
{
    mpq_t lo;
    mpq_init(lo);
    mpq_set_d(q, x.hi);
    mpq_set_d(lo, x.lo);
    mpq_add(q, q, lo);
    q_mul_2exp(q, x.exp);
    mpq_clear(lo);
}

static void assert_normal(pm_xreal x)
{
    if (x.hi == 0) {
        assert_true(x.lo == 0 && x.exp == 0);
    } else {
        assert_true(fabs(x.hi) >= 0.5 && fabs(x.hi) < 1);
        assert_true(x.hi + x.lo == x.hi);
    }
}

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

/* "-1.25e+300", "120", "0.5" as a rational. */
static void q_from_decimal(mpq_t q, const char *text)
{
    char digits[256];
    size_t n = 0;
    int64_t exponent = 0;
    bool point = false;
    mpz_t ten;
    for (; *text && *text != 'e' && *text != '\t'; ++text) {
        assert_true(n + 1 < sizeof digits && strchr("-.0123456789", *text));
        if (*text == '.') {
            point = true;
            continue;
        }
        digits[n++] = *text;
        exponent -= point;
    }
    digits[n] = '\0';
    assert_int_equal(mpq_set_str(q, digits, 10), 0);
    if (*text == 'e')
        exponent += strtoll(text + 1, NULL, 10);
    mpz_init(ten);
    mpz_ui_pow_ui(ten, 10, (unsigned long)llabs(exponent));
    if (exponent < 0)
        mpz_mul(mpq_denref(q), mpq_denref(q), ten);
    else
        mpz_mul(mpq_numref(q), mpq_numref(q), ten);
    mpq_canonicalize(q);
    mpz_clear(ten);
}

/* ---- random numbers ---- */

static double random_part(uint64_t *rng)
{
    double d = pm_rng_unit(rng) * 2 - 1;
    switch (pm_rng_below(rng, 4)) {
    case 0: return rint(d * 8);
    case 1: return copysign(1 - pm_rng_unit(rng) * 0x1p-50, d);
    default: return d;
    }
}

static pm_xreal random_xreal(uint64_t *rng, uint32_t exponents)
{
    double hi = random_part(rng), lo = random_part(rng);
    int gap = pm_rng_below(rng, 4) ? 53 : (int)pm_rng_below(rng, 120);
    if (pm_rng_below(rng, 8) == 0)
        lo = 0;
    return pm_xreal_make(hi, ldexp(lo, -gap),
                         (int64_t)pm_rng_below(rng, exponents) - exponents / 2);
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

/* ---- values ---- */

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

/* ---- products ---- */

/* ---- logarithms ---- */

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
        cmocka_unit_test(test_text_layout),
        cmocka_unit_test(test_text_of_large_exponents),
        cmocka_unit_test(test_errors_are_bounds),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_errors_stay_small),
        cmocka_unit_test(test_exact_ones_and_zeros),
        cmocka_unit_test(test_widen),
        cmocka_unit_test(test_powers_that_do_not_fit),
        cmocka_unit_test(test_value_text),
        cmocka_unit_test(test_text_when_memory_ends),
        cmocka_unit_test(test_log10_exact),
        cmocka_unit_test(test_log10_rounded),
        cmocka_unit_test(test_out_of_range),
    };
    return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
