/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/whole.h"

#include <inttypes.h>
#include <string.h>

/* ---- digits ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The value of a digit of a base up to 16; 16 when c is none. */
static unsigned digit_of(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

static bool multiply(uint64_t *v, uint64_t by)
{
    return !__builtin_mul_overflow(*v, by, v);
}

static bool append(uint64_t *v, unsigned base, unsigned digit)
{
    return digit < base && multiply(v, base) && !__builtin_add_overflow(*v, digit, v);
}

/* One digit or more, and nothing else. */
static bool parse_digits(const char *p, const char *end, unsigned base, uint64_t *out)
{
    bool good = p < end;
    *out = 0;
    for (; good && p < end; ++p)
        good = append(out, base, digit_of(*p));
    return good;
}

/* ---- notations ---- */

/* Up to 2^64, which may be the beginning of 2^64-1. */
static bool parse_power(const char *p, const char *hat, const char *end, unsigned __int128 *out)
{
    uint64_t base, exponent;
    if (!parse_digits(p, hat, 10, &base) || !parse_digits(hat + 1, end, 10, &exponent))
        return false;
    *out = 1;
    if (base <= 1) {
        *out = exponent ? base : 1;
        return true;
    }
    for (; exponent && *out <= UINT64_MAX; --exponent)
        *out *= base;
    return !exponent && *out <= (unsigned __int128)UINT64_MAX + 1;
}

/* The digits after 'e'; beyond 10^6 it is cut, since no number that fits has such an exponent. */
static bool parse_exponent(const char *p, const char *end, int64_t *out)
{
    enum { MOST = 1000000 };
    bool is_negative = p < end && *p == '-';
    uint64_t v;
    if (p < end && (*p == '-' || *p == '+'))
        ++p;
    if (!parse_digits(p, end, 10, &v))
        return false;
    int64_t size = v < MOST ? (int64_t)v : MOST;
    *out = is_negative ? -size : size;
    return true;
}

/* Digits with a point: v * 10^scale.  Zeros at the end are left out of v. */
static bool parse_mantissa(const char *p, const char *end, uint64_t *v, int64_t *scale)
{
    const char *point = memchr(p, '.', (size_t)(end - p));
    if (end - p == (point != NULL))
        return false; /* no digits */
    int64_t decimals = point ? end - point - 1 : 0, zeros = 0;
    *v = 0;
    for (; p < end; ++p) {
        if (p == point)
            continue;
        if (!is_digit(*p))
            return false;
        if (*p == '0') {
            ++zeros;
            continue;
        }
        for (; zeros; --zeros)
            if (!multiply(v, 10))
                return false;
        if (!append(v, 10, digit_of(*p)))
            return false;
    }
    *scale = zeros - decimals;
    return true;
}

static bool parse_decimal(const char *p, const char *end, uint64_t *out)
{
    const char *e = p;
    int64_t exponent = 0, scale;
    while (e < end && *e != 'e' && *e != 'E')
        ++e;
    if ((e < end && !parse_exponent(e + 1, end, &exponent)) || !parse_mantissa(p, e, out, &scale))
        return false;
    if (*out == 0)
        return true;
    for (scale += exponent; scale > 0; --scale)
        if (!multiply(out, 10))
            return false;
    return scale == 0;
}

/* "2^62-1" or "2^62+1": hat is in it. */
static bool parse_near_power(const char *p, const char *hat, const char *end, uint64_t *out)
{
    const char *sign = hat + 1;
    unsigned __int128 power;
    uint64_t step = 0;
    while (sign < end && *sign != '-' && *sign != '+')
        ++sign;
    if (!parse_power(p, hat, sign, &power)
        || (sign < end && !parse_digits(sign + 1, end, 10, &step)))
        return false;
    bool is_down = sign < end && *sign == '-';
    if (is_down && step > power)
        return false;
    power = is_down ? power - step : power + step;
    *out = (uint64_t)power;
    return power <= UINT64_MAX;
}

bool pm_whole_parse(const char *text, size_t length, uint64_t *out)
{
    const char *end = text + length, *hat = memchr(text, '^', length);
    if (hat)
        return parse_near_power(text, hat, end, out);
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return parse_digits(text + 2, end, 16, out);
    return parse_decimal(text, end, out);
}

pm_status pm_whole_between(const char *arg, uint64_t least, uint64_t most, uint64_t *out,
                           pm_error *err)
{
    uint64_t v;
    if (!pm_whole_parse(arg, strlen(arg), &v) || v < least || v > most)
        return pm_fail(err, PM_EUSAGE, "'%s' is not a whole number from %" PRIu64 " to %" PRIu64,
                       arg, least, most);
    *out = v;
    return PM_OK;
}
