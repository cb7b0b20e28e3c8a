/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/banner.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t\v\f\r";

static bool begins_with(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

/* The first word is this one. */
static bool is_word(const char *text, const char *word)
{
    return strcspn(text, blanks) == strlen(word) && begins_with(text, word);
}

static const char *next_word(const char *text)
{
    text += strcspn(text, blanks);
    return text + strspn(text, blanks);
}

static bool holds(const char *text, const char *word)
{
    while (*text && !begins_with(text, word))
        ++text;
    return *text;
}

/* "%%Matrix Market matrix coordinate real general" */
static bool has_words_of_banner(const char *text)
{
    bool has_layout = false;
    for (const char *word = text; *word && !has_layout; word = next_word(word))
        has_layout = is_word(word, "coordinate") || is_word(word, "array");
    return has_layout && holds(text, "matrix");
}

const char *pm_banner_fault(const char *comment, bool is_first)
{
    const char *text = comment + strspn(comment, "%# \t");
    size_t marks = 0;
    for (const char *p = comment; p < text; ++p)
        marks += *p == '%';
    bool is_apart = text[-1] == ' ' || text[-1] == '\t', is_percent = *comment == '%';
    const char *second = next_word(text);
    /* "% MatrixMarket and other formats" is a comment */
    bool goes_on = is_apart && *second && !is_word(second, "matrix");
    if (is_percent && is_word(text, "MatrixMarket") && !goes_on)
        return marks == 1 && !is_apart
                   ? "expected '%%MatrixMarket', found one percent sign"
                   : "expected '%%MatrixMarket' in the first line and at its beginning, with two "
                     "percent signs and no blank";
    if (is_first && ((begins_with(text, "MatrixMark") && !goes_on) || has_words_of_banner(text)))
        return "expected '%%MatrixMarket matrix coordinate real general' or similar, found a line "
               "that resembles it";
    return NULL;
}

/* The text after this word, in letters of either case; NULL: it does not begin with it. */
static const char *after(const char *text, const char *word)
{
    return text && begins_with(text, word) ? text + strlen(word) : NULL;
}

bool pm_size_line_resembles(const char *comment)
{
    const char *text = after(comment + strspn(comment, "%# \t"), "pm"), *end;
    if (!text)
        return false;
    text += strspn(text, "-_ \t");
    end = after(text, "edge");
    if (!end)
        end = after(text, "graph");
    if (!end)
        return false;
    end += *end == 's' || *end == 'S';
    while (*end && !isalnum((unsigned char)*end))
        ++end;
    return *end >= '0' && *end <= '9';
}
