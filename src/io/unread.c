/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/unread.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        ++p;
    return p;
}

static const char *skip_comments(const char *p, const char *end)
{
    p = skip_blanks(p, end);
    while (p < end && (*p == '#' || *p == '%')) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        p = newline ? skip_blanks(newline, end) : end;
    }
    return p;
}

/* With a byte order mark, or two characters of ASCII. */
static bool is_utf16(const char *bytes, int64_t got)
{
    if (got >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return true;
    return got >= 4
           && ((bytes[0] && !bytes[1] && bytes[2] && !bytes[3])
               || (!bytes[0] && bytes[1] && !bytes[2] && bytes[3]));
}

const char *pm_unread_name(const char *bytes, int64_t got)
{
    if (is_utf16(bytes, got))
        return "UTF-16: convert it (iconv -f UTF-16 -t UTF-8)";
    const char *end = bytes + got, *p = skip_comments(bytes, end);
    if (p == end)
        return NULL;
    const char *q = skip_blanks(p + 1, end);
    bool is_open = *p == '{' && q < end && (*q == '"' || *q == '}');
    if (*p == '<')
        return "XML that is not GraphML (GEXF, for example): save it as GraphML";
    if (is_open || (*p == '[' && q < end && *q == '{'))
        return "JSON: save it as an edge list, GraphML or Matrix Market";
    if (*p == '[' && q < end && (strchr("[-+.0123456789", *q) != NULL))
        return "a matrix in brackets: write one row a line without them (numpy.savetxt), or an "
               "array (numpy.save)";
    return NULL;
}
