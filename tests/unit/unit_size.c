/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of bytes for people. */
#include "config.h"

#include "support/testing.h"

#include <math.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
