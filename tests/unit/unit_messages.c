/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What reaches a terminal, and what is left of messages that are too long. */
#include "config.h"

#include "support/testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/console.h"
#include "pm/status.h"
#include "process/terminal.h"
#include "text/printable.h"

static uint64_t rng;

/* By the table of the Unicode standard, as ranges. */
static bool may_be_shown(uint32_t c)
{
    static const uint32_t not [][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                       {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069},
                                       {0xD800, 0xDFFF}};
    for (size_t i = 0; i < sizeof not / sizeof *not ; ++i)
        if (c >= not [i][0] && c <= not [i][1])
            return false;
    return true;
}

static int encode(uint32_t c, char out[5])
{
    int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char mark[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (int i = n - 1; i > 0; --i, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(mark[n] | c);
    out[n] = '\0';
    return n;
}

static void every_character(void **state)
{
    (void)state;
    for (uint32_t c = 1; c < 0x110000; ++c) {
        char text[5];
        int n = encode(c, text);
        assert_int_equal(pm_printable_length(text), may_be_shown(c) ? n : 0);
        bool is_surrogate = c >= 0xD800 && c < 0xE000;
        assert_int_equal(pm_utf8_length(text), is_surrogate ? 0 : n);
        if (!is_surrogate)
            assert_int_equal(pm_utf8_code(text, n), c);
        if (n > 1) {
            text[n - 1] = '\0'; /* cut */
            assert_int_equal(pm_utf8_length(text), 0);
        }
    }
    assert_int_equal(pm_utf8_length("\xC0\x9B"), 0); /* overlong ESC */
    assert_int_equal(pm_utf8_length("\xF4\x90\x80\x80"), 0);
    assert_int_equal(pm_utf8_length("\x9B"), 0); /* C1 in Latin-1 */
}

static void to_console(const char *message, char *out, size_t room)
{
    FILE *f = fmemopen(out, room, "w");
    assert_non_null(f);
    pm_console c = {.program = "p", .to = f};
    pm_console_error(&c, message);
    assert_int_equal(fclose(f), 0);
}

static void messages_hold_no_commands(void **state)
{
    (void)state;
    char out[256];
    to_console("a\x1B[2Jb\xC2\x9Bm\x9B\ttab\nline\xE2\x80\xAEx\xC3\xA4", out, sizeof out);
    assert_string_equal(out,
                        "p: a\\x1B[2Jb\\xC2\\x9Bm\\x9B\\x09tab\\x0Aline\\xE2\\x80\\xAEx\xC3\xA4\n");
}

static void long_names_keep_the_reason(void **state)
{
    (void)state;
    enum { LONGEST = 6000 };
    static char name[LONGEST + 1];
    for (int n = 0; n < LONGEST; n += n < 900 || n > 1100 ? 61 : 1) {
        for (int i = 0; i < n; ++i)
            memcpy(name + i, i % 2 ? "\xA4" : "\xC3", 1);
        name[n & ~1] = '\0';
        pm_error err;
        assert_int_equal(pm_fail(&err, PM_EDATA, "/%s: line 17: a reason", name), PM_EDATA);
        size_t length = strlen(err.msg);
        assert_true(length < sizeof err.msg);
        assert_true(strstr(err.msg, ": line 17: a reason") == err.msg + length - 19);
        for (const char *s = err.msg; *s; s += pm_utf8_length(s))
            assert_true(pm_utf8_length(s) > 0);
        bool is_cut = strlen(name) + 20 >= sizeof err.msg;
        assert_int_equal(strstr(err.msg, " ... ") != NULL, is_cut);
        pm_fail_internal(&err, "/%s: a reason", name);
        assert_non_null(strstr(err.msg, ": a reason; this is a defect of the program"));
    }
}

/* Bytes that are no text, as a path may have them. */
static void long_messages_that_are_no_text(void **state)
{
    (void)state;
    static char name[4000];
    memset(name, 0x80, sizeof name - 1);
    pm_error err;
    pm_fail(&err, PM_EDATA, "%s", name);
    size_t length = strlen(err.msg);
    assert_true(length >= sizeof err.msg - 8 && length < sizeof err.msg); /* most of it stays */
    assert_non_null(strstr(err.msg, "\x80 ... \x80"));
}

/* A terminal gets the same bytes however the output is cut into pieces. */
static void pieces_make_no_difference(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "a",    "\n",   "\t",           "\x1B[1m",          "\xC2\x9B",
        "\xC3", "\xE2", "\xE2\xA0\x80", "\xF0\x9F\x99\x82", "\x80"};
    for (int round = 0; round < test_rounds(300); ++round) {
        char text[400] = "";
        while (strlen(text) < 300)
            strcat(text, parts[pm_rng_below(&rng, 10)]);
        char want[1700] = "", got[1700];
        for (const char *s = text; *s;) {
            int n = *s == '\n' || *s == '\t' ? 1 : pm_printable_length(s);
            size_t end = strlen(want);
            n ? (void)snprintf(want + end, sizeof want - end, "%.*s", n, s)
              : (void)snprintf(want + end, sizeof want - end, "\\x%02X", (unsigned char)*s);
            s += n ? n : 1;
        }
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        FILE *f = pm_terminal_stream(ends[1]);
        assert_non_null(f);
        for (const char *s = text; *s;) {
            size_t left = strlen(s), n = 1 + pm_rng_below(&rng, 7);
            n = n < left ? n : left;
            assert_int_equal(fwrite(s, 1, n, f), n);
            assert_int_equal(fflush(f), 0);
            s += n;
        }
        assert_int_equal(fclose(f), 0);
        ssize_t size = 0, n;
        while ((n = read(ends[0], got + size, sizeof got - 1 - (size_t)size)) > 0)
            size += n;
        got[size] = '\0';
        close(ends[0]);
        assert_string_equal(got, want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character),
        cmocka_unit_test(messages_hold_no_commands),
        cmocka_unit_test(long_names_keep_the_reason),
        cmocka_unit_test(long_messages_that_are_no_text),
        cmocka_unit_test(pieces_make_no_difference),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
