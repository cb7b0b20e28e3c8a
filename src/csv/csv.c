/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of edges, as spreadsheets and data frames write them: each record is an edge, two of its
 * fields are labels and perhaps one is the weight.
 *
 * Is the first record a header?  Unless the options say so: yes when a column is given by its name;
 * otherwise yes when all used fields of the first record are words: they begin with a letter, and are no
 * numbers, and no marks of a missing weight or roots of unity.  But if there are no weights, only if both labels of the
 * second record are numbers, or there is none.  In both cases no other record has one of its labels. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "csv/csv_columns.h"
#include "csv/csv_delimiter.h"
#include "csv/csv_record.h"
#include "edges/number_block.h"
#include "io/edge_table.h"
#include "io/formats.h"
#include "pm/settings.h"
#include "text/root_read.h"
#include "text/scalar.h"
#include "text/value_read.h"

typedef struct {
    pm_source *s;
    const pm_read_options *opt;
    char delimiter;
    pm_csv_columns columns;
    pm_edge_table edges;
    pm_number_block block;
    bool is_guess;       /* the first record was taken as an edge, but could be a header */
    bool is_dropped;     /* it was taken as a header, but could be an edge */
    int64_t header_line; /* of a header that was recognised; 0: none */
} table;

/* ---- columns ---- */

static bool is_number(const char *text, int64_t length)
{
    pm_dyadic v = {0};
    pm_number_kind kind = pm_number_parse(text, length, &v);
    pm_dyadic_clear(&v);
    return kind != PM_NUMBER_BAD;
}

/* The first record of a matrix: numbers only, or, after an empty corner, the names of its columns. */
static bool begins_matrix(const pm_csv_record *first)
{
    int64_t length;
    bool is_matrix = true;
    pm_csv_field(first, 0, &length);
    for (int64_t f = 0; f < first->count && is_matrix && length > 0; ++f) {
        const char *text = pm_csv_field(first, f, &length);
        is_matrix = is_number(text, length);
    }
    return is_matrix;
}

#define MATRIX_HINT "; a matrix of numbers, without names, is another format"

static pm_status fail_columns(const table *x, const pm_csv_record *first, pm_error *err)
{
    bool is_matrix = begins_matrix(first);
    return pm_source_fail(x->s, err,
                          "expected 2 or 3 columns (left, right and perhaps weight), found %" PRId64
                          "%s%s%s",
                          first->count, pm_hint_text(PM_HINT_COLUMNS), is_matrix ? MATRIX_HINT : "",
                          is_matrix ? pm_hint_text(PM_HINT_DENSE) : "");
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
        return fail_columns(x, first, err);
    if (!status && pm_csv_columns_are_named(&x->columns) && x->opt->header == PM_HEADER_NO)
        status = pm_fail(err, PM_EUSAGE,
                         "expected numbers of columns where there is no header, found names");
    return status;
}

static char *used_field(const table *x, const pm_csv_record *r, int k, int64_t *length)
{
    return pm_csv_field(r, x->columns.column[k].at, length);
}

/* ---- the header ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_word(const char *text, int64_t length)
{
    return is_letter(*text) && !is_number(text, length);
}

/* No edge has such a weight. */
static bool is_title(const char *text)
{
    static const char *const words[] = {"weight", "weights", "w",    "wt",   "value",
                                        "values", "val",     "cost", "data", "count",
                                        "score",  "number",  NULL};
    const char *const *word = words;
    while (*word && strcasecmp(text, *word) != 0)
        ++word;
    return *word != NULL;
}

/* A word that is no title: a sum with roots of unity, or no number.  i may be a title. */
static bool is_weight(const char *text, int64_t length)
{
    return pm_has_root(text, length) || pm_is_missing_number(text, length);
}

static bool are_words(const table *x, const pm_csv_record *first)
{
    for (int k = 0; k < x->columns.count; ++k) {
        int64_t length;
        const char *text = used_field(x, first, k, &length);
        if (!is_word(text, length) || (k == 2 && is_weight(text, length)))
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
    bool weighted = x->columns.count == 3;
    if (r->count != columns)
        return pm_source_fail(x->s, err,
                              "expected %" PRId64 " columns as in the first line, found %" PRId64,
                              columns, r->count);
    for (int k = 0; k < x->columns.count; ++k)
        text[k] = used_field(x, r, k, &length[k]);
    bool is_mark = length[0] == 4 && memcmp(text[0], "sep=", 4) == 0 && !length[1];
    if (is_mark && x->edges.to.count == 0 && r->count == 2)
        return pm_source_fail(x->s, err,
                              "expected an edge, found the mark 'sep=' of spreadsheet programs: "
                              "leave the line out%s",
                              pm_hint_text(PM_HINT_DELIMITER));
    if (!length[0] || !length[1]) {
        bool is_first = x->edges.to.count == 0 && !x->opt->columns;
        bool is_numbered = is_first && !length[0], is_matrix = is_first && begins_matrix(r);
        return pm_source_fail(
            x->s, err, "expected the name of a vertex in column %" PRId64 ", found nothing%s%s%s%s",
            x->columns.column[length[0] ? 1 : 0].at + 1,
            is_numbered ? "; if column 1 numbers the rows, the edges are in other columns" : "",
            is_numbered ? pm_hint_text(PM_HINT_COLUMNS) : "", is_matrix ? MATRIX_HINT : "",
            is_matrix ? pm_hint_text(PM_HINT_DENSE) : "");
    }
    pm_scalar weight = {.field = PM_INTEGER};
    pm_status status = PM_OK;
    if (weighted)
        status = pm_read_scalar(x->s, text[2], length[2], &weight, err);
    x->edges.has_real = x->edges.has_real || weight.field == PM_REAL;
    if (!status)
        pm_number_block_add(&x->block, (const char *const[]){text[0], text[1]}, length);
    if (!status)
        status = pm_edge_table_add(&x->edges, (const char *const[]){text[0], text[1]}, length,
                                   weighted ? &weight.re : NULL,
                                   weight.field == PM_COMPLEX ? &weight.im : NULL, err);
    pm_scalar_clear(&weight);
    return status;
}

static void begin_edges(table *x)
{
    pm_edge_table_free(&x->edges);
    pm_edge_table_begin(&x->edges, x->s, x->opt);
    x->edges.are_values = false; /* here labels are compared by their numbers */
    x->edges.fields = x->columns.count;
    x->edges.to.field = x->columns.count == 3 ? PM_REAL : PM_PATTERN;
    x->block = (pm_number_block){0};
}

/* Reads the first record as a header or as an edge, and the second one, which may decide. */
static pm_status read_first(table *x, bool named, const pm_csv_record *first, pm_csv_record *second,
                            pm_error *err)
{
    bool told = named || x->opt->header != PM_HEADER_AUTO;
    bool words = !told && are_words(x, first);
    bool header = told ? named || x->opt->header == PM_HEADER_YES : words && x->columns.count == 3;
    pm_status status = header ? PM_OK : add_edge(x, first, first->count, err);
    int64_t line = pm_source_line_number(x->s), length;
    if (!status)
        status = pm_csv_record_read(x->s, x->delimiter, second, err);
    if (status || !words)
        return status;
    bool numbers = has_number_labels(x, second);
    if (!header && second->count == 0)
        return pm_source_fail(x->s, err,
                              "expected an edge after the header, found none; if this line is an "
                              "edge, say so%s",
                              pm_hint_text(PM_HINT_HEADER));
    x->is_guess = !header && !numbers;
    x->is_dropped = header && !numbers && !is_title(used_field(x, first, 2, &length));
    if (!x->is_guess)
        x->header_line = line;
    if (!header && numbers)
        begin_edges(x);
    return PM_OK;
}

/* An edge with a wrong weight, or between names, may look like a header; but a header names no vertices. */
static pm_status check_header(const table *x, const pm_csv_record *first, pm_error *err)
{
    int64_t length;
    char quote[PM_QUOTE];
    for (int k = 0; k < 2 && x->header_line; ++k) {
        const char *text = used_field(x, first, k, &length);
        if (pm_label_find(&x->edges.sides[x->opt->graph ? 0 : k].map, text, length) < 0)
            continue;
        pm_quote(text, length, quote);
        if (x->columns.count == 3) {
            text = used_field(x, first, 2, &length);
            pm_quote(text, length, quote);
        }
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected %s, not %s; if this line is a header, say so, "
                       "because other lines have the same labels%s",
                       pm_source_name(x->s), x->header_line,
                       x->columns.count == 3 ? "a finite number" : "a number as the next line has",
                       quote, pm_hint_text(PM_HINT_HEADER));
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

/* ---- other readings ---- */

/* Row or column `at`, counted in the order in which the labels came, has its label on the other side. */
static bool is_on_both_sides(const pm_edge_table *t, int side, int32_t at)
{
    const pm_label_map *from = &t->sides[side].map, *other = &t->sides[1 - side].map;
    return pm_label_find_same(other, &from->labels, at) >= 0;
}

/* A header that was not recognised names vertices that no other edge has, on either side. */
static bool is_first_alone(const pm_edge_table *t)
{
    const pm_coordinates *at = t->to.at;
    for (int64_t k = 1; k < t->to.count; ++k)
        if (at[k].row == at[0].row || at[k].col == at[0].col
            || (t->opt->graph && (at[k].row == at[0].col || at[k].col == at[0].row)))
            return false;
    return t->opt->graph
           || (!is_on_both_sides(t, 0, at[0].row) && !is_on_both_sides(t, 1, at[0].col));
}

/* Nothing says that these numbers are edges. */
static bool is_block(const table *x)
{
    const pm_read_options *opt = x->opt;
    return pm_number_block_is_likely(&x->block, x->columns.count) && !x->header_line
           && !opt->columns && opt->header == PM_HEADER_AUTO && !opt->graph && !opt->bipartite;
}

/* is_alone: the first edge; lines: edges.  A header that was taken as an edge changes no count, since no other
 * edge has its ends; so a doubt about one set of vertices goes first. */
static void warn(const table *x, bool is_alone, int64_t lines, pm_reading *about)
{
    char text[64], *to = about->warning;
    size_t room = sizeof about->warning;
    if (x->is_guess && is_alone && !*to)
        snprintf(to, room,
                 "read with the first line as an edge, but it could be a header: its labels are in "
                 "no other line%s",
                 pm_hint_text(PM_HINT_HEADER));
    else if (x->is_dropped)
        snprintf(to, room,
                 "read with line %" PRId64 " as a header, but it could be an edge whose weight is "
                 "no number%s",
                 x->header_line, pm_hint_text(PM_HINT_HEADER));
    else if (is_block(x))
        snprintf(to, room,
                 "read as %" PRId64 " edges '%s', but looks like a matrix of %" PRId64
                 " x %d numbers%s%s",
                 lines, x->columns.count == 2 ? "left,right" : "left,right,weight", lines,
                 x->columns.count, pm_hint_text(PM_HINT_DENSE), pm_hint_text(PM_HINT_TABLE));
    if (x->header_line) {
        snprintf(text, sizeof text, "line %" PRId64 " is the header", x->header_line);
        pm_reading_add_note(about, text);
    }
}

/* ---- the whole ---- */

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    table x = {.s = s, .opt = opt, .delimiter = opt->delimiter};
    pm_csv_record records[2] = {{0}, {0}};
    pm_status status = x.delimiter ? PM_OK : pm_csv_find_delimiter(x.s, &x.delimiter, err);
    if (!status)
        status = read_records(&x, records, err);
    if (!status && x.edges.to.count == 0)
        status = pm_source_fail(s, err, "expected an edge after the header, found none");
    bool is_alone = !status && is_first_alone(&x.edges);
    int64_t lines = x.edges.to.count;
    if (!status)
        status = pm_edge_table_matrix(&x.edges, &e->matrix, about, err);
    if (!status)
        warn(&x, is_alone, lines, about);
    else if (status == PM_EDATA && x.edges.fields && is_block(&x))
        pm_number_block_hint(err);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
    for (int k = 0; k < 2; ++k)
        pm_csv_record_free(&records[k]);
    pm_edge_table_free(&x.edges);
    return status;
}

const pm_format pm_format_csv = {.name = "csv", .next = next, .one_graph = true};
