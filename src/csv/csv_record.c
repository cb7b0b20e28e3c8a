/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "csv/csv_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "edges/edge_line.h"
#include "pm/alloc.h"

typedef struct {
    pm_source *s;
    char delimiter;
    pm_csv_record *r;
    char *p; /* in the line that was read last */
} reader;

static bool is_blank(const reader *x, char c)
{
    return (c == ' ' || c == '\t') && c != x->delimiter;
}

static void skip_blanks(reader *x)
{
    while (is_blank(x, *x->p))
        ++x->p;
}

static pm_status append(reader *x, const char *text, int64_t length, pm_error *err)
{
    pm_csv_record *r = x->r;
    if (r->length + length > PM_LINE_MAX)
        return pm_source_fail(x->s, err, "record too long: expected at most %d MiB",
                              (int)(PM_LINE_MAX >> 20));
    if (PM_GROW(r->text, r->cap, r->length + length + 1))
        return pm_fail_memory(err, "record");
    memcpy(r->text + r->length, text, (size_t)length);
    r->length += length;
    return PM_OK;
}

/* ---- fields ---- */

static pm_status next_line(reader *x, int64_t first_line, pm_error *err)
{
    int64_t length;
    pm_status status = append(x, "\n", 1, err);
    if (!status)
        status = pm_source_line(x->s, &x->p, &length, err);
    if (!status && !x->p)
        status = pm_source_fail(
            x->s, err, "the input ends inside quotes, which begin at line %" PRId64, first_line);
    return status;
}

/* The field after its first quote. */
static pm_status read_quoted(reader *x, pm_error *err)
{
    int64_t first_line = pm_source_line_number(x->s);
    pm_status status = PM_OK;
    for (bool is_open = true; is_open && !status;) {
        size_t n = strcspn(x->p, "\"");
        status = append(x, x->p, (int64_t)n, err);
        x->p += n;
        if (status)
            break;
        if (!*x->p) {
            status = next_line(x, first_line, err);
        } else if (x->p[1] == '"') {
            status = append(x, "\"", 1, err);
            x->p += 2;
        } else {
            is_open = false;
            ++x->p;
        }
    }
    if (status)
        return status;
    skip_blanks(x);
    if (*x->p == '\r')
        return pm_source_check_returns(x->s, x->p, err);
    if (*x->p && *x->p != x->delimiter)
        return pm_source_fail(x->s, err,
                              "expected the delimiter after a closing quote (a quote inside quotes "
                              "is doubled)");
    return PM_OK;
}

static pm_status read_plain(reader *x, pm_error *err)
{
    const char *text = x->p;
    while (*x->p && *x->p != x->delimiter && *x->p != '\r')
        ++x->p;
    if (*x->p == '\r')
        return pm_source_check_returns(x->s, x->p, err);
    int64_t length = x->p - text;
    while (length > 0 && is_blank(x, text[length - 1]))
        --length;
    return append(x, text, length, err);
}

/* Ends the field that has been read, and begins the next one. */
static pm_status end_field(reader *x, pm_error *err)
{
    pm_csv_record *r = x->r;
    if (PM_GROW(r->first, r->cap_first, r->count + 2))
        return pm_fail_memory(err, "record");
    pm_status status = append(x, "", 1, err);
    r->first[0] = 0;
    r->first[++r->count] = r->length;
    return status;
}

/* ---- records ---- */

/* Skips blank lines.  *line: NULL at the end of the input. */
static pm_status find_text(pm_source *s, char delimiter, char **line, pm_error *err)
{
    const char *blanks = delimiter == '\t' ? " " : " \t";
    int64_t length;
    pm_status status;
    do
        status = pm_source_line(s, line, &length, err);
    while (!status && *line && !(*line)[strspn(*line, blanks)]);
    return status;
}

pm_status pm_csv_record_read(pm_source *s, char delimiter, pm_csv_record *r, pm_error *err)
{
    reader x = {.s = s, .delimiter = delimiter, .r = r};
    r->length = r->count = 0;
    pm_status status = find_text(s, delimiter, &x.p, err);
    for (bool is_last = status || !x.p; !is_last;) {
        skip_blanks(&x);
        if (*x.p == '"') {
            ++x.p;
            status = read_quoted(&x, err);
        } else {
            status = read_plain(&x, err);
        }
        if (!status)
            status = end_field(&x, err);
        is_last = status || !*x.p;
        if (!is_last)
            ++x.p;
    }
    return status;
}

char *pm_csv_field(const pm_csv_record *r, int64_t k, int64_t *length)
{
    *length = r->first[k + 1] - r->first[k] - 1;
    return r->text + r->first[k];
}

void pm_csv_record_free(pm_csv_record *r)
{
    free(r->text);
    free(r->first);
    *r = (pm_csv_record){0};
}
