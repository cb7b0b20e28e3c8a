/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "csv/csv_delimiter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pm/settings.h"

enum { LOOKED_AT = 1 << 16 }; /* bytes */

typedef struct {
    int64_t first;  /* delimiters in the first record */
    bool is_even;   /* all records have as many */
    bool ends_open; /* the first record ends inside quotes */
} table_shape;

/* The next record of text[at..got), cut at c as in csv/csv_record.h.  *count: its delimiters, -1 for a
 * blank line.  *is_open: it ends inside quotes.  Returns its end. */
static int64_t next_record(const char *text, int64_t at, int64_t got, char c, int64_t *count,
                           bool *is_open)
{
    bool is_quoted = false, begins = true, is_blank = true;
    *is_open = false;
    *count = 0;
    for (; at < got && (*is_open || text[at] != '\n'); ++at) {
        char here = text[at];
        bool is_delimiter = here == c && !*is_open;
        is_quoted = !is_delimiter && (is_quoted || (begins && here == '"'));
        *is_open ^= is_quoted && here == '"';
        begins = is_delimiter || (begins && (here == ' ' || here == '\t'));
        is_blank = is_blank && (here == ' ' || here == '\r');
        *count += is_delimiter;
    }
    if (is_blank)
        *count = -1;
    return at;
}

static table_shape look_at(const char *text, int64_t got, bool is_whole, char c)
{
    table_shape x = {.first = -1, .is_even = true};
    for (int64_t at = 0, count; at < got; ++at) {
        bool is_open;
        at = next_record(text, at, got, c, &count, &is_open);
        bool is_cut = at >= got && !is_whole;
        if (count < 0 || (is_cut && x.first >= 0))
            continue;
        if (x.first < 0) {
            x.first = count;
            x.ends_open = is_open;
        }
        x.is_even = x.is_even && count == x.first;
    }
    return x;
}

static pm_status fail(pm_source *s, const char *text, pm_error *err)
{
    char *line;
    int64_t length;
    pm_status status;
    do
        status = pm_source_line(s, &line, &length, err);
    while (!status && line && !line[strspn(line, " ")]);
    return status ? status
                  : pm_source_fail(s, err, "expected a table with a comma, semicolon or tab %s%s",
                                   text, pm_hint_text(PM_HINT_DELIMITER));
}

pm_status pm_csv_find_delimiter(pm_source *s, char *out, pm_error *err)
{
    static const char known[] = ",;\t";
    enum { KNOWN = sizeof known - 1 };
    const char *text;
    int64_t got, most = 0;
    bool is_tie = false, ends_open = false, any_even = false;
    table_shape shape[KNOWN];
    pm_status status = pm_source_peek(s, &text, LOOKED_AT, &got, err);
    *out = ',';
    if (status)
        return status;
    for (int k = 0; k < KNOWN; ++k) {
        shape[k] = look_at(text, got, got < LOOKED_AT, known[k]);
        any_even = any_even || (shape[k].is_even && shape[k].first > 0);
        ends_open = ends_open || shape[k].ends_open;
    }
    for (int k = 0; k < KNOWN; ++k) {
        if (any_even && !shape[k].is_even)
            continue;
        if (shape[k].first > most) {
            most = shape[k].first;
            *out = known[k];
            is_tie = false;
        } else if (most > 0 && shape[k].first == most) {
            is_tie = true;
        }
    }
    char found[128];
    snprintf(found, sizeof found,
             "between its columns, found two of them: both cut %s line into %" PRId64 " columns",
             any_even ? "every" : "the first", most + 1);
    if (is_tie)
        return fail(s, found, err);
    if (!most && !ends_open && got > 0)
        return fail(s, "between its columns", err);
    return PM_OK;
}
