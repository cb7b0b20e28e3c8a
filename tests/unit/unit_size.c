/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: of bytes for people, and integers for lists, against printf. */
#include "config.h"

#include "support/testing.h"

#include <inttypes.h>
#include <math.h>

#include "core/integer_text.h"
#include "core/size.h"

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        double bytes;
        const char *text;
    } known[] = {
        {0, "0 B"},
        {1, "1 B"},
        {999, "999 B"},
        {1000, "0.977 KiB"},
        {1024, "1 KiB"},
        {1536, "1.5 KiB"},
        {1e6, "977 KiB"},
        {0x1p20, "1 MiB"},
        {1023 * 0x1p20, "0.999 GiB"},
        {0x1.4p30, "1.25 GiB"},
        {0x1p70, "1.05e+06 PiB"},
        {INFINITY, "inf PiB"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        assert_string_equal(pm_size(known[i].bytes).s, known[i].text);
}

static void check_decimal(int64_t x)
{
    char room[PM_DECIMAL_ROOM], wanted[32];
    snprintf(wanted, sizeof wanted, "%" PRId64, x);
    assert_string_equal(pm_decimal(x, room), wanted);
}

static void test_decimals(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    const int64_t known[] = {0, 9, 10, -1, -10, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        check_decimal(known[i]);
    for (int round = 0; round < test_rounds(1000); ++round)
        check_decimal((int64_t)pm_rng_next(&rng) >> pm_rng_below(&rng, 64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
