/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "text/printable.h"

static void put_text(FILE *f, const char *text)
{
    putc('"', f);
    for (int length; *text; text += length ? length : 1) {
        length = pm_utf8_length(text);
        if (length == 0)
            fputs("\\ufffd", f);
        else if (*text == '"' || *text == '\\')
            fprintf(f, "\\%c", *text);
        else if (pm_printable_length(text))
            fwrite(text, 1, (size_t)length, f);
        else
            fprintf(f, "\\u%04x", (unsigned)pm_utf8_code(text, length));
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
