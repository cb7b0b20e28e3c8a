/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "edges/label_spelling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "text/number.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_integer(const char *text, int64_t length)
{
    const bool negative = length > 0 && *text == '-';
    const char *p = text + negative, *end = text + length;
    if (p == end || (*p == '0' && (negative || end - p > 1)))
        return false;
    while (p < end && is_digit(*p))
        ++p;
    return p == end;
}

pm_label_kind pm_label_kind_of(const char *text, int64_t length)
{
    if (is_integer(text, length))
        return PM_LABEL_INTEGER;
    if (length > PM_LABEL_NUMBER_LENGTH)
        return PM_LABEL_NAME;
    pm_dyadic value = {0};
    const pm_number_kind kind = pm_number_parse(text, length, &value);
    pm_dyadic_clear(&value);
    return kind == PM_NUMBER_BAD ? PM_LABEL_NAME : PM_LABEL_NUMBER;
}

void pm_label_kinds_find(const pm_labels *labels, int32_t first[PM_LABEL_KINDS])
{
    char room[24];
    for (int kind = 0; kind < PM_LABEL_KINDS; ++kind)
        first[kind] = -1;
    for (int64_t k = 0; k < labels->count; ++k) {
        const char *text = pm_label(labels, k, room);
        const pm_label_kind kind = pm_label_kind_of(text, (int64_t)strlen(text));
        if (first[kind] < 0)
            first[kind] = (int32_t)k;
    }
}

/* ---- characters that nobody sees ---- */

/* All of them have two or three bytes.  *p: the first one; 0: it is another character. */
static uint32_t code_point(const unsigned char *p, int64_t length)
{
    if (length >= 2 && p[0] >> 5 == 6)
        return (p[0] & 31u) << 6 | (p[1] & 63u);
    if (length >= 3 && p[0] >> 4 == 14)
        return (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
    return 0;
}

/* Blanks that are not ASCII, marks without a width, the soft hyphen, and control characters of two bytes. */
static bool is_invisible(uint32_t c)
{
    return (c >= 0x80 && c <= 0xa0) || c == 0xad || c == 0x1680 || c == 0x180e
           || (c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f)
           || (c >= 0x205f && c <= 0x206f) || c == 0x3000 || c == 0xfeff;
}

static bool is_control(unsigned char c)
{
    return c < ' ' || c == 0x7f;
}

uint32_t pm_label_invisible_end(const char *text, int64_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    int64_t last = length - 1;
    if (length == 0)
        return 0;
    if (is_control(p[0]) || is_control(p[last]))
        return is_control(p[0]) ? p[0] : p[last];
    if (p[0] < 0x80 && p[last] < 0x80)
        return 0;
    while (last > 0 && p[last] >> 6 == 2)
        --last;
    const uint32_t ends[2] = {code_point(p, length), code_point(p + last, length - last)};
    return is_invisible(ends[0]) ? ends[0] : is_invisible(ends[1]) ? ends[1] : 0;
}

/* ---- one spelling for each number ---- */

enum {
    DIGITS = 40,         /* of a number that is compared */
    INTEGER_DIGITS = 18, /* of an integer that is written out, as in a label map */
    EXPONENT_DIGITS = 9,
    ROOM = DIGITS + 32
};

/* A decimal: (-1)^negative * digits * 10^exponent. */
typedef struct {
    bool negative;
    char digits[DIGITS + 1]; /* neither the first nor the last one is 0; none: the number is 0 */
    int count;
    int64_t exponent;
} decimal;

/* The digits at *p and after the point.  Returns false when there are too many. */
static bool read_digits(const char **p, const char *end, decimal *x)
{
    int64_t zeros = 0; /* after the last other digit */
    bool has_point = false;
    for (; *p < end && (is_digit(**p) || **p == '.'); ++*p) {
        if (**p == '.') {
            has_point = true;
            continue;
        }
        x->exponent -= has_point;
        if (**p == '0') {
            zeros += x->count > 0;
            continue;
        }
        if (x->count + zeros >= DIGITS)
            return false;
        memset(x->digits + x->count, '0', (size_t)zeros);
        x->count += (int)zeros;
        x->digits[x->count++] = **p;
        zeros = 0;
    }
    x->exponent += zeros;
    return true;
}

/* The number as decimal digits in x, below 2^127.  Returns false when it has more. */
static bool convert(const pm_dyadic *from, decimal *x)
{
    char room[ROOM];
    char *p = room + sizeof room;
    int64_t exponent = from->exp;
    if (from->kind != PM_DYADIC_SMALL || exponent < -62 || exponent > 62)
        return false;
    const int64_t m = from->m.small;
    unsigned __int128 digits = (uint64_t)(m < 0 ? -m : m);
    x->exponent = exponent < 0 ? exponent : 0;
    for (; exponent > 0; --exponent)
        digits *= 2;
    for (; exponent < 0; ++exponent) { /* 2^-1 = 5 10^-1 */
        if (digits >> 124)
            return false;
        digits *= 5;
    }
    for (; digits; digits /= 10)
        *--p = (char)('0' + digits % 10);
    const char *start = p;
    return read_digits(&start, room + sizeof room, x);
}

static bool read_hexadecimal(const char *text, int64_t length, decimal *x)
{
    pm_dyadic value = {0};
    const bool is_read =
        pm_number_parse(text, length, &value) != PM_NUMBER_BAD && convert(&value, x);
    pm_dyadic_clear(&value);
    return is_read;
}

/* text: of the kind PM_LABEL_INTEGER or PM_LABEL_NUMBER.  Returns false where it is not compared. */
static bool read_decimal(const char *text, int64_t length, decimal *x)
{
    const char *p = text, *end = text + length;
    *x = (decimal){.negative = *p == '-'};
    p += *p == '-' || *p == '+';
    if (end - p > 1 && (p[1] == 'x' || p[1] == 'X'))
        return read_hexadecimal(text, length, x);
    if (!read_digits(&p, end, x))
        return false;
    if (p < end) {
        const bool is_exponent = *p == 'e' || *p == 'E';
        if (!is_exponent || end - p > EXPONENT_DIGITS)
            return false;
        x->exponent += strtol(p + 1, NULL, 10); /* a NUL ends the label */
    }
    return true;
}

/* Equal numbers get equal texts; short integers are written as labels. */
static void write_decimal(const decimal *x, char room[ROOM])
{
    const char *sign = x->negative && x->count ? "-" : "";
    if (x->count == 0)
        snprintf(room, ROOM, "0");
    else if (x->exponent >= 0 && x->count + x->exponent <= INTEGER_DIGITS)
        snprintf(room, ROOM, "%s%s%.*s", sign, x->digits, (int)x->exponent, "000000000000000000");
    else
        snprintf(room, ROOM, "%s%se%" PRId64, sign, x->digits, x->exponent);
}

/* *other: a label before or after label k, of the same value; -1: none.  seen: the spellings of labels that
 * are no short integers; whose: [seen->labels.count] the labels. */
static pm_status find_other(const pm_label_map *m, int32_t k, const char *spelling,
                            pm_label_map *seen, int32_t *whose, int32_t *other, pm_error *err)
{
    const int64_t length = (int64_t)strlen(spelling), before = seen->labels.count;
    int64_t ignored;
    int32_t number;
    *other = pm_label_integer(spelling, length, &ignored) ? pm_label_find(m, spelling, length) : -1;
    if (*other >= 0)
        return PM_OK;
    pm_status status = pm_label_number(seen, spelling, length, &number, err);
    if (status)
        return status;
    if (seen->labels.count > before)
        whose[number] = k;
    else
        *other = whose[number];
    return PM_OK;
}

pm_status pm_label_find_respelled(const pm_label_map *m, int32_t pair[2], pm_error *err)
{
    pm_label_map seen = {0};
    int32_t *whose = NULL;
    int64_t capacity = 0;
    char text_room[24], spelling[ROOM];
    pm_status status = PM_OK;
    pair[0] = pair[1] = -1;
    for (int64_t k = 0; k < m->labels.count && pair[0] < 0 && !status; ++k) {
        const char *text = pm_label(&m->labels, k, text_room);
        const int64_t length = (int64_t)strlen(text);
        decimal x;
        int64_t value;
        if (pm_label_integer(text, length, &value) /* compared with others when these come */
            || pm_label_kind_of(text, length) == PM_LABEL_NAME || !read_decimal(text, length, &x))
            continue;
        write_decimal(&x, spelling);
        if (PM_GROW(whose, capacity, seen.labels.count + 1))
            status = pm_fail_memory(err, "labels");
        if (!status)
            status = find_other(m, (int32_t)k, spelling, &seen, whose, &pair[0], err);
        if (!status && pair[0] >= 0)
            pair[1] = (int32_t)k;
    }
    free(whose);
    pm_label_map_free(&seen);
    return status;
}
