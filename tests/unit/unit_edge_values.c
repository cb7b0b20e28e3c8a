/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge lists, where labels are values until one is none (io/edge_table.h), against the same edges as csv, where labels get numbers
 * from the first edge on: the same matrix with the same labels in the same order.  No false alarms. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "support/readings.h"

enum { ROOM = 1 << 20 };

static uint64_t rng;
static char text[2][ROOM], found[2][ROOM];

static unsigned below(unsigned n)
{
    return pm_rng_below(&rng, n);
}

/* An integer below size; with 1 / oddities another label, which is no value or far from the others. */
static void random_label(unsigned size, unsigned oddities, char label[16])
{
    static const char *const others[] = {"007", "-3", "1234567890", "999999999", "x", "4000000"};
    if (oddities && below(oddities) == 0)
        strcpy(label, others[below(sizeof others / sizeof *others)]);
    else
        snprintf(label, 16, "%u", below(size));
}

static void write_both(unsigned lines, unsigned oddities)
{
    const unsigned size = 1 + below(2 * lines + 5);
    size_t length = 0;
    for (unsigned k = 0; k < lines; ++k) {
        char left[16], right[16];
        random_label(size, oddities, left);
        random_label(size, oddities, right);
        snprintf(text[0] + length, ROOM - length, "%s %s\n", left, right);
        length += (size_t)snprintf(text[1] + length, ROOM - length, "%s,%s\n", left, right);
    }
}

static void compare(bool graph)
{
    static const char *const form[2] = {"edges", "csv"};
    pm_status status[2];
    for (int which = 0; which < 2; ++which) {
        const pm_read_options opt = {.from = form[which],
                                     .graph = graph,
                                     .header = PM_HEADER_NO,
                                     .duplicates = PM_DUPLICATES_SUM};
        reading_write(text[which], strlen(text[which]));
        status[which] = reading_text(&opt, found[which], ROOM, NULL);
    }
    assert_int_equal(status[0], status[1]);
    if (!status[0])
        assert_string_equal(found[0], found[1]);
}

static void lists(void **state)
{
    (void)state;
    int odd = 0;
    for (int round = test_rounds(300); round > 0; --round) {
        const unsigned lines = 1 + below(round % 20 ? 40 : 8000);
        const unsigned oddities = below(2) ? 0 : 1 + below(4 * lines);
        write_both(lines, oddities);
        compare(below(3) == 0);
        odd += oddities > 0;
    }
    printf("# %d lists with other labels\n", odd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, reading_begin, reading_end);
}
