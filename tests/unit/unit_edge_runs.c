/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are read many at a time (edges/edge_run.h) against the same lines read one by one, because comments are
 * between them, or two blanks in them: the same matrix, or the same message.  No false alarms. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "edges/edge_run.h"
#include "support/readings.h"

enum { ROOM = 1 << 26 };

static uint64_t rng;
static char text[2][ROOM], found[2][ROOM];
static size_t length[2];

static unsigned below(unsigned n)
{
    return pm_rng_below(&rng, n);
}

static void add(int which, const char *bytes)
{
    const size_t n = strlen(bytes);
    assert_true(length[which] + n < ROOM);
    memcpy(text[which] + length[which], bytes, n + 1);
    length[which] += n;
}

static void add_both(const char *bytes)
{
    add(0, bytes);
    add(1, bytes);
}

/* Nearly always an integer from 1 to size. */
static const char *random_label(unsigned size, unsigned oddities)
{
    static const char *const others[] = {"007", "-3", "1234567890", "999999999", "x", "0",  "1,",
                                         "2:",  "#",  "1000000000", "4000000",   "%", "1 2"};
    static char label[16];
    if (oddities && below(oddities) == 0)
        return others[below(sizeof others / sizeof *others)];
    snprintf(label, sizeof label, "%u", 1 + below(size));
    return label;
}

/* Mostly an integer, or a decimal where there are such; seldom anything else. */
static const char *random_weight(bool has_reals, unsigned oddities)
{
    static const char *const others[] = {
        "-0",    "0",   "007", "+5", "x",   "123456789012345678901234567890",
        "1+2j",  "1e5", ".5",  "-",  "nan", "0x1p-3",
        "1e400", "",    "5 ",  "1 2"};
    static char weight[32];
    if (oddities && below(oddities) == 0)
        return others[below(sizeof others / sizeof *others)];
    const int v = (int)below(2000) - (below(2) ? 1000 : 0);
    snprintf(weight, sizeof weight, has_reals && below(2) ? "%d.%02u" : "%d", v, below(100));
    return weight;
}

static void erase_digits(char *s)
{
    char *to = s;
    for (; *s; ++s)
        if (*s < '0' || *s > '9')
            *to++ = *s;
    *to = '\0';
}

/* step: lines of the second text for one of the first. */
static void compare(const pm_read_options *opt, int step)
{
    pm_error err[2] = {{.msg = ""}, {.msg = ""}};
    pm_status rc[2];
    int64_t line[2] = {0, 0};
    for (int which = 0; which < 2; ++which) {
        reading_write(text[which], length[which]);
        rc[which] = reading_text(opt, found[which], ROOM, &err[which]);
        if (rc[which]) {
            const char *at = err[which].msg + strlen(reading_path);
            line[which] = *at == ':' ? atoll(at + 1) : 0;
            erase_digits(err[which].msg);
        }
    }
    assert_int_equal(rc[0], rc[1]);
    assert_string_equal(err[0].msg, err[1].msg);
    assert_int_equal(line[0] * step, line[1]);
    if (!rc[0])
        assert_string_equal(found[0], found[1]);
}

/* A list of this many lines, and the same one with a comment before each of them. */
static void compare_lists(unsigned lines, unsigned oddities)
{
    const unsigned size = 1 + below(2 * lines + 5);
    const char *separator = below(3) ? "\t" : " ", *newline = below(4) ? "\n" : "\r\n";
    static const pm_run run = {.threads = 4}; /* each task of a run has its own */
    const pm_read_options opt = {.from = "edges",
                                 .run = &run,
                                 .graph = below(4) == 0,
                                 .duplicates = below(3) ? PM_DUPLICATES_SUM : PM_DUPLICATES_ERROR};
    const bool has_weights = below(2), has_reals = below(2);
    const unsigned changes = lines < 100000 ? 500 : lines; /* of the separator */
    length[0] = length[1] = 0;
    if (below(2) && !opt.graph) {
        char head[64];
        snprintf(head, sizeof head, "# pm-edges %u %u\n", size, size + below(2));
        add(1, "#\n");
        add_both(head);
    }
    for (unsigned k = 0; k < lines; ++k) {
        if (below(changes) == 0)
            separator = below(2) ? "\t" : below(2) ? " " : "  ";
        add(1, "#\n");
        add_both(random_label(size, oddities));
        add_both(separator);
        add_both(random_label(size, oddities));
        if (has_weights) {
            add_both(separator);
            add_both(random_weight(has_reals, oddities));
        }
        if (k + 1 < lines || below(3))
            add_both(newline);
    }
    compare(&opt, 2);
}

static void edge_lists(void **state)
{
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        const unsigned lines = 1 + below(round % 20 ? 60 : 20000);
        compare_lists(lines, below(2) ? 0 : 20 + below(2 * lines + 1));
    }
}

/* The same for entries of Matrix Market, and one with two blanks in each line. */
static void compare_matrices(unsigned lines, unsigned oddities)
{
    const unsigned size = 1 + below(2 * lines + 5);
    static const char *const fields[] = {"pattern ", "integer ", "real ", "unsigned-integer "};
    const bool is_symmetric = below(3) == 0;
    const unsigned field = below(4);
    const pm_read_options opt = {.duplicates = below(3) ? PM_DUPLICATES_SUM : PM_DUPLICATES_ERROR};
    char head[64];
    length[0] = length[1] = 0;
    add_both("%%MatrixMarket matrix coordinate ");
    add_both(fields[field]);
    add_both(is_symmetric ? "symmetric\n" : "general\n");
    snprintf(head, sizeof head, "%u %u %u\n", size, size, lines - (below(9) == 0));
    add_both(head);
    for (unsigned k = 0; k < lines; ++k) {
        add_both(random_label(size, oddities));
        add(0, " ");
        add(1, "  ");
        add_both(random_label(size, oddities));
        if (field > 0) {
            add_both(" ");
            add_both(random_weight(field == 2, oddities));
        }
        if (k + 1 < lines || below(3))
            add_both("\n");
    }
    compare(&opt, 1);
}

static void matrix_market(void **state)
{
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        const unsigned lines = 1 + below(round % 20 ? 60 : 20000);
        compare_matrices(lines, below(2) ? 0 : 20 + below(2 * lines + 1));
    }
}

/* Lines are parsed and edges added by two threads after the first million. */
static void long_files(void **state)
{
    (void)state;
    if (test_rounds(10) < 10)
        skip(); /* it takes minutes under tools that slow programs down */
    for (int round = test_rounds(1); round > 0; --round) {
        const unsigned lines = 1100000 + below(100000), oddities = below(2) ? 0 : 2 * lines;
        if (below(2))
            compare_lists(lines, oddities);
        else
            compare_matrices(lines, oddities);
    }
}

static void forms(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        int64_t count;
    } examples[] = {
        {"1 2\n", 1},
        {"0 0\n", 1},
        {"999999999 5\r\n", 1},
        {"1000000000 5\n", 0},
        {"01 2\n", 0},
        {"1  2\n", 0},
        {"1\t2\n", 0},
        {"1 2 \n", 0},
        {"1 2 3\n", 0},
        {" 1 2\n", 0},
        {"-1 2\n", 0},
        {"1 2\r\r\n", 0},
        {"1 2\n3 4\n5 x\n", 2},
        {"\n", 0},
        {"1 \n", 0},
        {"1\n", 0},
    };
    const pm_edge_form form = {.separator = ' '};
    pm_integer_edge to[4];
    pm_edge_lines lines = {.edge = to};
    int64_t used;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; ++k) {
        const int64_t n = (int64_t)strlen(examples[k].line);
        assert_int_equal(pm_edge_run_parse(examples[k].line, n, &form, &lines, 4, &used),
                         examples[k].count);
        assert_int_equal(used, examples[k].count == 2 ? 8 : examples[k].count ? n : 0);
    }
    assert_int_equal(pm_edge_run_parse("12 3\n4 56\n7 8\n", 14, &form, &lines, 2, &used), 2);
    assert_int_equal(used, 10);
    assert_true(to[0].end[0] == 12 && to[0].end[1] == 3 && to[1].end[0] == 4 && to[1].end[1] == 56);
}

/* Weights, and which lines have such. */
static void weighted_forms(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool has_integer, is_real; /* it is read where weights are integers; it is a real number */
        double weight;
    } examples[] = {
        {"1 2 3\n", true, false, 3},
        {"1 2 -3\r\n", true, false, -3},
        {"1 2 0\n", true, false, 0},
        {"1 2 007\n", true, false, 7},
        {"1 2 123456789012\n", true, false, 123456789012},
        {"1 2 0.75\n", false, true, 0.75},
        {"1 2 -1e3\r\n", false, true, -1000},
        {"1 2 0x1p-3\n", false, true, 0.125},
    };
    static const char *const others[] = {
        "1 2\n",       "1 2 \n",     "1 2 3 4\n",          "1 2\t3\n",
        "1 2 x\n",     "1 2 1+2j\n", "1 2 1e999\n",        "1 2 -\n",
        "1 2 3\r\r\n", "1 2 3 \n",   "1 2 {'weight': 3}\n"};
    pm_integer_edge edge;
    pm_dyadic weight;
    int64_t used;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; ++k)
        for (int are_integers = 0; are_integers < 2; ++are_integers) {
            const pm_edge_form form = {' ', true, are_integers};
            pm_edge_lines to = {.edge = &edge, .weight = &weight};
            const int64_t n = (int64_t)strlen(examples[k].line);
            const bool is_read = examples[k].has_integer || !are_integers;
            assert_int_equal(pm_edge_run_parse(examples[k].line, n, &form, &to, 1, &used), is_read);
            assert_int_equal(used, is_read ? n : 0);
            if (!is_read)
                continue;
            assert_int_equal(to.has_real, examples[k].is_real);
            assert_true(pm_dyadic_get_d(&weight) == examples[k].weight);
        }
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
        const pm_edge_form form = {.separator = ' ', .has_weight = true};
        pm_edge_lines to = {.edge = &edge, .weight = &weight};
        const int64_t n = (int64_t)strlen(others[k]);
        assert_int_equal(pm_edge_run_parse(others[k], n, &form, &to, 1, &used), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_lists),     cmocka_unit_test(matrix_market),
        cmocka_unit_test(long_files),     cmocka_unit_test(forms),
        cmocka_unit_test(weighted_forms),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, reading_begin, reading_end);
}
