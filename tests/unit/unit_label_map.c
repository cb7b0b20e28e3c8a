/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers and the order of labels. */
#include "config.h"

#include "support/testing.h"

#include <inttypes.h>
#include <string.h>

#include "edges/label_spelling.h"

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

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        pm_label_kind want;
    } labels[] = {
        {"0", PM_LABEL_INTEGER},
        {"-7", PM_LABEL_INTEGER},
        {"123456789012345678901", PM_LABEL_INTEGER},
        {"-0", PM_LABEL_NUMBER},
        {"00", PM_LABEL_NUMBER},
        {"01", PM_LABEL_NUMBER},
        {"-01", PM_LABEL_NUMBER},
        {"+1", PM_LABEL_NUMBER},
        {"2.", PM_LABEL_NUMBER},
        {".5", PM_LABEL_NUMBER},
        {"1e3", PM_LABEL_NUMBER},
        {"1E+9999", PM_LABEL_NUMBER},
        {"0x1f", PM_LABEL_NUMBER},
        {"nan", PM_LABEL_NAME},
        {"inf", PM_LABEL_NAME},
        {"-", PM_LABEL_NAME},
        {"1e", PM_LABEL_NAME},
        {"1-2", PM_LABEL_NAME},
        {"(1,2)", PM_LABEL_NAME},
        {"1+2i", PM_LABEL_NAME},
        {"", PM_LABEL_NAME},
    };
    for (size_t k = 0; k < sizeof labels / sizeof *labels; ++k)
        assert_int_equal(pm_label_kind_of(labels[k].text, (int64_t)strlen(labels[k].text)),
                         labels[k].want);
}

/* The labels of `text` after blanks; the two that are one number, as "1 01", or "". */
static void assert_respelled(const char *text, const char *want)
{
    pm_label_map m = {0};
    int32_t number, pair[2];
    char copy[256], got[256] = "", room[2][24];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        assert_int_equal(pm_label_number(&m, word, (int64_t)strlen(word), &number, NULL), PM_OK);
    assert_int_equal(pm_label_find_respelled(&m, pair, NULL), PM_OK);
    if (pair[0] >= 0)
        snprintf(got, sizeof got, "%s %s", pm_label(&m.labels, pair[0], room[0]),
                 pm_label(&m.labels, pair[1], room[1]));
    assert_string_equal(got, want);
    pm_label_map_free(&m);
}

static void test_respelled(void **state)
{
    (void)state;
    assert_respelled("1 2 01", "1 01");
    assert_respelled("01 2 1", "1 01");
    assert_respelled("01 2 +1", "01 +1");
    assert_respelled("x 1000 1e3", "1000 1e3");
    assert_respelled("2500 .25e+4", "2500 .25e+4");
    assert_respelled("0.10 .1", "0.10 .1");
    assert_respelled("-0.0 0", "0 -0.0");
    assert_respelled(".5 0.5", ".5 0.5");
    assert_respelled("16 15 0x10", "16 0x10");
    assert_respelled("0x1p-1 .5", "0x1p-1 .5");
    assert_respelled("-0x1.8p1 -3.0", "-0x1.8p1 -3.0");
    assert_respelled("0x0 -0", "0x0 -0");
    assert_respelled("0x1p62 4611686018427387904", "0x1p62 4611686018427387904");
    assert_respelled("0x1p-54 5.5511151231257827021181583404541015625e-17",
                     "0x1p-54 5.5511151231257827021181583404541015625e-17");
    assert_respelled("0x10 10 0x1p2000 0x1p-2000", "");
    assert_respelled("-5 -05.00", "-5 -05.00");
    assert_respelled("5 -05", "");
    assert_respelled("100000000000000000000 1e20", "100000000000000000000 1e20");
    assert_respelled("1000000000000000000 1e18", "1000000000000000000 1e18");
    assert_respelled("1 10 1.01 101 0.101 1.1", "");
    assert_respelled("1e999999 1e9999990 nan NaN", "");
    assert_respelled("0x1 1", "1 0x1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_label_map),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_respelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
