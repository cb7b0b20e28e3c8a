/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/emit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/integer_text.h"
#include "core/text_stream.h"

/* ---- cells ---- */

pm_cell pm_cell_int(const char *name, int64_t value)
{
    return (pm_cell){.type = PM_CELL_INT, .name = name, .i = value};
}

pm_cell pm_cell_uint(const char *name, uint64_t value)
{
    return (pm_cell){.type = PM_CELL_UINT, .name = name, .u = value};
}

pm_cell pm_cell_number(const char *name, double value)
{
    return (pm_cell){.type = PM_CELL_NUMBER, .name = name, .x = value};
}

pm_cell pm_cell_precise(const char *name, double value)
{
    return (pm_cell){.type = PM_CELL_NUMBER, .name = name, .x = value, .format = PM_DIGITS_PRECISE};
}

pm_cell pm_cell_significant(const char *name, double value, int digits)
{
    return (pm_cell){.type = PM_CELL_NUMBER,
                     .name = name,
                     .x = value,
                     .format = PM_DIGITS_SIGNIFICANT,
                     .digits = digits};
}

pm_cell pm_cell_decimal(const char *name, double value, int digits)
{
    return (pm_cell){.type = PM_CELL_NUMBER,
                     .name = name,
                     .x = value,
                     .format = PM_DIGITS_DECIMAL,
                     .digits = digits};
}

pm_cell pm_cell_text(const char *name, const char *value)
{
    return (pm_cell){.type = PM_CELL_TEXT, .name = name, .text = value};
}

pm_cell pm_cell_bool(const char *name, bool value)
{
    return (pm_cell){.type = PM_CELL_BOOL, .name = name, .yes = value};
}

pm_cell pm_only_text(pm_cell c)
{
    c.in = PM_IN_TEXT;
    return c;
}

pm_cell pm_only_json(pm_cell c)
{
    c.in = PM_IN_JSON;
    return c;
}

pm_cell pm_with_key(pm_cell c, const char *key)
{
    c.key = key;
    return c;
}

/* ---- text ---- */

static void put_integer(int64_t x, FILE *f)
{
    char room[PM_DECIMAL_ROOM];
    fputs(pm_decimal(x, room), f);
}

/* With 15 significant digits; most values of long lists are integers. */
static void put_precise(double x, FILE *f)
{
    if (fabs(x) < 1e15 && x == trunc(x) && (x != 0 || !signbit(x)))
        put_integer((int64_t)x, f);
    else
        fprintf(f, "%.15g", x);
}

static void put_number(const pm_cell *c, FILE *f)
{
    if (c->format == PM_DIGITS_SIGNIFICANT)
        fprintf(f, "%.*g", c->digits, c->x);
    else if (c->format == PM_DIGITS_DECIMAL && isfinite(c->x))
        fprintf(f, "%.*f", c->digits, c->x);
    else if (c->format == PM_DIGITS_DECIMAL && isinf(c->x))
        fputs(c->x < 0 ? "-inf" : "inf", f);
    else if (c->format == PM_DIGITS_PRECISE && isfinite(c->x))
        put_precise(c->x, f);
    else if (isfinite(c->x))
        fprintf(f, pm_json_is_whole(c->x) ? "%.0f" : "%.6g", c->x);
    else
        putc('-', f);
}

static void put_value(const pm_cell *c, FILE *f)
{
    switch (c->type) {
    case PM_CELL_INT: put_integer(c->i, f); break;
    case PM_CELL_UINT: fprintf(f, "%" PRIu64, c->u); break;
    case PM_CELL_NUMBER: put_number(c, f); break;
    case PM_CELL_TEXT: fputs(c->text ? c->text : "-", f); break;
    case PM_CELL_BOOL: fputs(c->yes ? "yes" : "no", f); break;
    }
}

static void put_row(const pm_cell *cells, int count, FILE *f)
{
    bool is_first = true;
    for (const pm_cell *c = cells; c < cells + count; ++c)
        if (c->in != PM_IN_JSON) {
            if (!is_first)
                putc('\t', f);
            put_value(c, f);
            is_first = false;
        }
}

static void put_titles(const pm_cell *cells, int count, FILE *f)
{
    const char *separator = "# ";
    for (const pm_cell *c = cells; c < cells + count; ++c)
        if (c->in != PM_IN_JSON) {
            fprintf(f, "%s%s", separator, c->name);
            separator = "\t";
        }
}

void pm_emit_escaped(FILE *f, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s; ++s)
        if (*s == '\\')
            fputs("\\\\", f);
        else if (*s == '\t')
            fputs("\\t", f);
        else if (*s == '\n')
            fputs("\\n", f);
        else if (*s == '\r')
            fputs("\\r", f);
        else if (*s < 0x20 || *s == 0x7F)
            fprintf(f, "\\x%02X", *s);
        else
            putc(*s, f);
}

/* ---- the table of --table ---- */

static void put_column(const pm_cell *c, FILE *f)
{
    if (c->type == PM_CELL_TEXT && c->text)
        pm_emit_escaped(f, c->text);
    else if (c->type == PM_CELL_NUMBER && !isfinite(c->x))
        putc('-', f);
    else
        put_value(c, f);
}

static void keep_columns(pm_emitter *e, const pm_cell *cells, int count)
{
    for (const pm_cell *c = cells; c < cells + count; ++c) {
        int i = c->in == PM_IN_TEXT ? -1 : pm_columns_find(e->columns, c->key ? c->key : c->name);
        if (i < 0)
            continue;
        pm_text_stream *s = pm_text_stream_open();
        if (s)
            put_column(c, pm_text_stream_file(s));
        free(e->row.text[i]);
        e->row.text[i] = pm_text_stream_close(s);
        if (!e->row.text[i])
            e->failed = true;
    }
}

bool pm_emit_has(const pm_emitter *e, const char *key)
{
    return e->is_json || (e->columns && pm_columns_find(e->columns, key) >= 0);
}

/* ---- JSON ---- */

static void put_member(const pm_cell *c, pm_json *j)
{
    const char *key = c->key ? c->key : c->name;
    char digits[24];
    switch (c->type) {
    case PM_CELL_INT: pm_json_int(j, key, c->i); break;
    case PM_CELL_UINT:
        snprintf(digits, sizeof digits, "%" PRIu64, c->u);
        pm_json_string(j, key, digits);
        break;
    case PM_CELL_NUMBER:
        if (c->format == PM_DIGITS_DECIMAL)
            pm_json_decimal(j, key, c->x, c->digits);
        else if (c->format == PM_DIGITS_PRECISE)
            pm_json_precise(j, key, c->x);
        else
            pm_json_double(j, key, c->x);
        break;
    case PM_CELL_TEXT: pm_json_string(j, key, c->text); break;
    case PM_CELL_BOOL: pm_json_bool(j, key, c->yes); break;
    }
}

static void put_members(const pm_cell *cells, int count, pm_json *j)
{
    for (const pm_cell *c = cells; c < cells + count; ++c)
        if (c->in != PM_IN_TEXT)
            put_member(c, j);
}

/* ---- answers ---- */

static void make_header(pm_emitter *e, const pm_cell *cells, int count)
{
    pm_text_stream *s = pm_text_stream_open();
    if (s && e->columns)
        pm_columns_put_titles(e->columns, pm_text_stream_file(s));
    else if (s)
        put_titles(cells, count, pm_text_stream_file(s));
    e->header = pm_text_stream_close(s);
    if (!e->header)
        e->failed = true;
}

void pm_emit_column_titles(pm_emitter *e)
{
    if (!e->header)
        make_header(e, NULL, 0);
}

void pm_emit_record(pm_emitter *e, const pm_cell *cells, int count)
{
    if (e->is_json)
        put_members(cells, count, &e->json);
    else if (e->columns)
        keep_columns(e, cells, count);
    else
        put_row(cells, count, e->f);
}

void pm_emit_titled_record(pm_emitter *e, const pm_cell *cells, int count)
{
    if (!e->is_json && !e->columns && !e->header)
        make_header(e, cells, count);
    pm_emit_record(e, cells, count);
}

void pm_emit_members(pm_emitter *e, const pm_cell *cells, int count)
{
    if (e->is_json || e->columns)
        pm_emit_record(e, cells, count);
}

void pm_emit_table(pm_emitter *e, const char *key, const pm_cell *cells, int count)
{
    if (e->is_json) {
        pm_json_begin(&e->json, key, '[');
        return;
    }
    put_titles(cells, count, e->f);
    putc('\n', e->f);
}

void pm_emit_row(pm_emitter *e, const pm_cell *cells, int count)
{
    if (e->is_json) {
        pm_json_begin(&e->json, NULL, '{');
        put_members(cells, count, &e->json);
        pm_json_end(&e->json, '}');
    } else {
        put_row(cells, count, e->f);
        putc('\n', e->f);
    }
}

void pm_emit_table_end(pm_emitter *e)
{
    if (e->is_json)
        pm_json_end(&e->json, ']');
}
