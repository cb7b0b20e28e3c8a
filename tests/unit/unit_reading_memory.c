/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory that reading takes, as it is said before (io/reading_memory.h), against the smallest bound of the memory under which
 * the file is read; and inputs that are refused.  No false alarms: the files are always the same. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/reading_memory.h"
#include "pm/alloc.h"
#include "pm/expression.h"
#include "pm/io.h"
#include "pm/memory.h"

#define MIB    (INT64_C(1) << 20)
#define FACTOR 1.6 /* between what is said and what is needed */

enum { LINES = 100000, LABELS = 25000 };

typedef enum {
    EDGES_IN_ORDER,
    EDGES,
    EDGES_WITH_SIZES,
    EDGES_FAR_BETWEEN,
    EDGES_WITH_WEIGHTS,
    NAMES,
    PATTERN,
    PATTERN_BY_COLUMNS,
    SYMMETRIC,
    REAL,
    KINDS
} kind;

static char path[] = "reading-memory-XXXXXX";
static double said, entries_said;

static void listen(void *context, int level, const char *line)
{
    double size;
    char unit[8];
    const char *text = strstr(line, "reading: ");
    (void)context;
    if (!text || level != 1)
        return;
    assert_true(
        sscanf(text, "reading: about %lf entries and %lf %7s", &entries_said, &size, unit) == 3
        || sscanf(text, "reading: at most %lf entries and %lf %7s", &entries_said, &size, unit) == 3
        || sscanf(text, "reading: %*f entries so far; %lf take about %lf %7s", &entries_said, &size,
                  unit)
               == 3);
    assert_string_equal(unit, "MiB");
    said = size * (double)MIB;
}

/* The lines in a random order, always the same. */
static void shuffle(int order[LINES])
{
    uint64_t rng = 1;
    for (int k = 0; k < LINES; ++k) {
        const int at = (int)pm_rng_below(&rng, (uint32_t)k + 1);
        order[k] = order[at];
        order[at] = k;
    }
}

/* 4 lines for each of LABELS labels of either side, all different. */
static void write_file(kind how)
{
    static int order[LINES];
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    shuffle(order);
    if (how == EDGES_WITH_SIZES)
        fprintf(f, "# pm-edges %d %d\n", LABELS, LABELS);
    if (how >= PATTERN)
        fprintf(f, "%%%%MatrixMarket matrix coordinate %s %s\n%d %d %d\n",
                how == REAL ? "real" : "pattern", how == SYMMETRIC ? "symmetric" : "general",
                LABELS, LABELS, LINES);
    const bool is_mixed = how == EDGES || how == NAMES || how == EDGES_FAR_BETWEEN;
    for (int k = 0; k < LINES; ++k) {
        const int e = is_mixed ? order[k] : k;
        int i = e / 4, j = (int)((i * INT64_C(7919) + (e % 4) * 4000) % LABELS);
        if (how == SYMMETRIC)
            j = (i + 1 + e % 4) % LABELS;
        if (how == SYMMETRIC ? i < j : how == PATTERN_BY_COLUMNS) {
            const int other = i;
            i = j;
            j = other;
        }
        if (how == NAMES)
            fprintf(f, "a-%d b-%d\n", i, j);
        else if (how == EDGES_FAR_BETWEEN)
            fprintf(f, "%d %d\n", 1000000 + 30000 * i, 1000000 + 30000 * j);
        else if (how == REAL || how == EDGES_WITH_WEIGHTS)
            fprintf(f, "%d %d 0.%d\n", i + 1, j + 1, 1 + e);
        else
            fprintf(f, "%d %d\n", i + 1, j + 1);
    }
    assert_int_equal(fclose(f), 0);
}

/* The bound leaves this much, 0: there is none. */
static void leave(int64_t bytes)
{
    pm_memory_set_limit(1024 * MIB);
    const int64_t all = pm_memory_left();
    pm_memory_set_limit(bytes ? 1024 * MIB - all + bytes : 0);
}

static pm_status read_file(const char *name, bool graph, pm_error *err)
{
    const pm_run run = {.note = listen, .threads = 1};
    pm_read_options opt = {.run = &run, .graph = graph};
    pm_reader *r = NULL;
    pm_node node;
    pm_node_init(&node);
    pm_status status = pm_reader_open(name, &opt, &r, err);
    if (!status)
        status = pm_reader_next(r, &node, err);
    pm_node_clear(&node);
    pm_reader_close(&r);
    return status;
}

/* The smallest bound, up to a part of 2^-5. */
static double needed(bool graph)
{
    int64_t low = MIB / 4, high = 64 * MIB;
    while (high - low > high >> 5) {
        pm_error err;
        const int64_t middle = low + (high - low) / 2;
        leave(middle);
        const pm_status status = read_file(path, graph, &err);
        leave(0);
        assert_true(!status || status == PM_ENOMEM || status == PM_UNABLE);
        if (status)
            low = middle;
        else
            high = middle;
    }
    return (double)high;
}

static bool is_measured(void)
{
    enum { PROBE = 8 };
    pm_memory_set_limit(1024 * MIB);
    const int64_t all = pm_memory_left();
    void *probe = pm_calloc_array(PROBE, MIB);
    const int64_t less = pm_memory_left();
    free(probe);
    pm_memory_set_limit(0);
    return all - less >= PROBE * MIB;
}

static void test_said(void **state)
{
    (void)state;
    if (!is_measured())
        skip(); /* sanitizers allocate in their own way */
    for (kind how = 0; how < KINDS; ++how) {
        pm_error err;
        write_file(how);
        said = entries_said = 0;
        assert_int_equal(read_file(path, false, &err), PM_OK);
        const double all = how == SYMMETRIC ? 2 * LINES - LABELS : LINES;
        const double need = needed(false);
        print_message("# kind %d: said %.0f entries, %.2f MiB; needed %.2f\n", how, entries_said,
                      said / (double)MIB, need / (double)MIB);
        assert_true(fabs(entries_said - all) < 0.02 * all);
        assert_true(said < FACTOR * need && need < FACTOR * said);
    }
}

/* One set of vertices: a bipartite graph. */
static void test_graph(void **state)
{
    (void)state;
    if (!is_measured())
        skip();
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int k = 0; k < LINES; ++k)
        fprintf(f, "%d %d\n", k / 4 + 1,
                (int)(LABELS + (k / 4 * INT64_C(7919) + k % 4 * 4000) % LABELS + 1));
    assert_int_equal(fclose(f), 0);
    pm_error err;
    said = 0;
    assert_int_equal(read_file(path, true, &err), PM_OK);
    const double need = needed(true);
    print_message("# graph: said %.2f MiB; needed %.2f\n", said / (double)MIB, need / (double)MIB);
    assert_true(said < FACTOR * need && need < FACTOR * said);
}

/* Refused at once, with the bytes: 12 for each entry of a pattern, and 8 for each row that is announced. */
static void test_refused(void **state)
{
    (void)state;
    if (!is_measured())
        skip();
    static const struct {
        kind how;
        const char *text;
    } kinds[] = {
        {EDGES, "100000 entries takes at least 1.14 MiB; "},
        {EDGES_WITH_SIZES, "100000 entries takes at least 1.34 MiB; "},
        {PATTERN, "100000 entries takes at least 1.34 MiB; "},
        {REAL, "100000 entries takes at least 3.62 MiB; "},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        pm_error err;
        write_file(kinds[k].how);
        leave(MIB);
        const pm_status status = read_file(path, false, &err);
        leave(0);
        assert_int_equal(status, PM_UNABLE);
        assert_non_null(strstr(err.msg, "refused: to read "));
        assert_non_null(strstr(err.msg, kinds[k].text));
    }
}

/* What a file announces and cannot hold is no reason to refuse it: it is bad. */
static void test_announced(void **state)
{
    (void)state;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(
        f, "%%%%MatrixMarket matrix coordinate pattern general\n2000000 2000000 1000000000\n1 1\n");
    assert_int_equal(fclose(f), 0);
    pm_error err;
    leave(4 * MIB);
    const pm_status status = read_file(path, false, &err);
    leave(0);
    assert_int_equal(status, PM_EDATA);
    assert_non_null(strstr(err.msg, "expected 1000000000"));
}

/* Comments are no edges: a file of comments is read with little memory. */
static void test_comments(void **state)
{
    (void)state;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "1 1\n");
    for (int k = 0; k < LINES; ++k)
        fprintf(f, "# %d %d\n", k, k);
    assert_int_equal(fclose(f), 0);
    pm_error err;
    leave(MIB);
    const pm_status status = read_file(path, false, &err);
    leave(0);
    assert_int_equal(status, PM_OK);
}

/* Of a pipe: what twice as many edges take, again when there are as many.  The pipe holds a few lines only. */
static void test_pipe(void **state)
{
    (void)state;
    int fd[2];
    pm_source *s = NULL;
    pm_error err;
    const pm_run run = {.note = listen};
    const pm_read_options opt = {.run = &run};
    assert_int_equal(pipe(fd), 0);
    assert_int_equal(write(fd[1], "1 2\n", 4), 4);
    assert_int_equal(pm_source_open_fd(fd[0], "pipe", &s, &err), PM_OK);
    pm_reading_watch watch = pm_reading_watch_begin();
    int notes = 0;
    for (double edges = (double)MIB; edges < 16 * (double)MIB; edges *= 1.25) {
        const pm_reading_shape now = {
            .entries = edges, .labels = {1000, 1000}, .largest = {999, 999}};
        said = 0;
        assert_int_equal(pm_reading_watch_look(&watch, s, &opt, &now, &err), PM_OK);
        assert_true(watch.look_at > edges && (double)watch.look_at <= watch.said_to);
        if (said > 0) {
            ++notes;
            assert_true(fabs(entries_said - 2 * edges) < 0.01 * edges);
            assert_true(said > 15 * edges && said < 64 * edges);
        }
    }
    assert_int_equal(notes, 4); /* at 1, 2, 4.7 and 11 million */
    pm_source_close(&s);
    close(fd[0]);
    close(fd[1]);
}

/* Arrays with no element 0: at most so much, and not much more than is needed. */
static void test_arrays(void **state)
{
    (void)state;
    enum { ROWS = 500, COLS = 400 };
    if (!is_measured())
        skip();
    static const char head[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (500, 400), }";
    static double element[COLS];
    for (int part = 1; part <= 2; ++part) { /* the second one is too short */
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        assert_int_equal(fwrite("\x93NUMPY\1\0", 1, 8, f), 8);
        fputc((int)sizeof head, f);
        fputc(0, f);
        fprintf(f, "%s\n", head);
        for (int i = 0; i < ROWS / part; ++i) {
            for (int j = 0; j < COLS; ++j)
                element[j] = 1 + i + 0.5 * j;
            assert_int_equal(fwrite(element, sizeof *element, COLS, f), COLS);
        }
        assert_int_equal(fclose(f), 0);
        pm_error err;
        said = 0;
        assert_int_equal(read_file(path, false, &err), part == 1 ? PM_OK : PM_EDATA);
        assert_true(part == 1 ? said > 0 : said == 0);
        leave(MIB + 3 * MIB / 8); /* not enough for the elements, but for those of the second one */
        const pm_status status = read_file(path, false, &err);
        leave(0);
        assert_int_equal(status, part == 1 ? PM_UNABLE : PM_EDATA);
        if (part == 2)
            break;
        assert_non_null(
            strstr(err.msg, "refused: to read an array of 1600000 bytes takes at least "));
        assert_int_equal(read_file(path, false, &err), PM_OK);
        const double need = needed(false);
        print_message("# array: said %.2f MiB; needed %.2f\n", said / (double)MIB,
                      need / (double)MIB);
        assert_true(said < FACTOR * need && need < FACTOR * said);
        assert_int_equal((int)entries_said, ROWS * COLS);
    }
}

static int begin(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    if (fd >= 0)
        close(fd);
    return fd < 0;
}

static int end(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_said),     cmocka_unit_test(test_graph),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_announced),
        cmocka_unit_test(test_comments), cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_arrays),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
