/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of integers and their ranks against an array of flags.  No false alarms. */
#include "config.h"

#include "support/testing.h"

#include <stdbool.h>
#include <string.h>

#include "edges/integer_set.h"

enum { MOST = 2000 };

static void check(pm_integer_set *s, const bool *has)
{
    int64_t count = 0, largest = -1, next = pm_integer_set_next(s, 0);
    pm_integer_set_rank_all(s);
    for (int64_t v = 0; v < MOST; ++v) {
        assert_int_equal(pm_integer_set_has(s, v), has[v]);
        if (!has[v])
            continue;
        assert_int_equal(pm_integer_set_rank(s, v), count);
        assert_int_equal(next, v);
        next = pm_integer_set_next(s, v + 1);
        largest = v;
        ++count;
    }
    assert_int_equal(next, -1);
    assert_int_equal(pm_integer_set_count(s), count);
    assert_int_equal(pm_integer_set_rank_all(s), count);
    assert_int_equal(pm_integer_set_largest(s), largest);
}

static void ranks(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int round = 0; round < test_rounds(100); ++round) {
        const int64_t size = 1 + pm_rng_below(&rng, MOST);
        bool has[MOST] = {false};
        pm_integer_set s = {0};
        check(&s, has);
        for (int64_t k = pm_rng_below(&rng, 300); k > 0; --k) {
            const int64_t v = pm_rng_below(&rng, (uint32_t)size);
            assert_int_equal(pm_integer_set_reach(&s, v, NULL), PM_OK);
            pm_integer_set_put(&s, v);
            has[v] = true;
        }
        check(&s, has);
        pm_integer_set_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
