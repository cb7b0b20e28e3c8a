/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Length of the UTF-8 sequence at s, 0 if it is none: no overlong forms, no surrogates, nothing
 * above U+10FFFF (Unicode 15, table 3-7). */
static int utf8_length(const unsigned char *s)
{
    int length = s[0] < 0x80   ? 1
                 : s[0] < 0xC2 ? 0
                 : s[0] < 0xE0 ? 2
                 : s[0] < 0xF0 ? 3
                 : s[0] < 0xF5 ? 4
                               : 0;
    unsigned char low = s[0] == 0xE0 ? 0xA0 : s[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = s[0] == 0xED ? 0x9F : s[0] == 0xF4 ? 0x8F : 0xBF;
    for (int i = 1; i < length; ++i) {
        if (s[i] < low || s[i] > high)
            return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

static void put_text(FILE *f, const char *text)
{
    putc('"', f);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int length = utf8_length(s);
        if (length == 0)
            fputs("\\ufffd", f);
        else if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7F)
            fprintf(f, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)length, f);
        s += length ? length : 1;
    }
    putc('"', f);
}

static void put_key(pm_json *j, const char *key)
{
    if (j->needs_comma)
        putc(',', j->f);
    j->needs_comma = true;
    if (key) {
        put_text(j->f, key);
        putc(':', j->f);
    }
}

void pm_json_begin(pm_json *j, const char *key, char bracket)
{
    put_key(j, key);
    putc(bracket, j->f);
    j->needs_comma = false;
}

void pm_json_end(pm_json *j, char bracket)
{
    putc(bracket, j->f);
    j->needs_comma = true;
}

void pm_json_string(pm_json *j, const char *key, const char *text)
{
    put_key(j, key);
    if (text)
        put_text(j->f, text);
    else
        fputs("null", j->f);
}

void pm_json_int(pm_json *j, const char *key, int64_t value)
{
    put_key(j, key);
    fprintf(j->f, "%" PRId64, value);
}

bool pm_json_is_whole(double value)
{
    return value == rint(value) && fabs(value) < 1e15;
}

static void put_significant(pm_json *j, const char *key, double value, int digits)
{
    put_key(j, key);
    if (isfinite(value))
        fprintf(j->f, "%.*g", pm_json_is_whole(value) ? 15 : digits, value);
    else
        fputs("null", j->f);
}

void pm_json_double(pm_json *j, const char *key, double value)
{
    put_significant(j, key, value, 6);
}

void pm_json_precise(pm_json *j, const char *key, double value)
{
    put_significant(j, key, value, 15);
}

void pm_json_decimal(pm_json *j, const char *key, double value, int digits)
{
    put_key(j, key);
    if (isfinite(value))
        fprintf(j->f, "%.*f", digits, value);
    else
        fputs("null", j->f);
}

void pm_json_bool(pm_json *j, const char *key, bool value)
{
    put_key(j, key);
    fputs(value ? "true" : "false", j->f);
}
