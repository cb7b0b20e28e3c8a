/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One entry after a linear step (sinkhorn/linear_step.h): x (1 + d) where that changes x by half of the way to 0 or 1 at most; between 0 and 1, and
 * growing with d, everywhere.  No false alarms: what is demanded always holds. */
#include "config.h"

#include <math.h>

#include "cuda/linear_entry.h"
#include "support/testing.h"

static void one_entry(double x, double d)
{
    const double y = pm_linear_entry(x, d), wanted = x * (1 + d);
    assert_true(y > 0 && y <= 1);
    assert_true(d > 0 ? y >= x : y <= x);
    if (d >= -0.5 && x * d <= (1 - x) / 2)
        assert_true(fabs(y - wanted) <= 1e-15 * fabs(wanted) + 1e-15 * (x > 0.25));
    else
        assert_true(d > 0 ? y <= wanted + 1e-15 : y >= wanted - 1e-15);
}

static void entries(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(20000); round > 0; --round) {
        const double x = round % 16 ? exp2(-100 * pm_rng_unit(&rng)) : 1,
                     size = exp2(40 * pm_rng_unit(&rng) - 20), d = size * (pm_rng_unit(&rng) - 0.5);
        one_entry(x, d);
        assert_true(pm_linear_entry(x, 2 * fabs(d)) >= pm_linear_entry(x, fabs(d)));
        assert_true(pm_linear_entry(x, -2 * fabs(d)) <= pm_linear_entry(x, -fabs(d)));
    }
    one_entry(1, 0);
    one_entry(0x1p-52, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(entries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
