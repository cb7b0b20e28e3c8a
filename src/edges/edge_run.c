/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "edges/edge_run.h"

#include <string.h>

#include "edges/label_map.h"

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

/* ---- eight characters at once ---- */

/* The characters at p as bytes of a number, the first one lowest, each less '0'. */
static uint64_t eight_at(const char *p)
{
    uint64_t x;
    memcpy(&x, p, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    x = __builtin_bswap64(x);
#endif
    return x ^ UINT64_C(0x3030303030303030);
}

/* The digits among the lowest bytes, up to the first byte that is none: 0 to 8. */
static int count_digits(uint64_t eight)
{
    const uint64_t high = UINT64_C(0x8080808080808080);
    const uint64_t others = ((eight + UINT64_C(0x7676767676767676)) | eight) & high;
    return others ? __builtin_ctzll(others) / 8 : 8;
}

/* The number of `count` digits, 1 to 8.  Pairs of digits are joined, then pairs of pairs. */
static int32_t number_of_digits(uint64_t eight, int count)
{
    const uint64_t mask = UINT64_C(0x000000ff000000ff);
    uint64_t x = eight << (64 - 8 * count); /* zeros in front */
    x = x * 10 + (x >> 8);
    x = (x & mask) * UINT64_C(0x000f424000000064) + (x >> 16 & mask) * UINT64_C(0x0000271000000001);
    return (int32_t)(x >> 32);
}

/* ---- lines ---- */

/* One character after another, where fewer than eight follow, or the label has nine digits. */
static int32_t slow_label(const char *p, const char **end)
{
    const char *first = p;
    int32_t value = 0;
    while (*p >= '0' && *p <= '9' && p - first < DIGITS)
        value = 10 * value + (*p++ - '0');
    bool is_good = p > first && (*first != '0' || p == first + 1) && !(*p >= '0' && *p <= '9');
    *end = p;
    return is_good ? value : -1;
}

/* The label at p; *end: behind it.  Returns -1 where there is none.  There is a character that is no digit before
 * `last`. */
static int32_t label_at(const char *p, const char *last, const char **end)
{
    if (last - p < 8)
        return slow_label(p, end);
    const uint64_t eight = eight_at(p);
    const int count = count_digits(eight);
    if (count == 8)
        return slow_label(p, end);
    *end = p + count;
    return count == 0 || (*p == '0' && count > 1) ? -1 : number_of_digits(eight, count);
}

/* Reads the line at *p.  Returns false, and leaves *p, where it is none of this form. */
static inline bool line_at(const char **p, const char *end, char separator, pm_integer_edge *to)
{
    const char *q;
    const int32_t left = label_at(*p, end, &q);
    if (left < 0 || *q != separator)
        return false;
    const int32_t right = label_at(q + 1, end, &q);
    q += *q == '\r';
    if (right < 0 || *q != '\n')
        return false;
    *to = (pm_integer_edge){{left, right}};
    *p = q + 1;
    return true;
}

/* Lines of a text from *p on, at most `most` of them. */
static int64_t lines_at(const char **p, const char *end, char separator, pm_integer_edge *to,
                        int64_t most)
{
    int64_t count = 0;
    while (*p < end && count < most && line_at(p, end, separator, to + count))
        ++count;
    return count;
}

enum { SHORTEST = 4 /* bytes of a line, "1 1\n" */, LONG = 1 << 12 };

/* The same for the text up to `middle`, the end of a line, and that after it, in turn: where a line ends is known only when its
 * digits have been counted, and meanwhile the processor works on the other one. */
static int64_t lines_of_halves(const char **p, const char *middle, const char *end, char separator,
                               pm_integer_edge *to)
{
    const char *q = middle;
    pm_integer_edge *second = to + (middle - *p) / SHORTEST;
    int64_t first_count = 0, second_count = 0;
    while (*p < middle && q < end && line_at(p, middle, separator, to + first_count)) {
        ++first_count;
        if (!line_at(&q, end, separator, second + second_count))
            break;
        ++second_count;
    }
    first_count += lines_at(p, middle, separator, to + first_count, INT64_MAX);
    if (*p < middle)
        return first_count;
    memmove(to + first_count, second, (size_t)second_count * sizeof *second);
    *p = q;
    return first_count + second_count;
}

int64_t pm_edge_run_parse(const char *text, int64_t length, char separator, pm_integer_edge *to,
                          int64_t most, int64_t *used)
{
    const char *p = text, *end = text + length;
    int64_t count = 0;
    if (length >= LONG && length / SHORTEST <= most) {
        const char *middle = memchr(text + length / 2, '\n', (size_t)(length - length / 2));
        count = lines_of_halves(&p, middle + 1, end, separator, to);
    }
    count += lines_at(&p, end, separator, to + count, most - count);
    *used = p - text;
    return count;
}
