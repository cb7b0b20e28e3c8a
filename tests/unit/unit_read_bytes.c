/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers: bytes that are no text, gzip data, long lines, and what cannot be opened. */
#include "config.h"

#include "support/readings.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "pm/alloc.h"
#include "pm/io.h"
#include "text/source.h"

static void assert_bytes(const void *bytes, size_t count, pm_status status, const char *want)
{
    char text[4096] = "";
    pm_error err = {.msg = ""};
    pm_read_options opt = {0};
    reading_write(bytes, count);
    assert_int_equal(reading_text(&opt, text, sizeof text, &err), status);
    if (status)
        assert_reading_message(&err, want);
    else
        assert_string_equal(text, want);
}

static void test_gzip(void **state)
{
    (void)state;
    unsigned char z[1024];
    size_t n = reading_gzipped("1 1\n", 4, z, sizeof z);
    assert_bytes(z, n, PM_OK, "pattern 1x1 1:1");
    for (size_t cut = 2; cut < n; ++cut) {
        pm_error err = {.msg = ""};
        char text[256] = "", want[64];
        pm_read_options opt = {0};
        reading_write((char *)z, cut);
        assert_int_equal(reading_text(&opt, text, sizeof text, &err), PM_EDATA);
        snprintf(want, sizeof want, "%s:", reading_path);
        assert_memory_equal(err.msg, want, strlen(want));
        assert_non_null(strstr(err.msg, ": gzip data is cut short: expected more text"));
    }
    size_t m = reading_gzipped("2 2\n", 4, z + n, sizeof z - n);
    assert_bytes(z, n + m, PM_OK, "pattern 2x2 1:1 2:2");
    static const char *const behind[] = {"x", "xy", "\x1fx", "\0x", "\0\0\x1fy"};
    static const size_t length[] = {1, 2, 2, 2, 4};
    for (int k = 0; k < 5; ++k) {
        memcpy(z + n + m, behind[k], length[k]);
        assert_bytes(z, n + m + length[k], PM_EDATA,
                     ":1: gzip data ends, but bytes other than zero follow it: the file may be "
                     "damaged; 'gzip -dc' leaves them out");
    }
    memcpy(z + n + m, "\0\0", 2);
    assert_bytes(z, n + m + 2, PM_OK, "pattern 2x2 1:1 2:2");
    z[n + m] = 0x1f; /* the beginning of a member */
    assert_bytes(z, n + m + 1, PM_EDATA, ":1: gzip data is cut short: expected more text");
    z[n - 6] ^= 1;
    assert_bytes(z, n, PM_EDATA, ":1: gzip data is damaged: expected gzip data to its end");
    n = reading_gzipped("", 0, z, sizeof z);
    assert_bytes(z, n, PM_EDATA,
                 ":1: empty input: expected a graph (that without vertices is '# pm-edges 0 0')");
}

static void test_garbage(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int round = 0; round < test_rounds(200); ++round) {
        unsigned char bytes[256];
        for (size_t k = 0; k < sizeof bytes; ++k)
            bytes[k] = (unsigned char)pm_rng_next(&rng);
        /* No mark of an order of bytes, no gzip, and no zeros as in UTF-16. Another known beginning
         * ("\x93NUMPY") has a probability below 1e-9 in all rounds. */
        bytes[0] = (unsigned char)(0x80 | (bytes[0] & 0x3f));
        bytes[1] |= 1;
        bytes[7] = 0;
        assert_bytes(bytes, sizeof bytes, PM_EDATA, ":1: expected a graph in a known format");
    }
    assert_bytes("\xe9 \xe8\n", 4, PM_EDATA, ":1: expected a graph in a known format");
    assert_bytes(
        "\xff\xfe\61\0", 4, PM_EDATA,
        ":1: expected a graph in a known format, found UTF-16: convert it (iconv -f UTF-16 "
        "-t UTF-8)");
    assert_bytes("\xc3\xa9 x\n", 5, PM_OK, "pattern 1x1 \xc3\xa9:x");
}

/* In every part of a long input: it is read in parts of 65536 bytes. */
static void test_nul(void **state)
{
    (void)state;
    static const size_t places[] = {39998, 65534, 65535, 65536, 131070, 199998};
    size_t size = 200000;
    char *text = pm_alloc_array((int64_t)size, 1);
    assert_non_null(text);
    for (size_t k = 0; k < sizeof places / sizeof *places; ++k) {
        char want[256];
        memset(text, '\n', size);
        memcpy(text, "1 1\n", 4);
        text[places[k]] = '\0';
        snprintf(want, sizeof want,
                 ":%zu: expected text, found a zero byte: the input is not a text file, or it is "
                 "UTF-16 (iconv -f UTF-16 -t UTF-8)",
                 places[k] - 2);
        assert_bytes(text, size, PM_EDATA, want);
    }
    free(text);
    /* where the format is recognised */
#define ZERO                                                                                       \
    "expected text, found a zero byte: the input is not a text file, or it is UTF-16 (iconv"
    assert_bytes("# c\n1 1\n2 \0 2\n", 14, PM_EDATA, ":3: " ZERO " -f UTF-16 -t UTF-8)");
    assert_bytes("1 1\n\x01\0\n", 7, PM_EDATA, ":1: expected a graph in a known format");
}

static void test_long_line(void **state)
{
    (void)state;
    char *text = pm_alloc_array(PM_LINE_MAX + 2, 1);
    assert_non_null(text);
    memset(text, 'a', PM_LINE_MAX + 2);
    memcpy(text, "1 1\n", 4);
    assert_bytes(
        text, PM_LINE_MAX + 2, PM_EDATA,
        ":2: expected 'left right' as in the first edge, found 1 field; the last line has no "
        "line feed at its end: the input may be cut there");
    memset(text, 'a', 4);
    text[PM_LINE_MAX + 1] = '\n';
    assert_bytes(text, PM_LINE_MAX + 2, PM_EDATA, ":1: line too long: expected at most 64 MiB");
    free(text);
}

static void test_opening(void **state)
{
    (void)state;
    pm_reader *r = NULL;
    pm_error err = {.msg = ""};
    pm_read_options opt = {0}, unknown = {.from = "nonsense"};
    assert_int_equal(pm_reader_open("/nonexistent/graph", &opt, &r, &err), PM_ENOINPUT);
    assert_string_equal(err.msg, "/nonexistent/graph: cannot open: No such file or directory");
    assert_int_equal(pm_reader_open("/", &opt, &r, &err), PM_ENOINPUT);
    assert_string_equal(err.msg, "/: expected a file, found a directory");
    assert_int_equal(pm_reader_open("/", &unknown, &r, &err), PM_EUSAGE);
    assert_null(r);
    for (int k = 0; pm_format_name(k); ++k) {
        opt.from = pm_format_name(k);
        assert_int_equal(pm_reader_open("/dev/null", &opt, &r, &err), PM_OK);
        assert_string_equal(pm_reader_format(r), pm_format_name(k));
        assert_string_equal(pm_reader_name(r), "/dev/null");
        pm_reader_close(&r);
    }
}

static void test_stdin(void **state)
{
    (void)state;
    reading_write("1 1\n", 4);
    int saved = dup(STDIN_FILENO), file = open(reading_path, O_RDONLY);
    assert_int_equal(dup2(file, STDIN_FILENO), STDIN_FILENO);
    pm_reader *r = NULL;
    pm_node e;
    pm_node_init(&e);
    pm_read_options opt = {0};
    assert_int_equal(pm_reader_open("-", &opt, &r, NULL), PM_OK);
    assert_string_equal(pm_reader_name(r), "(standard input)");
    assert_int_equal(pm_reader_next(r, &e, NULL), PM_OK);
    assert_int_equal(pm_matrix_nnz(&e.matrix), 1);
    assert_string_equal(pm_reader_note(r),
                        "read as 1 rows and 1 columns, from the labels; vertices without edges "
                        "need a line '# pm-edges ROWS COLS'");
    pm_reader_close(&r);
    pm_node_clear(&e);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gzip),    cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_nul),     cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_opening), cmocka_unit_test(test_stdin),
    };
    return cmocka_run_group_tests_name("read_bytes", tests, reading_begin, reading_end);
}
