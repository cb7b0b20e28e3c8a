/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "edges/edge_run.h"

#include <string.h>

#include "edges/label_map.h"
#include "text/number.h"

enum { DIGITS = 9 };

static bool is_label(const char *text, int64_t length)
{
    int64_t value;
    return length <= DIGITS && pm_label_integer(text, length, &value) && value >= 0;
}

/* The fields are the whole line, with one character between two of them. */
static bool are_all(const pm_edge_line *e, const char *line, int64_t length)
{
    const char *at = line;
    for (int k = 0; k < e->count; ++k) {
        if (e->text[k] != at)
            return false;
        at += e->length[k] + 1;
    }
    return at == line + length + 1;
}

pm_edge_form pm_edge_run_form(const pm_edge_line *e, const char *line, int64_t length)
{
    const bool has_weight = e->count == PM_EDGE_FIELDS;
    if ((e->count != 2 && !has_weight) || e->attributes || !are_all(e, line, length)
        || !is_label(e->text[0], e->length[0]) || !is_label(e->text[1], e->length[1]))
        return (pm_edge_form){0};
    const char separator = line[e->length[0]];
    if (has_weight && line[e->length[0] + 1 + e->length[1]] != separator)
        return (pm_edge_form){0};
    return (pm_edge_form){.separator = separator, .has_weight = has_weight};
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

static bool is_end_of_line(char c)
{
    return c == '\n' || c == '\r';
}

/* Any number from p to the end of the line; *end: behind it. */
static bool number_at(const char *p, const char *last, const char **end, pm_dyadic *to,
                      bool *is_real)
{
    pm_dyadic value = {0};
    *end = memchr(p, '\n', (size_t)(last - p));
    if (*end > p && (*end)[-1] == '\r')
        --*end;
    const pm_number_kind kind = pm_number_parse(p, *end - p, &value);
    if (kind > PM_NUMBER_REAL)
        return false;
    if (value.kind != PM_DYADIC_SMALL) {
        pm_dyadic_clear(&value);
        return false;
    }
    *is_real = kind == PM_NUMBER_REAL;
    *to = value;
    return true;
}

/* The weight at p, up to the end of the line; *end: behind it. */
static bool weight_at(const char *p, const char *last, const char **end, pm_dyadic *to,
                      bool *is_real)
{
    const bool is_negative = *p == '-';
    const int32_t size = label_at(p + is_negative, last, end);
    *is_real = false;
    if (size < 0 || !is_end_of_line(**end))
        return number_at(p, last, end, to, is_real);
    *to = pm_dyadic_from_si(is_negative ? -size : size);
    return true;
}

/* Reads the line at *p as line k of *to.  Returns false, and leaves *p, where it is none of this form. */
static inline bool line_at(const char **p, const char *end, const pm_edge_form *form,
                           pm_edge_lines *to, int64_t k)
{
    const char *q;
    const int32_t left = label_at(*p, end, &q);
    if (left < 0 || *q != form->separator)
        return false;
    const int32_t right = label_at(q + 1, end, &q);
    if (right < 0)
        return false;
    if (form->has_weight) {
        bool is_real;
        if (*q != form->separator || !weight_at(q + 1, end, &q, &to->weight[k], &is_real)
            || (is_real && form->are_integers))
            return false;
        to->has_real = to->has_real || is_real;
    }
    q += *q == '\r';
    if (*q != '\n')
        return false;
    to->edge[k] = (pm_integer_edge){{left, right}};
    *p = q + 1;
    return true;
}

/* Lines of a text from *p on, as lines from, from + 1, ... of *to, at most `most` of them. */
static int64_t lines_at(const char **p, const char *end, const pm_edge_form *form,
                        pm_edge_lines *to, int64_t from, int64_t most)
{
    int64_t count = 0;
    while (*p < end && count < most && line_at(p, end, form, to, from + count))
        ++count;
    return count;
}

static void move_lines(pm_edge_lines *to, int64_t from, int64_t count, int64_t place)
{
    memmove(to->edge + place, to->edge + from, (size_t)count * sizeof *to->edge);
    if (to->weight)
        memmove(to->weight + place, to->weight + from, (size_t)count * sizeof *to->weight);
}

enum { SHORTEST = 4 /* bytes of a line, "1 1\n" */, LONG = 1 << 12 };

/* The same for the text up to `middle`, the end of a line, and that after it, in turn: where a line ends is known only when its
 * digits have been counted, and meanwhile the processor works on the other one. */
static int64_t lines_of_halves(const char **p, const char *middle, const char *end,
                               const pm_edge_form *form, pm_edge_lines *to)
{
    const char *q = middle;
    const int64_t second = (middle - *p) / SHORTEST;
    int64_t first_count = 0, second_count = 0;
    while (*p < middle && q < end && line_at(p, middle, form, to, first_count)) {
        ++first_count;
        if (!line_at(&q, end, form, to, second + second_count))
            break;
        ++second_count;
    }
    first_count += lines_at(p, middle, form, to, first_count, INT64_MAX);
    if (*p < middle)
        return first_count;
    move_lines(to, second, second_count, first_count);
    *p = q;
    return first_count + second_count;
}

int64_t pm_edge_run_parse(const char *text, int64_t length, const pm_edge_form *form,
                          pm_edge_lines *to, int64_t most, int64_t *used)
{
    const char *p = text, *end = text + length;
    int64_t count = 0;
    if (length >= LONG && length / SHORTEST <= most) {
        const char *middle = memchr(text + length / 2, '\n', (size_t)(length - length / 2));
        count = lines_of_halves(&p, middle + 1, end, form, to);
    }
    count += lines_at(&p, end, form, to, count, most - count);
    *used = p - text;
    return count;
}
