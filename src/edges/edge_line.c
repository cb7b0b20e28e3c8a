/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "edges/edge_line.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "edges/number_block.h"
#include "pm/settings.h"
#include "text/number.h"
#include "text/scalar.h"

static bool is_number_as(const char *text, int64_t length, bool exact)
{
    pm_scalar x = {.field = PM_INTEGER};
    bool is = pm_scalar_parse_as(text, length, exact, &x) < PM_NUMBER_BAD;
    pm_scalar_clear(&x);
    return is;
}

static bool is_number(const char *text, int64_t length)
{
    return is_number_as(text, length, false);
}

/* A weight that is no finite number: it is refused as a weight, and not taken as a part of a name. */
static bool is_weight(const char *text, int64_t length, bool exact)
{
    static const char *const words[] = {"nan", "inf", "infinity", "na", "null", "none"};
    bool has_sign = length > 0 && (*text == '-' || *text == '+');
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        if (length - has_sign == (int64_t)strlen(words[k])
            && strncasecmp(text + has_sign, words[k], strlen(words[k])) == 0)
            return true;
    return is_number_as(text, length, exact);
}

/* The text from the third field to the end of the line is the attributes. */
static void take_attributes(pm_edge_line *x, char *end)
{
    while (end > x->text[2] && (end[-1] == ' ' || end[-1] == '\t'))
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

bool pm_edge_line_has_names(const pm_edge_line *x)
{
    return is_name(x->text[0], x->length[0]) && is_name(x->text[1], x->length[1]);
}

/* One TAB between any two fields, and nothing else. */
bool pm_edge_line_is_tabbed(const pm_edge_line *x)
{
    int count = x->count + (x->attributes != NULL);
    for (int k = 0; k + 1 < count && count <= PM_EDGE_FIELDS; ++k) {
        const char *end = x->text[k] + x->length[k];
        if (*end != '\t' || x->text[k + 1] != end + 1)
            return false;
    }
    return count <= PM_EDGE_FIELDS;
}

bool pm_edge_line_fits(const pm_edge_line *x, int want, bool exact)
{
    if (x->attributes)
        return x->count == 2;
    return (x->count == 2 || x->count == 3) && (!want || x->count == want)
           && (x->count == 2 || is_weight(x->text[2], x->length[2], exact));
}

void pm_edge_line_cut(char *line, pm_edge_cut how, pm_edge_line *out)
{
    if (how == PM_CUT_AT_TABS)
        cut_at_tabs(line, out);
    else
        cut_at_blanks(line, out);
}

/* ---- what a line may be that is no edge ---- */

bool pm_edge_line_is_arrow(const pm_edge_line *e)
{
    static const char *const others[] = {"\u2013", "\u2014", "\u2190", "\u2192", "\u2194", NULL};
    if (e->count < 3)
        return false;
    bool is_mark = (int64_t)strspn(e->text[1], "-<>=|:~") >= e->length[1];
    for (int k = 0; others[k] && !is_mark; ++k)
        is_mark = pm_field_is(e->text[1], e->length[1], others[k]);
    return is_mark;
}

static bool has_separator(const char *text, int64_t length)
{
    return memchr(text, ',', (size_t)length) || memchr(text, ';', (size_t)length);
}

void pm_separators_hint(bool are_numbers, char *to, size_t room)
{
    if (are_numbers)
        snprintf(to, room, "a matrix%s or a table of edges%s", pm_hint_text(PM_HINT_DENSE),
                 pm_hint_text(PM_HINT_CSV));
    else
        snprintf(to, room, "a table of edges%s", pm_hint_text(PM_HINT_CSV));
}

/* *are_numbers: there is nothing but numbers and separators. */
static bool has_separators(const pm_edge_line *e, bool *are_numbers)
{
    bool has = false;
    *are_numbers = true;
    for (int k = 0; k < e->count && k < PM_EDGE_FIELDS; ++k) {
        has = has || has_separator(e->text[k], e->length[k]);
        *are_numbers = *are_numbers && pm_is_separated_numbers(e->text[k], e->length[k]);
    }
    return has;
}

/* "(0, 1) (1, 1)": a grid of networkx. */
static bool is_tuple(const pm_edge_line *e)
{
    return e->count > PM_EDGE_FIELDS && *e->text[0] == '(' && e->text[0][e->length[0] - 1] == ',';
}

/* "0110": the row of a matrix of zeros and ones. */
static bool is_row_of_digits(const pm_edge_line *e)
{
    return e->length[0] > 1 && (int64_t)strspn(e->text[0], "01") >= e->length[0];
}

void pm_edge_line_hint(const pm_edge_line *e, pm_edge_cut how, char *to, size_t room)
{
    char formats[160];
    bool are_numbers;
    *to = '\0';
    if (e->count == 1 && is_row_of_digits(e))
        snprintf(to, room, "; a matrix needs blanks between its numbers%s",
                 pm_hint_text(PM_HINT_DENSE));
    else if (is_tuple(e))
        snprintf(to, room,
                 "; labels with blanks need tabs between the fields "
                 "(write_edgelist(G, f, delimiter='\\t'))");
    else if (how == PM_CUT_AT_TABS)
        snprintf(to, room, "; the fields are separated by tabs, because labels before have blanks");
    else if (has_separators(e, &are_numbers)) {
        pm_separators_hint(are_numbers, formats, sizeof formats);
        snprintf(to, room, "; fields between commas or semicolons are %s", formats);
    } else if (e->is_all_numbers)
        snprintf(to, room, "; a matrix of numbers is another format%s",
                 pm_hint_text(PM_HINT_DENSE));
}
