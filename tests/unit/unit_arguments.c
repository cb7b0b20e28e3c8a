/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of options: whole numbers, and numbers of bytes. */
#include "config.h"

#include "support/testing.h"

#include <string.h>

#include "cli/options.h"
#include "cli/whole.h"

static void test_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } known[] = {
        {"0", 0},
        {"000", 0},
        {"007", 7},
        {"1000", 1000},
        {"18446744073709551615", UINT64_MAX},
        {"9007199254740993", UINT64_C(9007199254740993)}, /* no double */
        {"0x10", 16},
        {"0XfF", 255},
        {"0xffffffffffffffff", UINT64_MAX},
        {"2^31", UINT64_C(1) << 31},
        {"2^63", UINT64_C(1) << 63},
        {"2^62-1", (UINT64_C(1) << 62) - 1},
        {"2^64-1", UINT64_MAX},
        {"10^3+7", 1007},
        {"2^2-4", 0},
        {"10^19", UINT64_C(10000000000000000000)},
        {"0^0", 1},
        {"0^5", 0},
        {"1^99999999999", 1},
        {"7^0", 1},
        {"1e9", 1000000000},
        {"1E9", 1000000000},
        {"1e+9", 1000000000},
        {"1.5e3", 1500},
        {"1.50e1", 15},
        {"12.000", 12},
        {"120e-1", 12},
        {"1200000000000000000000000e-23", 12},
        {"0.000000000000000000000001e24", 1},
        {"5.", 5},
        {".5e1", 5},
        {"0e999999999999", 0},
        {"0.0", 0},
        {"1.8446744073709551615e19", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        uint64_t v = 77;
        if (!pm_whole_parse(known[i].text, strlen(known[i].text), &v) || v != known[i].value)
            fail_msg("%s gives %llu", known[i].text, (unsigned long long)v);
    }
}

static void test_no_whole(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        ".",
        "e5",
        "1e",
        "1e+",
        "-1",
        "+1",
        " 1",
        "1 ",
        "1.5",
        "1.5e0",
        "15e-1",
        "1e20",
        "2^64",
        "2^64+1",
        "2^62-",
        "2^2-5",
        "2^62-1-1",
        "2^62 - 1",
        "2^",
        "^2",
        "2^-1",
        "2^2^2",
        "2.0^3",
        "0x",
        "0x1p3",
        "0xg",
        "1e5e",
        "1..2",
        "1_000",
        "inf",
        "nan",
        "1e-999",
        "1e999999999999999999999",
        "1k",
        "18446744073709551616",
        "0x10000000000000000",
    };
    uint64_t v;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        if (pm_whole_parse(bad[i], strlen(bad[i]), &v))
            fail_msg("'%s' gives %llu", bad[i], (unsigned long long)v);
    assert_true(pm_whole_parse("123", 2, &v));
    assert_int_equal(v, 12);
}

static void test_range(void **state)
{
    (void)state;
    uint64_t v = 5;
    pm_error err;
    assert_int_equal(pm_whole_between("10^3", 1, 1000, &v, &err), PM_OK);
    assert_int_equal(v, 1000);
    assert_int_equal(pm_whole_between("1001", 1, 1000, &v, &err), PM_EUSAGE);
    assert_string_equal(err.msg, "'1001' is not a whole number from 1 to 1000");
    assert_int_equal(v, 1000);
    int threads = 0;
    assert_int_equal(pm_set_positive(&threads, "2^31", &err), PM_EUSAGE);
    assert_int_equal(pm_set_positive(&threads, "1e2", &err), PM_OK);
    assert_int_equal(threads, 100);
}

static void test_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } known[] = {
        {"1", 1},
        {"100B", 100},
        {"1e9", 1000000000},
        {"2^31", INT64_C(1) << 31},
        {"4k", 4096},
        {"4K", 4096},
        {"4KB", 4096},
        {"4kib", 4096},
        {"1.5MiB", 3 << 19},
        {"2g", INT64_C(2) << 30},
        {"2GIB", INT64_C(2) << 30},
        {"1Tb", INT64_C(1) << 40},
    };
    static const char *const bad[] = {"",    "K",   "0",   "0K",  "-1",   "1P",    "1KK",
                                      "1i",  "1iB", "1 K", "1B ", "2^63", "8e18K", "1Bi",
                                      "inf", "nan", "1Ki", "0.5", "2^10K"};
    pm_error err;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        int64_t v = 0;
        if (pm_set_bytes(&v, known[i].text, &err) || v != known[i].value)
            fail_msg("%s gives %lld", known[i].text, (long long)v);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        int64_t v = 77;
        if (pm_set_bytes(&v, bad[i], &err) != PM_EUSAGE || v != 77)
            fail_msg("'%s' gives %lld", bad[i], (long long)v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_no_whole),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
