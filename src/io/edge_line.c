/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/edge_line.h"

#include <string.h>

#include "io/number.h"
#include "io/scalar.h"

static bool is_number(const char *text, int64_t length)
{
    pm_scalar x = {.field = PM_INTEGER};
    bool is = pm_scalar_parse(text, length, &x) < PM_NUMBER_BAD;
    pm_scalar_clear(&x);
    return is;
}

/* The text from the third field to the end of the line is the attributes. */
static void take_attributes(pm_edge_line *x, char *end)
{
    while (end > x->text[2] && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        --end;
    *end = '\0';
    x->attributes = x->text[2];
    x->count = 2;
}

/* The rest of the line after more than three fields. */
static bool are_numbers(char *rest)
{
    char *field;
    int64_t length;
    while (pm_field_next(&rest, &field, &length))
        if (!is_number(field, length))
            return false;
    return true;
}

static void cut_at_blanks(char *line, pm_edge_line *x)
{
    char *rest = line, *field;
    int64_t length;
    *x = (pm_edge_line){0};
    while (x->count < PM_EDGE_FIELDS && pm_field_next(&rest, &field, &length)) {
        x->text[x->count] = field;
        x->length[x->count++] = length;
    }
    char *after = rest;
    if (x->count == PM_EDGE_FIELDS && *x->text[2] == '{') {
        take_attributes(x, line + strlen(line));
    } else if (x->count == PM_EDGE_FIELDS && pm_field_next(&after, &field, &length)) {
        ++x->count;
        x->is_all_numbers = are_numbers(line);
    }
}

/* A field may be empty; then count is 0, which no list has. */
static void cut_at_tabs(char *line, pm_edge_line *x)
{
    *x = (pm_edge_line){0};
    char *end = line + strlen(line);
    for (char *p = line; p <= end && x->count <= PM_EDGE_FIELDS; ++x->count) {
        char *tab = memchr(p, '\t', (size_t)(end - p)), *stop = tab ? tab : end;
        char *first = p + strspn(p, " ");
        p = stop + 1;
        while (stop > first && stop[-1] == ' ')
            --stop;
        if (stop <= first) {
            x->count = 0;
            return;
        }
        if (x->count < PM_EDGE_FIELDS) {
            x->text[x->count] = first;
            x->length[x->count] = stop - first;
        }
    }
    if (x->count >= PM_EDGE_FIELDS && *x->text[2] == '{')
        take_attributes(x, end);
}

/* "Job 1", but not "2 5": no list has names of several numbers. */
static bool is_name(const char *text, int64_t length)
{
    const char *end = text + length;
    bool has_blank = false;
    for (const char *p = text; p < end;) {
        int64_t n = 0;
        while (p + n < end && p[n] != ' ')
            ++n;
        if (!is_number(p, n))
            return true;
        p += n;
        for (; p < end && *p == ' '; ++p)
            has_blank = true;
    }
    return !has_blank;
}

/* One TAB between any two fields, and nothing else. */
static bool is_tabbed(const pm_edge_line *x)
{
    for (int k = 0; k + 1 < x->count; ++k) {
        const char *end = x->text[k] + x->length[k];
        if (*end != '\t' || x->text[k + 1] != end + 1)
            return false;
    }
    return true;
}

static bool fits(const pm_edge_line *x, int want)
{
    if (want)
        return x->count == want || x->attributes;
    return x->count == 2 || (x->count == 3 && is_number(x->text[2], x->length[2]));
}

static bool are_names(const pm_edge_line *x)
{
    return is_name(x->text[0], x->length[0]) && is_name(x->text[1], x->length[1]);
}

/* The first edge has TABs and a label with a blank inside. */
static bool cut_at_named_tabs(char *line, pm_edge_line *out)
{
    if (!strchr(line, '\t'))
        return false;
    cut_at_tabs(line, out);
    if (!fits(out, 0) || !are_names(out))
        return false;
    return memchr(out->text[0], ' ', (size_t)out->length[0])
           || memchr(out->text[1], ' ', (size_t)out->length[1]);
}

void pm_edge_line_cut(pm_edge_style *style, char *line, int want, pm_edge_line *out)
{
    if (style->at_tabs) {
        cut_at_tabs(line, out);
        return;
    }
    cut_at_blanks(line, out);
    pm_edge_line other;
    if (!want && !out->attributes && cut_at_named_tabs(line, &other)) {
        *out = other;
        style->at_tabs = true;
        return;
    }
    if (fits(out, want)) {
        style->not_tabbed = style->not_tabbed || !is_tabbed(out);
        return;
    }
    if (style->not_tabbed || !strchr(line, '\t'))
        return;
    cut_at_tabs(line, &other);
    if (fits(&other, want) && are_names(&other)) {
        *out = other;
        style->at_tabs = true;
    }
}

pm_status pm_line_check_returns(const pm_source *s, const char *line, pm_error *err)
{
    if (!strchr(line, '\r'))
        return PM_OK;
    return pm_source_fail(
        s, err, "expected lines that end with a line feed, found a carriage return alone");
}
