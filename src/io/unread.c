/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/unread.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

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

/* "graph {", "digraph G {", "strict graph {"; but not an edge "graph a {'weight': 2}". */
static bool is_dot(const char *p, const char *end)
{
    static const char *const words[] = {"graph", "digraph", "strict"};
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    const char *brace = memchr(p, '{', (size_t)((newline ? newline : end) - p));
    bool is_known = false;
    if (!brace || (brace + 1 < end && strchr("'}", brace[1])))
        return false;
    for (int k = 0; k < 3; ++k) {
        size_t length = strlen(words[k]);
        is_known = is_known
                   || ((size_t)(brace - p) >= length && strncasecmp(p, words[k], length) == 0
                       && (p + length == brace || is_blank(p[length])));
    }
    return is_known;
}

/* "(0, 1)" is a line; but "(0,1) (1,1)" is an edge between two names. */
static bool is_pair(const char *p, const char *end)
{
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    const char *stop = newline ? newline : end;
    while (stop > p && (is_blank(stop[-1]) || stop[-1] == ','))
        --stop;
    const char *closing = memchr(p, ')', (size_t)(stop - p));
    return *p == '(' && closing && closing + 1 == stop && memchr(p, ',', (size_t)(stop - p));
}

/* Comments of C, which DOT has. */
static const char *skip_c_comments(const char *p, const char *end)
{
    while (end - p > 1 && *p == '/' && (p[1] == '/' || p[1] == '*')) {
        bool is_line = p[1] == '/';
        for (p += 2; p < end; ++p)
            if (is_line ? *p == '\n' : *p == '/' && p[-1] == '*')
                break;
        p = skip_blanks(p < end ? p + 1 : end, end);
    }
    return p;
}

/* "Graph[{1 <-> 2}]" */
static bool is_mathematica(const char *p, const char *end)
{
    static const char word[] = "Graph[";
    size_t length = sizeof word - 1;
    if ((size_t)(end - p) <= length || memcmp(p, word, length) != 0)
        return false;
    p = skip_blanks(p + length, end);
    return p < end && *p == '{';
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
    if (is_mathematica(p, end))
        return "a graph of Mathematica: export it as GraphML, or write one edge a line, "
               "'left right [weight]'";
    if (is_dot(skip_c_comments(p, end), end))
        return "DOT (Graphviz): write one edge a line, 'left right [weight]'";
    if ((*p == '[' && q < end && *q == '(') || is_pair(p, end))
        return "edges in brackets: write one edge a line, 'left right [weight]'";
    if ((*p == '[' && q < end && strchr("[-+.0123456789", *q) != NULL)
        || (*p == '{' && q < end && *q == '{'))
        return "a matrix in brackets: write one row a line without them (numpy.savetxt), or an "
               "array (numpy.save)";
    return NULL;
}
