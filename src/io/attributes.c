/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/attributes.h"

#include <string.h>

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t");
}

/* p: at a quotation mark.  The text after the closing one, or NULL. */
static const char *skip_string(const char *p)
{
    char quote = *p++;
    for (; *p && *p != quote; ++p)
        if (*p == '\\' && p[1])
            ++p;
    return *p ? p + 1 : NULL;
}

/* The text after a value, which ends before a comma or a brace outside of all brackets, or NULL. */
static const char *skip_value(const char *p)
{
    int64_t depth = 0;
    while (p && *p && (depth > 0 || (*p != ',' && *p != '}'))) {
        depth += strchr("([{", *p) != NULL;
        depth -= strchr(")]}", *p) != NULL;
        p = *p == '\'' || *p == '"' ? skip_string(p) : p + 1;
    }
    return p && *p ? p : NULL;
}

/* NumPy 2 writes np.float64(0.5): takes the number inside. */
static void unwrap(pm_attributes *a)
{
    static const char module[] = "np.";
    const char *p = a->weight, *last = p + a->length - 1;
    if (a->length < (int64_t)sizeof module || strncmp(p, module, sizeof module - 1) != 0)
        return;
    p += sizeof module - 1;
    p += strspn(p, "abcdefghijklmnopqrstuvwxyz_0123456789");
    if (*p != '(' || *last != ')' || last - p < 2)
        return;
    a->weight = p + 1;
    a->length = last - p - 1;
}

/* A key with its value.  Returns the text after it, or NULL. */
static const char *read_pair(const char *p, pm_attributes *out)
{
    static const char word[] = "weight";
    if (*p != '\'' && *p != '"')
        return NULL;
    const char *key = p + 1, *after = skip_string(p);
    if (!after)
        return NULL;
    bool is_weight = after - key == (int64_t)sizeof word && memcmp(key, word, sizeof word - 1) == 0;
    p = skip_blanks(after);
    if (*p != ':')
        return NULL;
    const char *value = skip_blanks(p + 1), *end = skip_value(value);
    if (!end || end == value || (is_weight && out->weight))
        return NULL;
    out->has_others = out->has_others || !is_weight;
    if (is_weight) {
        const char *last = end;
        while (last > value && strchr(" \t", last[-1]))
            --last;
        out->weight = value;
        out->length = last - value;
        unwrap(out);
    }
    return end;
}

bool pm_attributes_read(const char *text, pm_attributes *out)
{
    *out = (pm_attributes){0};
    const char *p = skip_blanks(text + 1);
    while (p && *p != '}') {
        p = read_pair(p, out);
        if (p && *p == ',')
            p = skip_blanks(p + 1);
    }
    return p && !*skip_blanks(p + 1);
}
