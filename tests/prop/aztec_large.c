/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Large random matchings by determinants against domino shuffling, as prop_domino_shuffling.c: minutes.
 * False alarm: 6e-7 a run, 57000 events once in 10^11 each. */
#include "config.h"

#include "support/aztec_diamonds.h"
#include "support/testing.h"

static void order_64(void **state)
{
    (void)state;
    aztec_compare_planar(64, NULL, test_rounds(40), 2000, test_seed());
}

static void order_100(void **state)
{
    (void)state;
    aztec_compare_planar(100, NULL, test_rounds(12), 2000, test_seed());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_64),
        cmocka_unit_test(order_100),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
