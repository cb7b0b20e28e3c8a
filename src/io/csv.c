/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of edges, as spreadsheets and data frames write them: each record is an edge, two of its
 * fields are labels and perhaps one is the weight.
 *
 * Is the first record a header?  Unless the options say so: yes when a column is given by its name;
 * otherwise yes when all used fields of the first record are words: they begin with a letter and are no
 * numbers.  But if there are no weights, only if both labels of the second record are numbers; and if
 * there are, no other record has one of its labels. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/csv_columns.h"
#include "io/csv_record.h"
#include "io/edge_table.h"
#include "io/formats.h"
#include "io/scalar.h"
#include "pm/settings.h"

typedef struct {
    pm_source *s;
    const pm_read_options *opt;
    char delimiter;
    pm_csv_columns columns;
    pm_edge_table edges;
    bool is_guess;       /* the first record was taken as an edge, but could be a header */
    int64_t header_line; /* of a header that was recognised; 0: none */
} table;

/* ---- columns ---- */

static pm_status find_delimiter(table *x, pm_error *err)
{
    x->delimiter = x->opt->delimiter;
    if (x->delimiter)
        return PM_OK;
    pm_status status = pm_csv_find_delimiter(x->s, &x->delimiter, err);
    if (!status && !x->delimiter) {
        char *line;
        int64_t length;
        status = pm_source_line(x->s, &line, &length, err);
        if (!status)
            status = pm_source_fail(
                x->s, err, "expected a table with a comma, semicolon or tab between its columns%s",
                pm_hint_text(PM_HINT_DELIMITER));
    }
    return status;
}

static pm_status find_columns(table *x, const pm_csv_record *first, pm_error *err)
{
    static const char *const usual[] = {"1,2", "1,2,3"};
    pm_status status;
    if (x->opt->columns)
        status = pm_csv_columns_parse(x->opt->columns, &x->columns, err);
    else if (first->count == 2 || first->count == 3)
        status = pm_csv_columns_parse(usual[first->count - 2], &x->columns, err);
    else
        return pm_source_fail(
            x->s, err,
            "expected 2 or 3 columns (left, right and perhaps weight), found %" PRId64 "%s",
            first->count, pm_hint_text(PM_HINT_COLUMNS));
    if (!status && pm_csv_columns_are_named(&x->columns) && x->opt->header == PM_HEADER_NO)
        status = pm_fail(err, PM_EUSAGE,
                         "expected numbers of columns, found names, which need a header%s",
                         pm_hint_text(PM_HINT_HEADER));
    return status;
}

static char *used_field(const table *x, const pm_csv_record *r, int k, int64_t *length)
{
    return pm_csv_field(r, x->columns.column[k].at, length);
}

/* ---- the header ---- */

static bool is_number(const char *text, int64_t length)
{
    pm_dyadic v = {0};
    pm_number_kind kind = pm_number_parse(text, length, &v);
    pm_dyadic_clear(&v);
    return kind != PM_NUMBER_BAD;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_word(const char *text, int64_t length)
{
    return is_letter(*text) && !is_number(text, length);
}

/* A wrong weight, not the name of the column of weights. */
static bool is_not_finite(const char *text)
{
    return strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0;
}

static bool are_words(const table *x, const pm_csv_record *first)
{
    for (int k = 0; k < x->columns.count; ++k) {
        int64_t length;
        const char *text = used_field(x, first, k, &length);
        if (!is_word(text, length) || (k == 2 && is_not_finite(text)))
            return false;
    }
    return true;
}

static bool has_number_labels(const table *x, const pm_csv_record *second)
{
    for (int k = 0; k < 2; ++k) {
        int64_t length;
        if (x->columns.column[k].at >= second->count)
            return false;
        const char *text = used_field(x, second, k, &length);
        if (!is_number(text, length))
            return false;
    }
    return true;
}

/* ---- edges ---- */

static pm_status add_edge(table *x, const pm_csv_record *r, int64_t columns, pm_error *err)
{
    char *text[3];
    int64_t length[3] = {0};
    bool weighted = x->columns.count == 3, is_integer = true;
    if (r->count != columns)
        return pm_source_fail(x->s, err,
                              "expected %" PRId64 " columns as in the first line, found %" PRId64,
                              columns, r->count);
    for (int k = 0; k < x->columns.count; ++k)
        text[k] = used_field(x, r, k, &length[k]);
    if (!length[0] || !length[1])
        return pm_source_fail(x->s, err,
                              "expected the name of a vertex in column %" PRId64 ", found nothing",
                              x->columns.column[length[0] ? 1 : 0].at + 1);
    pm_dyadic weight = {0};
    pm_status status = PM_OK;
    if (weighted)
        status = pm_read_value(x->s, text[2], length[2], PM_REAL, &weight, &is_integer, err);
    x->edges.has_real = x->edges.has_real || !is_integer;
    if (!status)
        status = pm_edge_table_add(&x->edges, (const char *const[]){text[0], text[1]}, length,
                                   weighted ? &weight : NULL, NULL, err);
    pm_dyadic_clear(&weight);
    return status;
}

static void begin_edges(table *x)
{
    pm_edge_table_free(&x->edges);
    pm_edge_table_begin(&x->edges, x->s, x->opt);
    x->edges.fields = x->columns.count;
    x->edges.to.field = x->columns.count == 3 ? PM_REAL : PM_PATTERN;
}

/* Reads the first record as a header or as an edge, and the second one, which may decide. */
static pm_status read_first(table *x, bool named, const pm_csv_record *first, pm_csv_record *second,
                            pm_error *err)
{
    bool told = named || x->opt->header != PM_HEADER_AUTO;
    bool words = !told && are_words(x, first);
    bool header = told ? named || x->opt->header == PM_HEADER_YES : words && x->columns.count == 3;
    pm_status status = header ? PM_OK : add_edge(x, first, first->count, err);
    if (header && !told)
        x->header_line = pm_source_line_number(x->s);
    if (!status)
        status = pm_csv_record_read(x->s, x->delimiter, second, err);
    if (status || !words || header)
        return status;
    x->is_guess = !has_number_labels(x, second);
    if (!x->is_guess)
        begin_edges(x);
    return PM_OK;
}

/* An edge with a wrong weight may look like a header; but a header names no vertices. */
static pm_status check_header(const table *x, const pm_csv_record *first, pm_error *err)
{
    int64_t length;
    char quote[PM_QUOTE];
    for (int k = 0; k < 2 && x->header_line; ++k) {
        const char *text = used_field(x, first, k, &length);
        if (pm_label_find(&x->edges.sides[x->opt->graph ? 0 : k].map, text, length) >= 0) {
            text = used_field(x, first, 2, &length);
            return pm_fail(err, PM_EDATA,
                           "%s:%" PRId64
                           ": expected a finite number, not %s; if this line is a header, say so, "
                           "because other lines have the same labels%s",
                           pm_source_name(x->s), x->header_line, pm_quote(text, length, quote),
                           pm_hint_text(PM_HINT_HEADER));
        }
    }
    return PM_OK;
}

static pm_status read_records(table *x, pm_csv_record r[2], pm_error *err)
{
    pm_status status = pm_csv_record_read(x->s, x->delimiter, &r[0], err);
    if (!status && r[0].count == 0)
        status = pm_source_fail(x->s, err, "expected edges, found none");
    if (!status)
        status = find_columns(x, &r[0], err);
    if (status)
        return status;
    bool named = pm_csv_columns_are_named(&x->columns);
    begin_edges(x);
    status = pm_csv_columns_find(&x->columns, x->s, &r[0], err);
    if (!status)
        status = read_first(x, named, &r[0], &r[1], err);
    while (!status && r[1].count) {
        status = add_edge(x, &r[1], r[0].count, err);
        if (!status)
            status = pm_csv_record_read(x->s, x->delimiter, &r[1], err);
    }
    return status ? status : check_header(x, &r[0], err);
}

/* ---- the whole ---- */

/* A header that was not recognised names vertices that no other edge has. */
static bool is_first_alone(const pm_edge_table *t)
{
    const pm_coordinates *at = t->to.at;
    for (int64_t k = 1; k < t->to.count; ++k)
        if (at[k].row == at[0].row || at[k].col == at[0].col
            || (t->opt->graph && (at[k].row == at[0].col || at[k].col == at[0].row)))
            return false;
    return t->to.count > 1;
}

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    table x = {.s = s, .opt = opt};
    pm_csv_record records[2] = {{0}, {0}};
    pm_status status = find_delimiter(&x, err);
    if (!status)
        status = read_records(&x, records, err);
    if (!status && x.edges.to.count == 0)
        status = pm_source_fail(s, err, "expected an edge after the header, found none");
    if (!status && x.is_guess && is_first_alone(&x.edges))
        snprintf(
            about->warning, sizeof about->warning,
            "read with the first line as an edge, but it could be a header: its labels are in no "
            "other line%s",
            pm_hint_text(PM_HINT_HEADER));
    if (!status)
        status = pm_edge_table_matrix(&x.edges, &e->matrix, about, err);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
    for (int k = 0; k < 2; ++k)
        pm_csv_record_free(&records[k]);
    pm_edge_table_free(&x.edges);
    return status;
}

const pm_format pm_format_csv = {.name = "csv", .next = next, .one_graph = true};
