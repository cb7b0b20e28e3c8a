/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and sizes as text. */
#include "config.h"

#include "support/testing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/philox.h"
#include "text/number.h"
#include "text/short_decimal.h"

static void assert_number(const char *text, pm_number_kind kind, double want)
{
    pm_dyadic x = {0};
    assert_int_equal(pm_number_parse(text, (int64_t)strlen(text), &x), kind);
    if (kind == PM_NUMBER_INTEGER || kind == PM_NUMBER_REAL)
        assert_true(pm_dyadic_get_d(&x) == want);
    pm_dyadic_clear(&x);
}

static void test_numbers(void **state)
{
    (void)state;
    assert_number("0", PM_NUMBER_INTEGER, 0);
    assert_number("-007", PM_NUMBER_INTEGER, -7);
    assert_number("+123456789012345678", PM_NUMBER_INTEGER, 123456789012345678.0);
    assert_number("-18446744073709551616", PM_NUMBER_INTEGER, -0x1p64);
    assert_number("1.", PM_NUMBER_REAL, 1);
    assert_number(".5", PM_NUMBER_REAL, 0.5);
    assert_number("-1e-3", PM_NUMBER_REAL, -0.001);
    assert_number("0e99999", PM_NUMBER_REAL, 0);
    assert_number("4.9406564584124654e-324", PM_NUMBER_REAL, 0x1p-1074);
    assert_number("1e+308", PM_NUMBER_REAL, 1e308);
    assert_number("0.1000000000000000055511151231257827021181583404541015625000000000000000000",
                  PM_NUMBER_REAL, 0.1);
    assert_number("0x10", PM_NUMBER_REAL, 16);
    assert_number("-0X1.8P-1", PM_NUMBER_REAL, -0.75);
    assert_number("0x.8", PM_NUMBER_REAL, 0.5);
    assert_number("0x0p99", PM_NUMBER_REAL, 0);
    assert_number("0x123456789abcdef01p4", PM_NUMBER_REAL, 0x123456789abcdef01p4);
    assert_number("1e309", PM_NUMBER_RANGE, 0);
    assert_number("1e-400", PM_NUMBER_RANGE, 0);
    assert_number("1e99999999999999999999", PM_NUMBER_RANGE, 0);
    assert_number("0x1p1073741824", PM_NUMBER_RANGE, 0);
    static const char *const bad[] = {
        "",     "-",    "+-1", ".",   "1e",  "1e+", "e5",  "1.2.3",   "0x",  "0x.",  "0xp1",
        "0x1p", "0x1g", "1d5", "nan", "inf", "1,5", "1 2", "0x1.2.3", "--1", "1e5.", "infinity"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        assert_number(bad[k], PM_NUMBER_BAD, 0);
}

/* pm_short_decimal where it says anything, and pm_number_parse, give the double of strtod. */
static void compare(const char *text, bool is_short)
{
    const char *first = text + (*text == '-'), *end = first + strspn(first, "0123456789.");
    const int64_t exp = *end == 'e' ? strtol(end + 1, NULL, 10) : 0;
    const double want = strtod(text, NULL);
    double v = -1;
    assert_int_equal(pm_short_decimal(first, end, exp, &v), is_short);
    assert_true(v == (is_short ? fabs(want) : -1));
    assert_number(text, PM_NUMBER_REAL, want);
}

/* Doubles, numbers half way between two of them and beside those, and digits at random. */
static void test_short_decimals(void **state)
{
    (void)state;
    pm_random r = {.seed = test_seed()};
    char text[80];
    compare("0.5", true);
    compare("000000000000000000000000000000000001.0", true);
    compare("18446744073709551615.", false);
    compare("9999999999999999999e27", true);
    compare("9999999999999999999e28", false);
    compare("0.0000000000000000000000000001", false);
    compare("1e-27", true);
    compare("9007199254740993.", true); /* half way: to the even one */
    compare("9007199254740995.0", true);
    compare("9007199254740993.001", true);
    compare("9007199254740992.999", true);
    compare("1.00000000000000011", true);
    for (int k = 0, rounds = test_rounds(20000); k < rounds; ++k) {
        const double x = ldexp((double)(pm_random_bits(&r) >> 11), -(int)(pm_random_bits(&r) % 64));
        const uint64_t bits = pm_random_bits(&r) >> pm_random_bits(&r) % 64;
        const int exp = (int)(pm_random_bits(&r) % 55) - 27;
        snprintf(text, sizeof text, "%s%.*e", k % 2 ? "-" : "", (int)(pm_random_bits(&r) % 18), x);
        assert_number(text, PM_NUMBER_REAL, strtod(text, NULL));
        snprintf(text, sizeof text, "%" PRIu64 "e%d", bits / 10, exp);
        compare(text, true);
        /* (2 m + 1) 2^e with e >= 0, m of 53 bits: half way between two doubles */
        snprintf(text, sizeof text, "%" PRIu64 ".%s", (bits >> 11 | UINT64_C(1) << 53 | 1),
                 k % 3 == 0   ? ""
                 : k % 3 == 1 ? "0"
                              : "01");
        compare(text, true);
    }
}

static void test_sizes(void **state)
{
    (void)state;
    int64_t v;
    assert_true(pm_size_parse("9223372036854775807", 19, &v));
    assert_true(v == INT64_MAX);
    assert_true(pm_size_parse("00012x", 5, &v));
    assert_int_equal(v, 12);
    assert_false(pm_size_parse("9223372036854775808", 19, &v));
    assert_false(pm_size_parse("", 0, &v));
    assert_false(pm_size_parse("-1", 2, &v));
    assert_false(pm_size_parse("1.0", 3, &v));
}

static void test_size_pairs(void **state)
{
    (void)state;
    static const char *const other[] = {
        "",      "1",  " 1 2", "1 2 ",         "1 2 3",        "+1 2", "1 -2", "1,2",
        "1 2.0", "1 ", "a b",  "1234567890 1", "1 1234567890", "1",    "1\\2"};
    int64_t i, j;
    assert_true(pm_size_pair_parse("0 7", &i, &j));
    assert_true(i == 0 && j == 7);
    assert_true(pm_size_pair_parse("3\v4", &i, &j));
    assert_true(i == 3 && j == 4);
    assert_true(pm_size_pair_parse("999999999\t \t000000012", &i, &j));
    assert_true(i == 999999999 && j == 12);
    for (size_t k = 0; k < sizeof other / sizeof *other; ++k)
        assert_false(pm_size_pair_parse(other[k], &i, &j));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_short_decimals),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_size_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
