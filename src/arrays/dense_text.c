/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix as text: one row a line, the numbers separated by blanks, commas or semicolons.  Blank lines
 * and lines that begin with # or % are skipped.
 *
 * All separators are of one kind: "1 2; 3 4" may mean two rows elsewhere, and "1,5; 2,5" two numbers
 * with decimal commas; both are refused.  Blank lines between rows separate matrices elsewhere; here they
 * get a warning. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arrays/row_builder.h"
#include "edges/edge_line.h"
#include "io/formats.h"
#include "text/value_read.h"

typedef struct {
    pm_source *s;
    pm_row_builder rows;
    int64_t nrows, ncols; /* so far; ncols: -1 before the first row */
    bool ends_blank;      /* the last line is blank */
    bool has_gap;         /* there is a blank line between two rows */
    char separator;       /* ' ', ',' or ';'; 0 before the first one */
} table;

static char *skip_blanks(char *p)
{
    return p + strspn(p, " \t\v\f\r");
}

/* The end of the number that begins at p. */
static char *number_end(char *p)
{
    if (*p == '(') {
        char *close = strchr(p, ')');
        if (close)
            return close + 1;
    }
    return p + strcspn(p, " \t\v\f\r,;");
}

/* Skips what separates two numbers.  *p: after it, or at the end of the line. */
static pm_status read_separator(table *x, char **p, pm_error *err)
{
    char *q = skip_blanks(*p);
    if (*q) {
        char found = *q == ',' || *q == ';' ? *q : ' ';
        if (found == ' ' && q == *p)
            return pm_source_fail(x->s, err, "expected a blank, ',' or ';' after ')'");
        if (x->separator && x->separator != found)
            return pm_source_fail(x->s, err,
                                  "expected '%c' between two numbers as before them, not '%c': "
                                  "use one kind of separator",
                                  x->separator, found);
        x->separator = found;
        if (found != ' ')
            q = skip_blanks(q + 1);
        if (!*q)
            return pm_source_fail(x->s, err,
                                  "expected a number after the '%c' at the end of the line", found);
    }
    *p = q;
    return PM_OK;
}

/* What is the matter with a first row that begins with no number; or NULL. */
static const char *fault_of_titles(char *p)
{
    if (*p == '[')
        return "; write a matrix without brackets, one row a line";
    for (; *p; p += strspn(p, " \t\v\f\r,;")) {
        pm_scalar v = {.field = PM_INTEGER};
        char *end = number_end(p);
        bool is_number = end > p && pm_scalar_parse_as(p, end - p, true, &v) != PM_NUMBER_BAD;
        pm_scalar_clear(&v);
        if (is_number)
            return NULL;
        p = end;
    }
    return "; a matrix has numbers only: leave out the names of its rows and columns";
}

static pm_status explain_titles(const table *x, char *line, pm_status status, pm_error *err)
{
    const char *fault = status == PM_EDATA && x->ncols < 0 && err ? fault_of_titles(line) : NULL;
    if (!fault)
        return status;
    const pm_error why = *err;
    return pm_fail(err, status, "%s%s", why.msg, fault);
}

/* A first line of one or two numbers may be a size, if the next one has more. */
static pm_status fail_ragged(const table *x, int64_t count, pm_error *err)
{
    return pm_source_fail(x->s, err,
                          "expected %" PRId64 " number%s as in the first row, not %" PRId64 "%s",
                          x->ncols, x->ncols == 1 ? "" : "s", count,
                          x->nrows == 1 && x->ncols <= 2 && count > x->ncols
                              ? "; a line with the sizes has to be left out"
                              : "");
}

static pm_status read_row(table *x, char *p, pm_error *err)
{
    int64_t count = 0;
    char *line = p;
    pm_status status = PM_OK;
    x->has_gap = x->has_gap || (x->ends_blank && x->nrows > 0);
    while (*p && !status) {
        pm_scalar v = {.field = PM_INTEGER};
        char *end = number_end(p);
        status = pm_read_scalar(x->s, p, end - p, &v, err);
        if (!status)
            status = pm_row_builder_add(&x->rows, count++, &v, err);
        p = end;
        if (!status)
            status = read_separator(x, &p, err);
    }
    status = explain_titles(x, line, status, err);
    if (!status && x->ncols >= 0 && count != x->ncols)
        status = fail_ragged(x, count, err);
    x->ncols = count;
    ++x->nrows;
    return status ? status : pm_row_builder_end_row(&x->rows, err);
}

static pm_status read_rows(table *x, pm_error *err)
{
    for (;;) {
        char *line;
        int64_t length;
        pm_status status = pm_source_text_line(x->s, &line, &length, err);
        if (status || !line)
            return status;
        line = skip_blanks(line);
        if (*line && *line != '#' && *line != '%')
            status = read_row(x, line, err);
        if (status)
            return status;
        x->ends_blank = !*line;
    }
}

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    table x = {.s = s, .ncols = -1, .rows.a.field = PM_INTEGER};
    pm_status status = read_rows(&x, err);
    if (!status && x.ncols < 0)
        status = pm_source_fail(s, err, "expected a row of numbers, found none");
    if (!status)
        status =
            pm_row_builder_matrix(&x.rows, x.ncols, opt, pm_source_name(s), &e->matrix, about, err);
    if (!status && x.has_gap && !*about->warning)
        snprintf(about->warning, sizeof about->warning,
                 "read as one matrix of %" PRId64 " x %" PRId64
                 ", although there are empty lines between its rows (several matrices: an array of "
                 "three dimensions, numpy.save; -q: without this line)",
                 x.nrows, x.ncols);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
    pm_row_builder_free(&x.rows);
    return status;
}

const pm_format pm_format_dense = {.name = "dense", .next = next, .one_graph = true};
