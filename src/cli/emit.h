/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/emit.h: writes an answer as text or as JSON from one description.
 *
 * A record is a list of cells, each with a name, a type and a value.  As text it is one row of a
 * table, its cells separated by TABs, and the names are the titles of the columns.  As JSON it is
 * the members of an object, and the names are the keys.  A table of --table (cli/columns.h) has some
 * of the members of JSON as its columns. */
#ifndef PM_EMIT_H
#define PM_EMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/columns.h"
#include "cli/json.h"

/* ---- cells ---- */

typedef enum { PM_CELL_INT, PM_CELL_UINT, PM_CELL_NUMBER, PM_CELL_TEXT, PM_CELL_BOOL } pm_cell_type;

typedef enum { PM_IN_BOTH, PM_IN_TEXT, PM_IN_JSON } pm_cell_place;

/* Digits of a PM_CELL_NUMBER. */
typedef enum {
    PM_DIGITS_PLAIN,       /* whole numbers in full, others with 6 significant digits */
    PM_DIGITS_SIGNIFICANT, /* text: `digits` significant ones; JSON: plain */
    PM_DIGITS_DECIMAL,     /* `digits` after the point */
    PM_DIGITS_PRECISE      /* 15 significant digits */
} pm_digits;

typedef struct {
    pm_cell_type type;
    pm_cell_place in; /* the forms that have this cell */
    const char *name;
    const char *key; /* the key in JSON, if it is not the name; else NULL */
    pm_digits format;
    int digits;
    union {
        int64_t i;
        uint64_t u;
        double x;
        const char *text;
        bool yes;
    };
} pm_cell;

pm_cell pm_cell_int(const char *name, int64_t value);
/* A string in JSON, whose numbers may be doubles: seeds and moduli have up to 64 bits. */
pm_cell pm_cell_uint(const char *name, uint64_t value);
/* Not a finite number: "-" as text, null in JSON. */
pm_cell pm_cell_number(const char *name, double value);
/* The same with 15 significant digits. */
pm_cell pm_cell_precise(const char *name, double value);
/* Not a finite number: "inf", "-inf" or "nan" as text, null in JSON. */
pm_cell pm_cell_significant(const char *name, double value, int digits);
/* Not a finite number: "-inf" below 0, else "inf", as text; null in JSON. */
pm_cell pm_cell_decimal(const char *name, double value, int digits);
/* NULL: "-" as text, null in JSON.  The text is not copied. */
pm_cell pm_cell_text(const char *name, const char *value);
/* yes or no as text; true or false in JSON */
pm_cell pm_cell_bool(const char *name, bool value);

/* The same cell, only in one of the two forms, or with another key in JSON. */
pm_cell pm_only_text(pm_cell c);
pm_cell pm_only_json(pm_cell c);
pm_cell pm_with_key(pm_cell c, const char *key);

/* ---- answers ---- */

typedef struct {
    bool is_json;
    const pm_column_list *columns; /* NULL, or the table of --table; excludes is_json */
    pm_column_row row;             /* of that table */
    FILE *f;                       /* the file of the answer; for text that is not a record */
    pm_json json;                  /* writes to f; for JSON that is not a record */
    char *header;                  /* "# a\tb", from pm_emit_titled_record; or NULL */
    bool failed;                   /* no memory for the header, or a row */
} pm_emitter;

/* True when the form has a cell with this key: JSON has all, a table of --table its columns, text
 * none. */
bool pm_emit_has(const pm_emitter *e, const char *key);
/* Writes a record.  Text: a row without its newline.  JSON: members of the open object. */
void pm_emit_record(pm_emitter *e, const pm_cell *cells, int count);
/* The same; for text it also sets e->header to the titles of the columns. */
void pm_emit_titled_record(pm_emitter *e, const pm_cell *cells, int count);
/* JSON: members of the open object.  Text: nothing. */
void pm_emit_members(pm_emitter *e, const pm_cell *cells, int count);

/* For a table of --table: sets e->header. */
void pm_emit_column_titles(pm_emitter *e);

/* A table of many rows.  Text: a line of titles, then a line for each row.  JSON: an array of
 * objects.  cells: those of any row; their names are the titles. */
void pm_emit_table(pm_emitter *e, const char *key, const pm_cell *cells, int count);
void pm_emit_row(pm_emitter *e, const pm_cell *cells, int count);
void pm_emit_table_end(pm_emitter *e);

/* Writes one word into a cell of a row: backslash and control characters as \\ \t \n \r \xHH. */
void pm_emit_escaped(FILE *f, const char *text);

#define PM_COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

#endif
