/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers and the order of labels. */
#include "config.h"

#include "support/testing.h"

#include <inttypes.h>
#include <string.h>

#include "edges/label_map.h"

/* Random labels, small and large integers and words, against a search through all of them. */
static void test_label_map(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int round = 0; round < test_rounds(20); ++round) {
        enum { LABELS = 600 };
        char seen[LABELS][24];
        int32_t order[LABELS], number;
        int count = 0, words = (int)pm_rng_below(&rng, 2);
        pm_label_map m = {0};
        for (int k = 0; k < LABELS; ++k) {
            char text[24];
            uint32_t kind = pm_rng_below(&rng, 3 + (uint32_t)words), id = pm_rng_below(&rng, 300);
            int64_t v = kind == 0 ? id : kind == 1 ? id * 4000 : -(int64_t)id * 1000000007;
            snprintf(text, sizeof text, kind == 3 ? "v%" PRId64 : "%" PRId64, v);
            int at = 0;
            while (at < count && strcmp(seen[at], text) != 0)
                ++at;
            if (at == count)
                strcpy(seen[count++], text);
            assert_int_equal(pm_label_number(&m, text, (int64_t)strlen(text), &number, NULL),
                             PM_OK);
            assert_int_equal(number, at);
        }
        assert_int_equal(m.labels.count, count);
        assert_int_equal(pm_label_order(&m, order, NULL), PM_OK);
        for (int k = 1; k < count; ++k)
            if (m.has_names)
                assert_int_equal(order[k], k);
            else
                assert_true(atoll(seen[order[k - 1]]) < atoll(seen[order[k]]));
        pm_label_map_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_label_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
