/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/edge_run.h"

#include "io/label_map.h"

enum { DIGITS = 9 };

static bool is_label(const char *text, int64_t length)
{
    int64_t value;
    return length <= DIGITS && pm_label_integer(text, length, &value) && value >= 0;
}

char pm_edge_run_separator(const pm_edge_line *e, const char *line, int64_t length)
{
    bool is_plain = e->count == 2 && !e->attributes && e->text[0] == line
                    && e->text[1] == line + e->length[0] + 1
                    && length == e->length[0] + 1 + e->length[1]
                    && is_label(e->text[0], e->length[0]) && is_label(e->text[1], e->length[1]);
    return is_plain ? line[e->length[0]] : 0;
}

/* The label at p; *end: behind it.  Returns -1 where there is none.  There is a character that is no digit. */
static int32_t label_at(const char *p, const char **end)
{
    const char *first = p;
    int32_t value = 0;
    while (*p >= '0' && *p <= '9' && p - first < DIGITS)
        value = 10 * value + (*p++ - '0');
    bool is_good = p > first && (*first != '0' || p == first + 1) && !(*p >= '0' && *p <= '9');
    *end = p;
    return is_good ? value : -1;
}

int64_t pm_edge_run_parse(const char *text, int64_t length, char separator, pm_integer_edge *to,
                          int64_t most, int64_t *used)
{
    const char *p = text, *end = text + length;
    int64_t count = 0;
    while (p < end && count < most) {
        const char *q;
        const int32_t left = label_at(p, &q);
        if (left < 0 || *q != separator)
            break;
        const int32_t right = label_at(q + 1, &q);
        q += *q == '\r';
        if (right < 0 || *q != '\n')
            break;
        to[count++] = (pm_integer_edge){{left, right}};
        p = q + 1;
    }
    *used = p - text;
    return count;
}
